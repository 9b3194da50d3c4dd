package samples

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	gmhtml "github.com/yuin/goldmark/renderer/html"

	"hwcap/parse/diff"
	"hwcap/parse/fact"
	"hwcap/render/catalogue"
	"hwcap/render/escape"
)

// poison is text that wants to be more than text: to Markdown and what extends
// it, to HTML, to YAML and TOML, to the templates of blogs, to a terminal.
const poison = "[x](https://evil.example/) ![x](https://evil.example/i.png) <img src=https://evil.example/> joe.@evil.example www.evil.example ` | \u202ex \x1b[31m " +
	"{{ site.time }} {% evil.example %} {{< evil.example >}} {{% evil.example %}} {:.evil.example} {#evil.example} \"\"\" ''' \\ $$x$$ [^1] &lt;b&gt; \x07\u200b"

// poisonLines begins lines, where a capture can hold some.
const poisonLines = poison + "\n# evil.example\n---\nlayout: evil.example\n+++\n<script src=https://evil.example/></script>\n```\n[x]: https://evil.example/\n"

// poisoned is the workstation with hostile text in every place of its capture
// that a report prints.
func poisoned(t testing.TB) *fact.Machine {
	t.Helper()
	_, members := readMembers(t, "workstation")
	quoted, _ := json.Marshal(poisonLines)
	inJSON := string(quoted[1 : len(quoted)-1])
	for i, m := range members {
		text := string(m.data)
		switch {
		case m.name == "manifest.json":
			for _, field := range []string{"host", "tool", "rebuilt", "start", "kernel", "boot"} {
				text = regexp.MustCompile(`"`+field+`": "[^"]*"`).ReplaceAllLiteralString(text, fmt.Sprintf(`"%s": "%s"`, field, inJSON))
			}
			text = strings.ReplaceAll(text, `"why":"`, `"why":"`+inJSON)
		case m.name == "cmd/lspci-vvv.txt":
			text = strings.ReplaceAll(text, "Intel Corporation", "Intel "+poison)
			text = strings.ReplaceAll(text, "Kernel driver in use: ", "Kernel driver in use: "+poison)
			text = strings.ReplaceAll(text, "Physical Slot: ", "Physical Slot: "+poison)
		case m.name == "cmd/dmidecode.txt":
			text = strings.ReplaceAll(text, "Designation: ", "Designation: "+poison)
			text = strings.ReplaceAll(text, "Locator: ", "Locator: "+poison)
		case m.name == "cmd/dmesg.txt" || m.name == "proc/cmdline" || m.name == "cmd/ras-mc-ctl-errors.txt":
			text = strings.ReplaceAll(text, "\n", " "+poison+"\n")
		case m.name == "proc/crypto":
			text = strings.ReplaceAll(text, "qat_aes_xts", "qat_aes_xts"+poison)
		case strings.HasPrefix(m.name, "sys/class/dmi/id/"):
			text = poison + "\n"
		}
		members[i].data = []byte(text)
	}
	name := strings.NewReplacer("/", "", "\x1b", "", "\x07", "").Replace(poison) // members so called are not read
	return machine(t, "hwcap "+name, append(members, member{"cmd/" + name + ".txt", []byte(poison)}))
}

// TestNothingOfACaptureComesAlive looks at what becomes of hostile text in each
// format. The only addresses that lead away are those of the catalogue.
func TestNothingOfACaptureComesAlive(t *testing.T) {
	texts, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	m, refs := poisoned(t), refsOf(texts)
	before, _ := sample(t, "workstation-before")
	files := reportFiles(t, texts, m)
	maps.Copy(files, diffFiles(t, texts, diff.New(before, m)))
	for name, data := range files {
		if strings.HasSuffix(name, ".pdf") {
			uris := urisOf(t, data)
			if strings.HasPrefix(name, "report") && len(uris) == 0 {
				t.Errorf("%s: no link of ours either, so this test shows nothing", name)
			}
			for _, uri := range uris {
				if !slices.Contains(refs, uri) {
					t.Errorf("%s: a link to %q", name, uri)
				}
			}
			continue
		}
		checkHidden(t, name, string(data))
		if n := bytes.Count(data, []byte("evil.example")); n < leastPoison[path.Ext(name)] {
			t.Errorf("%s: the poison is there %d times only, so this test shows little", name, n)
		}
		if bytes.ContainsRune(data, utf8.RuneError) {
			t.Errorf("%s: a replacement character that the capture does not have", name)
		}
		switch path.Ext(name) {
		case ".html":
			checkElements(t, name, string(data), refs)
		case ".svg":
			if tag := regexp.MustCompile(`(?i)<(?:img|script|image|foreignObject)\b[^>]*|<[^>]* (?:href="[^#]|src=|on[a-z]+=)[^>]*`).Find(data); tag != nil {
				t.Errorf("%s: alive: %s", name, tag)
			}
		case ".txt":
			if alive := regexp.MustCompile(`<[a-zA-Z/!]|https?://|www\.|\w@\w`).Find(data); alive != nil {
				t.Errorf("%s: alive: %s", name, alive)
			}
		case ".md":
			front, text := cutFront(t, name, string(data))
			var page bytes.Buffer
			if err := github.Convert([]byte(text), &page); err != nil {
				t.Fatal(err)
			}
			checkElements(t, name, page.String(), refs)
			if n := strings.Count(page.String(), "<h1"); n > 1 || strings.HasPrefix(name, "published") && n != 1 {
				t.Errorf("%s: %d titles", name, n)
			}
			if template := regexp.MustCompile(`\{\{|\{%`).FindString(text); template != "" && front != "" {
				t.Errorf("%s: a template in the text: %s", name, template)
			}
		}
	}
}

