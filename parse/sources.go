package parse

import (
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// places are the sources of a capture by where their members stand, as in
// capture/FORMAT.md. A path that ends in a slash or underscore, and those of
// trees, are the beginning of the members' names.
var places = []struct {
	name, kind, path string
}{
	{"lspci-vvv", "command", "cmd/lspci-vvv.txt"},
	{"lspci-tv", "command", "cmd/lspci-tv.txt"},
	{"dmesg", "command", "cmd/dmesg.txt"},
	{"kmsg", "file", "dev/kmsg"},
	{"journal-k", "command", "cmd/journal-k.txt"},
	{"journal-k-1", "command", "cmd/journal-k-1.txt"},
	{"proc-crypto", "file", "proc/crypto"},
	{"proc-cmdline", "file", "proc/cmdline"},
	{"proc-cpuinfo", "file", "proc/cpuinfo"},
	{"proc-modules", "file", "proc/modules"},
	{"proc-interrupts", "file", "proc/interrupts"},
	{"proc-meminfo", "file", "proc/meminfo"},
	{"proc-version", "file", "proc/version"},
	{"proc-uptime", "file", "proc/uptime"},
	{"proc-iomem", "file", "proc/iomem"},
	{"proc-tainted", "file", "proc/sys/kernel/tainted"},
	{"proc-dmesg-restrict", "file", "proc/sys/kernel/dmesg_restrict"},
	{"proc-netlink", "file", "proc/net/netlink"},
	{"proc-fips", "file", "proc/sys/crypto/fips_enabled"},
	{"proc-config", "file", "proc/config.gz"},
	{"os-release", "file", "etc/os-release"},
	{"pci", "tree", "sys/bus/pci/devices/"},
	{"pci-port-drivers", "tree", "sys/bus/pci_express/drivers/"},
	{"pci-slots", "tree", "sys/bus/pci/slots/"},
	{"iommu-groups", "tree", "sys/kernel/iommu_groups/"},
	{"iommu-units", "tree", "sys/class/iommu/"},
	{"acpi-hest", "file", "sys/firmware/acpi/tables/HEST"},
	{"acpi-dmar", "file", "sys/firmware/acpi/tables/DMAR"},
	{"acpi-tables", "tree", "sys/firmware/acpi/tables/"},
	{"dmi", "tree", "sys/class/dmi/id/"},
	{"dmidecode", "command", "cmd/dmidecode.txt"},
	{"edac", "tree", "sys/devices/system/edac/mc/"},
	{"hwmon", "tree", "sys/class/hwmon/"},
	{"zswap", "tree", "sys/module/zswap/parameters/"},
	{"pcie-aspm", "file", "sys/module/pcie_aspm/parameters/policy"},
	{"net", "tree", "sys/class/net/"},
	{"dma", "tree", "sys/class/dma/"},
	{"drm", "tree", "sys/class/drm/"},
	{"thunderbolt", "tree", "sys/bus/thunderbolt/devices/"},
	{"device-tree", "file", "sys/firmware/devicetree/base/model"},
	{"block", "tree", "sys/class/block/"},
	{"microcode", "file", "sys/devices/system/cpu/cpu0/microcode/version"},
	{"efi", "tree", "sys/firmware/efi/"},
	{"zswap-debug", "tree", "sys/kernel/debug/zswap/"},
	{"qat", "tree", "sys/kernel/debug/qat_"},
	{"netlink-crypto", "netlink", "netlink/crypto.pcap"},
	{"netlink-route", "netlink", "netlink/route.pcap"},
	{"netlink-ethtool", "netlink", "netlink/ethtool.pcap"},
	{"netlink-devlink", "netlink", "netlink/devlink.pcap"},
	{"ras-status", "command", "cmd/ras-mc-ctl-status.txt"},
	{"ras-summary", "command", "cmd/ras-mc-ctl-summary.txt"},
	{"ras-errors", "command", "cmd/ras-mc-ctl-errors.txt"},
	{"ras-error-count", "command", "cmd/ras-mc-ctl-error-count.txt"},
	{"ras-layout", "command", "cmd/ras-mc-ctl-layout.txt"},
	{"ras-labels", "command", "cmd/ras-mc-ctl-print-labels.txt"},
	{"ras-mainboard", "command", "cmd/ras-mc-ctl-mainboard.txt"},
	{"mcelog", "command", "cmd/mcelog.txt"},
	{"mcelog-client", "command", "cmd/mcelog-client.txt"},
	{"rasdaemon", "command", "cmd/rasdaemon-active.txt"},
	{"nvme-list", "command", "cmd/nvme-list.txt"},
	{"nvme-smart-log", "command", "cmd/nvme-smart-log.txt"},
	{"sensors", "command", "cmd/sensors.txt"},
	{"dmsetup", "command", "cmd/dmsetup.txt"},
	{"nvidia-smi", "command", "cmd/nvidia-smi.txt"},
	{"lscpu", "command", "cmd/lscpu.txt"},
	{"locale", "command", "cmd/locale.txt"},
	{"ethtool", "command", "cmd/ethtool.txt"},
	{"links", "file", "samples/links.jsonl"},
	// Last, since it is the beginning of other paths below sys/devices too.
	{"pci-roots", "tree", "sys/devices/pci"},
}

// sourceOf names the source that a member belongs to and its kind, "" for none.
func sourceOf(path string) (name, kind string) {
	for _, p := range places {
		if path == p.path || p.kind == "tree" && strings.HasPrefix(path, p.path) {
			return p.name, p.kind
		}
	}
	if name, ok := strings.CutPrefix(path, "attach/"); ok {
		return "attach-" + name, "attach"
	}
	return "", ""
}

// arrived is what is known of the members of one source.
type arrived struct {
	path    string // of the last member
	bytes   int64  // of all
	last    int64  // of the last member
	cut     string // member that ended early
	read    bool   // a fact can come of it
	loose   bool   // a text that stands for the member
	excerpt string // why it is not all of the text
	nothing *part  // the text, where nothing was found in it
}

// arrive notes a member that was read.
func (b *builder) arrive(source, path string, bytes int64, cut bool) {
	a := b.arrived[source]
	if a == nil {
		if len(b.arrived) == maxSources {
			b.skip(path, "more sources came than are listed")
			return
		}
		a = &arrived{}
		b.arrived[source] = a
	}
	if a.path != path {
		a.path, a.last = path, 0
	}
	a.last += bytes
	a.bytes += bytes
	if cut {
		a.cut = path
	}
}

// sources settles the list of sources: the manifest's, set right by what came,
// or one made from what came.
func (b *builder) sources() {
	if b.manifest == nil {
		b.m.Sources = b.sourcesFound()
		return
	}
	b.m.Sources = b.manifest.sources
	for i := range b.m.Sources {
		b.check(&b.m.Sources[i])
	}
}

// check compares a row of the manifest with what came.
func (b *builder) check(s *fact.Source) {
	a := b.arrived[s.Name]
	if a == nil { // an attachment, or a source that the table does not know
		name, _ := sourceOf(s.Path)
		a = b.arrived[name]
	}
	if a == nil && b.seen.has(s.Path) {
		a = &arrived{}
	}
	switch {
	case s.State != fact.Present && s.State != fact.Truncated:
		return
	case a == nil && b.m.Capture.CutOff:
		s.State, s.Why = fact.Failed, "listed as "+string(s.State)+", but reading ended before it"
	case a == nil:
		s.State, s.Why = fact.Failed, "listed as "+string(s.State)+", but not in the archive"
	case a.cut != "":
		s.State, s.Why = fact.Truncated, "reading ended inside "+a.cut
	case s.SHA256 != "" && b.sums[sumOf(s.Path)] != nil && !strings.EqualFold(s.SHA256, hex.EncodeToString(b.sums[sumOf(s.Path)])):
		b.m.Problems = append(b.m.Problems, fact.Problem{File: s.Path, Text: "its contents are not those of the checksum in " + manifestName})
	}
}

// sourcesFound makes a row for each source of which a member came, in the
// order of the table, attachments last.
func (b *builder) sourcesFound() []fact.Source {
	all := []fact.Source{}
	row := func(name, kind, path string) {
		a := b.arrived[name]
		if a == nil || kind == "tree" && !a.read && !a.loose {
			return
		}
		s := fact.Source{Name: name, Path: path, Kind: kind, State: fact.Present, Bytes: a.bytes}
		switch {
		case a.cut != "":
			s.State, s.Why = fact.Truncated, "reading ended inside "+a.cut
		case a.bytes == 0:
			s.State = fact.Empty
		case a.nothing != nil:
			s.State, s.Why = failure(string(a.nothing.said))
			if a.nothing.secret {
				s.Why = ""
			}
		case a.excerpt != "":
			s.State, s.Why = fact.Truncated, a.excerpt
		}
		if kind != "tree" || a.loose {
			s.Path, s.Bytes = a.path, a.last
		}
		all = append(all, s)
	}
	for _, p := range places {
		row(p.name, p.kind, strings.TrimRight(p.path, "/"))
	}
	for _, name := range slices.Sorted(maps.Keys(b.arrived)) {
		if path, ok := strings.CutPrefix(name, "attach-"); ok {
			row(name, "attach", "attach/"+path)
		}
	}
	return all
}
