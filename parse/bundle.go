package parse

import (
	"bufio"
	"bytes"
	"io"
	"path"
	"strings"
	"time"

	"hwcap/parse/fact"
	"hwcap/parse/sysfs"
)

// layout is how another tool keeps in its bundles what a capture holds.
type layout struct {
	format string // Capture.Format
	root   string // folder that only its bundles have
	// call tells what a member below root holds: the command that printed it,
	// or the path of the file that it is a copy of; "" for none.
	call func(name string) string
	// excerpt says of members of a capture why the bundle does not have all of
	// the text.
	excerpt map[string]string
}

// layouts are those of tools that write one file a command. Copies of files
// stand at their own paths in the bundles of sosreport and insights.
var layouts = []layout{
	// sos/report/plugins/__init__.py: _make_command_filename.
	{"sosreport", "sos_commands", func(name string) string {
		if strings.Count(name, "/") != 1 { // of a container or a network namespace
			return ""
		}
		return unmangle(name)
	}, nil},
	// insights/core/spec_factory.py: mangle_command. What insights/specs marks
	// as filterable is passed through grep.
	{"insights", "insights_commands", unmangle, map[string]string{
		logMember:           "insights keeps only lines with words that its rules look for",
		"cmd/journal-k.txt": "insights keeps only lines with words that its rules look for",
	}},
	{"hw-probe", "hw.info", func(name string) string { return probeCalls[name] }, nil},
}

// supportconfig writes many commands into one file; sections.go takes it apart.
var supportconfig = layout{format: "supportconfig"}

// probeCalls are the logs of hw-probe. Its cpuinfo has one processor of all.
var probeCalls = map[string]string{
	"host":            "hw-probe",
	"logs/lspci":      "lspci -vmnnk",
	"logs/lspci_all":  "lspci -vvnn",
	"logs/dmesg":      "dmesg",
	"logs/dmesg.1":    "journalctl -k --boot -1",
	"logs/dmidecode":  "dmidecode",
	"logs/lscpu":      "lscpu",
	"logs/sensors":    "sensors",
	"logs/nvidia-smi": "nvidia-smi -q",
	"logs/smart-log":  "nvme smart-log",
	"logs/meminfo":    "/proc/meminfo",
	"logs/interrupts": "/proc/interrupts",
	"logs/os-release": "/etc/os-release",
}

// unmangle makes a command of the name of the file that holds its output:
// "lspci -nnvv" of "pci/lspci_-nnvv".
func unmangle(name string) string { return strings.ReplaceAll(path.Base(name), "_", " ") }

// calls tell by what printed a text which member of a capture it stands for.
// They are patterns of path.Match; of two texts for one member that of the
// earlier call is taken.
var calls = []struct{ call, member string }{
	{"lspci -t*", "cmd/lspci-tv.txt"},
	{"lspci*", lspciMember},
	{"dmesg", logMember},
	{"dmesg -T", logMember},
	{"journalctl *--boot", "cmd/journal-k.txt"},
	{"journalctl *--boot 0", "cmd/journal-k.txt"},
	{"journalctl *--this-boot*", "cmd/journal-k.txt"},
	{"journalctl *--boot -1", "cmd/journal-k-1.txt"},
	{"/var/log/boot.msg", logMember},
	{"/var/log/messages", logMember},
	{"journalctl --no-pager --output=short-iso*", logMember},
	{"dmidecode", "cmd/dmidecode.txt"},
	{"ras-mc-ctl --status", "cmd/ras-mc-ctl-status.txt"},
	{"ras-mc-ctl --summary", "cmd/ras-mc-ctl-summary.txt"},
	{"ras-mc-ctl --errors", "cmd/ras-mc-ctl-errors.txt"},
	{"ras-mc-ctl --error-count", "cmd/ras-mc-ctl-error-count.txt"},
	{"ras-mc-ctl --layout", "cmd/ras-mc-ctl-layout.txt"},
	{"ras-mc-ctl --print-labels", "cmd/ras-mc-ctl-print-labels.txt"},
	{"ras-mc-ctl --guess-labels", "cmd/ras-mc-ctl-print-labels.txt"},
	{"ras-mc-ctl --mainboard", "cmd/ras-mc-ctl-mainboard.txt"},
	{"/var/log/mcelog", "cmd/mcelog.txt"},
	{"mcelog --client", "cmd/mcelog-client.txt"},
	{`ethtool [^\-]*`, "cmd/ethtool.txt"},
	{"ethtool -i *", "cmd/ethtool.txt"},
	{"nvme list", "cmd/nvme-list.txt"},
	{"nvme smart-log*", "cmd/nvme-smart-log.txt"},
	{"sensors", "cmd/sensors.txt"},
	{"dmsetup table", "cmd/dmsetup.txt"},
	{"nvidia-smi -q", "cmd/nvidia-smi.txt"},
	{"lscpu", "cmd/lscpu.txt"},
	{"uname -a", "uname"},
	{"hostname", "hostname"},
	{"date", "date"},
	{"date --utc", "date"},
	{"hw-probe", "hw-probe"},
}

