package samples

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"hwcap/render"
	"hwcap/render/catalogue"
)

// finding is what these tests read of an entry of report.json.
type finding struct {
	ID         string         `json:"id"`
	Verdict    string         `json:"verdict"`
	Severity   string         `json:"severity"`
	Known      bool           `json:"known"`
	Subjects   []string       `json:"subjects"`
	Values     map[string]any `json:"values"`
	Evidence   []any          `json:"evidence"`
	Rivals     []any          `json:"rivals"`
	NotProven  []any          `json:"notProven"`
	Confidence string         `json:"confidence"`
}

// reportJSON writes and reads back the JSON report on a sample.
func reportJSON(t *testing.T, name string) []finding {
	t.Helper()
	m, findings := sample(t, name)
	texts, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := render.JSON(&b, m, findings, texts, "test"); err != nil {
		t.Fatal(err)
	}
	var r struct {
		Findings []finding `json:"findings"`
	}
	if err := json.Unmarshal(b.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	return r.Findings
}

// conclusion is something that the report on a sample must state.
type conclusion struct {
	what     string
	id       string
	subject  string
	verdict  string // "ok", "unknown", or a severity
	known    bool
	values   map[string]any // as JSON gives them; a list: these are in it
	unproven bool           // it names what it does not prove
}

var workstation = []conclusion{
	{"1: the graphics card's low speed is idle power saving", "pcie-link-speed", "0000:51:00.0", "info", false,
		map[string]any{"speedGTs": 2.5, "capSpeedGTs": 16.0, "upper": "0000:50:02.0"}, true},
	{"1: x8 is all that the chip has, whatever both ends say", "pcie-link-width", "0000:51:00.0", "info", true,
		map[string]any{"widthLanes": 8.0, "lowerCapWidthLanes": 16.0, "upperCapWidthLanes": 16.0, "chip": "AD106"}, true},
	{"2: the network card is the limit, not its slot", "pcie-link-width", "0000:17:00.0", "info", false,
		map[string]any{"widthLanes": 8.0, "lowerCapWidthLanes": 8.0, "upperCapWidthLanes": 16.0}, true},
	{"3: the drives use all that their ports offer", "pcie-link-speed", "0000:c7:00.0", "ok", false,
		map[string]any{"speedGTs": 16.0}, false},
	{"3: they could use eight lanes", "pcie-endpoint-claims-more", "0000:c8:00.0", "info", true,
		map[string]any{"widthLanes": 4.0, "lowerCapWidthLanes": 8.0, "upperCapWidthLanes": 4.0}, true},
	{"4: the narrowest hop lies behind the switch, on the card", "pcie-path-bottleneck", "0000:c5:00.0", "info", false,
		map[string]any{"side": "card", "narrowestUpper": "0000:c4:00.0", "narrowestLower": "0000:c5:00.0", "pathGBs": 4.0}, true},
	{"4: the switch translates Gen 3 x8 to Gen 2 x8", "pcie-switch-translates", "0000:c3:00.0", "info", false,
		map[string]any{"inSpeedGTs": 8.0, "inWidthLanes": 8.0, "outSpeedGTs": 5.0, "outWidthLanes": 8.0}, true},
	{"4: the chip's x16 is known to be a claim", "pcie-endpoint-claims-more", "0000:c5:00.0", "info", true,
		map[string]any{"lowerCapWidthLanes": 16.0, "upperCapWidthLanes": 8.0, "wiredLanes": 8.0}, true},
	{"5: eight lanes for a port with nothing behind it", "pcie-port-untrained", "0000:c4:08.0", "info", false,
		map[string]any{"capWidthLanes": 8.0}, true},
	{"6: two slots are empty, or nothing is detected", "pcie-slot-empty", "machine", "ok", false,
		map[string]any{"slots": []any{"CPU SLOT1 PCI-E 4.0 X8", "CPU SLOT2 PCI-E 4.0 X8(IN X16)"}}, false},
	{"7: AER is refused without a HEST, and taken over all the same", "osc-aer-denied", "PNP0A08:07", "info", false,
		map[string]any{"hest": "absent", "nativeParameter": true, "portCount": 7.0}, true},
	{"7: seven ports report", "aer-active", "machine", "ok", false,
		map[string]any{"portCount": 7.0, "ports": []any{"0000:c2:04.0", "0000:c2:05.0"}}, false},
	{"8: a burst of 15 corrected receiver errors", "aer-errors", "0000:c8:00.0", "notice", false,
		map[string]any{"upper": "0000:c2:05.0", "correctedCount": 15.0, "kinds": []any{map[string]any{"bit": "RxErr", "layer": "physical"}}, "spanSeconds": 947.0, "sysfsCount": 0.0, "databaseCount": 15.0}, true},
	{"9: the history is kept", "ras-history", "machine", "ok", false,
		map[string]any{"daemon": "active", "rowCount": 15.0}, false},
	{"10: the CPU for xts, ctr and cbc", "crypto-selection", "xts(aes)", "info", false,
		map[string]any{"rows": []any{map[string]any{"name": "xts(aes)", "winner": "xts-aes-vaes-avx2", "winnerPriority": 600.0}, map[string]any{"name": "cbc(aes)", "winner": "cbc-aes-aesni"}}}, true},
	{"10: the card for rsa, dh and deflate", "crypto-selection", "deflate", "info", false,
		map[string]any{"rows": []any{map[string]any{"name": "rsa", "winner": "qat-rsa", "winnerPriority": 1000.0}, map[string]any{"name": "dh", "winner": "qat-dh"}, map[string]any{"name": "deflate", "winner": "qat_deflate", "winnerPriority": 4001.0}}}, true},
	{"10: the card for authenc as long as only its entry is there", "crypto-selection", "authenc(hmac(sha256),cbc(aes))", "info", false,
		map[string]any{"rows": []any{map[string]any{"name": "authenc(hmac(sha256),cbc(aes))", "winner": "qat_aes_cbc_hmac_sha256", "winnerPriority": 100.0}}}, true},
	{"11: dm-crypt refuses the card by one flag", "crypto-dmcrypt-offload", "xts(aes)", "info", false,
		map[string]any{"refused": []any{"qat_aes_xts", "qat_aes_cbc"}}, true},
	{"12: registered and winning is not used", "crypto-registered-not-used", "pkcs1(rsa,sha512)", "info", false, nil, true},
	{"13: zswap does not ask the card", "zswap-compressor", "machine", "ok", false,
		map[string]any{"compressor": "lzo"}, false},
	{"14: the firmware answered all that it accepted", "qat-counters", "0000:c5:00.0", "ok", false,
		map[string]any{"engines": 12.0, "apart": 0.0, "requestsSum": 1356867.0, "responsesSum": 1356867.0}, false},
	{"15: alone with FLR, but on vfio-pci's deny list", "passthrough-fit", "0000:c5:00.0", "info", true,
		map[string]any{"chip": "QAT DH895xCC", "since": "5.9", "override": false, "endpoints": []any{map[string]any{"address": "0000:c5:00.0", "flr": true, "vfsOffered": 32.0, "vfsActive": 0.0}}}, true},
	{"16: the IOMMU translates", "iommu-state", "machine", "ok", false,
		map[string]any{"groups": 102.0, "dmaGroups": 102.0}, false},
	{"16: interrupt remapping, and x2APIC because of it", "irq-remapping", "machine", "ok", false,
		map[string]any{"mode": "x2apic", "x2apic": "kernel"}, false},
	{"16: 102 groups", "iommu-groups", "machine", "info", false,
		map[string]any{"groups": 102.0, "alone": 83.0}, false},
	{"16: no ACS override", "acs-override", "machine", "ok", false, nil, false},
	{"18: all of the graphics memory in reach", "rebar-size", "0000:51:00.0", "ok", false,
		map[string]any{"bar": 1.0, "currentBytes": 17179869184.0, "maxBytes": 17179869184.0, "above4G": "on"}, false},
	{"18: addresses above 4 GiB", "bar-above-4g", "machine", "ok", false, map[string]any{"example": "0000:51:00.0"}, false},
	{"2: enough for two ports of 10G", "net-pcie-headroom", "0000:17:00.0", "ok", false,
		map[string]any{"ports": 2.0, "mostGbps": 20.0, "speedGTs": 8.0, "widthLanes": 8.0}, false},
	{"15: virtual functions possible, none active", "sriov-state", "0000:c5:00.0", "info", false,
		map[string]any{"devices": []any{map[string]any{"device": "0000:c5:00.0", "total": 32.0, "active": 0.0}}}, true},
	{"the card, not the BMC, has the picture at start", "boot-vga", "0000:51:00.0", "info", false,
		map[string]any{"console": "ASPEED", "consoleDevice": "0000:03:00.0"}, false},
	{"19: no temperature of the card is visible", "accel-no-sensor", "0000:c5:00.0", "notice", true,
		map[string]any{"powerWatts": 40.0, "passive": true}, true},
	{"17: both drives at their own root ports", "vmd-active", "machine", "ok", false, nil, false},
	{"17: eight DMA channels", "ioat-dma", "machine", "info", false,
		map[string]any{"channels": 8.0, "driver": "ioatdma"}, true},
	{"20: who can use this chip", "qat-device", "0000:c5:00.0", "info", true,
		map[string]any{"family": "DH895xCC", "qatlib": false, "engines": "12", "vfsOffered": 32.0}, false},
	{"22: ASPM is off, which is another thing than the link's speed", "aspm-state", "machine", "info", false,
		map[string]any{"onCount": 0.0, "oneSidedCount": 0.0, "policy": "default", "control": "firmware"}, true},
	{"4: the kernel's own line names the same hop", "pcie-bandwidth-message", "0000:c5:00.0", "info", false,
		map[string]any{"rows": []any{map[string]any{"device": "0000:c5:00.0", "availableGbps": 32.0, "limitDevice": "0000:c4:00.0", "limitSpeedGTs": 5.0, "limitWidthLanes": 8.0}}}, true},
	{"23: 77 percent of the link, a hint and no proof", "offload-vs-cpu", "xts(aes)", "info", false,
		map[string]any{"peakGBs": 3.069, "ceilingGBs": 4.0, "share": 77.0, "near": true}, true},
	{"the processor leads in each figure, on sixteen workers too", "offload-vs-cpu", "xts(aes)", "info", false,
		map[string]any{"atMost": 0.116, "rows": []any{map[string]any{"blockBytes": 4096.0, "threads": 1.0, "faster": false}, map[string]any{"blockBytes": 16384.0, "threads": 16.0, "faster": false}}}, true},
	{"one figure was taken twice, and does not agree", "offload-vs-cpu", "xts(aes)", "info", false,
		map[string]any{"disagree": []any{map[string]any{"offload": true, "blockBytes": 16384.0, "threads": 1.0, "low": 210.7 * (1 << 20), "high": 244.9 * (1 << 20)}}}, true},
	{"cbc, too, is the processor's", "offload-vs-cpu", "cbc(aes)", "info", false,
		map[string]any{"share": 2.0, "near": false}, true},
}

// TestWorkstationConclusions holds the report on the workstation to what its
// owner found out. It reads report.json, not the prose.
func TestWorkstationConclusions(t *testing.T) {
	checkConclusions(t, "workstation", workstation)
}

// checkConclusions holds the report on a sample to what it must state.
func checkConclusions(t *testing.T, name string, conclusions []conclusion) {
	t.Helper()
	holdTo(t, reportJSON(t, name), conclusions)
}

// holdTo checks that the findings state the conclusions.
func holdTo(t *testing.T, findings []finding, conclusions []conclusion) {
	t.Helper()
	for _, c := range conclusions {
		t.Run(c.what, func(t *testing.T) {
			i := slices.IndexFunc(findings, func(f finding) bool { return f.ID == c.id && slices.Contains(f.Subjects, c.subject) })
			if i < 0 {
				t.Fatalf("no %s on %s", c.id, c.subject)
			}
			f := findings[i]
			verdict := f.Verdict
			if verdict == "finding" {
				verdict = f.Severity
			}
			if verdict != c.verdict || f.Known != c.known {
				t.Errorf("%s %s is %s (known %t), want %s (known %t)", c.id, c.subject, verdict, f.Known, c.verdict, c.known)
			}
			if why := lacks(f.Values, c.values); why != "" {
				t.Errorf("%s %s: values: %s", c.id, c.subject, why)
			}
			if len(f.Evidence) == 0 {
				t.Errorf("%s %s: no evidence", c.id, c.subject)
			}
			if c.unproven && len(f.NotProven) == 0 {
				t.Errorf("%s %s does not say what it does not prove", c.id, c.subject)
			}
		})
	}
}

// TestWorkstationRaisesNoAlarm: two notices, and nothing graver, on a machine
// that is well.
func TestWorkstationRaisesNoAlarm(t *testing.T) {
	for _, f := range reportJSON(t, "workstation") {
		if f.Severity == "warning" || f.Severity == "critical" || f.Severity == "notice" && f.ID != "aer-errors" && f.ID != "accel-no-sensor" {
			t.Errorf("%s %v is a %s", f.ID, f.Subjects, f.Severity)
		}
	}
}

// lacks says what of want is not in got: maps by key, lists by member, the
// rest by value.
func lacks(got, want any) string {
	switch want := want.(type) {
	case map[string]any:
		m, _ := got.(map[string]any)
		for k, v := range want {
			if why := lacks(m[k], v); why != "" {
				return k + ": " + why
			}
		}
	case []any:
		list, _ := got.([]any)
		for _, w := range want {
			if !slices.ContainsFunc(list, func(g any) bool { return lacks(g, w) == "" }) {
				return fmt.Sprintf("no %v in %v", w, got)
			}
		}
	default:
		if got != want {
			return fmt.Sprintf("%v, want %v", got, want)
		}
	}
	return ""
}
