package html

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hwcap/render/figure"
	"hwcap/templates"
)

func write(t testing.TB, doc Document) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, doc); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const small = "# Report: a\n\nBoard & CPU\n\n## In short\n\n- ▲ warning · It is slow. [details](#f-1)\n- ✓ fine [gone](#f-9)\n\n<!-- toc -->\n\n" +
	"## Links\n\n<a id=\"f-1\"></a>\n\n### ▲ warning · It is `slow`.\n\n`id` · x\n\n**Seen:** this [1][2] \\[1\\]\n\n**Evidence:**\n\n```text\n[1] a <b>\n```\n\n" +
	"<a id=\"f-2\"></a>\n\n### ● info · Odd\n\n**Evidence:**\n\n```text\n1\n2\n3\n4\n5\n6\n7\n```\n\n" +
	"## Appendix\n\n### Devices\n\n| address | n | why |\n| --- | ---: | --- |\n| `a\\|b` | 7 | nothing that fits a line |\n| c | 8 | short |\n\n![a picture](figures/x.svg)\n"

func TestParts(t *testing.T) {
	scene := &figure.Scene{Width: 10, Height: 5, Title: "T", Desc: "D", Items: []figure.Item{figure.Label{X: 1, Y: 1, Text: `"#1b2128" <b>`, Size: 8, Class: figure.Ink}}}
	page := write(t, Document{Markdown: []byte(small), Lang: "en", Title: "Report: a", Subject: `"><b>`, Figures: map[string]*figure.Scene{"figures/x.svg": scene}})
	for name, want := range map[string]string{
		"language":                         `<html lang="en">`,
		"title block":                      "<header>\n<h1>Report: a</h1>\n<p>Board &amp; CPU</p>\n</header>",
		"an attribute keeps its text":      `content="&#34;&gt;&lt;b&gt;"`,
		"badge with its word":              `<li class="marked"><span class="badge warning"><span aria-hidden="true">▲</span> <span class="word">warning</span></span> It is slow. <a href="#f-1">details</a></li>`,
		"badge without":                    `<span class="badge ok" aria-hidden="true">✓</span> fine gone`,
		"chapter with findings":            `<section class="findings" id="h-2" aria-labelledby="h-2-title">`,
		"finding":                          `<article class="finding warning" id="f-1" aria-labelledby="f-1-title">`,
		"line about a finding":             `<p class="about"><code>id</code> · x</p>`,
		"short evidence":                   "<p><strong>Evidence:</strong></p>\n<pre><code><span id=\"f-1-e1\"><a class=\"cite\" href=\"#f-1-e1-by\">[1]</a> a &lt;b&gt;\n</span></code></pre>",
		"a citation, once there is a line": `this <a class="cite" href="#f-1-e1" id="f-1-e1-by">[1]</a>[2] [1]</p>`,
		"long evidence":                    "<details>\n<summary><strong>Evidence</strong> (7 lines)</summary>\n<pre>",
		"table":                            "<caption>Devices</caption>\n<thead>\n<tr><th scope=\"col\">address</th><th scope=\"col\" class=\"number\">n</th><th scope=\"col\">why</th></tr>",
		"head of a row":                    `<tr><th scope="row" class="narrow"><code>a|b</code></th><td class="number">7</td><td>nothing that fits a line</td></tr>`,
		"a column's width is that of all":  `<td class="number">8</td><td>short</td></tr>`,
		"picture in the scheme":            `fill="var(--ink)"`,
		"text of a picture stays":          `&quot;#1b2128&quot; &lt;b&gt;`,
		"filter":                           `<input type="checkbox" id="show-warning" autocomplete="off" checked>`,
		"contents":                         `<li class="findings"><a href="#h-2">Links</a>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s: no %s", name, want)
		}
	}
	if strings.Contains(page, "gone</a>") {
		t.Error("a link that leads nowhere is one")
	}
	if again := write(t, Document{Markdown: []byte(small), Lang: "en", Title: "Report: a", Subject: `"><b>`, Figures: map[string]*figure.Scene{"figures/x.svg": scene}}); again != page {
		t.Error("two runs differ")
	}
}

