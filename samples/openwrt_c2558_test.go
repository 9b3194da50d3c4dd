package samples

import (
	"slices"
	"testing"

	"hwcap/parse/fact"
)

var openwrtC2558 = []conclusion{
	{"the accelerator leads from 8 KiB on, and not up to 1 KiB", "offload-vs-cpu", "aes-128-cbc-hmac-sha1", "info", false,
		map[string]any{"fromBytes": 8192.0, "belowBytes": 1024.0, "threads": 2.0, "jobs": 32.0,
			"rows": []any{map[string]any{"blockBytes": 8192.0, "faster": true}, map[string]any{"blockBytes": 1024.0, "faster": false}}}, true},
	{"who computed is known by the attachments' names only", "offload-vs-cpu", "aes-128-cbc-hmac-sha1", "info", false,
		map[string]any{"limits": []any{"named", "jobs", "single"}}, true},
	{"with RSA it leads at once", "offload-vs-cpu", "rsa 2048", "info", false,
		map[string]any{"atMost": 4.412, "rows": []any{map[string]any{"operation": "sign", "offload": 912.0, "cpu": 206.7}, map[string]any{"operation": "verify", "offload": 10057.0, "cpu": 7097.7}}}, true},
	{"what only the accelerator was measured at stands aside", "offload-vs-cpu", "rsa 2048", "info", false,
		map[string]any{"alone": []any{map[string]any{"operation": "sign", "threads": 2.0, "jobs": 32.0, "figure": 1289.9}, map[string]any{"operation": "verify", "figure": 27914.2}}}, true},
	{"the kernel has no driver of its own for this chip", "qat-device", "0000:00:0b.0", "info", true,
		map[string]any{"family": "Atom C2xxx", "id": "8086:1f18", "boundTo": "icp_qa_al", "package": "QAT 1.5", "qatlib": false}, true},
	{"nothing of the accelerator is registered with the kernel", "crypto-selection", "machine", "ok", false, nil, false},
	{"the processor has AES instructions, which the kernel uses", "crypto-cpu-support", "machine", "ok", false, nil, false},
	{"links are read without lspci", "pcie-link-width", "0000:04:00.0", "ok", false, map[string]any{"widthLanes": 1.0}, false},
	{"the kernel did not ask for error handling", "osc-aer-denied", "PNP0A08:00", "notice", false, nil, true},
	{"it cannot reach the extended configuration space", "capture-privilege", "machine", "notice", false, nil, true},
	{"the picture is the BMC's", "boot-vga", "0000:03:00.0", "info", true, nil, false},
}

// TestOpenWrtConclusions holds the report on the router to what its owner
// measured, and to what is known of its chip.
func TestOpenWrtConclusions(t *testing.T) {
	checkConclusions(t, "openwrt-c2558", openwrtC2558)
}

// TestOpenWrtRaisesNoAlarm: two notices, both of the kernel's own limits.
func TestOpenWrtRaisesNoAlarm(t *testing.T) {
	for _, f := range reportJSON(t, "openwrt-c2558") {
		if f.Severity == "warning" || f.Severity == "critical" || f.Severity == "notice" && f.ID != "osc-aer-denied" && f.ID != "capture-privilege" {
			t.Errorf("%s %v is a %s", f.ID, f.Subjects, f.Severity)
		}
	}
}

// TestOpenWrtIsReadWithoutTools: the box has none of lspci, journalctl and
// dmidecode; what is known of its devices comes from sysfs.
func TestOpenWrtIsReadWithoutTools(t *testing.T) {
	m, _ := sample(t, "openwrt-c2558")
	for _, s := range m.Sources {
		if s.Kind == "command" && (s.State == fact.Present) != (s.Name == "dmesg") {
			t.Errorf("%s is %s", s.Name, s.State)
		}
	}
	d := m.Device("0000:00:0b.0")
	if d == nil || d.Class != "0b40" || d.Driver != "icp_qa_al" || d.Express == nil || d.Express.Type != fact.RCiEP {
		t.Errorf("the accelerator is %+v", d)
	}
	if slices.ContainsFunc(m.Crypto.Algorithms, func(a fact.Algorithm) bool { return a.Module == "icp_qa_al" }) {
		t.Error("the package registers algorithms")
	}
}