// refsOf are the pages that reports refer to.
func refsOf(texts *catalogue.Catalogue) (refs []string) {
	for _, e := range texts.Entries {
		refs = append(refs, e.Refs...)
	}
	return refs
}

// leastPoison is how often the poison is at least in a file, by format.
var leastPoison = map[string]int{".md": 20, ".html": 20, ".json": 20, ".txt": 2}

// github is Markdown as GitHub reads it.
var github = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(gmhtml.WithUnsafe()))

// checkElements fails on elements that load, run or lead elsewhere.
func checkElements(t *testing.T, name, page string, refs []string) {
	t.Helper()
	for _, tag := range regexp.MustCompile(`(?s)<[a-zA-Z][^>]*>`).FindAllString(page, -1) {
		if acting.MatchString(tag) {
			t.Errorf("%s: alive: %s", name, tag)
		}
		for _, m := range regexp.MustCompile(`\b(href|src)="([^"]*)"`).FindAllStringSubmatch(tag, -1) {
			to := html.UnescapeString(m[2])
			inside := m[1] == "href" && (strings.HasPrefix(to, "#") || to == "data:," || ours.MatchString(to)) || m[1] == "src" && ours.MatchString(to)
			if !inside && (m[1] == "src" || !slices.Contains(refs, to)) {
				t.Errorf("%s: leads to %q", name, to)
			}
		}
	}
}

// acting is an element that runs or loads something.
var acting = regexp.MustCompile(`(?i)^<(script|iframe|object|embed|form|base)\b|^<[^>]* on[a-z]+=`)

// ours are the addresses of files beside a report.
var ours = regexp.MustCompile(`^(index\.(de|en)\.md|\.\./(de|en)/|(figures/|\.\./\.\./assets/[a-z0-9-]+/)?[a-z0-9-]+\.(de|en)\.svg)$`)

// frontLine is a line of front matter, in TOML or YAML: a string cannot end
// before its line does.
var frontLine = regexp.MustCompile(`^[a-zA-Z]+(: | = )("(?:[^"\\]|\\["\\])*"|\["[^"\\]*"(?:, "[^"\\]*")*\]|[a-z0-9/:+ TZ-]+)$`)

// cutFront cuts a post into front matter and text.
func cutFront(t *testing.T, name, post string) (front, text string) {
	t.Helper()
	fence := post[:min(3, len(post))]
	if fence != "---" && fence != "+++" {
		return "", post
	}
	front, text, ok := strings.Cut(post[4:], "\n"+fence+"\n")
	if !ok {
		t.Errorf("%s: the front matter does not end", name)
	}
	for line := range strings.Lines(front) {
		if !frontLine.MatchString(strings.TrimSuffix(line, "\n")) {
			t.Errorf("%s: in the front matter: %s", name, line)
		}
	}
	return front, text
}

// urisOf are the addresses of the links of a PDF, as qpdf reads it.
func urisOf(t *testing.T, file []byte) (uris []string) {
	t.Helper()
	if _, err := exec.LookPath("qpdf"); err != nil {
		t.Skip("no qpdf")
	}
	name := filepath.Join(t.TempDir(), "report.pdf")
	if err := os.WriteFile(name, file, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("qpdf", "--json", "--json-key=qpdf", name).Output()
	if err != nil {
		t.Fatalf("qpdf: %v", err)
	}
	for _, m := range regexp.MustCompile(`"/(URI|JS|Launch|GoToR|SubmitForm)": "(?:u:)?([^"]*)"`).FindAllSubmatch(out, -1) {
		uris = append(uris, string(m[2]))
	}
	return uris
}

// checkHidden fails on characters that act on a terminal or a reader. The
// report's own no-break spaces are none of them.
func checkHidden(t *testing.T, what, s string) {
	t.Helper()
	if i := strings.IndexFunc(s, func(r rune) bool { return r != '\n' && r != '\t' && escape.Hidden(r) }); i >= 0 {
		t.Errorf("%s: a hidden character survives: %q", what, s[max(0, i-40):min(len(s), i+20)])
	}
}
