package judge_test

import "testing"

var (
	intelHost  = device("0000:00:00.0", "8086:9a14", "0600", "")
	vmdDevice  = device("0000:00:0e.0", "8086:9a0b", "0104", "vmd")
	vmdNoOwner = device("0000:00:0e.0", "8086:467f", "0104", "")
	vmdPort    = device("10000:e0:06.0", "8086:9a09", "0604", "pcieport")
	vmdDrive   = device("10000:e1:00.0", "144d:a80a", "0108", "nvme")
	vmdBound   = note("vmd", "0000:00:0e.0", "vmd 0000:00:0e.0: Bound to PCI domain 10000", "domain", "10000")
)

func TestVMDActive(t *testing.T) {
	check(t, "vmd-active", []scene{
		{"C70: a drive in a domain of its own", machine(bareMetal, intelHost, vmdDevice, vmdPort, vmdDrive, vmdBound), "0000:00:0e.0=active"},
		{"C70: domain only", machine(vmdPort, vmdDrive), "machine=active"},
		{"nothing behind", machine(bareMetal, intelHost, vmdDevice), "0000:00:0e.0=active"},
		{"C70: no driver, so no drives", machine(bareMetal, intelHost, vmdNoOwner), "0000:00:0e.0=unbound"},
		{"drivers not captured", machine(bareMetal, intelHost, device("0000:00:0e.0", "8086:467f", "0104", "?")), "0000:00:0e.0=driver-unknown"},
		{"none", machine(bareMetal, intelHost, device("0000:c7:00.0", "144d:a824", "0108", "nvme")), "machine=absent"},
		{"not by Intel", machine(bareMetal, device("0000:00:00.0", "1022:14d8", "0600", "")), ""},
		{"an excerpt", machine(bareMetal, device("0000:c7:00.0", "144d:a824", "0108", "nvme")), ""},
		{"guest", machine(guest("QEMU"), intelHost), ""},
		{"nothing captured", machine(), ""},
	})
}

// TestVMDDrives: drives behind VMD are seen, and who switches it off is warned.
func TestVMDDrives(t *testing.T) {
	m := machine(bareMetal, intelHost, vmdDevice, vmdPort, vmdDrive, vmdBound)
	f := judged(t, "vmd-active", m)[0]
	row := f.Values["domains"].([]map[string]any)[0]
	if row["domain"] != "10000" || row["controller"] != "0000:00:0e.0" || len(row["drives"].([]string)) != 1 {
		t.Errorf("domain %v, want 10000 of 0000:00:0e.0 with one drive", row)
	}
	unsaid(t, m, f, "unsichtbar", "invisible", "no NVMe", "kein NVMe")
}
