package render

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"hwcap/render/escape"
)

// TestPostMeansNothing: what blogs do beyond Markdown is not done to the text
// of a capture.
func TestPostMeansNothing(t *testing.T) {
	hostile := []string{`{{< figure src="x" >}}`, `{{% include x %}}`, `{% endraw %}{{ site }}`, `{:onclick="x"} {#f-1}`, "a ` {{< b", "`` {{ ` }} ``", `joe.@evil.example`, `$$x$$`, `\{{x}}`}
	for _, s := range hostile {
		for _, b := range []Blog{Hugo, Jekyll} {
			body := "# T\n\n<a id=\"f-1\"></a>\n\n### " + escape.Markdown(s) + " x\n\n" + escape.Code(s) + "\n\n" + escape.Fence(escape.Plain(s)+"\n")
			got := string((&Post{body: []byte(body)}).markdown(b))
			for _, not := range []string{"{{", "{%", "<a", "# T"} {
				if strings.Contains(strings.ReplaceAll(got, "## ", ""), not) && not != "# T" || strings.HasPrefix(got, "# T") {
					t.Errorf("%s, %q: %q is in %q", b, s, not, got)
				}
			}
			heading, _, _ := strings.Cut(got, "\n")
			if !strings.HasSuffix(heading, " x {#f-1}") || strings.Count(heading, "{") != 1 {
				t.Errorf("%s: heading %q", b, heading)
			}
		}
	}
	var html strings.Builder
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert((&Post{body: []byte(escape.Markdown("a joe.@evil.example"))}).markdown(Hugo), &html); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(html.String(), "<a") || strings.Contains(html.String(), "omitted") {
		t.Error(html.String())
	}
}

func TestFrontMatterIsAString(t *testing.T) {
	for in, want := range map[string]string{
		`a "b" \c`:         `"a \"b\" \\c"`,
		"<img src=x>\x1b[": "\"‹img src=x›‹U+001B›[\"",
		"a\n+++\nb":        `"a +++ b"`,
	} {
		if got := quoted(in); got != want {
			t.Errorf("quoted(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestLetterIsPlain(t *testing.T) {
	got := wrapped(harmless("- <script>x</script> https://evil.example www.evil.example joe@evil.example " + strings.Repeat("word ", 20)))
	for _, not := range []string{"<s", "</", "://", "www.", "joe@e"} {
		if strings.Contains(got, not) {
			t.Errorf("%q is in %q", not, got)
		}
	}
	for line := range strings.Lines(got) {
		if len([]rune(line)) > 73 {
			t.Errorf("too long: %q", line)
		}
	}
}

func TestLetterKeepsNumberAndUnit(t *testing.T) {
	got := wrapped("- CPU  C2558  @ 2.40GHz: " + strings.Repeat("x", 45) + " 15\u00a0errors")
	if want := "- CPU C2558 @ 2.40GHz: " + strings.Repeat("x", 45) + "\n  15\u00a0errors\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSlug(t *testing.T) {
	for in, want := range map[string]string{
		"hwcap-Host_1-20260812T211400Z": "hwcap-host-1-20260812t211400z",
		"../../ <b>\u202eü":             "b",
		"深圳":                            "capture",
		strings.Repeat("a.", 200):       strings.TrimSuffix(strings.Repeat("a-", 50), "-"),
	} {
		if got := slug(in); got != want {
			t.Errorf("slug(%q) = %q, want %q", in, got, want)
		}
	}
}
