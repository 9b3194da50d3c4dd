package figure

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hwcap/parse/fact"
)

// recorded is a row of rasdaemon's database.
func recorded(when, device, severity string) fact.RASEvent {
	return fact.RASEvent{Count: 1, Time: when, Device: device, Severity: severity, Message: "Receiver Error"}
}

func at(t float64) *float64 { return &t }

func database(m *fact.Machine, rows ...fact.RASEvent) {
	m.RAS.Errors = fact.Of([]fact.RASSection{{Name: "memory", None: true}, {Name: "aer", Rows: rows}}, fact.Line{})
}

// erring is the workstation with two bursts in the database, a fatal error
// among them, and grouped messages in the log.
func erring() *fact.Machine {
	m := workstation()
	m.Capture.Start = "2026-08-12T21:14:00Z"
	m.Platform.Uptime = fact.Of(float64(86400*12), fact.Line{})
	var rows []fact.RASEvent
	for i := range 12 {
		rows = append(rows, recorded(fmt.Sprintf("2026-08-03 18:%02d:11 +0200", i/3), "0000:c2:05.0", "Corrected"))
	}
	for i := range 30 {
		rows = append(rows, recorded(fmt.Sprintf("2026-08-05 03:00:%02d +0200", i), "0000:c8:00.0", "Corrected"))
	}
	rows = append(rows, recorded("2026-08-05 03:00:30 +0200", "0000:c5:00.0", "Uncorrected (Fatal)"))
	database(m, rows...)
	m.Log.AER = []fact.AEREvent{
		{Device: "0000:51:00.0", Severity: "corrected", Count: 400, First: at(200000), Last: at(300000)},
		{Device: "0000:51:00.0", Severity: "nonfatal", Count: 1, First: at(310000), Last: at(310000)},
		{Device: "0000:c5:00.0", Severity: "fatal", Count: 1, First: at(12), Last: at(12), Boot: -1},
	}
	return m
}

func TestErrorTimesGolden(t *testing.T) {
	for _, lang := range []string{"de", "en"} {
		golden(t, "errors."+lang, ErrorTimes(erring(), lang))
	}
}

func TestErrorTimesTellClocksApart(t *testing.T) {
	scenes := ErrorTimes(erring(), "en")
	if len(scenes) != 2 {
		t.Fatalf("%d scenes, want one of dates and one of the boot before", len(scenes))
	}
	for i, want := range [][]string{
		{"c2:05.0 – c7:00.0", "50:02.0 – 51:00.0", "400×", "5 Aug 2026", "The capture followed 8\u00a0days after the last one."},
		{"since an earlier boot", "c4:00.0 – c5:00.0", "■ 1\u00a0fatal", "12\u00a0s"},
	} {
		all := texts(scenes[i:i+1]) + scenes[i].Desc
		for _, w := range want {
			if !strings.Contains(all, w) {
				t.Errorf("scene %d: no %q in:\n%s", i+1, w, all)
			}
		}
	}
}

func TestErrorTimesNeedTimes(t *testing.T) {
	m := workstation()
	m.Log.AER = []fact.AEREvent{{Device: "0000:51:00.0", Severity: "corrected", Count: 3}}
	database(m, recorded("yesterday", "0000:51:00.0", "Corrected"), recorded("2026-08-03 18:02:11 +0200", "", "Corrected"), recorded("2026-08-03 18:02:11 +0200", "0000:51:00.0", "?"))
	if got := ErrorTimes(m, "de"); got != nil {
		t.Errorf("%d scenes without a single dated error", len(got))
	}
}

func TestErrorTimesWithoutBootTime(t *testing.T) {
	m := erring()
	m.Platform.Uptime = fact.Val[float64]{}
	scenes := ErrorTimes(m, "de")
	if len(scenes) != 3 || !strings.Contains(scenes[1].Title, "seit dem Start") {
		t.Fatalf("want the log's seconds on an axis of their own, got %d scenes", len(scenes))
	}
	if !strings.Contains(texts(scenes[1:2]), "h") {
		t.Error("no hours at the axis")
	}
}