// elsewhere are members that stand beside the folder of a bundle.
var elsewhere = map[string]string{
	"usr/lib/os-release": "etc/os-release", // which is a link to it
	"version.txt":        "sosreport",
}

// several are the members of which every text is read: one for each device,
// or of a log that was rotated.
var several = map[string]bool{
	"cmd/ethtool.txt": true, "cmd/nvme-smart-log.txt": true, "cmd/mcelog.txt": true, configMember: true, "sys/devices/system/edac/mc/.list": true,
}

// maxSeveral is how many outputs of commands are read: a large machine has a
// thousand interfaces.
const maxSeveral = 5000

// unranked is the rank of a text that was known by its lines.
const unranked = 1000

// standsFor returns the member of a capture that a command prints, or that is
// the copy of a file, and the rank of the call among those for the member.
func standsFor(call string) (member string, rank int) {
	for rank, c := range calls {
		fixed, _, _ := strings.Cut(c.call, "[")
		fixed, _, _ = strings.Cut(fixed, "*")
		if !strings.HasPrefix(call, fixed) { // which spares most of them the rest
			continue
		}
		if ok, _ := path.Match(c.call, call); ok {
			return c.member, rank
		}
	}
	name, ok := strings.CutPrefix(call, "/")
	if !ok {
		return "", 0
	}
	for _, root := range []string{"proc/", "sys/", "etc/"} {
		if strings.HasPrefix(name, root) {
			name, _, why := memberName(name)
			if source, _ := sourceOf(name); why == "" && (source != "" || sysfs.Wants(name)) {
				return name, 0
			}
		}
	}
	return "", 0
}

// ofBundle tells whether a member is one of another tool's bundle, and which
// member of a capture it stands for, "" for none.
func (b *builder) ofBundle(name string) (member string, rank int, ok bool) {
	root, rest, _ := strings.Cut(name, "/")
	for i := range layouts {
		if l := &layouts[i]; l.root == root {
			b.bundle = l
			member, rank = standsFor(l.call(rest))
			return member, rank, true
		}
	}
	if elsewhere[rest] != "" { // in the top folder
		name = rest
	}
	member, ok = elsewhere[name]
	return member, 0, ok
}

// readAs reads a text of a bundle that stands for a member of a capture. It
// returns the member where that is settled with it: of several texts for one
// member one is kept in the end.
func (b *builder) readAs(member string, rank int, name string, head []byte, lines io.Reader, m *member) string {
	if say := aboutBundle[member]; say != nil {
		b.about(say, name, 0, lines)
		return ""
	}
	k := kindFor(member, head)
	if parse := k.parser(); parse != nil {
		if b.calls++; b.calls > maxSeveral {
			b.skip(name, "more outputs of commands came than are read")
			return ""
		}
		t := &looseText{name: name}
		p := &part{kind: k, rank: rank, text: t}
		in := &listener{r: endOf{lines}, p: p}
		p.parsed = parse(b, in, name)
		io.Copy(io.Discard, in)
		t.lines, t.parts, t.cut = p.own, []*part{p}, m.err != nil
		b.keep(t)
		return ""
	}
	if !b.copyOf(member, name, 0, lines) {
		return ""
	}
	return member
}

// copyOf reads the copy of a file that a bundle keeps elsewhere, or what has no
// parser of its own. It returns false where one came before.
func (b *builder) copyOf(member, name string, before int, lines io.Reader) bool {
	if b.seen.has(member) || b.copied.has(member) && !several[member] {
		return false
	}
	if len(b.copied) >= b.limits.Members {
		b.skip(name, "more copies of files came than members are read")
		return false
	}
	b.copied.add(member)
	if sysfs.Wants(member) {
		b.tree.AddFrom(member, name, before, lines)
	}
	return true
}

