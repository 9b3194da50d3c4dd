// Package render turns findings into reports: one model for each language,
// written as Markdown, from which the PDF is made, and as JSON for both
// languages at once.
package render

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render/catalogue"
	"hwcap/render/figure"
)

// Report is everything that one language's report says.
type Report struct {
	Lang     catalogue.Lang
	Machine  *fact.Machine
	Items    []Item // worst first, as judge.Run sorted them
	Pictures []Picture
	Numbers  catalogue.Numbers
	// Published leaves out what is meant for support.
	Published bool

	command   string // that writes it, "report"
	catalogue *catalogue.Catalogue
}

// Item is a finding with its wording.
type Item struct {
	judge.Finding
	Anchor string // of its section: f-1, f-2, ...
	catalogue.Text
	About catalogue.About
	Refs  []string // only with the first item of a rule
	// Like is an earlier item that says the same in the same words, so that
	// only what was seen need be told again.
	Like *Item
}

// Picture is a figure and the name under which the Markdown refers to it.
type Picture struct {
	Path  string     // "figures/pcie-tree.de.svg"
	Area  judge.Area // whose chapter it opens; "" for one that stands before all chapters
	Scene *figure.Scene
}

// New builds the report on m in lang. The findings are those of judge.Run.
func New(m *fact.Machine, findings []judge.Finding, c *catalogue.Catalogue, lang catalogue.Lang) (*Report, error) {
	r, err := newReport(m, findings, c, c.NewWriter(m, lang, catalogue.Markdown), lang)
	if err != nil {
		return nil, err
	}
	kind := func(d *fact.Device) string { return c.Kind(d, lang) }
	r.illustrate("pcie-tree", "", figure.Tree(m, findings, string(lang), kind))
	r.illustrate("link-speeds", judge.Links, figure.LinkSpeeds(m, findings, string(lang)))
	r.illustrate("error-times", judge.Errors, figure.ErrorTimes(m, string(lang)))
	r.illustrate("crypto-selection", judge.Crypto, figure.CryptoSelection(m, findings, string(lang)))
	r.illustrate("offload-throughput", judge.Crypto, figure.OffloadThroughput(m, findings, string(lang)))
	r.illustrate("iommu-groups", judge.Isolate, figure.IOMMUGroups(m, findings, string(lang)))
	r.illustrate("net-throughput", judge.Platform, figure.NetThroughput(m, findings, string(lang)))
	return r, nil
}

// illustrate adds the scenes of a figure, which are numbered if there is more
// than one.
func (r *Report) illustrate(name string, area judge.Area, scenes []*figure.Scene) {
	for i, s := range scenes {
		part := name
		if len(scenes) > 1 {
			part = fmt.Sprintf("%s-%d", name, i+1)
		}
		r.Pictures = append(r.Pictures, Picture{Path: fmt.Sprintf("figures/%s.%s.svg", part, r.Lang), Area: area, Scene: s})
	}
}

// Overview are the pictures that stand before all chapters.
func (r *Report) Overview() []Picture { return r.of("") }

// of returns the pictures of an area.
func (r *Report) of(a judge.Area) []Picture {
	var out []Picture
	for _, p := range r.Pictures {
		if p.Area == a {
			out = append(out, p)
		}
	}
	return out
}

// newReport builds a report without pictures, in the wording of w.
func newReport(m *fact.Machine, findings []judge.Finding, c *catalogue.Catalogue, w *catalogue.Writer, lang catalogue.Lang) (*Report, error) {
	r := &Report{Lang: lang, Machine: m, Numbers: catalogue.Numbers{Lang: lang}, command: "report", catalogue: c}
	r.Items = make([]Item, len(findings))
	told := map[string]*Item{}
	for i, f := range findings {
		text, err := w.Expand(f)
		if err != nil {
			return nil, err
		}
		entry := c.Entries[f.ID]
		r.Items[i] = Item{Finding: f, Anchor: fmt.Sprintf("f-%d", i+1), Text: text, About: entry.In(lang)}
		if told[f.ID] == nil && f.Verdict == judge.Problem {
			r.Items[i].Refs = entry.Refs
			told[f.ID] = &r.Items[i]
		}
		same := fmt.Sprint(f.ID, f.Case, text.Means, text.Rivals, text.NotProven, text.Next)
		if r.Items[i].Like = told[same]; told[same] == nil {
			told[same] = &r.Items[i]
		}
	}
	return r, nil
}

