package ethtool

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/lines"
	"hwcap/parse/sysfs"
)

const (
	maxLine     = 1024 // bytes kept of a line; ethtool wraps its lists
	maxProblems = 100
)

// labels are the lines of one value.
var labels = map[string]func(i *fact.Interface, value string, at fact.Line){
	"Speed": func(i *fact.Interface, value string, at fact.Line) {
		number, _ := strings.CutSuffix(value, "Mb/s")
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			n = 0 // "Unknown!", "Unknown! (65535)"
		}
		i.Speed = speed(n, at)
	},
	"Duplex": func(i *fact.Interface, value string, at fact.Line) { i.Duplex = readWord(strings.ToLower(value), at) },
	"Lanes": func(i *fact.Interface, value string, at fact.Line) {
		if n, err := strconv.Atoi(value); err == nil && n > 0 {
			i.Ethtool.Lanes = fact.Of(n, at)
		}
	},
	"Port":             func(i *fact.Interface, value string, at fact.Line) { i.Ethtool.Port = readWord(value, at) },
	"Transceiver":      func(i *fact.Interface, value string, at fact.Line) { i.Ethtool.Transceiver = readWord(value, at) },
	"Auto-negotiation": truth(func(e *fact.Ethtool) *fact.Val[bool] { return &e.Autoneg }),
	"Link detected": func(i *fact.Interface, value string, at fact.Line) {
		answer, why, _ := strings.Cut(value, " (")
		if v, ok := truths[answer]; ok {
			i.Ethtool.Link = fact.Of(v, at)
		}
		if why != "" {
			i.Ethtool.LinkReason = fact.Of(strings.TrimSuffix(why, ")"), at)
		}
	},
	"SQI": func(i *fact.Interface, value string, at fact.Line) {
		now, best, _ := strings.Cut(value, "/")
		if n, err := strconv.Atoi(now); err == nil {
			i.Ethtool.SignalQuality = fact.Of(n, at)
		}
		if n, err := strconv.Atoi(best); err == nil {
			i.Ethtool.SignalQualityMax = fact.Of(n, at)
		}
	},
	"Link Down Events": func(i *fact.Interface, value string, at fact.Line) {
		if n, err := strconv.ParseInt(value, 10, 64); err == nil {
			i.Ethtool.LinkDowns = fact.Of(n, at)
		}
	},
	"Supports auto-negotiation":                truth(func(e *fact.Ethtool) *fact.Val[bool] { return &e.SupportsAutoneg }),
	"Advertised auto-negotiation":              truth(func(e *fact.Ethtool) *fact.Val[bool] { return &e.AdvertisesAutoneg }),
	"Link partner advertised auto-negotiation": truth(func(e *fact.Ethtool) *fact.Val[bool] { return &e.PartnerAutoneg }),

	// ethtool -i
	"driver":           func(i *fact.Interface, value string, _ fact.Line) { i.Driver = value },
	"firmware-version": func(i *fact.Interface, value string, at fact.Line) { i.Ethtool.Firmware = readWord(value, at) },
	"bus-info": func(i *fact.Interface, value string, _ fact.Line) {
		if sysfs.IsAddress(value) {
			i.Device = value
		}
	},
}

// lists are the lines of which a list of link modes follows.
var lists = map[string]func(e *fact.Ethtool) *fact.Val[[]fact.LinkMode]{
	"Supported link modes":               func(e *fact.Ethtool) *fact.Val[[]fact.LinkMode] { return &e.Supported },
	"Advertised link modes":              func(e *fact.Ethtool) *fact.Val[[]fact.LinkMode] { return &e.Advertised },
	"Link partner advertised link modes": func(e *fact.Ethtool) *fact.Val[[]fact.LinkMode] { return &e.Partner },
}

// ignored are the lines without a use.
var ignored = map[string]bool{
	"Supported ports":                         true, // the sockets of the card; the one in use is "Port"
	"Supported pause frame use":               true, // flow control, not speed
	"Advertised pause frame use":              true,
	"Link partner advertised pause frame use": true,
	"Supported FEC modes":                     true, // error correction, chosen with the mode
	"Advertised FEC modes":                    true,
	"Link partner advertised FEC modes":       true,
	"PHYAD":                                   true, // address of the PHY on its bus
	"MDI-X":                                   true, // crossed pairs
	"Supports Wake-on":                        true, // wake on LAN
	"Wake-on":                                 true,
	"SecureOn password":                       true,
	"Current message level":                   true, // what the driver logs, and its words in the next line
	"master-slave cfg":                        true, // who gives the clock
	"master-slave status":                     true,
	"Rate matching":                           true, // between PHY and MAC
	"version":                                 true, // of the driver; in the kernel tree that of the kernel
	"expansion-rom-version":                   true, // of the boot ROM
	"supports-statistics":                     true, // what else ethtool could ask
	"supports-test":                           true,
	"supports-eeprom-access":                  true,
	"supports-register-dump":                  true,
	"supports-priv-flags":                     true,
}

