package escape

import (
	"bytes"
	"html"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

// hostile are texts that mean something to Markdown, HTML, a terminal or a
// reader's eye, as a device name or a log line could hold them.
var hostile = []string{
	"plain text",
	"[click](https://example.org)", "![x](https://example.org/x.png)", "<script>alert(1)</script>", "<https://example.org>",
	"https://example.org/x", "www.example.org", "mail@example.org", "a.@example.org", "a-@example.org", "joe.+@example.org", "a/@example.org", "a!@example.org", "CPU @ 3.20GHz", "# heading", "- item", "1. item", "12) item", "+ item", "* item",
	"> quote", "```", "~~~", "    code", "| a | b |", "a\n\nb", "a\r\n# b", "***", "---", "===", "\\", "\\[", "&lt;b&gt;", "&#65;",
	"*a* _b_ **c** __d__ ~~e~~ `f`", "`` ` ``", ":smile:", "[ ] todo", "[^1]: note", "\x1b[31mred\x1b[0m", "\x1b]8;;https://example.org\x07link\x1b]8;;\x07",
	"a\u202ecba\u202c", "zero\u200bwidth", "soft\u00adhyphen", "\xff\xfe", "nul\x00", "tab\there", "2.5GT/s (downgraded)", "0000:c5:00.0",
	"C:\\path", "a_b_c", "x<y && y>z", "{{.X}}", "$x$", "100 %",
}

var converter = goldmark.New(goldmark.WithExtensions(extension.GFM))

// rendered turns one line of Markdown to HTML, without the paragraph around it.
func rendered(t testing.TB, markdown string) string {
	var b bytes.Buffer
	if err := converter.Convert([]byte(markdown), &b); err != nil {
		t.Fatal(err)
	}
	s := strings.ReplaceAll(strings.TrimSpace(b.String()), "<!-- raw HTML omitted -->", "")
	s, ok := strings.CutPrefix(s, "<p>")
	if s == "" && !ok {
		return ""
	}
	s, ok = strings.CutSuffix(s, "</p>")
	if !ok {
		t.Fatalf("not one paragraph: %q", b.String())
	}
	return s
}

func checkMarkdown(t testing.TB, s string) {
	// At the start of a line and in the middle of one: both occur.
	for _, lead := range []string{"", "word "} {
		got := html.UnescapeString(rendered(t, lead+Markdown(s)))
		want := strings.Join(strings.Fields(lead+Plain(s)), " ")
		if strings.Join(strings.Fields(got), " ") != want {
			t.Errorf("Markdown(%q) = %q\nrenders as %q, want %q", s, Markdown(s), got, want)
		}
	}
}

func TestMarkdownMeansNothing(t *testing.T) {
	for _, s := range hostile {
		checkMarkdown(t, s)
	}
}

func TestCodeIsOneSpan(t *testing.T) {
	for _, s := range hostile {
		got := rendered(t, "word "+Code(s))
		inner, ok := strings.CutPrefix(got, "word <code>")
		inner, closed := strings.CutSuffix(inner, "</code>")
		if !ok || !closed || strings.Contains(inner, "<") {
			t.Errorf("Code(%q) = %q renders as %q", s, Code(s), got)
			continue
		}
		if text := html.UnescapeString(inner); strings.TrimSpace(text) != strings.TrimSpace(Plain(s)) {
			t.Errorf("Code(%q) shows %q", s, text)
		}
	}
}

func TestCellStaysOneCell(t *testing.T) {
	for _, s := range hostile {
		for _, cell := range []string{Cell(Markdown(s)), Cell(Code(s))} {
			var b bytes.Buffer
			if err := converter.Convert([]byte("| a | b |\n| --- | --- |\n| "+cell+" | end |\n"), &b); err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(b.String(), "<td>"); n != 2 || !strings.Contains(b.String(), "<td>end</td>") {
				t.Errorf("cell %q of %q breaks the table:\n%s", cell, s, b.String())
			}
		}
	}
}

func TestPlainIsPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"a\tb\nc":          "a b c",
		"\x1b[31m":         "<U+001B>[31m",
		"a\u202eb":         "a<U+202E>b",
		"c1 \u009b31m":     "c1 <U+009B>31m",
		"line\u2028end":    "line end",
		"soft\u00adhyphen": "soft<U+00AD>hyphen",
		"tag\U000e0041":    "tag<U+E0041>",
		"x\xffy":           "x<0xFF>y",
		"x\ufffdy":         "x\ufffdy",
		"Größe ≥ 5":        "Größe ≥ 5",
	} {
		if got := Plain(in); got != want {
			t.Errorf("Plain(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestFenceOutlastsItsContent(t *testing.T) {
	body := "```\n# not a heading\n````"
	var b bytes.Buffer
	if err := converter.Convert([]byte(Fence(body)+"\n\nafter\n"), &b); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "<h1") || !strings.Contains(b.String(), "<p>after</p>") {
		t.Errorf("the fence broke:\n%s", b.String())
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 200 { // goldmark's time, not ours
			return
		}
		checkMarkdown(t, s)
	})
}

func FuzzPlain(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := Plain(s)
		if !utf8.ValidString(p) || strings.ContainsFunc(p, Hidden) {
			t.Errorf("Plain(%q) = %q", s, p)
		}
		if strings.Count(p, "\ufffd") != strings.Count(s, "\ufffd") {
			t.Errorf("Plain(%q) = %q: replacement characters that it did not have", s, p)
		}
		if Plain(p) != p {
			t.Errorf("Plain is not idempotent on %q", s)
		}
	})
}