// with returns the items of a verdict, in order.
func (r *Report) with(v judge.Verdict) []Item {
	var out []Item
	for _, it := range r.Items {
		if it.Verdict == v {
			out = append(out, it)
		}
	}
	return out
}

// inHead are the rules whose findings stand in the report's head.
var inHead = map[string]bool{"platform-identity": true, "diff-machine": true}

// Top are the findings of the first page: all above info, then infos, each
// rule once and the areas in turn, to at most eight.
func (r *Report) Top() []Item {
	const most = 8
	var top []Item
	byArea := map[judge.Area][]Item{}
	seen := maps.Clone(inHead)
	for _, it := range r.with(judge.Problem) {
		switch {
		case it.Severity != judge.Info && !inHead[it.ID]:
			top = append(top, it)
		case !seen[it.ID]:
			byArea[it.Area] = append(byArea[it.Area], it)
		}
		seen[it.ID] = true
	}
	for turn := 0; len(top) < most && turn < most; turn++ {
		for _, area := range judge.Areas {
			if turn < len(byArea[area]) && len(top) < most {
				top = append(top, byArea[area][turn])
			}
		}
	}
	return top[:min(len(top), most)]
}

// Further counts the findings that the first page leaves out.
func (r *Report) Further() int {
	n := 0
	for _, it := range r.with(judge.Problem) {
		if !inHead[it.ID] {
			n++
		}
	}
	return n - len(r.Top())
}

// Chapter is the findings of one area, and the pictures that it opens with.
type Chapter struct {
	Area     judge.Area
	Pictures []Picture
	Items    []Item
}

