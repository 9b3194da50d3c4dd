package render

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"hwcap/parse/diff"
	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render/catalogue"
	"hwcap/render/escape"
	"hwcap/templates"
)

// Diff is everything that one language's report on two captures says. Machine
// is that of the later one.
type Diff struct {
	*Report
	Pair *diff.Pair
}

// NewDiff builds the report on p in lang. The findings are those of
// judge.Compare.
func NewDiff(p *diff.Pair, findings []judge.Finding, c *catalogue.Catalogue, lang catalogue.Lang) (*Diff, error) {
	r, err := newReport(p.New, findings, c, c.NewPairWriter(p, lang, catalogue.Markdown), lang)
	if err != nil {
		return nil, err
	}
	r.command = "diff"
	return &Diff{r, p}, nil
}

// Markdown writes the report.
func (d *Diff) Markdown(w io.Writer) error {
	t, err := d.template()
	if err != nil {
		return err
	}
	if t, err = t.New("diff").Parse(templates.Diff); err != nil {
		return fmt.Errorf("diff template: %w", err)
	}
	return d.write(w, t, d)
}

// Kind says what is compared: "one" machine with itself, or "two".
func (d *Diff) Kind() string {
	if d.Pair.Identity.One() {
		return "one"
	}
	return "two"
}

// Name is the machine's, or those of two.
func (d *Diff) Name() string {
	old, new := hostOf(d.Pair.Old), hostOf(d.Pair.New)
	if old == new {
		return new
	}
	return old + ", " + new
}

// Title is the report's title: "Comparison: server1".
func (d *Diff) Title() string { return d.label("diff-title") + ": " + d.Name() }

// Identity is the item that says whether it is one machine.
func (d *Diff) Identity() Item {
	for _, it := range d.Items {
		if it.ID == "diff-machine" {
			return it
		}
	}
	return Item{}
}

// Reversed is the item that says that the later capture was given as the
// earlier one, so that everything else reads backwards; none if that is not so.
func (d *Diff) Reversed() Item {
	for _, it := range d.Items {
		if it.ID == "diff-boot" && it.Case == "reversed" {
			return it
		}
	}
	return Item{}
}

// Top are the findings of the first page, without the one that comes first.
func (d *Diff) Top() []Item {
	first := d.Reversed().Anchor
	return slices.DeleteFunc(d.Report.Top(), func(it Item) bool { return it.Anchor == first })
}

// basis are the rules that say what the comparison rests on.
var basis = map[string]bool{"diff-machine": true, "diff-boot": true, "diff-sources": true}

// Changes are the items that say what differs, worst first.
func (d *Diff) Changes() []Item { return d.problems(false) }

// Basis are the items that say what the comparison rests on.
func (d *Diff) Basis() []Item { return d.problems(true) }

func (d *Diff) problems(base bool) []Item {
	var out []Item
	for _, it := range d.with(judge.Problem) {
		if basis[it.ID] == base {
			out = append(out, it)
		}
	}
	return out
}

// Open are the items that cannot be told from the two captures.
func (d *Diff) Open() []Item { return d.with(judge.Unknown) }

// Head puts the two captures beside each other.
func (d *Diff) Head() Table {
	t := Table{Columns: []Column{{"diff-what", left}, {"diff-earlier", left}, {"diff-later", left}}}
	row := func(key string, of func(*fact.Machine) string) {
		if old, new := of(d.Pair.Old), of(d.Pair.New); old != "" || new != "" {
			t.Rows = append(t.Rows, []string{d.label(key), escape.Cell(old), escape.Cell(new)})
		}
	}
	row("diff-capture", func(m *fact.Machine) string { return escape.Code(m.Capture.ID) })
	row("diff-host", func(m *fact.Machine) string { return escape.Markdown(m.Capture.Host) })
	row("diff-taken", func(m *fact.Machine) string { return escape.Markdown(d.Numbers.DateTime(m.Capture.Start)) })
	row("diff-rights", func(m *fact.Machine) string {
		return (&Report{Lang: d.Lang, Machine: m, catalogue: d.catalogue}).rights()
	})
	row("check-machine", func(m *fact.Machine) string { return words(escape.Markdown, m.Platform.Vendor, m.Platform.Product) })
	row("check-kernel", func(m *fact.Machine) string {
		k, _ := m.Platform.Kernel.Get()
		return escape.Markdown(cmp.Or(k, m.Capture.Kernel))
	})
	row("check-firmware", func(m *fact.Machine) string {
		return words(escape.Markdown, m.Platform.BIOSVersion, (&Report{Lang: d.Lang, Machine: m, Numbers: d.Numbers, catalogue: d.catalogue}).date(m.Platform.BIOSDate))
	})
	return t
}

// Notes are what holds for one of the captures as a whole.
func (d *Diff) Notes() []string {
	var out []string
	for _, c := range []struct {
		side judge.Side
		m    *fact.Machine
	}{{judge.Old, d.Pair.Old}, {judge.New, d.Pair.New}} {
		name := d.label("diff-" + string(c.side))
		if s := c.m.Capture.Rebuilt; s != "" {
			out = append(out, fmt.Sprintf("**%s:** %s %s", name, d.label("rebuilt"), fmt.Sprintf(d.label("rebuilt-note"), escape.Markdown(s))))
		}
		if c.m.Capture.Redacted {
			out = append(out, fmt.Sprintf("**%s:** %s", name, d.label("redacted")))
		}
		if c.m.Capture.CutOff {
			out = append(out, fmt.Sprintf("**%s:** %s", name, d.label("cut-off")))
		}
	}
	return out
}

// DiffSchema names the version of diff.json.
const DiffSchema = "hwcap.diff/1"

// DiffJSON writes the comparison for programs, in the shape of
// templates/schemas/diff.schema.json. version is the tool's own.
func DiffJSON(w io.Writer, p *diff.Pair, findings []judge.Finding, c *catalogue.Catalogue, version string) error {
	all, err := findingsOf(findings, c, c.NewPairWriter(p, catalogue.German, catalogue.Plain), c.NewPairWriter(p, catalogue.English, catalogue.Plain))
	if err != nil {
		return err
	}
	return encode(w, struct {
		Schema   string        `json:"schema"`
		Tool     jsonTool      `json:"tool"`
		Old      jsonCapture   `json:"old"`
		New      jsonCapture   `json:"new"`
		Machine  diff.Verdict  `json:"machine"`
		Boot     diff.Boot     `json:"boot"`
		Findings []jsonFinding `json:"findings"`
	}{DiffSchema, jsonTool{"hwcap", version}, captureOf(p.Old), captureOf(p.New), p.Identity.Verdict, p.Boot, all})
}

func hostOf(m *fact.Machine) string { return cmp.Or(m.Capture.Host, m.Capture.ID) }
