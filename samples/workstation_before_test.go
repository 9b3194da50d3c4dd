package samples

import (
	"slices"
	"testing"

	"hwcap/parse/fact"
)

var workstationBefore = []conclusion{
	{"AER is refused on all root bridges, without a HEST and without pcie_ports=native", "osc-aer-denied", "PNP0A08:07", "warning", false,
		map[string]any{"hest": "absent", "nativeParameter": false, "nativeKnown": true, "portCount": 0.0, "latentCount": 2.0}, true},
	{"so no port reports", "aer-active", "machine", "info", false,
		map[string]any{"rootPortCount": 6.0, "portCount": 0.0, "without": []any{"0000:c2:04.0", "0000:c2:05.0"}}, true},
	{"and silence proves nothing", "aer-errors", "machine", "unknown", false, map[string]any{"portCount": 0.0}, false},
	{"bits that nobody collects stand in the second drive's link", "aer-latent-bits", "0000:c4:00.0", "notice", false,
		map[string]any{"devices": []any{
			map[string]any{"address": "0000:c2:05.0", "bits": []any{"RxErr"}},
			map[string]any{"address": "0000:c4:00.0", "bits": []any{"RxErr", "BadTLP"}},
		}}, true},
	{"those of the first drive are from the search for devices", "aer-latent-bits", "0000:c3:00.0", "info", false,
		map[string]any{"devices": []any{map[string]any{"address": "0000:c3:00.0", "bits": []any{"UnsupReq", "AdvNonFatalErr"}}}}, true},
	{"rasdaemon runs and has nothing to record", "ras-history", "machine", "info", false,
		map[string]any{"daemon": "active", "rowCount": 0.0, "databaseKnown": true}, true},
	{"DPC is there and off", "dpc-state", "machine", "info", false, map[string]any{"portCount": 4.0}, true},
	{"the slot that the accelerator will take is empty, or nothing is detected", "pcie-slot-empty", "machine", "ok", false,
		map[string]any{"slots": []any{"CPU SLOT1 PCI-E 4.0 X8", "CPU SLOT2 PCI-E 4.0 X8(IN X16)", "CPU SLOT7 PCI-E 4.0 X8"}}, false},
	{"the drives stand at c3:00.0 and c4:00.0", "pcie-link-speed", "0000:c3:00.0", "ok", false, map[string]any{"speedGTs": 16.0, "widthLanes": 4.0}, false},
	{"and could use eight lanes there too", "pcie-endpoint-claims-more", "0000:c3:00.0", "info", true,
		map[string]any{"widthLanes": 4.0, "lowerCapWidthLanes": 8.0, "upper": "0000:c2:04.0", "others": []any{"0000:c4:00.0"}}, true},
	{"the processor does all cryptography", "crypto-selection", "machine", "ok", false, nil, false},
	{"the IOMMU translates", "iommu-state", "machine", "ok", false, map[string]any{"groups": 97.0, "dmaGroups": 97.0}, false},
	{"five groups fewer", "iommu-groups", "machine", "info", false, map[string]any{"groups": 97.0, "alone": 78.0}, true},
}

// TestWorkstationBeforeConclusions holds the report on the workstation without
// its accelerator to what its owner found out.
func TestWorkstationBeforeConclusions(t *testing.T) {
	checkConclusions(t, "workstation-before", workstationBefore)
}

// TestWorkstationBeforeRaisesOneWarning: that nobody reads errors, and the bits
// that prove it.
func TestWorkstationBeforeRaisesOneWarning(t *testing.T) {
	for _, f := range reportJSON(t, "workstation-before") {
		if f.Severity == "warning" && f.ID != "osc-aer-denied" || f.Severity == "critical" || f.Severity == "notice" && f.ID != "aer-latent-bits" {
			t.Errorf("%s %v is a %s", f.ID, f.Subjects, f.Severity)
		}
	}
}

// TestDrivesMoved holds the facts of conclusion 21: each drive has the serial
// number and the root port that it will have afterwards, and another address;
// its old one then belongs to the accelerator's switch, or to nothing.
func TestDrivesMoved(t *testing.T) {
	before, _ := sample(t, "workstation-before")
	after, _ := sample(t, "workstation")
	for _, move := range []struct{ from, to, port, taker string }{
		{"0000:c3:00.0", "0000:c7:00.0", "0000:c2:04.0", "10b5"},
		{"0000:c4:00.0", "0000:c8:00.0", "0000:c2:05.0", "10b5"},
	} {
		old, now, taker := before.Device(move.from), after.Device(move.to), after.Device(move.from)
		switch {
		case old == nil || now == nil || taker == nil:
			t.Errorf("%+v: not in the captures", move)
		case old.Serial.V == "" || old.Serial.V != now.Serial.V:
			t.Errorf("%s: serial number %q, later %q", move.from, old.Serial.V, now.Serial.V)
		case old.Parent != move.port || now.Parent != move.port:
			t.Errorf("%s: below %s, later %s, want %s", move.from, old.Parent, now.Parent, move.port)
		case taker.Vendor != move.taker:
			t.Errorf("%s later belongs to %s", move.from, taker.Vendor)
		}
	}
}

// TestOnlyTheCardIsNew: what the earlier capture has, the later has as well.
func TestOnlyTheCardIsNew(t *testing.T) {
	before, _ := sample(t, "workstation-before")
	after, _ := sample(t, "workstation")
	card := []string{"0000:c2:02.0", "0000:c3:00.0", "0000:c4:00.0", "0000:c4:08.0", "0000:c5:00.0"}
	kinds := func(m *fact.Machine, without []string) []string {
		var out []string
		for _, d := range m.PCI {
			if !slices.Contains(without, d.Address) {
				out = append(out, d.Vendor+":"+d.Device+" "+d.Serial.V)
			}
		}
		slices.Sort(out)
		return out
	}
	if was, is := kinds(before, nil), kinds(after, card); !slices.Equal(was, is) {
		t.Errorf("before: %d functions, after, without the card's: %d; or not the same ones", len(was), len(is))
	}
}
