package figure

import (
	"fmt"
	"strings"
	"testing"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
)

// against is a finding of offload-vs-cpu.
func against(name, unit string, values map[string]any, rows ...map[string]any) judge.Finding {
	v := map[string]any{"tool": "openssl speed", "unit": unit, "rows": rows, "alone": []map[string]any{}, "fromBytes": 0, "peakGBs": 0.0, "ceilingGBs": 0.0, "share": 0.0}
	for k, x := range values {
		v[k] = x
	}
	return judge.Finding{ID: "offload-vs-cpu", Area: judge.Crypto, Verdict: judge.Problem, Subjects: []string{name}, Values: v}
}

// both is one row of it.
func both(operation string, block, threads int, ops bool, offload, cpu float64) map[string]any {
	return map[string]any{"operation": operation, "blockBytes": block, "keyBits": 0, "threads": threads, "ops": ops, "offload": offload, "cpu": cpu, "ratio": offload / cpu, "faster": offload > cpu}
}

func benched() []judge.Finding {
	return []judge.Finding{
		against("xts(aes)", "bytes", map[string]any{"tool": "note", "peakGBs": 3.069, "ceilingGBs": 4.0, "share": 77.0},
			both("", 4096, 1, false, 105e6, 1213e6), both("", 16384, 16, false, 3069e6, 26455e6)),
		against("aes-128-cbc-hmac-sha1", "bytes", map[string]any{"fromBytes": 8192, "belowBytes": 1024, "ceilingGBs": 0.25, "share": 246.0},
			both("", 16, 2, false, 90e6, 153e6), both("", 1024, 2, false, 353e6, 364e6), both("", 8192, 2, false, 524e6, 376e6), both("", 16384, 2, false, 614e6, 377e6)),
		against("rsa 2048", "ops", map[string]any{"alone": []map[string]any{{"operation": "sign", "blockBytes": 0, "threads": 2, "jobs": 32, "figure": 1289.9, "ops": true}}},
			both("sign", 0, 1, true, 912, 206.7), both("verify", 0, 1, true, 10057, 7097.7)),
	}
}

func network() []judge.Finding {
	card := map[string]any{"card": "0000:51:00.0", "measured": true, "measuredGbps": 2.718, "measuredPercent": 33.97, "needGbps": 10.0, "pathGbps": 8.0, "streams": 16}
	return []judge.Finding{
		{ID: "net-pcie-headroom", Case: "short-measured-less", Verdict: judge.Problem, Subjects: []string{"0000:51:00.0"}, Values: card},
		{ID: "net-pcie-headroom", Case: "enough-measured-less", Verdict: judge.Problem, Subjects: []string{"eth0"}, Values: card},
		{ID: "net-pcie-headroom", Case: "enough", Verdict: judge.OK, Subjects: []string{"0000:c3:00.0"}, Values: map[string]any{"card": "0000:c3:00.0", "measured": false}},
	}
}

func TestThroughputGolden(t *testing.T) {
	for _, lang := range []string{"de", "en"} {
		golden(t, "offload."+lang, OffloadThroughput(workstation(), benched(), lang))
		golden(t, "network."+lang, NetThroughput(workstation(), network(), lang))
	}
}

func TestThroughputSays(t *testing.T) {
	words := strings.ReplaceAll(OffloadThroughput(workstation(), benched(), "en")[0].Desc+NetThroughput(workstation(), network(), "en")[0].Desc, "\u00a0", " ")
	for _, want := range []string{
		"xts(aes): 4 KiB: accelerator 0.1 GB/s, CPU 1.21 GB/s (0.09 ×); 16 KiB, 16 at once: accelerator 3.07 GB/s, CPU 26.5 GB/s (0.12 ×).",
		"Ceiling, PCIe path to the accelerator: 4 GB/s. At most, the accelerator reached 77% of what its PCIe path carries.",
		"1 KiB, 2 at once: accelerator 353 MB/s, CPU 364 MB/s (0.97 ×); from 8 KiB on the accelerator leads: 8 KiB",
		"rsa 2048, sign: one at a time: accelerator 912/s, CPU 207/s (4.41 ×); 2 at once, 32 jobs: accelerator 1,290/s.",
		"51:00.0: iperf3, best run, 16 streams: measured 2.72 Gbit/s. Ceiling, ports, as negotiated: 10 Gbit/s. Ceiling, PCIe path to the card: 8 Gbit/s.",
		"Measured: 34% of the lower ceiling.",
	} {
		if !strings.Contains(words, want) {
			t.Errorf("no %q in:\n%s", want, words)
		}
	}
	if one := OffloadThroughput(workstation(), benched()[2:], "en")[0]; strings.Contains(fmt.Sprint(one.Items), "ceiling") {
		t.Error("the legend explains a ceiling where none is drawn")
	}
	if strings.Count(words, "51:00.0") != 1 || strings.Contains(words, "c3:00.0") {
		t.Errorf("a card twice, or one without a measurement, in:\n%s", words)
	}
}

