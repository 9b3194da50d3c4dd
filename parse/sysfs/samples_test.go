package sysfs_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hwcap/parse/fact"
	"hwcap/parse/sysfs"
)

const samplesFile = "samples/links.jsonl"

const samplesText = `{"command":["glmark2","--off-screen"],"interval":0.05,"unit":{"t":"s","speed":"GT/s","width":"lanes"}}
{"t":0,"address":"0000:51:00.0","speed":2.5,"width":8}
{"t":0,"address":"0000:01:00.0","speed":8,"width":4}
{"t":1.204,"address":"0000:51:00.0","speed":16,"width":8}
{"t":1.304,"address":"0000:51:00.0","speed":16,"width":16}
{"t":20.5,"address":"0000:51:00.0","speed":2.5,"width":16}
{"t":29.981,"address":"0000:51:00.0","speed":2.5,"width":16}
{"t":29.981,"address":"0000:01:00.0","speed":8,"width":4}
`

func TestParseSamples(t *testing.T) {
	texts := strings.Split(samplesText, "\n")
	at := func(n int) fact.Line { return fact.Line{File: samplesFile, Line: n, Text: texts[n-1]} }
	idle := fact.Sample{T: 0, Speed: 2.5, Width: 8, At: at(2)}
	fast := fact.Sample{T: 1.204, Speed: 16, Width: 8, At: at(4)}
	wide := fact.Sample{T: 1.304, Speed: 16, Width: 16, At: at(5)}
	rest := fact.Sample{T: 20.5, Speed: 2.5, Width: 16, At: at(6)}
	drive := fact.Sample{T: 0, Speed: 8, Width: 4, At: at(3)}
	want := fact.Samples{
		Command: []string{"glmark2", "--off-screen"}, Duration: 29.981, At: at(1),
		Ports: []fact.PortSamples{
			{
				Address: "0000:01:00.0", First: drive, Last: fact.Sample{T: 29.981, Speed: 8, Width: 4, At: at(8)},
				Fastest: drive, Slowest: drive, Widest: drive, Narrowest: drive, Points: []fact.Sample{drive},
			},
			{
				Address: "0000:51:00.0", First: idle, Last: fact.Sample{T: 29.981, Speed: 2.5, Width: 16, At: at(7)},
				Fastest: fast, Slowest: idle, Widest: wide, Narrowest: idle,
				Changes: 3, Points: []fact.Sample{idle, fast, wide, rest},
			},
		},
	}
	got, problems := sysfs.ParseSamples(strings.NewReader(samplesText), samplesFile)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("samples (-want +got):\n%s", diff)
	}
	if len(problems) > 0 {
		t.Errorf("problems %v", problems)
	}
	if got.Port("0000:51:00.0") == nil || got.Port("0000:51:00.1") != nil {
		t.Error("Port finds another than the one asked for")
	}
}

func TestParseSamplesOf(t *testing.T) {
	const head, one = `{"command":null}`, `{"t":0,"address":"0000:01:00.0","speed":8,"width":4}`
	long := `{"t":0,"address":"0000:01:00.0","speed":8,"width":4,"x":"` + strings.Repeat("x", 300) + `"}`
	for _, tt := range []struct {
		situation, text string
		ports, problems int
		load            []string
	}{
		{"nothing at all", "", 0, 0, nil},
		{"no load", head + "\n" + one + "\n", 1, 0, nil},
		{"no sample", head + "\n", 0, 0, nil},
		{"no first line", one + "\n", 1, 1, nil},
		{"a load that is no list", `{"command":"glmark2"}` + "\n" + one, 1, 1, nil},
		{"a load without arguments", `{"command":["x"]}` + "\n" + one, 1, 0, []string{"x"}},
		{"line ends of Windows, an empty line", head + "\r\n\r\n" + one + "\r\n", 1, 0, nil},
		{"no width", head + "\n" + `{"t":0,"address":"0000:01:00.0","speed":8}` + "\n" + one, 1, 1, nil},
		{"no time", head + "\n" + `{"address":"0000:01:00.0","speed":8,"width":4}`, 0, 1, nil},
		{"a width below zero", head + "\n" + `{"t":0,"address":"0000:01:00.0","speed":8,"width":-1}`, 0, 1, nil},
		{"no address", head + "\n" + `{"t":0,"address":"01:00.0","speed":8,"width":4}`, 0, 1, nil},
		{"a line broken off", head + "\n" + one + "\n" + one[:20], 1, 1, nil},
		{"a line too long", head + "\n" + long + "\n" + one, 1, 1, nil},
		{"a number that no float holds", head + "\n" + `{"t":1e999,"address":"0000:01:00.0","width":4}`, 0, 1, nil},
	} {
		t.Run(tt.situation, func(t *testing.T) {
			got, problems := sysfs.ParseSamples(strings.NewReader(tt.text), samplesFile)
			if len(got.Ports) != tt.ports || len(problems) != tt.problems {
				t.Errorf("%d functions, problems %v", len(got.Ports), problems)
			}
			if diff := cmp.Diff(tt.load, got.Command, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("load (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseSamplesUnknownSpeed(t *testing.T) {
	const text = `{"command":null}
{"t":0,"address":"0000:01:00.0","width":0}
{"t":1,"address":"0000:01:00.0","speed":8,"width":4}
{"t":2,"address":"0000:01:00.0","width":0}
`
	got, _ := sysfs.ParseSamples(strings.NewReader(text), samplesFile)
	p := got.Port("0000:01:00.0")
	if p == nil || p.Slowest.Speed != 8 || p.Fastest.Speed != 8 || p.Narrowest.Width != 0 || p.Changes != 2 {
		t.Errorf("%+v", p)
	}
}

// However much a capture holds, what is kept stays small.
func TestParseSamplesKeepsLittle(t *testing.T) {
	var b strings.Builder
	b.WriteString("{\"command\":null}\n")
	for i := range 60_000 {
		fmt.Fprintf(&b, `{"t":%d,"address":"%04x:01:00.0","speed":%d,"width":4}`+"\n", i, i%6000, i%5)
		fmt.Fprintln(&b, "no sample")
	}
	got, problems := sysfs.ParseSamples(strings.NewReader(b.String()), samplesFile)
	points := 0
	for _, p := range got.Ports {
		points += len(p.Points)
	}
	if len(got.Ports) > 4096 || points > 4096 || len(problems) > 100 {
		t.Errorf("%d functions, %d points, %d problems", len(got.Ports), points, len(problems))
	}
}

func FuzzParseSamples(f *testing.F) {
	f.Add(samplesText)
	f.Add(`{"command":null}` + "\n" + `{"t":0,"address":"0000:01:00.0","width":0}`)
	f.Add("\r\n{}\n[]\nnull\n")
	f.Fuzz(func(t *testing.T, text string) {
		got, problems := sysfs.ParseSamples(strings.NewReader(text), samplesFile)
		for _, p := range got.Ports {
			if !sysfs.IsAddress(p.Address) || p.Fastest.Speed < p.Slowest.Speed || p.Widest.Width < p.Narrowest.Width ||
				p.First.At.IsZero() || p.Last.At.Line < p.First.At.Line {
				t.Errorf("%+v", p)
			}
		}
		if _, err := json.Marshal(got); err != nil || len(problems) > 100 {
			t.Errorf("%d problems, %v", len(problems), err)
		}
	})
}

func BenchmarkParseSamples(b *testing.B) {
	body := samplesText[strings.Index(samplesText, "\n")+1:]
	text := samplesText + strings.Repeat(body, 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		sysfs.ParseSamples(strings.NewReader(text), samplesFile)
	}
}