var truths = map[string]bool{"on": true, "yes": true, "Yes": true, "off": false, "no": false, "No": false}

func truth(of func(*fact.Ethtool) *fact.Val[bool]) func(*fact.Interface, string, fact.Line) {
	return func(i *fact.Interface, value string, at fact.Line) {
		if v, ok := truths[value]; ok {
			*of(i.Ethtool) = fact.Of(v, at)
		}
	}
}

// readWord is a word, absent for "Unknown! (255)" and what says that there is none.
func readWord(value string, at fact.Line) fact.Val[string] {
	value, _, _ = strings.Cut(value, " (")
	if value == "" || value == "N/A" || strings.HasPrefix(strings.ToLower(value), "unknown!") {
		return fact.Missing[string](fact.Absent, at)
	}
	return fact.Of(value, at)
}

// text is the reading of a text.
type text struct {
	file     string
	all      []fact.Interface
	place    map[string]int // in all, by name
	open     int            // the block that is read, in all; -1 for none
	label    string         // of the last line, whose value may go on
	list     modes
	refused  []fact.Line // refusals that stand before the block that they are about
	problems []fact.Problem
	unread   fact.Unread
	full     bool
}

// ParseText reads what ethtool prints, with or without -i, of one or more
// interfaces one after another. What -i prints has no name; it is an interface
// of its own, with the PCI address by which it belongs to another one. Of two
// blocks of one interface the later one counts. Other lines are counted as
// unread. On a broken stream the interfaces before it are returned with the
// error.
func ParseText(r io.Reader, file string) ([]fact.Interface, []fact.Problem, fact.Unread, error) {
	t := text{file: file, place: map[string]int{}, open: -1, unread: fact.Unread{File: file}}
	in := lines.New(r, file, maxLine)
	for in.Next() {
		t.unread.Of++
		t.line(in.Bytes())
	}
	t.close()
	return t.named(), t.problems, t.unread, in.Err()
}

// named leaves out what -i printed of what is no PCI function.
func (t *text) named() []fact.Interface {
	var out []fact.Interface
	for _, i := range t.all {
		if i.Name != "" || i.Device != "" {
			out = append(out, i)
		}
	}
	return out
}

func (t *text) line(raw []byte) {
	line := bytes.TrimSpace(raw)
	at := func() fact.Line { return fact.Line{File: t.file, Line: t.unread.Of, Text: string(raw)} }
	label, value, ok := cut(line)
	switch {
	case saysNothing(line):
		t.unread.Ignored++
		return
	case ok && value == "" && strings.HasPrefix(label, "Settings for "):
		t.begin(strings.TrimPrefix(label, "Settings for "), at())
		return
	case strings.HasPrefix(label, "Cannot get "):
		t.refuse(at())
		return
	case label == "driver" && ok:
		t.begin("", at())
	}
	switch {
	case t.open < 0:
		t.unread.Lines++
	case ok && lists[label] != nil:
		t.close()
		t.label = label
		*lists[label](t.ethtool()) = fact.Missing[[]fact.LinkMode](fact.Absent, at())
		t.addModes(value)
	case ok && labels[label] != nil:
		t.close()
		labels[label](&t.all[t.open], value, at())
	case ok && ignored[label]:
		t.close()
		t.label = label
		t.unread.Ignored++
	case lists[t.label] != nil && t.addModes(string(line)): // the list goes on
	case ignored[t.label] && !ok && raw[0] != line[0]: // so does a line without a use
		t.unread.Ignored++
	default:
		t.close()
		t.unread.Lines++
	}
}

// saysNothing knows the lines that name no interface and no value.
func saysNothing(line []byte) bool {
	return len(line) == 0 ||
		string(line) == "No data available" || // the driver tells nothing of the interface above
		bytes.HasPrefix(line, []byte("netlink error: ")) // in the standard error, of no one in particular
}