// TestCodeLine holds what a line of evidence is broken at.
func TestCodeLine(t *testing.T) {
	long := strings.Repeat("x", 80)
	for name, test := range map[string]struct{ line, want string }{
		"padding of a line that fits":  {"driver       : aes", "driver       : aes"},
		"padding of one that does not": {long + "      1:      2", long + "  1:  2"},
		"indentation stays":            {"      " + long + "   1 22222", "      " + long + "  1 22222"},
		"members of JSON":              {`{"a":1,"b":"<"}`, "{&#34;a&#34;:1,<wbr>&#34;b&#34;:&#34;&lt;&#34;}"},
	} {
		if got := codeLine(test.line); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// TestContrast holds the colours of the style sheet, in the light and in the
// dark, to WCAG 2.2: 4.5 to 1 for text (1.4.3) on both backgrounds, 3 to 1 for
// the ring of the focus (1.4.11). In the light they are those of the figures.
func TestContrast(t *testing.T) {
	schemes := regexp.MustCompile(`(?s):root \{(.*?)\}`).FindAllStringSubmatch(templates.Style, -1)
	if len(schemes) != 2 {
		t.Fatalf("%d schemes, want light and dark", len(schemes))
	}
	for i, scheme := range schemes {
		colours := map[string]figure.RGB{}
		for _, m := range regexp.MustCompile(`--([a-z]+): (#[0-9a-f]{6});`).FindAllStringSubmatch(scheme[1], -1) {
			var c figure.RGB
			if _, err := fmt.Sscanf(m[2], "#%02x%02x%02x", &c.R, &c.G, &c.B); err != nil {
				t.Fatal(err)
			}
			colours[m[1]] = c
		}
		for c := figure.Ink; c <= figure.Critical; c++ {
			colour, ok := colours[c.String()]
			if !ok {
				t.Errorf("scheme %d has no colour %s", i, c)
			}
			if i == 0 && colour != c.RGB() {
				t.Errorf("%s is %s, in the figures %s", c, colour, c.RGB())
			}
			if c == figure.Hairline || c == figure.Panel || c == figure.Paper {
				continue
			}
			for _, behind := range []string{"paper", "panel"} {
				if r := contrast(colour, colours[behind]); r < 4.5 {
					t.Errorf("scheme %d: %s on %s: contrast %.2f", i, c, behind, r)
				}
			}
		}
	}
	if r := contrast(figure.RGB{}, figure.Paper.RGB()); math.Abs(r-21) > 1e-9 {
		t.Errorf("black on white has contrast %v, want 21", r)
	}
}

// contrast is the contrast ratio of WCAG 2.2.
func contrast(a, b figure.RGB) float64 {
	luminance := func(c figure.RGB) float64 {
		linear := func(v uint8) float64 {
			s := float64(v) / 255
			if s <= 0.04045 {
				return s / 12.92
			}
			return math.Pow((s+0.055)/1.055, 2.4)
		}
		return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
	}
	l, m := luminance(a), luminance(b)
	return (max(l, m) + 0.05) / (min(l, m) + 0.05)
}

// tag is an element as this package writes it.
var tag = regexp.MustCompile(`<(/?)([a-z0-9]+)((?: [a-z-]+(?:="[^"<>]*")?)*)>`)

// FuzzWrite: whatever the Markdown, the body of the page holds only the
// elements of this package, each closed in turn, with no address but https and
// anchors, and no handler.
func FuzzWrite(f *testing.F) {
	f.Add(small)
	f.Add("## a\n\n### ▲ x · <script>alert(1)</script>\n\n<img src=x onerror=y> <a id=\"q\"></a>[x](javascript:1) <https://e.example/\"> ![i](http://x)")
	f.Add("<a id=\"x\">\n\n> ## q\n\n- # h\n  ## i\n\n1. ### ● y · z\n\n| a |\n|:-:|\n| <b> |\n\n<div>\n# raw\n</div>\n\n***\n\n***\n**\n")
	void := []string{"meta", "link", "input", "br", "hr"}
	known := []string{"header", "main", "footer", "section", "article", "nav", "div", "h1", "h2", "h3", "h4", "h5", "h6", "p", "a", "span", "strong", "em", "code", "pre", "ul", "ol", "li",
		"blockquote", "table", "caption", "thead", "tbody", "tr", "th", "td", "details", "summary", "fieldset", "legend", "label", "input", "br", "hr", "figure", "body", "html"}
	f.Fuzz(func(t *testing.T, markdown string) {
		page := write(t, Document{Markdown: []byte(markdown), Lang: "de"})
		_, body, _ := strings.Cut(page, "</head>")
		tags := tag.FindAllStringSubmatch(body, -1)
		if n := strings.Count(body, "<"); n != len(tags) {
			t.Fatalf("%d of %d elements are not as this package writes them\n%s", n-len(tags), n, body)
		}
		open := []string{"html"}
		for _, m := range tags {
			switch end, name := m[1] != "", m[2]; {
			case !slices.Contains(known, name):
				t.Fatalf("<%s>\n%s", name, body)
			case slices.Contains(void, name):
			case !end:
				open = append(open, name)
			case len(open) == 0 || open[len(open)-1] != name:
				t.Fatalf("</%s> ends %q\n%s", name, open, body)
			default:
				open = open[:len(open)-1]
			}
			if regexp.MustCompile(` (on[a-z]+|style|src)=| href="(?:[^h#]|h[^t]|http:)`).MatchString(m[3]) {
				t.Fatalf("<%s%s>", m[2], m[3])
			}
		}
		if len(open) > 0 {
			t.Fatalf("left open: %q\n%s", open, body)
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	doc := Document{Markdown: []byte(strings.Repeat(small, 100)), Lang: "en"}
	b.SetBytes(int64(len(doc.Markdown)))
	for b.Loop() {
		write(b, doc)
	}
}
