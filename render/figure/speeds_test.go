package figure

import (
	"fmt"
	"strings"
	"testing"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
)

// sampledPort makes the samples of one function as the parser does.
func sampledPort(address string, points ...fact.Sample) fact.PortSamples {
	p := fact.PortSamples{Address: address, First: points[0], Fastest: points[0], Slowest: points[0], Widest: points[0], Narrowest: points[0]}
	for i, x := range points {
		if i == 0 || x.Speed != p.Last.Speed || x.Width != p.Last.Width {
			p.Points = append(p.Points, x)
			p.Changes = len(p.Points) - 1
		}
		if x.Speed > p.Fastest.Speed {
			p.Fastest = x
		}
		if x.Width > p.Widest.Width {
			p.Widest = x
		}
		p.Last = x
	}
	return p
}

// watched is the workstation under load: its graphics card rises, the drive's
// link trains anew with fewer lanes, and the card of which a finding speaks
// stays slow.
func watched() *fact.Machine {
	m := &machine{}
	m.add("0000:00:01.0", "", fact.RootPort, "root port", gts(16, 16), gts(2.5, 16))
	m.add("0000:01:00.0", "0000:00:01.0", fact.Endpoint, "NVIDIA AD106 [GeForce RTX 4060 Ti]", gts(16, 16), gts(2.5, 16))
	m.add("0000:01:00.1", "0000:00:01.0", fact.Endpoint, "NVIDIA AD106M High Definition Audio Controller", gts(16, 16), gts(2.5, 16))
	m.add("0000:00:02.0", "", fact.RootPort, "root port", gts(8, 4), gts(8, 4))
	m.add("0000:02:00.0", "0000:00:02.0", fact.UpstreamPort, "a switch", gts(8, 4), gts(8, 4))
	m.add("0000:03:00.0", "0000:02:00.0", fact.DownstreamPort, "a switch", gts(8, 4), gts(8, 4))
	m.add("0000:04:00.0", "0000:03:00.0", fact.Endpoint, "NVMe drive", gts(8, 4), gts(8, 4))
	m.add("0000:03:01.0", "0000:02:00.0", fact.DownstreamPort, "a switch", gts(8, 4), gts(5, 2))
	m.add("0000:05:00.0", "0000:03:01.0", fact.Endpoint, "network card", gts(8, 4), gts(5, 2))
	m.add("0000:00:03.0", "", fact.RootPort, "root port", gts(8, 4), nil)
	at := func(t, speed float64, width int) fact.Sample { return fact.Sample{T: t, Speed: speed, Width: width} }
	rise := []fact.Sample{at(0, 2.5, 16), at(1.2, 8, 16), at(1.3, 16, 16), at(20, 2.5, 16), at(30, 2.5, 16)}
	drop := []fact.Sample{at(0, 8, 4), at(12, 0, 0), at(13, 8, 2), at(19, 8, 1), at(30, 8, 1)}
	samples := fact.Samples{Command: []string{"glmark2", "--off-screen"}, Duration: 30}
	for _, p := range []struct {
		address string
		points  []fact.Sample
	}{
		{"0000:00:01.0", rise}, {"0000:00:02.0", []fact.Sample{at(0, 8, 4), at(30, 8, 4)}}, {"0000:00:03.0", []fact.Sample{at(0, 2.5, 0), at(30, 2.5, 0)}},
		{"0000:01:00.0", rise}, {"0000:01:00.1", rise}, {"0000:02:00.0", []fact.Sample{at(0, 8, 4), at(30, 8, 4)}},
		{"0000:03:00.0", drop}, {"0000:03:01.0", []fact.Sample{at(0, 5, 2), at(30, 5, 2)}},
		{"0000:04:00.0", drop}, {"0000:05:00.0", []fact.Sample{at(0, 5, 2), at(30, 5, 2)}},
	} {
		samples.Ports = append(samples.Ports, sampledPort(p.address, p.points...))
	}
	m.Samples = fact.Of(samples, fact.Line{})
	return &m.Machine
}

func slowCard() []judge.Finding {
	return []judge.Finding{{ID: "pcie-link-width", Case: "narrow", Area: judge.Links, Verdict: judge.Problem, Severity: judge.Warning, Subjects: []string{"0000:05:00.0"}}}
}

func TestLinkSpeedsGolden(t *testing.T) {
	for _, lang := range []string{"de", "en"} {
		golden(t, "speeds."+lang, LinkSpeeds(watched(), slowCard(), lang))
	}
}

