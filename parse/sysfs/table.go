package sysfs

import (
	"strings"

	"hwcap/parse/fact"
)

// handler reads one file.
type handler func(*Tree, *file)

// rows says which file gives which fact; an asterisk stands for one part of
// the path. Listings need no row: all are kept, and joined by Finish. Names of
// PCI functions' files: Documentation/ABI/testing/sysfs-bus-pci.
var rows = []struct {
	pattern string
	handle  handler
}{
	{"sys/bus/pci/devices/*/vendor", id(func(d *fact.Device) *string { return &d.Vendor })},
	{"sys/bus/pci/devices/*/device", id(func(d *fact.Device) *string { return &d.Device })},
	{"sys/bus/pci/devices/*/subsystem_vendor", id(func(d *fact.Device) *string { return &d.SubVendor })},
	{"sys/bus/pci/devices/*/subsystem_device", id(func(d *fact.Device) *string { return &d.SubDevice })},
	{"sys/bus/pci/devices/*/revision", id(func(d *fact.Device) *string { return &d.Revision })},
	{"sys/bus/pci/devices/*/class", class},
	{"sys/bus/pci/devices/*/label", label},
	{"sys/bus/pci/devices/*/numa_node", numaNode},
	{"sys/bus/pci/devices/*/current_link_speed", link(func(d *device) *fact.Val[string] { return &d.curSpeed })},
	{"sys/bus/pci/devices/*/current_link_width", link(func(d *device) *fact.Val[string] { return &d.curWidth })},
	{"sys/bus/pci/devices/*/max_link_speed", link(func(d *device) *fact.Val[string] { return &d.maxSpeed })},
	{"sys/bus/pci/devices/*/max_link_width", link(func(d *device) *fact.Val[string] { return &d.maxWidth })},
	{"sys/bus/pci/devices/*/aer_dev_correctable", counters(func(s *fact.Sysfs) *fact.Val[fact.Counters] { return &s.AERCorrectable })},
	{"sys/bus/pci/devices/*/aer_dev_nonfatal", counters(func(s *fact.Sysfs) *fact.Val[fact.Counters] { return &s.AERNonFatal })},
	{"sys/bus/pci/devices/*/aer_dev_fatal", counters(func(s *fact.Sysfs) *fact.Val[fact.Counters] { return &s.AERFatal })},
	{"sys/bus/pci/devices/*/aer_rootport_total_err_cor", count(func(s *fact.Sysfs) *fact.Val[int64] { return &s.RootCor })},
	{"sys/bus/pci/devices/*/aer_rootport_total_err_nonfatal", count(func(s *fact.Sysfs) *fact.Val[int64] { return &s.RootNonFatal })},
	{"sys/bus/pci/devices/*/aer_rootport_total_err_fatal", count(func(s *fact.Sysfs) *fact.Val[int64] { return &s.RootFatal })},
	{"sys/bus/pci/devices/*/sriov_totalvfs", count(func(s *fact.Sysfs) *fact.Val[int] { return &s.TotalVFs })},
	{"sys/bus/pci/devices/*/sriov_numvfs", count(func(s *fact.Sysfs) *fact.Val[int] { return &s.NumVFs })},
	{"sys/bus/pci/devices/*/power_state", word(func(s *fact.Sysfs) *fact.Val[string] { return &s.PowerState })},
	{"sys/bus/pci/devices/*/power/runtime_status", word(func(s *fact.Sysfs) *fact.Val[string] { return &s.Runtime })},
	{"sys/bus/pci/devices/*/reset_method", word(func(s *fact.Sysfs) *fact.Val[string] { return &s.ResetMethod })},
	{"sys/bus/pci/devices/*/boot_vga", word(func(s *fact.Sysfs) *fact.Val[string] { return &s.BootVGA })},
	{"sys/bus/pci/devices/*/config", config},
	{"sys/bus/pci/devices/*/resource", resource},
	{"sys/bus/pci/devices/*/qat/state", qatWord(func(q *fact.QAT) *fact.Val[string] { return &q.Up })},
	{"sys/bus/pci/devices/*/qat/cfg_services", qatWord(func(q *fact.QAT) *fact.Val[string] { return &q.Services })},
	{"sys/bus/pci/devices/*/qat/auto_reset", qatWord(func(q *fact.QAT) *fact.Val[string] { return &q.AutoReset })},
	{"sys/bus/pci/devices/*/qat/pm_idle_enabled", qatWord(func(q *fact.QAT) *fact.Val[string] { return &q.PMIdle })},
	{"sys/bus/pci/devices/*/qat/num_rps", qatNumber(func(q *fact.QAT) *fact.Val[int64] { return &q.RingPairs })},
	{"sys/bus/pci/devices/*/qat_ras/errors_correctable", qatNumber(func(q *fact.QAT) *fact.Val[int64] { return &q.Correctable })},
	{"sys/bus/pci/devices/*/qat_ras/errors_nonfatal", qatNumber(func(q *fact.QAT) *fact.Val[int64] { return &q.NonFatal })},
	{"sys/bus/pci/devices/*/qat_ras/errors_fatal", qatNumber(func(q *fact.QAT) *fact.Val[int64] { return &q.Fatal })},
	{"sys/bus/pci/devices/*/irq", setting},
	{"sys/bus/pci/devices/*/d3cold_allowed", setting},
	{"sys/bus/pci/devices/*/link/*", setting},
	{"sys/bus/pci/devices/*/resource0_resize", setting},
	{"sys/bus/pci/devices/*/resource1_resize", setting},
	{"sys/bus/pci/devices/*/resource2_resize", setting},
	{"sys/bus/pci/devices/*/resource3_resize", setting},
	{"sys/bus/pci/devices/*/resource4_resize", setting},
	{"sys/bus/pci/devices/*/resource5_resize", setting},
	{"sys/bus/pci/slots/*/address", slotAddress},

	{"sys/kernel/iommu_groups/*/type", group(func(g *fact.Group) *fact.Val[string] { return &g.Type })},
	{"sys/kernel/iommu_groups/*/name", group(func(g *fact.Group) *fact.Val[string] { return &g.Name })},

	{"sys/class/dmi/id/sys_vendor", platform(func(p *fact.Platform) *fact.Val[string] { return &p.Vendor })},
	{"sys/class/dmi/id/product_name", platform(func(p *fact.Platform) *fact.Val[string] { return &p.Product })},
	{"sys/class/dmi/id/board_vendor", platform(func(p *fact.Platform) *fact.Val[string] { return &p.BoardVendor })},
	{"sys/class/dmi/id/board_name", platform(func(p *fact.Platform) *fact.Val[string] { return &p.Board })},
	{"sys/class/dmi/id/bios_vendor", platform(func(p *fact.Platform) *fact.Val[string] { return &p.BIOSVendor })},
	{"sys/class/dmi/id/bios_version", platform(func(p *fact.Platform) *fact.Val[string] { return &p.BIOSVersion })},
	{"sys/class/dmi/id/bios_date", platform(func(p *fact.Platform) *fact.Val[string] { return &p.BIOSDate })},
	{"sys/class/dmi/id/product_version", setting},
	{"sys/class/dmi/id/board_version", setting},
	{"sys/class/dmi/id/chassis_type", setting},
	{"sys/firmware/devicetree/base/model", platform(func(p *fact.Platform) *fact.Val[string] { return &p.Model })},
	{"sys/devices/system/cpu/cpu0/microcode/version", platform(func(p *fact.Platform) *fact.Val[string] { return &p.Microcode })},

	{"proc/cmdline", platform(func(p *fact.Platform) *fact.Val[string] { return &p.Cmdline })},
	{"proc/version", platform(func(p *fact.Platform) *fact.Val[string] { return &p.Version })},
	{"proc/sys/kernel/tainted", platform(func(p *fact.Platform) *fact.Val[string] { return &p.Tainted })},
	{"proc/cpuinfo", cpuinfo},
	{"proc/modules", modules},
	{"proc/uptime", uptime},
	{"etc/os-release", osRelease},
	{"proc/sys/kernel/dmesg_restrict", field(func(m *fact.Machine) *fact.Val[string] { return &m.Log.Restrict })},
	{"proc/sys/crypto/fips_enabled", field(func(m *fact.Machine) *fact.Val[string] { return &m.Crypto.FIPS })},

	{edacFolder + "/*/mc_name", edacName},
	{edacFolder + "/*/ce_count", edacCount(func(c *fact.Controller) *fact.Val[int64] { return &c.CE })},
	{edacFolder + "/*/ue_count", edacCount(func(c *fact.Controller) *fact.Val[int64] { return &c.UE })},
	{edacFolder + "/*/ce_noinfo_count", edacCount(func(c *fact.Controller) *fact.Val[int64] { return &c.CENoInfo })},
	{edacFolder + "/*/ue_noinfo_count", edacCount(func(c *fact.Controller) *fact.Val[int64] { return &c.UENoInfo })},
	{edacFolder + "/*/seconds_since_reset", edacCount(func(c *fact.Controller) *fact.Val[int64] { return &c.Since })},
	{edacFolder + "/*/sdram_scrub_rate", scrubRate},
	{edacFolder + "/*/size_mb", setting},
	{edacFolder + "/*/*/dimm_label", dimmText(func(d *fact.DIMMCount) *string { return &d.Label })},
	{edacFolder + "/*/*/dimm_location", dimmText(func(d *fact.DIMMCount) *string { return &d.Location })},
	{edacFolder + "/*/*/dimm_mem_type", dimmText(func(d *fact.DIMMCount) *string { return &d.MemType })},
	{edacFolder + "/*/*/dimm_edac_mode", dimmText(func(d *fact.DIMMCount) *string { return &d.Mode })},
	{edacFolder + "/*/*/dimm_ce_count", dimmCount(func(d *dimm) *fact.Val[int64] { return &d.ce })},
	{edacFolder + "/*/*/dimm_ue_count", dimmCount(func(d *dimm) *fact.Val[int64] { return &d.ue })},
	{edacFolder + "/*/*/size", dimmSize},
	{edacFolder + "/*/*/*", csrowFile},
	{"sys/devices/system/edac/pci/*", setting}, // pci_parity_count and the like

	{"sys/class/net/*/speed", netSpeed},
	{"sys/class/net/*/carrier", netWord(func(i *fact.Interface) *fact.Val[string] { return &i.Carrier })},
	{"sys/class/net/*/operstate", netWord(func(i *fact.Interface) *fact.Val[string] { return &i.OperState })},
	{"sys/class/net/*/mtu", netMTU},
	{"sys/class/net/*/duplex", netDuplex},
	{"sys/class/hwmon/*/name", hwmonName},
	{"sys/class/drm/*/device/pp_dpm_pcie", wholeText},
	{"sys/module/*/parameters/*", setting},
	{"sys/kernel/debug/zswap/*", setting},
	{"sys/bus/thunderbolt/devices/*/*", setting},
	{"cmd/ras-mc-ctl-status.txt", field(func(m *fact.Machine) *fact.Val[string] { return &m.RAS.Status })},
	{"cmd/rasdaemon-active.txt", field(func(m *fact.Machine) *fact.Val[string] { return &m.RAS.Daemon })},
}

// branch is a node of the tree of patterns, one level a part of the path.
type branch struct {
	next   map[string]*branch
	any    *branch
	handle handler
}

var patterns = plant()

func plant() *branch {
	root := &branch{next: map[string]*branch{}}
	for _, row := range rows {
		b := root
		for part := range strings.SplitSeq(row.pattern, "/") {
			next := b.next[part]
			if part == "*" {
				next = b.any
			}
			if next == nil {
				next = &branch{next: map[string]*branch{}}
				if part == "*" {
					b.any = next
				} else {
					b.next[part] = next
				}
			}
			b = next
		}
		b.handle = row.handle
	}
	return root
}

// lookup returns the handler for a path and what the asterisks stand for, nil
// if no row has it. A literal part goes before an asterisk.
func lookup(path string) (handle handler, key []string) {
	b := patterns
	for part := range strings.SplitSeq(path, "/") {
		next := b.next[part]
		if next == nil {
			if next = b.any; next == nil {
				return nil, nil
			}
			key = append(key, part)
		}
		b = next
	}
	return b.handle, key
}
