package klog

import (
	"fmt"
	"strings"
	"testing"
)

// TestOneBootInTwoForms holds that a boot that stands in a text twice counts
// once, and that two boots of one kernel stay two.
func TestOneBootInTwoForms(t *testing.T) {
	messages := []string{
		"Linux version 6.12.30 (builder@host) #1 SMP",
		"pcieport 0000:00:1c.5: AER: Corrected error message received from 0000:03:00.0",
		"nvme 0000:03:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)",
		"nvme 0000:03:00.0:   device [144d:a808] error status/mask=00000001/0000e000",
		"nvme 0000:03:00.0:    [ 0] RxErr                  (First)",
	}
	say := func(form string, from int, messages []string) string {
		var b strings.Builder
		for i, m := range messages {
			switch form {
			case "dmesg":
				fmt.Fprintf(&b, "[%5d.000000] %s\n", from+i, m)
			case "journal":
				fmt.Fprintf(&b, "Nov 30 12:14:%02d host kernel: %s\n", from+i, m)
			case "syslog":
				fmt.Fprintf(&b, "Nov 30 12:14:%02d host kernel: [%5d.000000] %s\n", from+i, from+i, m)
			}
		}
		return b.String()
	}
	more := append(messages[:5:5], "DMAR: IOMMU enabled")
	less := append(messages[:1:1], "x2apic enabled")
	for situation, tc := range map[string]struct {
		text   string
		counts string // of the reports, by boot
		told   string
		timed  bool
	}{
		"dmesg, then the journal": {say("dmesg", 1, messages) + "\n\n" + say("journal", 1, messages), "0x1", "counts once", true},
		"the journal, then dmesg": {say("journal", 1, messages) + "\n\n" + say("dmesg", 1, messages), "0x1", "counts once", true},
		"the journal says more":   {say("dmesg", 1, messages) + "\n\n" + say("journal", 1, more), "0x1", "counts once", false},
		"a syslog with times":     {say("dmesg", 0, messages) + say("syslog", 0, messages), "0x1", "counts once", true},
		"other times":             {say("dmesg", 1, messages) + say("syslog", 0, messages), "-1x1 0x1", "", true},
		"each says something":     {say("dmesg", 0, messages) + "\n" + say("journal", 0, less), "-1x1", "counts twice", false},
		"the form stays":          {say("dmesg", 1, messages) + say("dmesg", 0, messages), "-1x1 0x1", "", true},
		"the journal tells boots": {say("dmesg", 1, messages) + "-- Reboot --\n" + say("journal", 1, messages), "-1x1 0x1", "", false},
	} {
		t.Run(situation, func(t *testing.T) {
			res, err := Parse(strings.NewReader(tc.text), "log", 0)
			if err != nil {
				t.Fatal(err)
			}
			var counts []string
			for _, e := range res.AER {
				counts = append(counts, fmt.Sprintf("%dx%d", e.Boot, e.Count))
			}
			if got := strings.Join(counts, " "); got != tc.counts {
				t.Errorf("reports %s, want %s", got, tc.counts)
			}
			told := ""
			for _, p := range res.Problems {
				told += p.Text
			}
			if (tc.told == "") != (told == "") || !strings.Contains(told, tc.told) {
				t.Errorf("told %q, want %q", told, tc.told)
			}
			if timed := res.First != nil; timed != tc.timed {
				t.Errorf("timed %v", timed)
			}
			last := res.Notes[len(res.Notes)-1]
			if last.Boot != 0 {
				t.Errorf("last note of boot %d", last.Boot)
			}
		})
	}
}