// Where no ceiling is drawn, rates are written as in the text.
func TestRatesWithoutCeilingAreBinary(t *testing.T) {
	f := against("cbc(aes)", "bytes", nil, both("", 16384, 2, false, 613946710, 377416e3))
	desc := strings.ReplaceAll(OffloadThroughput(&fact.Machine{}, []judge.Finding{f}, "de")[0].Desc, "\u00a0", " ")
	if !strings.Contains(desc, "585,5 MiB/s") || !strings.Contains(desc, "359,9 MiB/s") {
		t.Error(desc)
	}
}

// A lone rate stands at its bar, unless a ceiling stands there.
func TestLoneRateStandsAtItsBar(t *testing.T) {
	for gbps, beside := range map[float64]bool{2.718: true, 7.8: false, 9.9: true} {
		f := network()[:1]
		f[0].Values["measuredGbps"] = gbps
		s := NetThroughput(workstation(), f, "en")[0]
		check(t, fmt.Sprint(gbps), s)
		for _, item := range s.Items {
			if l, ok := item.(Label); ok && strings.HasPrefix(l.Text, fmt.Sprintf("%.1f", gbps)) && (l.X != figures) != beside {
				t.Errorf("%s at %.1f mm", l.Text, l.X)
			}
		}
	}
}

func TestThroughputNeedsMeasurements(t *testing.T) {
	one := judge.Finding{ID: "offload-vs-cpu", Case: "one-sided", Verdict: judge.Unknown, Values: map[string]any{"rows": []map[string]any{}}}
	lost := judge.Finding{ID: "net-pcie-headroom", Case: "not-assessable", Verdict: judge.Unknown, Values: map[string]any{"card": "0000:51:00.0", "measured": true, "measuredGbps": 2.0}}
	findings := []judge.Finding{one, lost}
	if got := append(OffloadThroughput(&fact.Machine{}, findings, "de"), NetThroughput(&fact.Machine{}, findings, "de")...); got != nil {
		t.Errorf("%d scenes", len(got))
	}
}

// Where the lead changes more than once, no block size is said to be the turn.
func TestThroughputWithoutTurn(t *testing.T) {
	f := against("gcm(aes)", "bytes", map[string]any{"fromBytes": 8192},
		both("decrypt", 1024, 1, false, 2e6, 1e6), both("decrypt", 8192, 1, false, 2e6, 1e6), both("encrypt", 1024, 1, false, 1e6, 2e6), both("encrypt", 8192, 1, false, 3e6, 2e6))
	if desc := OffloadThroughput(&fact.Machine{}, []judge.Finding{f}, "en")[0].Desc; strings.Contains(desc, "leads") || !strings.Contains(desc, "decrypt, 1") {
		t.Error(desc)
	}
}

func TestManyMeasurementsStayBounded(t *testing.T) {
	var findings []judge.Finding
	for i := range 300 {
		var rows []map[string]any
		for k := range 5 + 400*(i%2) {
			rows = append(rows, both("encrypt", 16<<(k%40), 1+k*1000, false, float64(1+i*k)*1e5, float64(k)*1e7))
		}
		findings = append(findings, against(fmt.Sprintf("authenc(hmac(<sha%d>),rfc3686(ctr(a-long-name-of-an-algorithm(aes))))", i), "bytes", map[string]any{"ceilingGBs": 0.001 + float64(i)/3}, rows...))
	}
	for _, lang := range []string{"de", "en"} {
		scenes := OffloadThroughput(&fact.Machine{}, findings, lang)
		if len(scenes) != mostPages {
			t.Errorf("%d scenes", len(scenes))
		}
		for i, s := range scenes {
			check(t, fmt.Sprint(lang, i), s)
		}
	}
}