// cut splits a line at its colon.
func cut(line []byte) (label, value string, ok bool) {
	l, v, ok := bytes.Cut(line, []byte(":"))
	return string(bytes.TrimSpace(l)), string(bytes.TrimSpace(v)), ok
}

func (t *text) ethtool() *fact.Ethtool { return t.all[t.open].Ethtool }

// begin begins the block of an interface; what -i prints has no name.
func (t *text) begin(name string, at fact.Line) {
	t.close()
	t.open = -1
	fresh := fact.Interface{Name: name, Ethtool: &fact.Ethtool{}, At: at}
	i, again := t.place[name]
	switch {
	case len(name) > maxName:
		t.problem(at.Line, "the name of an interface is longer than "+strconv.Itoa(maxName)+" bytes")
		t.unread.Lines++
		return
	case name != "" && again:
		t.all[i] = fresh
	case len(t.all) < maxInterfaces:
		i = len(t.all)
		t.all = append(t.all, fresh)
		t.place[name] = i
	default:
		if !t.full {
			t.problem(at.Line, fmt.Sprintf("more than %d interfaces", maxInterfaces))
		}
		t.full = true
		t.unread.Lines++
		return
	}
	t.open = i
	if name == "" {
		return
	}
	for _, line := range t.refused {
		t.apply(line)
	}
	t.refused = nil
}

// addModes adds the modes of a line to the list that is read, and reports
// whether it holds any.
func (t *text) addModes(line string) bool {
	before := len(t.list.list)
	for name := range strings.FieldsSeq(line) {
		t.list.add(name)
	}
	return len(t.list.list) > before
}

// close ends the list that is read.
func (t *text) close() {
	if of := lists[t.label]; of != nil && t.open >= 0 && len(t.list.list) > 0 {
		v := of(t.ethtool())
		*v = t.list.value(v.At)
	}
	t.label, t.list = "", modes{}
}

// refusals are what ethtool could not get, and what misses it then. They stand
// in the standard error, which comes before the block that it is about where the
// output goes to a file.
var refusals = map[string]func(e *fact.Ethtool, state fact.State, at fact.Line){
	"Cannot get link status":          replies[linkState].refused,
	"Cannot get device settings":      replies[linkModes].refused,
	"Cannot get wake-on-lan settings": func(*fact.Ethtool, fact.State, fact.Line) {}, // without a use
	"Cannot get message level":        func(*fact.Ethtool, fact.State, fact.Line) {}, // the same
	"Cannot get driver information":   func(*fact.Ethtool, fact.State, fact.Line) {}, // names no interface
}

// errorStates are the words of strerror(3) behind it.
var errorStates = map[string]fact.State{
	"Operation not permitted": fact.Denied,
	"Permission denied":       fact.Denied,
	"Operation not supported": fact.Absent,
	"No such device":          fact.Absent,
}

// refuse takes a line like "Cannot get link status: Operation not permitted".
func (t *text) refuse(at fact.Line) {
	label, _, _ := cut([]byte(at.Text))
	switch {
	case refusals[label] == nil:
		t.unread.Lines++
	case t.open >= 0 && (label != "Cannot get link status" || t.ethtool().Link.IsZero()):
		t.apply(at)
	case len(t.refused) < len(refusals):
		t.refused = append(t.refused, at)
	}
}

// apply gives the open block the state that a refusal stands for.
func (t *text) apply(at fact.Line) {
	label, why, _ := cut([]byte(at.Text))
	state := errorStates[why]
	if state == "" {
		state = fact.Failed
	}
	refusals[label](t.ethtool(), state, at)
}

func (t *text) problem(line int, text string) {
	if len(t.problems) < maxProblems {
		t.problems = append(t.problems, fact.Problem{File: t.file, Line: line, Text: text})
	}
}

// Looks reports whether a line is one that only ethtool prints.
func Looks(line []byte) bool {
	if name, ok := bytes.CutPrefix(line, []byte("Settings for ")); ok {
		name, ok = bytes.CutSuffix(bytes.TrimRight(name, " "), []byte(":"))
		return ok && len(name) > 0 && len(name) <= maxName && bytes.IndexByte(name, ' ') < 0
	}
	for _, start := range []string{"driver: ", "firmware-version:", "expansion-rom-version:", "bus-info: ", "supports-"} {
		if bytes.HasPrefix(line, []byte(start)) {
			return true
		}
	}
	label, _, ok := cut(line)
	return ok && (lists[label] != nil || label == "Link detected" || label == "Supports Wake-on")
}
