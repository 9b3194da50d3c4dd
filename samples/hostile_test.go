package samples

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render"
	"hwcap/render/catalogue"
	"hwcap/render/escape"
	hwhtml "hwcap/render/html"
)

// poison is text that wants to be more than text.
const poison = "[x](https://evil.example/) ![x](https://evil.example/i.png) <img src=https://evil.example/> joe.@evil.example www.evil.example ` | \u202ex \x1b[31m"

// poisoned is the workstation with hostile text in every place of its capture
// that a report prints.
func poisoned(t testing.TB) *fact.Machine {
	t.Helper()
	folder, members := readMembers(t, "workstation")
	quoted, _ := json.Marshal(poison)
	inJSON := string(quoted[1 : len(quoted)-1])
	oneLine := strings.ReplaceAll(poison, "\n", " ")
	for i, m := range members {
		text := string(m.data)
		switch {
		case m.name == "manifest.json":
			for _, field := range []string{"host", "tool", "rebuilt", "start", "kernel", "boot"} {
				text = regexp.MustCompile(`"`+field+`": "[^"]*"`).ReplaceAllLiteralString(text, fmt.Sprintf(`"%s": "%s"`, field, inJSON))
			}
			text = strings.ReplaceAll(text, `"why":"`, `"why":"`+inJSON)
		case m.name == "cmd/lspci-vvv.txt":
			text = strings.ReplaceAll(text, "Intel Corporation", "Intel "+oneLine)
			text = strings.ReplaceAll(text, "Kernel driver in use: ", "Kernel driver in use: "+oneLine)
			text = strings.ReplaceAll(text, "Physical Slot: ", "Physical Slot: "+oneLine)
		case m.name == "cmd/dmidecode.txt":
			text = strings.ReplaceAll(text, "Designation: ", "Designation: "+oneLine)
		case m.name == "cmd/dmesg.txt" || m.name == "proc/cmdline" || m.name == "cmd/ras-mc-ctl-errors.txt":
			text = strings.ReplaceAll(text, "\n", " "+oneLine+"\n")
		case m.name == "proc/crypto":
			text = strings.ReplaceAll(text, "qat_aes_xts", "qat_aes_xts"+oneLine)
		case strings.HasPrefix(m.name, "sys/class/dmi/id/"):
			text = oneLine + "\n"
		}
		members[i].data = []byte(text)
	}
	return machine(t, folder, members)
}

// TestNothingOfACaptureComesAlive looks at what becomes of hostile text.
func TestNothingOfACaptureComesAlive(t *testing.T) {
	m := poisoned(t)
	findings := judge.Run(m)
	texts, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range catalogue.Langs {
		r, err := render.New(m, findings, texts, lang)
		if err != nil {
			t.Fatal(err)
		}
		var md, html, page bytes.Buffer
		if err := r.Markdown(&md); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(md.String(), "evil.example") {
			t.Error("the poison is not in the report, so this test shows nothing")
		}
		checkHidden(t, "Markdown", md.String())
		if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert(md.Bytes(), &html); err != nil {
			t.Fatal(err)
		}
		for _, tag := range regexp.MustCompile(`<(a|img)\b[^>]*>|mailto:[^"]*`).FindAllString(html.String(), -1) {
			if strings.Contains(tag, "evil.example") && !strings.Contains(tag, "alt=") || strings.Contains(tag, `src="http`) {
				t.Errorf("%s: alive: %s", lang, tag)
			}
		}
		if err := hwhtml.Write(&page, pageOf(t, r)); err != nil {
			t.Fatal(err)
		}
		checkHidden(t, "HTML", page.String())
		if strings.Count(page.String(), "evil.example") < 100 {
			t.Error("the poison is not in the page, so this test shows nothing")
		}
		for _, tag := range regexp.MustCompile(`<[^>]*>`).FindAllString(page.String(), -1) {
			if strings.HasPrefix(tag, "<img") || regexp.MustCompile(`^<[^>]* (href|src)="[^"]*evil`).MatchString(tag) {
				t.Errorf("%s: alive in HTML: %s", lang, tag)
			}
		}
		for _, p := range r.Pictures {
			var svg bytes.Buffer
			if err := p.Scene.SVG(&svg); err != nil {
				t.Fatal(err)
			}
			checkHidden(t, "SVG", svg.String())
			if regexp.MustCompile(`(href|src)="(https?:|javascript:)`).MatchString(svg.String()) || strings.Contains(svg.String(), "<img") {
				t.Errorf("%s: something in the picture is alive", lang)
			}
		}
	}
	var report bytes.Buffer
	if err := render.JSON(&report, m, findings, texts, "test"); err != nil {
		t.Fatal(err)
	}
	checkHidden(t, "JSON", report.String())
}

// checkHidden fails on characters that act on a terminal or a reader. The
// report's own no-break spaces are none of them.
func checkHidden(t *testing.T, what, s string) {
	t.Helper()
	if i := strings.IndexFunc(s, func(r rune) bool { return r != '\n' && r != '\t' && escape.Hidden(r) }); i >= 0 {
		t.Errorf("%s: a hidden character survives: %q", what, s[max(0, i-40):min(len(s), i+20)])
	}
}
