package judge

import (
	"strings"

	"hwcap/parse/fact"
)

// bootVGA tells which display controller has the picture while the machine
// starts (drivers/pci/vgaarb.c, vga_arb_select_default_device).
var bootVGA = Rule{
	ID:      "boot-vga",
	Area:    Space,
	Sources: []string{"pci", "dmesg", "kmsg", "journal-k", "lspci-vvv"},
	// console is what the BMC's graphics chip is called, of the subject or, with
	// the case card, of the other one (consoleDevice).
	Keys: []string{"others", "console", "consoleDevice", "fromLog"},
	Cases: []Case{
		{Name: "only", Verdict: OK, Confidence: Observed},
		{Name: "card", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "bmc", Verdict: Problem, Severity: Info, Confidence: Observed, Known: true},
		{Name: "not-captured", Verdict: Unknown},
	},
	Judge: judgeBootVGA,
}

// managementVGA are the graphics chips of management controllers (BMC), which
// serve the remote console. Names from pci.ids and the kernel's drivers ast,
// mgag200, hibmc and xgifb.
var managementVGA = []struct{ vendor, devices, name, source string }{
	{"1a03", "", "ASPEED", "drivers/gpu/drm/ast: every device of the vendor with a display is a BMC"},
	{"102b", "0522 0524 0530 0532 0533 0534 0536 0538", "Matrox G200", "drivers/gpu/drm/mgag200/mgag200_drv.c, the server chips"},
	{"19e5", "1711", "Huawei Hibmc", "drivers/gpu/drm/hisilicon/hibmc/hibmc_drm_drv.c"},
	{"18ca", "0020", "XGI Z7", "pci.ids, Z7/Z9 (XG20 core)"},
}

// managementName names the management controller's graphics chip that d is, or
// "".
func managementName(d *fact.Device) string {
	for _, c := range managementVGA {
		if d.Vendor == c.vendor && (c.devices == "" || strings.Contains(c.devices, d.Device)) || named(d, c.name) {
			return c.name
		}
	}
	return ""
}

// consoleOnly reports whether d is the graphics chip of a management controller.
func consoleOnly(d *fact.Device) bool { return managementName(d) != "" }

func judgeBootVGA(m *fact.Machine) []Finding {
	var vga []*fact.Device
	boot, at, fromLog := "", fact.Line{}, false
	for i := range m.PCI {
		d := &m.PCI[i]
		if !strings.HasPrefix(d.Class, "0300") {
			continue
		}
		vga = append(vga, d)
		if d.Sysfs != nil && d.Sysfs.BootVGA.V == "1" && d.Sysfs.BootVGA.Known() {
			boot, at = d.Address, d.Sysfs.BootVGA.At
		}
	}
	if boot == "" {
		for _, n := range m.Log.Of("vga-boot") { // a later one overrides
			boot, at, fromLog = n.Device, n.At, true
		}
	}
	d := m.Device(boot)
	switch {
	case d == nil && len(vga) > 1:
		return []Finding{found("not-captured", addresses(vga)...)}
	case d == nil || d.Vendor == "": // whose it is was not read
		return nil
	}
	f := found("card", boot)
	f.cite("boot", at)
	others := []string{}
	console, consoleDevice := managementName(d), ""
	for _, v := range vga {
		if v == d {
			continue
		}
		others = append(others, v.Address)
		if name := managementName(v); name != "" && console == "" {
			console, consoleDevice = name, v.Address
			f.cite("console", v.From)
		}
	}
	switch {
	case consoleOnly(d):
		f.Case = "bmc"
	case len(others) == 0:
		f.Case = "only"
	}
	f.cite("card", d.From)
	f.Values = map[string]any{"others": others, "console": console, "consoleDevice": consoleDevice, "fromLog": fromLog}
	return []Finding{f}
}
