package samples

import (
	"strings"
	"testing"
)

var bladeC62x = []conclusion{
	{"three endpoints of one family, started and registered", "qat-device", "0000:60:00.0", "info", true,
		map[string]any{"family": "C62x", "generation": 2.0, "id": "8086:37c8", "boundTo": "c6xx", "module": "qat_c62x", "functions": 3.0, "engines": "10", "virtual": false}, true},
	{"the other two are of the same finding", "qat-device", "0000:62:00.0", "info", true,
		map[string]any{"vfsOffered": 48.0, "vfsActive": 0.0}, true},
	{"what a licence level would mean, of which none is seen", "qat-device", "0000:61:00.0", "info", true,
		map[string]any{"levels": []any{
			map[string]any{"level": "40G", "compressGbits": 28.0, "cipherGbits": 40.0, "rsaPerSecond": 40000.0},
			map[string]any{"level": "100G", "compressGbits": 65.0, "cipherGbits": 100.0, "rsaPerSecond": 100000.0}}}, true},
	{"the library of newer chips does not serve it", "qat-device", "0000:60:00.0", "info", true, map[string]any{"qatlib": false}, true},
	{"sixteen lanes of Gen 3 from the processor to the chipset", "pcie-link-width", "0000:5e:00.0", "ok", false, map[string]any{"widthLanes": 16.0}, false},
	{"at full speed", "pcie-link-speed", "0000:5e:00.0", "ok", false, map[string]any{"speedGTs": 8.0}, false},
	{"virtual functions possible, none active", "sriov-state", "0000:61:00.0", "info", false,
		map[string]any{"devices": []any{map[string]any{"device": "0000:61:00.0", "total": 16.0, "active": 0.0}}}, true},
	{"what it is set up for", "qat-instances", "0000:60:00.0", "info", false, nil, true},
	{"each endpoint has answered what it took", "qat-counters", "0000:62:00.0", "ok", false, map[string]any{"engines": 10.0, "apart": 0.0}, false},
	{"the CPU for xts, ctr and cbc", "crypto-selection", "cbc(aes)", "info", false,
		map[string]any{"rows": []any{map[string]any{"name": "cbc(aes)", "winner": "cbc-aes-aesni"}, map[string]any{"name": "xts(aes)", "winner": "xts-aes-aesni-avx"}}}, true},
	{"the accelerator for rsa, dh and deflate", "crypto-selection", "deflate", "info", false,
		map[string]any{"rows": []any{map[string]any{"name": "deflate", "winner": "qat_deflate", "winnerPriority": 4001.0}}}, true},
	{"dm-crypt refuses it", "crypto-dmcrypt-offload", "xts(aes)", "info", false, nil, true},
	{"on vfio-pci's deny list", "passthrough-fit", "0000:60:00.0", "info", true, map[string]any{"chip": "QAT C62x"}, true},
	{"the firmware leaves error handling to Linux", "osc-aer-denied", "PNP0A08:03", "ok", false, nil, false},
	{"nobody keeps a history", "ras-history", "machine", "notice", false, map[string]any{"daemon": "inactive"}, true},
}

// TestBladeConclusions holds the report on the blade to what is known of its
// accelerators.
func TestBladeConclusions(t *testing.T) {
	checkConclusions(t, "blade-c62x", bladeC62x)
}

// TestBladeClaimsNoLevel: which level the machine was sold with is not among
// what the report derives, and the owner's figures are of no driver, so that
// nothing is compared by them.
func TestBladeClaimsNoLevel(t *testing.T) {
	said := false
	for _, f := range reportJSON(t, "blade-c62x") {
		switch {
		case f.ID == "offload-vs-cpu":
			t.Errorf("%v is compared", f.Subjects)
		case f.ID == "qat-device":
			for _, s := range f.NotProven {
				text, _ := s.(map[string]any)
				for _, words := range text {
					said = said || strings.Contains(words.(string), "Which level this machine has")
				}
			}
		case f.Severity == "warning", f.Severity == "critical":
			t.Errorf("%s %v is a %s", f.ID, f.Subjects, f.Severity)
		}
	}
	if !said {
		t.Error("that no level is seen is not said")
	}
	m, _ := sample(t, "blade-c62x")
	if n := len(m.Measurements); n != 6 || m.Measurements[5].What != "QAT" || m.Measurements[5].BytesPerSecond.V != 7.24e9/8 {
		t.Errorf("%d figures: %+v", n, m.Measurements)
	}
}
