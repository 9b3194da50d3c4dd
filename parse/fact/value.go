package fact

import "encoding/json"

// State tells how a source or a single value ended. The words are those of the
// capture format (manifest.json, field "state").
type State string

// The states of the capture format. The zero State means that the source in
// question does not speak of the value at all.
const (
	Present   State = "present"
	Empty     State = "empty"     // read, and nothing in it
	Absent    State = "absent"    // no such file, tool or hardware
	Denied    State = "denied"    // no permission
	TimedOut  State = "timeout"   // given up at its time limit
	Failed    State = "failed"    // an error, or promised but not there
	Truncated State = "truncated" // cut at its cap, or with the archive
	Redacted  State = "redacted"  // dropped whole before mailing
	NotAsked  State = "not-asked" // nobody looked
)

// Line is a place in a capture and what stands there: the n-th line of a text
// member, the n-th record of a pcap, or an offset in a binary member.
type Line struct {
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`   // from 1; 0 in binary members
	Frame  int    `json:"frame,omitempty"`  // from 1; record of a pcap
	Offset int64  `json:"offset,omitempty"` // byte offset in a binary member
	Text   string `json:"-"`                // the literal line, without its end
}

// IsZero reports whether l names no place.
func (l Line) IsZero() bool { return l.File == "" }

// Val is a value of a source together with its state and place. The zero Val
// means that no source speaks of it; V counts only while State is Present or
// Truncated.
type Val[T any] struct {
	State State
	V     T
	At    Line
}

// Of returns a present value that stands at line at.
func Of[T any](v T, at Line) Val[T] { return Val[T]{State: Present, V: v, At: at} }

// Missing returns a value that is not there, for the reason state.
func Missing[T any](state State, at Line) Val[T] { return Val[T]{State: state, At: at} }

// Get returns the value and whether it was read.
func (v Val[T]) Get() (T, bool) { return v.V, v.State == Present || v.State == Truncated }

// Known reports whether the value was read.
func (v Val[T]) Known() bool { _, ok := v.Get(); return ok }

// IsZero reports whether no source speaks of the value; encoding/json leaves
// such fields out (tag omitzero).
func (v Val[T]) IsZero() bool { return v.State == "" }

// MarshalJSON writes the bare value, or {"state": ...} where it was not read.
func (v Val[T]) MarshalJSON() ([]byte, error) {
	if got, ok := v.Get(); ok {
		return json.Marshal(got)
	}
	return json.Marshal(struct {
		State State `json:"state"`
	}{v.State})
}
