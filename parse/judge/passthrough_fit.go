package judge

import (
	"cmp"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// passthroughFit tells which devices could be given to a virtual machine, and
// what else goes with them or stands against it. What goes together is one IOMMU
// group (Documentation/driver-api/vfio.rst). Where the groups were not captured or
// the IOMMU is off, iommu-groups and iommu-state say so, and this rule is silent.
// "Fit" is not ok: whether the firmware keeps memory of a device for itself, the
// kernel says only when somebody tries.
var passthroughFit = Rule{
	ID:      "passthrough-fit",
	Area:    Isolate,
	Sources: []string{"iommu-groups", "lspci-vvv", "pci", "proc-cmdline", "proc-version", "block", "dmesg", "kmsg", "journal-k"},
	// endpoints is a table: address, group, driver, flr, noFLR, reset (methods as
	// the kernel lists them), bootVGA, vfsOffered, vfsActive. companions are the
	// other devices of the group; separated says that no override made the group;
	// held are those that a driver of the host still has
	// while vfio has another one.
	Keys: []string{"endpoints", "group", "companions", "held", "notViable", "override", "bootVGA", "withoutFLR", "disk",
		"chip", "chips", "since", "kernel", "erratum", "overridden", "refusal", "remapped", "separated",
		// rootSaid is how the command line names the root file system: by a
		// "drive", an "other" way, with "nothing"; "" where it was not read.
		"rootSaid"},
	Cases: []Case{
		{Name: "fit", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "companions", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "claimed", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "denied", Verdict: Problem, Severity: Info, Confidence: Derived, Known: true},
		{Name: "refused", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "no-remapping", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "host-disk", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "disk-open", Verdict: Unknown, Confidence: Derived},
		{Name: "claim-open", Verdict: Unknown, Confidence: Derived},
		{Name: "list-open", Verdict: Unknown, Known: true},
	},
	Judge: judgePassthroughFit,
}

func judgePassthroughFit(m *fact.Machine) []Finding {
	if interrupted(m, "iommu-groups") || m.IOMMU.State == fact.Truncated {
		return nil
	}
	p := &passthrough{m: m, disk: bootDisk(m)}
	p.version, p.versionAt, p.versionKnown = versionOf(m)
	for _, f := range judgeIRQRemapping(m) {
		p.remapping = &f
	}
	var findings []Finding
	for _, g := range m.IOMMU.Groups {
		if groupKind(g) == "noiommu" {
			return nil
		}
		f, ok := p.judge(g)
		if !ok {
			continue
		}
		// Groups of which the same holds are one finding; what goes together
		// or was refused is told group by group.
		i := slices.IndexFunc(findings, func(o Finding) bool {
			return o.Case == f.Case && f.Case != "companions" && f.Case != "refused" && f.Case != "host-disk" &&
				o.Values["erratum"] == f.Values["erratum"]
		})
		if i < 0 {
			findings = append(findings, f)
			continue
		}
		findings[i].joinGroup(f)
	}
	return findings
}

type passthrough struct {
	m            *fact.Machine
	disk         rootDisk
	version      kernelVersion
	versionAt    fact.Line
	versionKnown bool
	remapping    *Finding // what irq-remapping says: vfio takes no device without it
}

// judge speaks of one group, if it holds an endpoint that people pass through.
func (p *passthrough) judge(g fact.Group) (Finding, bool) {
	members, known := groupMembers(p.m, g)
	if !known {
		return Finding{}, false
	}
	f := found("fit")
	f.Values = map[string]any{
		"endpoints": []map[string]any{}, "group": g.ID, "companions": []string{}, "held": []string{}, "notViable": false,
		"override": len(p.m.Log.Of("acs-override")) > 0, "bootVGA": []string{}, "withoutFLR": []string{}, "disk": "",
		"chip": "", "chips": []string{}, "since": "", "kernel": "", "erratum": "", "overridden": false, "refusal": "",
		"separated": len(p.m.Log.Of("acs-override")) == 0 && withoutOverride(p.m),
		"remapped":  p.remapping != nil && p.remapping.Case == "on",
		"rootSaid":  p.disk.said,
	}
	var wanted []*fact.Device
	endpoints := 0
	handed := false
	for _, d := range members {
		if isBridge(d) || strings.HasPrefix(d.Class, "0600") { // these stay with the host
			continue
		}
		endpoints++
		handed = handed || d.Driver == "vfio-pci"
		if p.worthwhile(d) {
			wanted = append(wanted, d)
			f.endpoint(d, g)
		} else {
			f.appendName("companions", d.Address)
			f.cite("companion", d.From)
		}
	}
	if len(wanted) == 0 {
		return f, false
	}
	for _, d := range members {
		if handed && !isBridge(d) && d.Driver != "" && !slices.Contains(passThrough, d.Driver) {
			f.appendName("held", d.Address)
			f.cite("held", d.DriverAt)
		}
	}
	for _, e := range g.Devices {
		f.cite("group", e.At)
	}
	for _, n := range p.m.Log.Of("vfio") {
		if n.Fields["state"] == "not-viable" && n.Fields["group"] == g.ID {
			f.Values["notViable"] = true
			f.cite("not-viable", n.At)
		}
	}
	f.Case = p.outcome(&f, wanted, members, endpoints)
	return f, true
}

// outcome names the case: first what rules a device out, then what is open.
func (p *passthrough) outcome(f *Finding, wanted, members []*fact.Device, endpoints int) string {
	switch list := p.denial(f, wanted); list {
	case denied:
		return "denied"
	case perhaps:
		return "list-open"
	}
	for _, n := range p.m.Log.Of("dmar-rmrr-ineligible", "iommu-identity-required") {
		if slices.ContainsFunc(members, func(d *fact.Device) bool { return d.Address == n.Device }) {
			f.Values["refusal"] = n.Kind
			f.cite("refusal", n.At)
			return "refused"
		}
	}
	if p.remapping != nil && p.remapping.Case == "off" {
		f.Evidence = append(f.Evidence, p.remapping.Evidence...)
		return "no-remapping"
	}
	disks := slices.ContainsFunc(members, storage)
	if slices.ContainsFunc(members, func(d *fact.Device) bool { return p.disk.device == d.Address }) {
		f.Values["disk"] = p.disk.name
		f.cite("disk", p.disk.at...)
		return "host-disk"
	}
	switch {
	case f.Values["override"] == true:
		f.citeNotes("override", p.m.Log.Of("acs-override"))
		return "claimed"
	case endpoints > 1:
		return "companions"
	case !withoutOverride(p.m):
		return "claim-open"
	case disks && p.disk.device == "":
		return "disk-open"
	}
	return "fit"
}

// denial looks the devices up in vfio-pci's own list.
func (p *passthrough) denial(f *Finding, wanted []*fact.Device) denial {
	worst := allowed
	for _, d := range wanted {
		row, state := vfioDenialOf(d, p.version, p.versionKnown)
		if state == allowed || state < worst {
			continue
		}
		worst = state
		f.Values["chip"], f.Values["erratum"] = row.name, string(row.erratum)
		f.Values["since"] = kernelVersion{row.since.major, row.since.minor, -1}.String()
		if !slices.Contains(f.Values["chips"].([]string), row.name) {
			f.appendName("chips", row.name)
		}
	}
	if worst == allowed {
		return worst
	}
	if p.versionKnown {
		f.Values["kernel"] = p.version.String()
		f.cite("kernel", p.versionAt)
	}
	for _, n := range p.m.Log.Of("vfio") {
		switch n.Fields["state"] {
		case "denied":
			f.cite("denied", n.At)
		case "allowed":
			f.Values["overridden"] = true
			f.cite("overridden", n.At)
		}
	}
	for _, w := range bootWords(p.m, "vfio-pci.disable_denylist", "vfio_pci.disable_denylist") {
		if _, v, has := strings.Cut(w, "="); !has || strings.ContainsAny(v, "1yY") {
			f.Values["overridden"] = true
			f.cite("overridden", p.m.Platform.Cmdline.At)
		}
	}
	return worst
}

// worthwhile reports whether d is of a kind that people give to virtual
// machines: graphics, network, accelerators; storage and USB where they are no
// part of the chipset. The console of a BMC is none, nor is what a virtual machine
// is given; virtual functions are told of with their physical one.
func (p *passthrough) worthwhile(d *fact.Device) bool {
	switch {
	case isVF(d), silent(d), imitated(d), consoleOnly(d):
		return false
	case strings.HasPrefix(d.Class, "02"), graphics(d), d.Class == "0b40", strings.HasPrefix(d.Class, "12"):
		return true
	}
	if row, _ := vfioDenialOf(d, p.version, p.versionKnown); row != nil {
		return true
	}
	return d.Parent != "" && (storage(d) || d.Class == "0c03")
}

// imitated reports whether d is a device that a virtual machine imitates, be it
// one that exists: QEMU and VMware sign as its subsystem. 1234:1111 is the
// display of Bochs and QEMU.
func imitated(d *fact.Device) bool {
	return emulated(d) || d.Vendor == "1234" || d.SubVendor == "1af4" || d.SubVendor == "15ad"
}

// endpoint adds the row of a device and cites what it rests on.
func (f *Finding) endpoint(d *fact.Device, g fact.Group) {
	row := map[string]any{
		"address": d.Address, "group": g.ID, "driver": d.Driver, "flr": false, "noFLR": false, "reset": "", "bootVGA": false,
		"vfsOffered": 0, "vfsActive": 0,
	}
	f.Subjects = append(f.Subjects, d.Address)
	f.cite("endpoint", d.From)
	flr, _ := d.AFReset.Get()
	capFLR, read := false, false
	if x := d.Express; x != nil {
		if capFLR, read = x.FLReset.Get(); read {
			f.cite("flr", x.FLReset.At)
		}
	}
	flr = flr || capFLR
	if s := d.Sysfs; s != nil {
		if methods, ok := s.ResetMethod.Get(); ok {
			row["reset"] = methods
			read = true
			flr = flr || strings.Contains(methods, "flr") || strings.Contains(methods, "device_specific")
			f.cite("reset", s.ResetMethod.At)
		}
		if v, _ := s.BootVGA.Get(); v == "1" {
			row["bootVGA"] = true
			f.appendName("bootVGA", d.Address)
			f.cite("boot-vga", s.BootVGA.At)
		}
	}
	row["flr"], row["noFLR"] = flr, read && !flr
	if read && !flr {
		f.appendName("withoutFLR", d.Address)
	}
	if d.SRIOV != nil {
		row["vfsOffered"], row["vfsActive"] = d.SRIOV.TotalVFs, d.SRIOV.NumVFs
		f.cite("sriov", d.SRIOV.At)
	} else if s := d.Sysfs; s != nil && s.TotalVFs.V > 0 {
		row["vfsOffered"], row["vfsActive"] = s.TotalVFs.V, s.NumVFs.V
		f.cite("sriov", s.TotalVFs.At)
	}
	f.Values["endpoints"] = append(f.Values["endpoints"].([]map[string]any), row)
}

// joinGroup adds a group of which the same holds.
func (f *Finding) joinGroup(g Finding) {
	f.Subjects = append(f.Subjects, g.Subjects...)
	f.Values["endpoints"] = append(f.Values["endpoints"].([]map[string]any), g.Values["endpoints"].([]map[string]any)...)
	f.Values["group"] = ""
	for _, key := range []string{"companions", "held", "bootVGA", "withoutFLR", "chips"} {
		for _, name := range g.Values[key].([]string) {
			if !slices.Contains(f.Values[key].([]string), name) {
				f.appendName(key, name)
			}
		}
	}
	for _, e := range g.Evidence {
		if !slices.Contains(f.Evidence, e) {
			f.Evidence = append(f.Evidence, e)
		}
	}
}

// rootDisk is the controller of the drive that the kernel was told to take its
// root file system from; device is "" where that is not known: most command
// lines name a file system, not a drive.
type rootDisk struct {
	device, name string
	said         string // how the command line names the root: "drive", "other", "nothing"; "" if it was not read
	at           []fact.Line
}

func bootDisk(m *fact.Machine) rootDisk {
	line := bootLine(m)
	words := wordsOf(line.V, "root")
	switch {
	case !line.Known():
		return rootDisk{}
	case len(words) == 0:
		return rootDisk{said: "nothing"}
	}
	name, ok := strings.CutPrefix(words[len(words)-1], "root=/dev/")
	if !ok || strings.HasPrefix(name, "disk/") || strings.HasPrefix(name, "mapper/") {
		return rootDisk{said: "other"}
	}
	best := fact.Entry{}
	for _, e := range m.Lists["sys/class/block"].Entries { // the partition, or the drive that it is on
		if (e.Name == name || strings.HasPrefix(name, e.Name)) && len(e.Name) > len(best.Name) {
			best = e
		}
	}
	for _, part := range slices.Backward(strings.Split(best.Target, "/")) {
		if m.Device(part) != nil {
			return rootDisk{device: part, name: cmp.Or(name, best.Name), said: "drive", at: []fact.Line{line.At, best.At}}
		}
	}
	return rootDisk{said: "drive"}
}
