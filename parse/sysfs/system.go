package sysfs

import (
	"io"
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

// field reads a file of one line into a value of the machine, and keeps it
// under its path too when it is a setting of the kernel.
func field(of func(*fact.Machine) *fact.Val[string]) handler {
	return func(t *Tree, f *file) {
		v := t.value(f)
		*of(t.m) = v
		if strings.HasPrefix(f.path, "proc/sys/") {
			t.m.Settings[f.path] = v
		}
	}
}

func platform(of func(*fact.Platform) *fact.Val[string]) handler {
	return field(func(m *fact.Machine) *fact.Val[string] { return of(&m.Platform) })
}

// cpuinfo reads /proc/cpuinfo. Keys differ by architecture: "model name" on
// x86 and some arm kernels, "cpu" on POWER, "cpu model" on MIPS, and "Features"
// for the flags on arm.
func cpuinfo(t *Tree, f *file) {
	p := &t.m.Platform
	cpus, first := 0, fact.Line{}
	var plain fact.Val[string]
	for n, line := range t.lines(f) {
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		key, value = strings.TrimRight(key, " \t"), strings.TrimSpace(value)
		at := fact.Line{File: f.file, Line: n, Text: line}
		switch {
		case key == "processor" || strings.HasPrefix(key, "processor "): // "processor 0" on s390x
			if cpus++; cpus == 1 {
				first = at
			}
		case value == "":
		case key == "model name" && !p.CPU.Known():
			p.CPU = fact.Of(value, at)
		case (key == "cpu" || key == "cpu model") && !plain.Known():
			plain = fact.Of(value, at)
		case (key == "flags" || key == "Features") && !p.CPUFlags.Known():
			p.CPUFlags = fact.Of(strings.Fields(value), at)
		case key == "microcode" && !p.Microcode.Known():
			p.Microcode = fact.Of(value, at)
		}
	}
	if cpus == 0 {
		t.problem(f, 0, "no processor in it")
		return
	}
	p.CPUs = fact.Val[int]{State: f.state(), V: cpus, At: first}
	if !p.CPU.Known() && plain.Known() {
		p.CPU = plain
	}
}

// modules reads /proc/modules: the name is the first word of each line.
func modules(t *Tree, f *file) {
	var names []string
	first := fact.Line{File: f.file}
	for n, line := range t.lines(f) {
		name, _, _ := strings.Cut(line, " ")
		if name == "" {
			continue
		}
		if !t.keepEntry(f, n, len(names), len(line)+32) {
			break
		}
		if len(names) == 0 {
			first.Line, first.Text = n, line
		}
		names = append(names, name)
	}
	t.m.Platform.Modules = fact.Val[[]string]{State: f.state(), V: names, At: first}
}

// uptime reads the first number of /proc/uptime, seconds.
func uptime(t *Tree, f *file) {
	v := t.value(f)
	if !v.Known() {
		return
	}
	word, _, _ := strings.Cut(v.V, " ")
	seconds, err := strconv.ParseFloat(word, 64)
	if err != nil || !(seconds >= 0 && seconds < 1e12) {
		t.problem(f, v.At.Line, "not an uptime: %s", quote(v.V))
		return
	}
	t.m.Platform.Uptime = fact.Of(seconds, v.At)
}

// osRelease reads PRETTY_NAME out of os-release(5), where a value may stand in
// quotes as in a shell.
func osRelease(t *Tree, f *file) {
	for n, line := range t.lines(io.LimitReader(f, maxText)) {
		if v, ok := strings.CutPrefix(line, "PRETTY_NAME="); ok {
			t.m.Platform.OS = fact.Of(strings.Trim(v, `"'`), fact.Line{File: f.file, Line: n, Text: line})
			return
		}
	}
}

// hypervisors are the system vendors of virtual machines, for processors that
// have no flag to say so. Microsoft builds real machines as well: there the
// product decides.
var hypervisors = []struct{ vendor, product, name string }{
	{"QEMU", "", "QEMU"},
	{"VMware, Inc.", "", "VMware"},
	{"Xen", "", "Xen"},
	{"innotek GmbH", "", "VirtualBox"},
	{"Parallels", "", "Parallels"},
	{"Microsoft Corporation", "Virtual Machine", "Hyper-V"},
	{"Google", "Google Compute Engine", "Google Compute Engine"},
}

// derive fills in what follows from facts read: the kernel's release, the
// hypervisor, and what dmidecode printed where sysfs gave nothing.
func (t *Tree) derive() {
	p := &t.m.Platform
	if t.dmi != nil {
		for _, f := range t.dmi.fallback(p) {
			if f.into.IsZero() {
				*f.into = *f.from
			}
		}
		t.m.Slots = t.dmi.Slots
	}
	if v, ok := p.Version.Get(); ok {
		if rest, ok := strings.CutPrefix(v, "Linux version "); ok {
			release, _, _ := strings.Cut(rest, " ")
			p.Kernel = fact.Of(release, p.Version.At)
		}
	}
	if efi, ok := t.m.Lists["sys/firmware/efi"]; ok {
		at := fact.Line{File: "sys/firmware/efi/.list"}
		if len(efi.Entries) > 0 {
			at = efi.Entries[0].At
		}
		p.EFI = fact.Of(true, at)
	}
	t.hypervisor()
}

func (t *Tree) hypervisor() {
	p := &t.m.Platform
	for _, h := range hypervisors {
		if p.Vendor.Known() && strings.HasPrefix(p.Vendor.V, h.vendor) && strings.HasPrefix(p.Product.V, h.product) {
			p.Hypervisor = fact.Of(h.name, p.Vendor.At)
			return
		}
	}
	flags, ok := p.CPUFlags.Get()
	if !ok || !strings.HasPrefix(p.CPUFlags.At.Text, "flags") { // only x86 has the flag
		return
	}
	p.Hypervisor = fact.Missing[string](fact.Absent, p.CPUFlags.At)
	for _, flag := range flags {
		if flag == "hypervisor" {
			p.Hypervisor = fact.Of("hypervisor", p.CPUFlags.At)
		}
	}
}
