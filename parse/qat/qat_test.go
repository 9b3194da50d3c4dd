package qat

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hwcap/parse/fact"
)

var noPlaces = cmpopts.IgnoreTypes(fact.Line{})

func TestConfig(t *testing.T) {
	const text = "[GENERAL]\nServicesEnabled = sym;asym\n[KERNEL]\nNumberCyInstances = 16\nCy0Name = a=b\nbroken\n\x00"
	got, problems, err := ParseConfig(strings.NewReader(text), "dev_cfg")
	if err != nil {
		t.Fatal(err)
	}
	want := []fact.ConfigValue{
		{Section: "GENERAL", Key: "ServicesEnabled", Value: "sym;asym", At: fact.Line{File: "dev_cfg", Line: 2, Text: "ServicesEnabled = sym;asym"}},
		{Section: "KERNEL", Key: "NumberCyInstances", Value: "16", At: fact.Line{File: "dev_cfg", Line: 4, Text: "NumberCyInstances = 16"}},
		{Section: "KERNEL", Key: "Cy0Name", Value: "a=b", At: fact.Line{File: "dev_cfg", Line: 5, Text: "Cy0Name = a=b"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if len(problems) != 1 || problems[0].Line != 6 {
		t.Errorf("problems: %v", problems)
	}
}

func TestCounters(t *testing.T) {
	zero := int64(0)
	tests := map[string]struct {
		text     string
		want     []fact.EngineCount
		problems int
	}{
		"in the kernel's tree": {
			text: "AE          Requests        Responses\n 0:            154181           154181\n11:             90662            90660\n",
			want: []fact.EngineCount{{Engine: 0, Requests: 154181, Responses: 154181}, {Engine: 11, Requests: 90662, Responses: 90660}},
		},
		"boxed, with RAS events": {
			text: "+------------------------------------------------+\n| FW Statistics for Qat Device                   |\n+------------------------------------------------+\n" +
				"| Firmware Requests [AE  0]:                4711 |\n| Firmware Responses[AE  0]:                4711 |\n| RAS Events        [AE  0]:                   0 |\n" +
				"+------------------------------------------------+\n",
			want: []fact.EngineCount{{Engine: 0, Requests: 4711, Responses: 4711, RASEvents: &zero}},
		},
		"cut off between requests and responses": {
			text: "| Firmware Requests [AE  0]:  1 |\n| Firmware Responses[AE  0]:  1 |\n| Firmware Requests [AE  1]:  9 |\n",
			want: []fact.EngineCount{{Engine: 0, Requests: 1, Responses: 1}}, problems: 1,
		},
		"a number cut off": {text: " 0:   12\n 1: x y\n", problems: 2},
		"nothing":          {},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, problems, err := ParseCounters(strings.NewReader(test.text), "fw_counters")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got, noPlaces); diff != "" {
				t.Errorf("counters (-want +got):\n%s", diff)
			}
			if len(problems) != test.problems {
				t.Errorf("%d problems, want %d: %v", len(problems), test.problems, problems)
			}
		})
	}
}

func TestCnvErrors(t *testing.T) {
	tests := map[string]struct {
		text string
		want []fact.EngineCount
	}{
		"in the kernel's tree": {
			text: "AE      Total Errors       Last Error\n 0:                0          No Error [0]\n 3:                2    Checksum Error [4]\n",
			want: []fact.EngineCount{{Engine: 0, LastError: "No Error"}, {Engine: 3, Requests: 2, LastError: "Checksum Error"}},
		},
		"boxed": {
			text: "+-----------------------------------------------------------------+\n|             CNV Error Freq Statistics for Qat Device            |\n" +
				"+-----------------------------------------------------------------+\n|[AE  1]: TotalErrors:     3 : LastError: Length Error-P [    7]  |\n",
			want: []fact.EngineCount{{Engine: 1, Requests: 3, LastError: "Length Error-P"}},
		},
		"no compression service": {text: "No engine configured for comp\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, problems, err := ParseCnvErrors(strings.NewReader(test.text), "cnv_errors")
			if err != nil || len(problems) > 0 {
				t.Fatal(err, problems)
			}
			if diff := cmp.Diff(test.want, got, noPlaces); diff != "" {
				t.Errorf("counters (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzQAT(f *testing.F) {
	f.Add([]byte("[GENERAL]\na = b\n"))
	f.Add([]byte(" 0:  1  1\n"))
	f.Add([]byte("| Firmware Requests [AE  0]:  1 |\n| Firmware Responses[AE  0]:  1 |\n| RAS Events        [AE  0]:  0 |\n"))
	f.Add([]byte("|[AE  1]: TotalErrors:     3 : LastError: Length Error-P [    7]  |\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		ParseConfig(bytes.NewReader(b), "f")
		ParseCnvErrors(bytes.NewReader(b), "f")
		counts, _, _ := ParseCounters(bytes.NewReader(b), "f")
		for _, c := range counts {
			if c.At.IsZero() {
				t.Errorf("a counter without its place: %+v", c)
			}
		}
	})
}

func BenchmarkCounters(b *testing.B) {
	text := "AE          Requests        Responses\n" + strings.Repeat(" 0:            154181           154181\n", 12)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		ParseCounters(strings.NewReader(text), "f")
	}
}

// TestCorpus reads dumps from real machines.
func TestCorpus(t *testing.T) {
	corpus := os.Getenv("HWCAP_CORPUS")
	if corpus == "" {
		t.Skip("no corpus: HWCAP_CORPUS is not set")
	}
	for name, engines := range map[string]int{"fw_counters-c6xx.txt": 10, "fw_counters-dh895xcc.txt": 12} {
		f, err := os.Open(filepath.Join(corpus, "qat-fw-counters", name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		counts, problems, err := ParseCounters(f, name)
		if err != nil || len(problems) > 0 || len(counts) != engines {
			t.Errorf("%s: %d engines, want %d; %v %v", name, len(counts), engines, problems, err)
		}
		for _, c := range counts {
			if c.Requests == 0 || c.Requests != c.Responses || (c.RASEvents == nil) != strings.Contains(name, "dh895") {
				t.Errorf("%s: engine %+v", name, c)
			}
		}
	}
}
