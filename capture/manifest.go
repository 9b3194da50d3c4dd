package capture

import (
	"bytes"
	"encoding/json"
)

// Schema names the version of the capture format.
const Schema = "hwcap.capture/1"

// Manifest is manifest.json: what a capture holds, what it does not, and why.
type Manifest struct {
	Schema    string   `json:"schema"`
	Tool      string   `json:"tool"` // name and version of the program that wrote it
	Host      string   `json:"host"`
	Kernel    string   `json:"kernel"`    // release, as uname -r
	Arch      string   `json:"arch"`      // as uname -m
	Container string   `json:"container"` // kind of container it was made in; "" for none
	UID       int      `json:"uid"`       // effective user
	Caps      string   `json:"caps"`      // effective capabilities, CapEff of /proc/self/status
	Locale    string   `json:"locale"`    // of the user; commands ran in C
	Timezone  string   `json:"timezone"`
	Boot      string   `json:"boot"`  // /proc/sys/kernel/random/boot_id
	Start     string   `json:"start"` // RFC 3339, UTC
	End       string   `json:"end"`
	Sources   []Record `json:"sources"`
}

// Record is one source in a manifest.
type Record struct {
	Name    string  `json:"name"`
	Path    string  `json:"path"` // its member; of a tree the folder or folders above all members
	Kind    Kind    `json:"kind"`
	What    string  `json:"what"` // exact command, file, patterns or request
	State   State   `json:"state"`
	Why     string  `json:"why,omitempty"`
	Exit    *int    `json:"exit,omitempty"`
	MS      int64   `json:"ms"`
	Bytes   int64   `json:"bytes"`            // of its members, without .err
	SHA256  string  `json:"sha256,omitempty"` // of the same bytes, in the order of the archive
	Cap     int64   `json:"cap"`              // bytes
	Privacy Privacy `json:"privacy"`
}

// Encode returns the manifest as it stands in a capture: every field and every
// source on a line of its own, so that a line can be cited.
func (m *Manifest) Encode() ([]byte, error) {
	head := *m
	head.Sources = nil
	text, err := marshal(head)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		return nil, err
	}
	const none = "null\n}"
	b.Truncate(b.Len() - len(none))
	b.WriteString("[")
	for i, r := range m.Sources {
		line, err := marshal(r)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n    ")
		b.Write(line)
	}
	b.WriteString("\n  ]\n}\n")
	return b.Bytes(), nil
}

// marshal is json.Marshal without the escapes for HTML, which make patterns
// and messages hard to read.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// Names returns the names of the sources that ended in one of the states.
func (m *Manifest) Names(states ...State) []string {
	var names []string
	for _, r := range m.Sources {
		for _, s := range states {
			if r.State == s {
				names = append(names, r.Name)
			}
		}
	}
	return names
}