// A clock that prints the time of day does not tell its zone.
func TestErrorTimesOfDay(t *testing.T) {
	m := workstation()
	m.Log.AER = []fact.AEREvent{{Device: "0000:51:00.0", Severity: "corrected", Count: 2, FirstClock: "Mon Aug  3 18:04:11 2026", LastClock: "Mon Aug  3 18:09:11 2026"}}
	scenes := ErrorTimes(m, "en")
	if len(scenes) != 1 || !strings.Contains(scenes[0].Desc, "the time zone may be another") {
		t.Fatalf("got %d scenes", len(scenes))
	}
}

func TestManyErrorsStayBounded(t *testing.T) {
	m := &machine{}
	for i := range 10_000 {
		m.add(fmt.Sprintf("%04x:%02x:00.0", i/256, i%256), "", fact.Endpoint, "Some <b>card</b> & more, with a name that is much too long for its row", nil, nil)
	}
	begin := time.Date(2025, 12, 30, 0, 0, 0, 0, time.UTC)
	var rows []fact.RASEvent
	words := []string{"Corrected", "Corrected", "Corrected", "Uncorrected (Non-Fatal)", "Uncorrected (Fatal)"}
	for i := range 200_000 {
		when := begin.Add(time.Duration(i*i%9_000_017) * time.Second)
		rows = append(rows, recorded(when.Format("2006-01-02 15:04:05 -0700"), m.PCI[i%len(m.PCI)].Address, words[i%5]))
	}
	database(&m.Machine, rows...)
	for i := range 5000 {
		m.Log.AER = append(m.Log.AER, fact.AEREvent{Device: m.PCI[i].Address, Severity: "corrected", Count: i + 1, First: at(float64(i)), Last: at(float64(i * 3)), Boot: -i % 7})
	}
	for _, lang := range []string{"de", "en"} {
		scenes := ErrorTimes(&m.Machine, lang)
		if len(scenes) != mostClocks {
			t.Errorf("%d scenes", len(scenes))
		}
		for i, s := range scenes {
			name := fmt.Sprintf("%s-%d", lang, i+1)
			check(t, name, s)
			if text := svg(t, s); len(text) > 600_000 || strings.Contains(text, "<b>") {
				t.Errorf("%s: %d bytes", name, len(text))
			}
		}
	}
}

// Whatever the span, an axis has a few ticks within it, in order.
func TestTicks(t *testing.T) {
	s := newSheet(&fact.Machine{}, "en")
	zone := time.FixedZone("", 7200)
	for span := 0.05; span < 4e9; span *= 1.37 {
		for name, ticks := range map[string][]tick{"dated": s.dated(1.7e9, 1.7e9+span, zone), "elapsed": s.elapsed(3, 3+span)} {
			from := map[string]float64{"dated": 1.7e9, "elapsed": 3}[name]
			if len(ticks) < 1 && span > 1 || len(ticks) > 2*mostTicks {
				t.Errorf("%s, %g s: %d ticks", name, span, len(ticks))
			}
			before := from - 1
			for _, k := range ticks {
				if k.at <= before || k.at < from || k.at > from+span || k.text == "" {
					t.Errorf("%s, %g s: tick %q at %g", name, span, k.text, k.at)
				}
				before = k.at
			}
		}
	}
	for _, tc := range []struct {
		from, span float64
		want       string
	}{
		{1785772800, 900, "16:00 3 Aug 2026|16:05|16:10|16:15"},
		{1785772800, 86400 * 3, "00:00 4 Aug 2026|12:00|00:00 5 Aug 2026|12:00|00:00 6 Aug 2026|12:00"},
		{1785772800, 86400 * 200, "Sep 2026|Oct|Nov|Dec|Jan 2027|Feb"},
	} {
		var got []string
		for _, k := range s.dated(tc.from, tc.from+tc.span, time.UTC) {
			got = append(got, strings.TrimSpace(k.text+" "+k.under))
		}
		if text := strings.Join(got, "|"); text != tc.want {
			t.Errorf("%g s: %s", tc.span, text)
		}
	}
}