// kindFor is the kind of a text that stands for a member: the one that its
// first lines are of where several kinds do.
func kindFor(member string, head []byte) *kind {
	if most, _ := recognise(head); most != nil && most.member == member {
		return most
	}
	for i := range kinds {
		if kinds[i].member == member {
			return &kinds[i]
		}
	}
	source, _ := sourceOf(member)
	return &kind{format: source, member: member}
}

// listener counts the lines that a parser reads, and keeps the first ones.
type listener struct {
	r io.Reader
	p *part
}

func (l *listener) Read(buf []byte) (int, error) {
	n, err := l.r.Read(buf)
	l.p.bytes += int64(n)
	l.p.own += bytes.Count(buf[:n], []byte("\n"))
	l.p.hear(buf[:n])
	return n, err
}

// failures are the words of shells and programs for why there is nothing else
// in a text.
var failures = []struct {
	words string
	state fact.State
}{
	{"ommand not found", fact.Absent},
	{"not executable", fact.Absent},
	{"No such file or directory", fact.Absent},
	{"Permission denied", fact.Denied},
	{"Operation not permitted", fact.Denied},
	{"timed out", fact.TimedOut},
}

// failure tells from the first lines of a text in which no parser found
// anything what became of the command.
func failure(text string) (fact.State, string) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, line := range lines {
		for _, f := range failures {
			if strings.Contains(line, f.words) {
				return f.state, strings.TrimSpace(line)
			}
		}
	}
	return fact.Failed, "nothing in it that hwcap knows: " + strings.TrimSpace(lines[0])
}

// aboutBundle are the texts that say of which machine a bundle is, and when it
// was made.
var aboutBundle = map[string]func(c *fact.Capture, line string){
	// uname(1) -a: Linux HOST RELEASE VERSION MACHINE [PROCESSOR PLATFORM] GNU/Linux.
	"uname": func(c *fact.Capture, line string) {
		f := strings.Fields(line)
		if len(f) < 5 || f[0] != "Linux" || f[len(f)-1] != "GNU/Linux" {
			return
		}
		c.Host, c.Kernel, c.Arch = f[1], f[2], f[len(f)-2]
	},
	"hostname": func(c *fact.Capture, line string) {
		if c.Host == "" && !strings.Contains(line, " ") {
			c.Host = line
		}
	},
	"date": func(c *fact.Capture, line string) {
		// The short names of other zones are not unique.
		at, err := time.Parse("Mon Jan _2 15:04:05 UTC 2006", line)
		if text := at.Format(time.RFC3339); err == nil && (c.Start == "" || text < c.Start) {
			c.Start = text
		}
	},
	"hw-probe": func(c *fact.Capture, line string) {
		switch key, value, _ := strings.Cut(line, ":"); key {
		case "kernel":
			c.Kernel = value
		case "arch":
			c.Arch = value
		case "probe_ver":
			c.Tool = "hw-probe " + value
		}
	},
	"sosreport": func(c *fact.Capture, line string) {
		if version, ok := strings.CutPrefix(line, "sosreport: "); ok {
			c.Tool = "sosreport " + version
		}
	},
}

// about reads such a text.
func (b *builder) about(say func(*fact.Capture, string), name string, before int, lines io.Reader) {
	const most = 100
	in := bufio.NewScanner(io.LimitReader(lines, headBytes))
	for n := 1; n <= most && in.Scan(); n++ {
		kernel := b.head.Kernel
		say(&b.head, strings.TrimSpace(in.Text()))
		if b.head.Kernel != kernel {
			b.kernelAt = fact.Line{File: name, Line: before + n, Text: in.Text()}
		}
	}
}

// describe puts at the head of the machine what a bundle says of itself. The
// manifest of a capture replaces it.
func (b *builder) describe() {
	if b.bundle == nil {
		if format := &b.m.Capture.Format; !b.rooted && b.manifest == nil && (*format == "archive" || *format == "folder") {
			*format = "loose texts"
		}
		return
	}
	c, h := &b.m.Capture, b.head
	c.Format, c.Host, c.Kernel, c.Arch, c.Start, c.Tool = b.bundle.format, h.Host, h.Kernel, h.Arch, h.Start, h.Tool
	if h.Kernel != "" {
		b.m.Platform.Kernel = fact.Of(h.Kernel, b.kernelAt)
	}
}
