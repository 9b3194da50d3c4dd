package capture

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Kind tells how a source is read.
type Kind string

// The kinds of sources, as manifest.json names them.
const (
	Command Kind = "command"
	File    Kind = "file"
	Tree    Kind = "tree" // files and folder listings below one folder
	Netlink Kind = "netlink"
	Attach  Kind = "attach" // a file that the user added
)

// State tells how a source ended, as manifest.json names it.
type State string

// The states of a source.
const (
	Present   State = "present"
	Empty     State = "empty"     // read, and nothing in it
	Absent    State = "absent"    // no such file, tool or hardware
	Denied    State = "denied"    // no permission
	TimedOut  State = "timeout"   // given up at its time limit
	Failed    State = "failed"    // an error
	Truncated State = "truncated" // cut at its cap
	Redacted  State = "redacted"  // dropped whole
	NotAsked  State = "not-asked" // nobody looked
)

// Privacy says what a source may tell about persons and places.
type Privacy string

// The privacy classes.
const (
	Plain    Privacy = "plain"    // models, states and counters
	Identity Privacy = "identity" // serial numbers, MAC addresses, UUIDs, host names
	Text     Privacy = "text"     // free text of programs and people: may hold anything
)

// What a source gets when its row says nothing else.
const (
	DefaultLimit = 20 * time.Second
	DefaultCap   = 16 << 20 // bytes
	defaultMost  = 1000     // members of a tree
)

// Source is one row of the table: what is asked and within which bounds.
type Source struct {
	Name    string
	Kind    Kind
	Path    string // member; of a tree the folder above all members, * within a component
	Groups  []string
	Limit   time.Duration
	Cap     int64 // bytes of all its members
	Privacy Privacy
	Root    string // what root adds; "" where an ordinary user sees the same
	More    bool   // an ordinary user sees a part of it
	Asks    string // what a read asks of a device; "" where it stays in memory

	run     string // command and its arguments, separated by blanks; no shell sees it
	each    string // run once for each folder that this pattern matches; {} in run is its name
	answers []int  // exit codes other than 0 that are an answer
	// absent holds words by which a command says that what it looks for does
	// not exist.
	absent []string

	slot    string // the option that narrows a command to some PCI functions
	wakes   string // not asked, so as to wake nothing, while a PCI function of a class that begins so sleeps
	picks   []pick // a tree's files and folders, in the order of reading
	most    int    // members that a tree may have
	records bool   // a device that gives one record a read and has no end
	dump    string // a netlink dump in words
	file    string // the file to attach
	watch   *Watch // sampled after all other sources

	needs      string // a path without which the source is absent
	filled     bool   // and that file must not be empty
	family     string // not asked where this generic netlink family exists
	userTongue bool   // run in the user's locale instead of C
}

// pick names files of a tree.
type pick struct {
	dir   string // pattern of folders, * within a component
	list  string // patterns of names for the folder's .list, separated by blanks; "": no .list
	files string // patterns of files below the folder, separated by blanks
	first bool   // read before any source that asks a device
	asks  string // as files, of those that ask the device and can wake it
	of    string // where below the folder that device is; "": the folder is it
}

// What returns what is asked: the exact command, or the file, or the patterns
// of a tree, or the netlink dump in words.
func (s *Source) What() string {
	if s.watch != nil {
		return strings.Join(s.watch.lines(), " ")
	}
	switch s.Kind {
	case Command:
		if s.each != "" {
			return fmt.Sprintf("%s (each /%s)", s.run, s.each)
		}
		return s.run
	case Tree:
		return strings.Join(s.Lines(), " ")
	case Netlink:
		return s.dump
	case Attach:
		return s.file
	}
	return "/" + s.Path
}

// Lines returns the same as What, one command, file or folder a line.
func (s *Source) Lines() []string {
	if s.watch != nil {
		return s.watch.lines()
	}
	if s.Kind != Tree {
		return []string{s.What()}
	}
	var lines []string
	for _, p := range s.picks {
		if p.list != "" {
			lines = append(lines, "/"+p.dir+"/")
		}
		for _, group := range []string{p.files, p.asks} {
			switch files := strings.Fields(group); len(files) {
			case 0:
			case 1:
				lines = append(lines, "/"+p.dir+"/"+files[0])
			default:
				lines = append(lines, "/"+p.dir+"/{"+strings.Join(files, ",")+"}")
			}
		}
	}
	return lines
}

// Sources returns the table, in the order of the archive. The caller may
// change what it gets.
func Sources() []Source {
	rows := slices.Clone(table)
	for i := range rows {
		s := &rows[i]
		if s.Path == "" {
			s.Path = "cmd/" + s.Name + ".txt"
		}
		if s.Limit == 0 {
			s.Limit = DefaultLimit
		}
		if s.Cap == 0 {
			s.Cap = DefaultCap
		}
		if s.Privacy == "" {
			s.Privacy = Plain
		}
		if s.most == 0 {
			s.most = defaultMost
		}
	}
	return rows
}

// HeadFiles returns what is read for the head of every manifest: rights, boot,
// time zone, and whether this is a container.
func HeadFiles() []string {
	return []string{"/proc/self/status", "/proc/sys/kernel/random/boot_id", "/etc/localtime",
		"/.dockerenv", "/run/.containerenv", "/run/systemd/container", "/proc/1/cgroup", "/proc/1/environ"}
}

// in reports whether s belongs to group: a named set or the first part of its
// path.
func (s *Source) in(group string) bool {
	first, _, _ := strings.Cut(s.Path, "/")
	return group == first || slices.Contains(s.Groups, group)
}

// Groups returns every name that --only and --skip take, sorted.
func Groups() []string {
	var names []string
	for _, s := range Sources() {
		first, _, _ := strings.Cut(s.Path, "/")
		names = append(append(names, first), s.Groups...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Selection says which sources are asked. An empty one takes all.
type Selection struct {
	Only []string // groups; empty: every group
	Skip []string // groups that are left out, also of Only
}

// Check returns an error that names a group which does not exist.
func (sel Selection) Check() error {
	known := Groups()
	for _, group := range slices.Concat(sel.Only, sel.Skip) {
		if !slices.Contains(known, group) {
			return fmt.Errorf("%w: %q", ErrGroup, group)
		}
	}
	return nil
}

// Leaves returns why a source is left out, or "" if it is asked. What the user
// attaches is never left out.
func (sel Selection) Leaves(s *Source) string {
	if s.Kind == Attach {
		return ""
	}
	for _, group := range sel.Skip {
		if s.in(group) {
			return "left out by --skip " + group
		}
	}
	if len(sel.Only) > 0 && !slices.ContainsFunc(sel.Only, s.in) {
		return "left out by --only " + strings.Join(sel.Only, " --only ")
	}
	return ""
}