func TestLinkSpeedsSay(t *testing.T) {
	desc := strings.ReplaceAll(LinkSpeeds(watched(), slowCard(), "en")[0].Desc, "\u00a0", " ")
	for _, want := range []string{
		"03:01.0 – 05:00.0 (can do 8 GT/s x4): 5 GT/s x2, unchanged.",
		"00:01.0 – 01:00.0 (can do 16 GT/s x16): 2.5 GT/s x16, from 1.2 s 8 GT/s x16, from 1.3 s 16 GT/s x16, from 20 s 2.5 GT/s x16.",
		"03:00.0 – 04:00.0 (can do 8 GT/s x4): 8 GT/s x4, from 12 s no link, from 13 s 8 GT/s x2, from 19 s 8 GT/s x1.",
		"One more link stayed as it was.",
		"Sampled for 30 s while “glmark2 --off-screen” ran as the load.",
	} {
		if !strings.Contains(desc, want) {
			t.Errorf("no %q in:\n%s", want, desc)
		}
	}
	if n := strings.Count(desc, "can do"); n != 3 {
		t.Errorf("%d links, want 3, in:\n%s", n, desc)
	}
}

func TestLinkSpeedsNeedSomethingToShow(t *testing.T) {
	steady := watched()
	for i := range steady.Samples.V.Ports {
		p := &steady.Samples.V.Ports[i]
		*p = sampledPort(p.Address, p.First, fact.Sample{T: 30, Speed: p.First.Speed, Width: p.First.Width})
	}
	instant := watched()
	instant.Samples.V.Duration = 0
	for name, m := range map[string]*fact.Machine{"no samples": workstation(), "nothing changed": steady, "one reading": instant} {
		if got := LinkSpeeds(m, nil, "de"); got != nil {
			t.Errorf("%s: %d scenes", name, len(got))
		}
	}
	if got := LinkSpeeds(steady, slowCard(), "de"); len(got) != 1 {
		t.Errorf("a link with a finding is not drawn: %d scenes", len(got))
	}
}

func TestLinkSpeedsWithoutLoad(t *testing.T) {
	m := watched()
	m.Samples.V.Command = nil
	if desc := LinkSpeeds(m, nil, "en")[0].Desc; !strings.Contains(desc, "without a load") {
		t.Error(desc)
	}
	m = watched()
	code := 3
	m.Sources = append(m.Sources, fact.Source{Name: "links", State: fact.Present, Exit: &code})
	if desc := LinkSpeeds(m, nil, "en")[0].Desc; !strings.Contains(desc, "which failed with exit code 3.") {
		t.Error(desc)
	}
}

// Of changes that were not kept, none is drawn: the lane ends with the last
// one that was.
func TestLinkSpeedsEndWhereSamplesDo(t *testing.T) {
	c := course{samples: &fact.PortSamples{Changes: 9, Last: fact.Sample{T: 30}, Points: []fact.Sample{{T: 0, Speed: 5, Width: 1}, {T: 4, Speed: 8, Width: 1}}}}
	runs, lost := c.runs()
	if lost != 8 || runs[1].until != 4 {
		t.Errorf("lost %d, runs %+v", lost, runs)
	}
	m := watched()
	for i := range m.Samples.V.Ports {
		m.Samples.V.Ports[i].Points = nil
	}
	if desc := LinkSpeeds(m, nil, "en")[0].Desc; !strings.Contains(strings.ReplaceAll(desc, "\u00a0", " "), ": 2.5 GT/s x16, 3 more changes.") {
		t.Error(desc)
	}
}

func TestManySamplesStayBounded(t *testing.T) {
	m := &machine{}
	samples := fact.Samples{Command: []string{strings.Repeat("<b>load&", 400)}, Duration: 3600}
	for i := range 300 {
		up, low := fmt.Sprintf("%04x:00:00.0", i), fmt.Sprintf("%04x:01:00.0", i)
		m.add(up, "", fact.RootPort, "root port", gts(64, 16), gts(2.5, 16))
		m.add(low, up, fact.Endpoint, "Some <b>card</b> & more, with a name that is much too long for its lane", gts(64, 16), gts(2.5, 16))
		var points []fact.Sample
		for k := range 3 + i%2*2000 {
			points = append(points, fact.Sample{T: float64(k) * 3600 / float64(3+i%2*2000), Speed: []float64{2.5, 5, 8, 16, 32, 0}[(k+i)%6], Width: k % 17})
		}
		samples.Ports = append(samples.Ports, sampledPort(low, points...))
	}
	m.Samples = fact.Of(samples, fact.Line{})
	for _, lang := range []string{"de", "en"} {
		scenes := LinkSpeeds(&m.Machine, nil, lang)
		if len(scenes) == 0 || len(scenes) > 5 {
			t.Errorf("%d scenes", len(scenes))
		}
		for i, s := range scenes {
			check(t, fmt.Sprint(lang, i), s)
			if text := svg(t, s); len(text) > 400_000 || strings.Contains(text, "<b>") {
				t.Errorf("%s%d: %d bytes", lang, i, len(text))
			}
		}
	}
}
