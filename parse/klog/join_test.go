package klog

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
)

const (
	bootLines  = "[    0.000000] Linux version 6.1\n[    0.100000] acpi PNP0A08:00: _OSC: OS supports [ASPM]\n"
	earlyError = "[   10.000000] pcieport 0000:00:1c.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)\n" +
		"[   10.000001] pcieport 0000:00:1c.0:   device [8086:9d15] error status/mask=00000001/00000000\n"
	lateLines = "[  500.000000] DMAR: IOMMU enabled\n[  600.000000] pcieport 0000:00:1c.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)\n" +
		"[  600.000001] pcieport 0000:00:1c.0:   device [8086:9d15] error status/mask=00000001/00000000\n"
)

// asJournal puts the tag of journalctl --no-hostname behind each stamp.
func asJournal(text string) string { return strings.ReplaceAll(text, "] ", "] kernel: ") }

// asKmsg makes records of /dev/kmsg, numbered from seq.
func asKmsg(text string, seq int) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		stamp, message, _ := strings.Cut(line, "] ")
		usec := strings.TrimLeft(strings.ReplaceAll(strings.TrimLeft(stamp, "[ "), ".", ""), "0")
		out.WriteString("6," + itoa(seq) + ",0" + usec + ",-;" + message)
		seq++
	}
	return out.String()
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

func TestJoin(t *testing.T) {
	type source struct {
		file, text string
		boot       int
	}
	tests := map[string]struct {
		sources  []source
		notes    []string // with the file that each is cited from
		counts   []int    // of the groups of errors
		fromBoot string   // "true", "false" or ""
		first    float64
	}{
		"the same messages from dmesg, kmsg and the journal count once": {
			sources: []source{{"kmsg", asKmsg(bootLines+earlyError, 0), 0}, {"journal", asJournal(bootLines + earlyError), 0}, {"dmesg", bootLines + earlyError, 0}},
			notes:   []string{"dmesg linux-version", "dmesg osc"}, counts: []int{1}, fromBoot: "true", first: 0,
		},
		"a dmesg that breaks off, and kmsg to the end": {
			sources: []source{{"dmesg", bootLines, 0}, {"kmsg", asKmsg(bootLines+earlyError, 0), 0}},
			notes:   []string{"kmsg linux-version", "kmsg osc"}, counts: []int{1}, fromBoot: "true", first: 0,
		},
		"a wrapped ring, and the journal from boot": {
			sources: []source{{"kmsg", asKmsg(lateLines, 4711), 0}, {"dmesg", lateLines, 0}, {"journal", asJournal(bootLines + earlyError + lateLines), 0}},
			notes:   []string{"journal linux-version", "journal osc", "dmesg iommu-param"}, counts: []int{2}, fromBoot: "true", first: 0,
		},
		"a wrapped ring, and a journal that ends before it": {
			sources: []source{{"dmesg", lateLines, 0}, {"journal", asJournal(bootLines + earlyError), 0}},
			notes:   []string{"journal linux-version", "journal osc", "dmesg iommu-param"}, counts: []int{1, 1}, fromBoot: "true", first: 0,
		},
		"a wrapped ring alone":   {sources: []source{{"kmsg", asKmsg(lateLines, 4711), 0}}, notes: []string{"kmsg iommu-param"}, counts: []int{1}, fromBoot: "false", first: 500},
		"dmesg cut at its start": {sources: []source{{"dmesg", lateLines, 0}}, notes: []string{"dmesg iommu-param"}, counts: []int{1}, first: 500},
		"the boot before": {
			sources: []source{{"journal-1", asJournal(lateLines), -1}, {"dmesg", bootLines, 0}},
			notes:   []string{"journal-1 iommu-param", "dmesg linux-version", "dmesg osc"}, counts: []int{1}, fromBoot: "true", first: 0,
		},
		"a journal without times adds what the ring lacks": {
			sources: []source{{"dmesg", lateLines, 0}, {"journal", "Nov 30 12:14:56 host kernel: DMAR: IOMMU enabled\nNov 30 12:14:57 host kernel: x2apic enabled\n", 0}},
			notes:   []string{"journal x2apic", "dmesg iommu-param"}, counts: []int{1}, first: 500,
		},
		"nothing": {first: -1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var results []*Result
			for _, s := range test.sources {
				res, err := Parse(strings.NewReader(s.text), s.file, s.boot)
				if err != nil {
					t.Fatal(err)
				}
				results = append(results, res)
			}
			log := Join(fact.Present, append(results, nil)...)
			var notes []string
			for _, n := range log.Notes {
				notes = append(notes, n.At.File+" "+n.Kind)
				if (n.Boot != 0) != (n.At.File == "journal-1") {
					t.Errorf("boot of %+v", n)
				}
			}
			if diff := cmp.Diff(test.notes, notes); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
			var counts []int
			for _, e := range log.AER {
				counts = append(counts, e.Count)
			}
			if diff := cmp.Diff(test.counts, counts); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
			got := ""
			if v, ok := log.FromBoot.Get(); ok {
				got = map[bool]string{true: "true", false: "false"}[v]
				if log.FromBoot.At.IsZero() {
					t.Error("from boot: no evidence")
				}
			}
			if got != test.fromBoot {
				t.Errorf("from boot %q, want %q", got, test.fromBoot)
			}
			if first, ok := log.First.Get(); ok != (test.first >= 0) || ok && first != test.first {
				t.Errorf("first %v, want %v", log.First, test.first)
			}
			if len(log.Files) != len(test.sources) {
				t.Errorf("%d files, want %d", len(log.Files), len(test.sources))
			}
		})
	}
}
