package ras

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
)

func TestErrorCount(t *testing.T) {
	tests := map[string]struct {
		text     string
		want     []fact.DIMMCount
		problems int
	}{
		"tabs, a label with a blank, an empty label": {
			text: "Label               \tCE\tUE\nCPU0 A1\t4\t0\n\t0\t1\n",
			want: []fact.DIMMCount{{Label: "CPU0 A1", Corrected: 4}, {Uncorrected: 1}},
		},
		"no-break spaces of a web page": {
			text: "Label\u00a0\u00a0 CE\u00a0 UE\nmc#1csrow#1channel#0\u00a0 7\u00a0 0\n",
			want: []fact.DIMMCount{{Label: "mc#1csrow#1channel#0", Corrected: 7}},
		},
		"no driver": {text: "ras-mc-ctl: Error: No DIMMs found in /sys or new sysfs EDAC interface not found.\n", problems: 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, problems, _, err := ParseErrorCount(strings.NewReader(test.text), "cmd/ras-mc-ctl-error-count.txt")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got, noPlaces); diff != "" {
				t.Errorf("counts (-want +got):\n%s", diff)
			}
			if len(problems) != test.problems {
				t.Errorf("%d problems, want %d: %v", len(problems), test.problems, problems)
			}
		})
	}
}

func TestLabels(t *testing.T) {
	text, err := os.ReadFile("testdata/print-labels-0.8.3.txt")
	if err != nil {
		t.Fatal(err)
	}
	printed := []fact.DIMMLabel{
		{Location: "mc0 channel 0 slot 0", Label: "P0-DIMMA1", InSysfs: "P0-DIMMA1"}, {Location: "mc0 channel 1 slot 0", Label: "P0-DIMMB1"},
		{Location: "mc1 channel 0 slot 0", Label: "P1-DIMMA1", InSysfs: "P1-DIMMA1"}, {Location: "1:3:0", Label: "P1-DIMMC9"},
	}
	tests := map[string]struct {
		text string
		want []fact.DIMMLabel
	}{
		"printed": {string(text), printed},
		"quoted":  {"> " + strings.ReplaceAll(strings.TrimSuffix(string(text), "\n"), "\n", "\n> "), printed},
		"guessed": {"memory stick 'P0-DIMMA1' is located at 'P0_Node0_Channel0_Dimm0'\n", []fact.DIMMLabel{{Location: "P0_Node0_Channel0_Dimm0", Label: "P0-DIMMA1"}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, problems, unread, err := ParseLabels(strings.NewReader(test.text), "f")
			if err != nil || len(problems) > 0 || unread.Lines > 0 {
				t.Fatal(err, problems, unread)
			}
			if diff := cmp.Diff(test.want, got, noPlaces); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestLayout(t *testing.T) {
	text, err := os.ReadFile("testdata/layout-0.8.3.txt")
	if err != nil {
		t.Fatal(err)
	}
	perl := map[string]int64{
		"mc0 channel0 slot0": 32768, "mc0 channel1 slot0": 131072, "mc1 channel0 slot0": 32768, "mc1 channel1 slot0": 131072,
		"mc0 channel0 slot1": 0, "mc0 channel1 slot1": 0, "mc1 channel0 slot1": 0, "mc1 channel1 slot1": 0,
	}
	tests := map[string]struct {
		text string
		want map[string]int64
	}{
		"in Perl": {string(text), perl},
		"in Python, with larger units": {"       +-------------------+\n       |        mc0        |\n       |channel0 |channel1 |\n-------+---------+---------+\n" +
			"slot1: |  128 GB |         |\nslot0: |  512 MB |    2 TB |\n-------+---------+---------+\n",
			map[string]int64{"mc0 channel0 slot1": 128 << 10, "mc0 channel1 slot1": 0, "mc0 channel0 slot0": 512, "mc0 channel1 slot0": 2 << 20}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			sizes, problems, unread, err := ParseLayout(strings.NewReader(test.text), "f")
			if err != nil || len(problems) > 0 || unread.Lines > 0 {
				t.Fatal(err, problems, unread)
			}
			got := map[string]int64{}
			for _, s := range sizes {
				got[s.Location] = s.SizeMiB
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTold(t *testing.T) {
	v, unread, err := Status(strings.NewReader("$ ras-mc-ctl --status\nras-mc-ctl: drivers not loaded.\n"), "f")
	if err != nil || v.V != "ras-mc-ctl: drivers not loaded." || v.At.Line != 2 || unread.Lines != 1 {
		t.Errorf("status %+v, %+v, %v", v, unread, err)
	}
	v, _, _ = Mainboard(strings.NewReader("ras-mc-ctl: mainboard: Example Inc. model Board-1\n"), "f")
	if v.V != "Example Inc. model Board-1" {
		t.Errorf("mainboard %+v", v)
	}
}