// Chapters are the areas that have something to say, in the report's order.
func (r *Report) Chapters() []Chapter {
	var out []Chapter
	for _, a := range judge.Areas {
		c := Chapter{Area: a, Pictures: r.of(a)}
		for _, it := range r.with(judge.Problem) {
			if it.Area == a {
				c.Items = append(c.Items, it)
			}
		}
		if len(c.Items) > 0 || len(c.Pictures) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// Fine are the items with nothing wrong, by area.
func (r *Report) Fine() []Item { return r.with(judge.OK) }

// Open are the items that cannot be told from the capture. Those that a single
// text is no source of at all are left to Beyond.
func (r *Report) Open() []Item {
	return slices.DeleteFunc(r.with(judge.Unknown), r.beyond)
}

// Beyond names the checks that need other texts than the one that was opened,
// each once.
func (r *Report) Beyond() string {
	var names []string
	for _, it := range r.with(judge.Unknown) {
		if r.beyond(it) && !slices.Contains(names, it.About.Name) {
			names = append(names, it.About.Name)
		}
	}
	return r.Numbers.List(names)
}

// beyond reports whether an open item is open because the input is one text,
// of which the item's rule reads nothing.
func (r *Report) beyond(it Item) bool {
	sources := r.Machine.Sources
	if len(sources) != 1 || strings.Contains(sources[0].Path, "/") || r.Machine.Capture.UID != nil || len(it.Finding.Evidence) > 0 {
		return false
	}
	i := slices.IndexFunc(judge.Rules, func(rule judge.Rule) bool { return rule.ID == it.ID })
	return i < 0 || !slices.Contains(judge.Rules[i].Sources, sources[0].Name)
}

// Count is one line of the tally.
type Count struct {
	Label string // key of the label
	N     int
}

// Tally counts the items by verdict and severity, worst last, as the first
// page prints it. Its first row is the total.
func (r *Report) Tally() []Count {
	n := map[string]int{}
	for _, it := range r.Items {
		switch it.Verdict {
		case judge.Problem:
			n["severity-"+string(it.Severity)]++
		default:
			n["verdict-"+string(it.Verdict)]++
		}
	}
	out := []Count{{"checked", len(r.Items)}}
	for _, key := range []string{"verdict-ok", "severity-info", "severity-notice", "severity-warning", "severity-critical", "verdict-unknown"} {
		out = append(out, Count{key, n[key]})
	}
	return out
}

// Limit is what the capture does not prove, and the findings for which that
// matters.
type Limit struct {
	Texts []string
	Items []Item
}

// Limits collects what is not proven, once for findings that leave the same
// open.
func (r *Report) Limits() []Limit {
	var out []Limit
	for _, it := range r.with(judge.Problem) {
		if len(it.NotProven) == 0 {
			continue
		}
		i := slices.IndexFunc(out, func(l Limit) bool { return slices.Equal(l.Texts, it.NotProven) })
		if i < 0 {
			i = len(out)
			out = append(out, Limit{Texts: it.NotProven})
		}
		out[i].Items = append(out[i].Items, it)
	}
	return out
}

// link writes a function's own link: now and at most.
func (r *Report) link(d *fact.Device) string {
	var now, most *fact.Link
	if e := d.Express; e != nil {
		now, most = e.LinkSta, e.LinkCap
	}
	if s := d.Sysfs; s != nil && now == nil && most == nil {
		if l, ok := s.Current.Get(); ok {
			now = &l
		}
		if l, ok := s.Max.Get(); ok {
			most = &l
		}
	}
	if now == nil || most == nil {
		return ""
	}
	if most.Width == 0 { // a function that leaves its capability blank
		return r.rate(*now) + " / –"
	}
	return r.rate(*now) + " / " + r.rate(*most)
}

// rate writes a link as "16 x8"; speeds stand in GT/s in the column's head.
func (r *Report) rate(l fact.Link) string {
	if l.Width == 0 {
		return "x0"
	}
	if l.Speed == 0 {
		return fmt.Sprintf("? x%d", l.Width)
	}
	digits := 0
	if l.Speed != float64(int(l.Speed)) {
		digits = 1
	}
	return fmt.Sprintf("%s\u00a0x%d", r.Numbers.Num(l.Speed, digits), l.Width)
}

// Host is the machine's name in the title.
func (r *Report) Host() string {
	return cmp.Or(r.Machine.Capture.Host, r.Machine.Capture.ID)
}

// Head are the machine's vitals for the line under the title.
func (r *Report) Head() string {
	p := r.Machine.Platform
	var parts []string
	join := func(sep string, vals ...fact.Val[string]) {
		var words []string
		for _, v := range vals {
			if s, ok := v.Get(); ok && strings.TrimSpace(s) != "" {
				words = append(words, oneSpace(s))
			}
		}
		if len(words) > 0 {
			parts = append(parts, strings.Join(words, sep))
		}
	}
	if p.Vendor.Known() || p.Product.Known() {
		join(" ", p.Vendor, p.Product)
		join("", p.Board)
	} else {
		join("", p.Model)
	}
	join("", p.CPU)
	if k, ok := p.Kernel.Get(); ok {
		parts = append(parts, "Linux "+k)
	}
	if p.BIOSVersion.Known() {
		v, _ := p.BIOSVersion.Get()
		parts = append(parts, "Firmware "+v)
	}
	return strings.Join(parts, " · ")
}

// Title is the report's title: "Hardware report: server1".
func (r *Report) Title() (string, error) {
	s, err := r.catalogue.Label(r.Lang, "title")
	return s + ": " + r.Host(), err
}
