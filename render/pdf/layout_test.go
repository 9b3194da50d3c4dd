package pdf

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"hwcap/render/figure"
	"hwcap/render/typeface"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestFixtures compares source and list of every testdata/*.txtar. The list is
// that of the blocks alone, without running head and page number.
func TestFixtures(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			l := bare(Document{Markdown: ar.Files[0].Data, Lang: "de", Figures: map[string]*figure.Scene{"skizze.svg": sketch()}})
			compare(t, l.Text(), string(ar.Files[1].Data), func(got string) error {
				ar.Files[1].Data = []byte(got)
				return os.WriteFile(name, txtar.Format(ar), 0o644)
			})
			check(t, l)
		})
	}
}

// bare lays doc out without what every page has.
func bare(doc Document) *List {
	l := &List{Pages: paginate(build(doc))}
	l.resolve()
	return l
}

func compare(t *testing.T, got, want string, write func(string) error) {
	t.Helper()
	if *update {
		if err := write(got); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestEverythingGolden(t *testing.T) {
	src, err := os.ReadFile(filepath.Join("testdata", "everything.md"))
	if err != nil {
		t.Fatal(err)
	}
	l := Layout(Document{
		Markdown: src, Lang: "de", Title: "Alles", RunningHead: "workstation", Created: created,
		Figures: map[string]*figure.Scene{"skizze.svg": sketch()},
	})
	golden := filepath.Join("testdata", "everything.list")
	want, err := os.ReadFile(golden)
	if err != nil && !*update {
		t.Fatal(err)
	}
	compare(t, l.Text(), string(want), func(got string) error { return os.WriteFile(golden, []byte(got), 0o644) })
	check(t, l)
}

// check holds what is true of every list: text is clean and within the page,
// links lead somewhere, and nothing is left to be resolved.
func check(t *testing.T, l *List) {
	t.Helper()
	anchors := l.resolve()
	for i, p := range l.Pages {
		for _, op := range p.Ops {
			fault := ""
			switch o := op.(type) {
			case Text:
				width := o.Face.Width(o.S, o.Size)
				switch {
				case !utf8.ValidString(o.S), strings.ContainsFunc(o.S, unsafe):
					fault = "unclean text"
				case o.X < left-0.1 || o.X+width > left+textWidth+1.2:
					fault = fmt.Sprintf("sticks out of the column, to %.2f", o.X+width)
				case o.Y < 10 || o.Y > pageHeight-5:
					fault = "off the page"
				}
			case Link:
				name, inside := strings.CutPrefix(o.To, "#")
				if _, ok := anchors[name]; inside && !ok || !inside && !strings.HasPrefix(o.To, "https://") {
					fault = "leads nowhere"
				}
			case pageRef:
				fault = "not resolved"
			}
			if fault != "" {
				t.Errorf("page %d: %s: %v", i+1, fault, op)
			}
		}
	}
}

// unsafe reports runes that gofpdf must not see.
func unsafe(r rune) bool {
	return r > typeface.Missing || unicode.IsControl(r) || r >= 0x200B && r <= 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}

func FuzzLayout(f *testing.F) {
	for _, name := range []string{"everything.md", "demo.de.md"} {
		src, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(src))
	}
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 20_000 {
			return
		}
		check(t, Layout(Document{Markdown: []byte(src), Lang: "en", Title: src, RunningHead: src, Figures: map[string]*figure.Scene{"skizze.svg": sketch()}}))
	})
}

// hostile is text that must not break anything.
var hostile = []string{
	"😀 \U0010ffff ok",
	"cut off \xe2", "cut off \xc3", "\xed\xa0\x80\xff\xfe",
	"\u202egnp.exe\u2066\u200b\u00ad\ufeff",
	"[x](javascript:alert(1)) ![y](data:text/html,x) ](javascript:alert(1))",
	"<script>alert(1)</script> <a id=\"x\" onclick=\"y\"></a> <a href=\"https://example.org\">z</a>",
	"{nb} {{.}} \\{nb\\}",
	"# \x00\n\n## \x00\n\n### ▲\n\n- \n- ▲\n- [ ] \n\n|a|\n|-|\n|\x00|\n",
	"[a](#a)<a id=\"a\"></a><a id=\"a\"></a>\n\n<a id=\"b\"></a>",
	"> > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > tief\n",
	strings.Repeat("- ", 60) + "tief",
	"```\n" + strings.Repeat("\t", 400) + "x\n```",
	"|" + strings.Repeat("a|", 60) + "\n|" + strings.Repeat("-|", 60) + "\n|" + strings.Repeat("Wortungetüm|", 60),
	"99999999. x\n",
	"漢字 עברית العربية ﷽",
}

func TestHostileText(t *testing.T) {
	for _, src := range hostile {
		check(t, Layout(Document{Markdown: []byte(src), Title: src, RunningHead: src}))
	}
}

func TestVeryLongLine(t *testing.T) {
	for name, unit := range map[string]string{"no break": "x", "separators": "ab/", "addresses": "0000:c5:00.0/", "hyphens": "abc-def-", "words": "Wort "} {
		long := strings.Repeat(unit, 200_000/len(unit))
		for _, src := range []string{long, "`" + long + "`", "```\n" + long + "\n```", "| a |\n|---|\n| " + long + " |\n"} {
			l := Layout(Document{Markdown: []byte(src)})
			if len(l.Pages) < 10 {
				t.Errorf("%s: 200 kB on %d pages", name, len(l.Pages))
			}
			check(t, l)
		}
	}
}

// texts returns what stands on a page.
func texts(p Page) string {
	var all []string
	for _, op := range p.Ops {
		if o, ok := op.(Text); ok {
			all = append(all, o.S)
		}
	}
	return strings.Join(all, "\n")
}

func TestTableOverPages(t *testing.T) {
	t.Run("header of one line", func(t *testing.T) { tableOverPages(t, "Link") })
	t.Run("header of several lines", func(t *testing.T) { tableOverPages(t, strings.Repeat("Link jetzt und höchstens ", 9)) })
}

func tableOverPages(t *testing.T, head string) {
	var b strings.Builder
	b.WriteString("| Adresse | Gerät | " + head + " |\n| --- | --- | --- |\n")
	for i := range 120 {
		fmt.Fprintf(&b, "| `0000:%02x:00.0` | %s | x8 |\n", i, strings.Repeat("ein Gerät mit langem Namen ", i%8))
	}
	l := bare(Document{Markdown: []byte(b.String())})
	if len(l.Pages) < 3 {
		t.Fatalf("%d pages", len(l.Pages))
	}
	for i, p := range l.Pages {
		if got := strings.Count(texts(p), "Adresse"); got != 1 {
			t.Errorf("page %d has %d header rows", i+1, got)
		}
		if lines := strings.Split(texts(p), "\n"); slices.ContainsFunc(lines[:min(4, len(lines))], func(s string) bool { return strings.HasPrefix(s, "Namen") }) {
			t.Errorf("page %d begins within a row: %q", i+1, lines[:4])
		}
	}
}

func TestRowHigherThanAPage(t *testing.T) {
	l := bare(Document{Markdown: []byte("| a | b |\n|---|---|\n| kurz | " + strings.Repeat("viel Text ", 4000) + " |\n")})
	if len(l.Pages) < 2 {
		t.Fatalf("%d pages", len(l.Pages))
	}
	check(t, l)
}

func TestHeadingStaysWithTwoLines(t *testing.T) {
	for lines := range 60 {
		src := strings.Repeat("Zeile\\\n", lines) + "Zeile\n\n### Befund\n\neins\\\nzwei\\\ndrei\\\nvier\n"
		for i, p := range bare(Document{Markdown: []byte(src)}).Pages {
			got := texts(p)
			if strings.Contains(got, "Befund") && !strings.Contains(got, "zwei") {
				t.Errorf("after %d lines: page %d ends after the heading", lines+1, i+1)
			}
			if strings.HasPrefix(got, "vier") {
				t.Errorf("after %d lines: page %d begins with a paragraph's last line", lines+1, i+1)
			}
		}
	}
}

func TestNoItemStandsAlone(t *testing.T) {
	for lines := range 60 {
		src := strings.Repeat("Zeile\\\n", lines) + "Zeile\n\n- eins\\\n  eins\n- zwei\n- drei\n- vier\\\n  vier\n"
		for i, p := range bare(Document{Markdown: []byte(src)}).Pages {
			got := texts(p)
			if strings.Contains(got, "eins") && !strings.Contains(got, "zwei") || strings.Contains(got, "vier") && !strings.Contains(got, "drei") {
				t.Errorf("after %d lines: page %d has a list's only item", lines+1, i+1)
			}
		}
	}
}

func TestLabelStaysWithItsList(t *testing.T) {
	for lines := range 60 {
		src := strings.Repeat("Zeile\\\n", lines) + "Zeile\n\n**Nicht belegt:**\n\n- eins\n- zwei\n"
		for i, p := range bare(Document{Markdown: []byte(src)}).Pages {
			if got := texts(p); strings.Contains(got, "belegt:") && !strings.Contains(got, "eins") {
				t.Errorf("after %d lines: page %d ends after the label", lines+1, i+1)
			}
		}
	}
}

func TestShortTableStaysWholeAndWithItsHeading(t *testing.T) {
	for lines := range 60 {
		src := strings.Repeat("Zeile\\\n", lines) + "Zeile\n\n### Liste\n\nWas darin steht.\n\n| Punkt | Angabe |\n|---|---|\n" + strings.Repeat("| Zelle | x8 |\n", 10)
		for i, p := range bare(Document{Markdown: []byte(src)}).Pages {
			got := texts(p)
			if strings.Contains(got, "Liste") != strings.Contains(got, "Punkt") || strings.Count(got, "Zelle")%10 != 0 {
				t.Errorf("after %d lines: page %d has a part of the table: %q", lines+1, i+1, got)
			}
		}
	}
}

func TestShortChapterNeedsNoMoreThanItsHeight(t *testing.T) {
	for lines := range 60 {
		src := strings.Repeat("Zeile\\\n", lines) + "Schluss\n\n## Kurz\n\nEin Satz.\n\n## Danach\n\n" + strings.Repeat("Text\n\n", 20)
		for i, p := range bare(Document{Markdown: []byte(src)}).Pages {
			low := 0.0
			for _, op := range p.Ops {
				if o, ok := op.(Text); ok {
					low = max(low, o.Y)
				}
			}
			const chapter = 32 // with the gap above
			if strings.HasSuffix(texts(p), "Schluss") && bottom-low > chapter {
				t.Errorf("after %d lines: page %d ends at %.0f mm although the next chapter fits", lines+1, i+1, low)
			}
		}
	}
}

func TestLastPageHasLines(t *testing.T) {
	for entries := 40; entries < 100; entries++ {
		pages := bare(Document{Markdown: []byte("## Begriffe\n\n" + strings.Repeat("- **Lane:** ein Paar\\\n  hin und zurück\n", entries))}).Pages
		if got := strings.Count(texts(pages[len(pages)-1]), "Lane"); got < 4 {
			t.Errorf("%d entries: %d on the last page", entries, got)
		}
	}
}

func TestLinksInsideSayTheirPage(t *testing.T) {
	for pages, want := range map[int]string{1: "5", 20: "24", 120: "124"} {
		src := "## Erstes\n\n- Ein Befund. [Einzelheiten](#ziel)\n\nMehr im [Anhang](#ziel), und weiter.\n\n| a |\n|---|\n| [ohne](#ziel) |\n\n" +
			strings.Repeat("x\n\n", (pages+3)*32) + "<a id=\"ziel\"></a>\n\n## Anhang\n\nZiel\n"
		l := bare(Document{Markdown: []byte(src), Lang: "de"})
		check(t, l)
		n := l.resolve()["ziel"].page
		got := strings.ReplaceAll(texts(l.Pages[0]), "\n", "")
		for _, line := range []string{"Einzelheiten (Seite %d)Mehr im ", "Anhang (Seite %d), und weiter.", "aohnex"} {
			if strings.Contains(line, "%d") {
				line = fmt.Sprintf(line, n)
			}
			if !strings.Contains(got, line) {
				t.Errorf("no %q in %q", line, got)
			}
		}
		if len(fmt.Sprint(n)) != len(want) {
			t.Errorf("the target is on page %d, not about %s", n, want)
		}
		// What follows the number stands right behind it.
		var before Text
		for _, op := range l.Pages[0].Ops {
			o, ok := op.(Text)
			if ok && strings.HasPrefix(o.S, "), und") {
				if end := before.X + before.Face.Width(before.S, before.Size); math.Abs(o.X-end) > epsilon {
					t.Errorf("page %d ends at %.2f, what follows begins at %.2f", n, end, o.X)
				}
			}
			if ok {
				before = o
			}
		}
	}
}

func TestPictureIsScaledToThePage(t *testing.T) {
	scene := &figure.Scene{Width: 340, Height: 900, Items: []figure.Item{figure.Rect{W: 340, H: 900, Border: figure.Ink, Stroke: 0.2}}}
	l := bare(Document{Markdown: []byte("## Bild\n\n![hoch](hoch.svg)\n"), Figures: map[string]*figure.Scene{"hoch.svg": scene}})
	if len(l.Pages) != 1 {
		t.Fatalf("%d pages: the heading is torn from its picture", len(l.Pages))
	}
	for _, op := range l.Pages[0].Ops {
		if b, ok := op.(Box); ok && (b.Y+b.H > bottom || b.X+b.W > left+textWidth+0.01) {
			t.Errorf("sticks out: %v", b)
		}
	}
}

// TestPictureFloats holds that a tall picture leaves no large gap above it, if
// the chapter has text to fill it; that it stands in its chapter, and in order.
func TestPictureFloats(t *testing.T) {
	scene := func(h float64) *figure.Scene {
		return &figure.Scene{Width: 160, Height: h, Items: []figure.Item{figure.Label{X: 1, Y: 5, Text: fmt.Sprint("Bild ", h), Size: 8}}}
	}
	figures := map[string]*figure.Scene{"1.svg": scene(150), "2.svg": scene(90), "3.svg": scene(170)}
	for lines := range 60 {
		src := "## Davor\n\n" + strings.Repeat("Zeile\\\n", lines) + "Zeile\n\n" +
			"## Erstes\n\n![a](1.svg \"Unterschrift\")\n\n![a](2.svg)\n\n### Befund\n\n" + strings.Repeat("Text\n\n", 40) + "Schluss\n\n" +
			"## Zweites\n\n![a](3.svg)\n\nkurz\n"
		l := bare(Document{Markdown: []byte(src), Figures: figures})
		check(t, l)
		page := map[string]int{}
		for i, p := range l.Pages {
			low := 0.0
			for _, op := range p.Ops {
				if o, ok := op.(Text); ok {
					page[o.S] = i + 1
					low = max(low, o.Y)
				}
			}
			if got := texts(p); i+1 < len(l.Pages) && bottom-low > 105 && !strings.Contains(got, "Bild") && !strings.HasSuffix(got, "Schluss") {
				t.Errorf("after %d lines: page %d of %d ends at %.0f mm", lines, i+1, len(l.Pages), low)
			}
			if len(p.Ops) == 0 {
				t.Errorf("after %d lines: page %d is empty", lines, i+1)
			}
		}
		if page["Bild 150"] != page["Unterschrift"] || page["Bild 150"] > page["Bild 90"] || page["Bild 90"] > page["Schluss"] || page["Bild 150"] < page["Erstes"] || page["Bild 150"] > page["Erstes"]+1 {
			t.Errorf("after %d lines: %v", lines, page)
		}
		if page["Zweites"] != page["Bild 170"] {
			t.Errorf("after %d lines: a picture without text to go before it is on page %d, its heading on %d", lines, page["Bild 170"], page["Zweites"])
		}
	}
}

func TestNoPictureLandsWithinEvidence(t *testing.T) {
	scene := func(h float64) *figure.Scene {
		return &figure.Scene{Width: 160, Height: h, Items: []figure.Item{figure.Label{X: 1, Y: 5, Text: fmt.Sprint("Bild ", h), Size: 8}}}
	}
	figures := map[string]*figure.Scene{"1.svg": scene(200), "2.svg": scene(90)}
	finding := "### Befund\n\n" + strings.Repeat("Text\n\n", 9) + "**Belege:**\n\n```\n" + strings.Repeat("Zeile\n", 15) + "```\n\n"
	for lines := range 60 {
		src := "## Davor\n\n" + strings.Repeat("davor\\\n", lines) + "davor\n\n## Kapitel\n\n![a](1.svg)\n\n![a](2.svg)\n\n" + strings.Repeat(finding, 4)
		l := bare(Document{Markdown: []byte(src), Figures: figures})
		check(t, l)
		var all []string
		for _, p := range l.Pages {
			all = append(all, strings.Split(texts(p), "\n")...)
		}
		for i, s := range all[1:] {
			if strings.HasPrefix(all[i], "Bild") && (s == "Zeile" || s == "Belege:") {
				t.Errorf("after %d lines: %s stands before %s", lines, all[i], s)
			}
		}
		if got := strings.Join(all, "\n"); strings.Count(got, "Bild") != 2 || strings.Index(got, "Bild 200") > strings.Index(got, "Bild 90") {
			t.Errorf("after %d lines: a picture is lost, or out of order", lines)
		}
	}
}

func TestBadgeColoursShapeAndWord(t *testing.T) {
	for src, want := range map[string]string{
		"▲ Warnung · Titel":  "▲ Warnung",
		"✓ in Ordnung: ja":   "✓ in Ordnung",
		"● Infos":            "●",
		"? offen":            "? offen",
		"? wie bitte":        "",
		"▲Warnung":           "",
		"Ein ▲ mitten darin": "",
	} {
		spans := badge([]span{{text: src}})
		got := ""
		if spans[0].class != figure.None {
			got = strings.ReplaceAll(spans[0].text, string(nbsp), " ")
		}
		if got != want {
			t.Errorf("%q: badge %q, want %q", src, got, want)
		}
	}
}

func TestJoints(t *testing.T) {
	for s, want := range map[string]string{
		"cmd/lspci-vvv.txt:1204":       "cmd/|lspci-|vvv.txt:1204",
		"0000:c5:00.0":                 "0000:c5:00.0",
		"pci0000:c2/0000:c2:05.0/x":    "pci0000:c2/|0000:c2:05.0/|x",
		"c5:00.0/c4:08.0":              "c5:00.0/|c4:08.0",
		"2.926,7":                      "2.926,7",
		"16GT/s":                       "16GT/s",
		"--watch-links":                "--watch-|links",
		`"what":"/sys/bus"`:            `"what":|"/sys/|bus"`,
		"/sys/bus":                     "/sys/|bus",
		"https://docs.kernel.org":      "https://docs.|kernel.org",
		"<U+6F22><U+5B57>":             "<U+6F22>|<U+5B57>",
		"root=UUID=0000-4000":          "root=|UUID=|0000-4000",
		"qat_aes_cbc_hmac_sha256":      "qat_|aes_|cbc_|hmac_|sha256",
		"authenc(hmac(sha1),cbc(aes))": "authenc(hmac(sha1),|cbc(aes))",
	} {
		var b strings.Builder
		runes := []rune(s)
		for i, ok := range joints(runes) {
			b.WriteRune(runes[i])
			if ok {
				b.WriteByte('|')
			}
		}
		if b.String() != want {
			t.Errorf("%q breaks as %q, want %q", s, b.String(), want)
		}
	}
}

func TestGlue(t *testing.T) {
	for s, want := range map[string]string{
		"mit 2,5 GT/s x8 läuft":        "mit 2,5~GT/s~x8 läuft",
		"mit 5\u00a0GT/s (Gen\u00a02)": "mit 5~GT/s~(Gen~2)",
		"(Gen 4) und Seite 12":         "(Gen~4) und Seite~12",
		"am 3. August 2026":            "am 3.~August 2026",
		"in 16 Minuten, z. B. am":      "in 16~Minuten, z.~B. am",
		"belegt [1] und":               "belegt~[1] und",
		"Wort – Strich":                "Wort~– Strich",
		"alle 83 Gruppen, PCIe x16":    "alle 83~Gruppen, PCIe~x16",
		"mit Priorität 400 von":        "mit Priorität~400~von",
		"der IOMMU-Gruppe 49":          "der IOMMU-Gruppe~49",
		"Red Hat, Inc. und":            "Red Hat,~Inc. und",
		"drei Worte hier":              "drei Worte hier",
		" 5 s":                         " 5~s",
		"Satz endet 5. Stunden um":     "Satz endet 5. Stunden um",
	} {
		if got := strings.ReplaceAll(glue(s), string(nbsp), "~"); got != want {
			t.Errorf("glue(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestCodeKeepsHashesWhole(t *testing.T) {
	hash := strings.Repeat("0123456789abcdef", 4)
	for lead := range 90 {
		rows := breakCode(`{"path":"`+strings.Repeat("x", lead)+`/y","sha256":"`+hash+`","cap":16777216},`, textWidth-2*codeSide)
		if !strings.Contains(strings.Join(rows, "\n"), hash) {
			t.Errorf("with %d letters before it, a hash is torn:\n%s", lead, strings.Join(rows, "\n"))
		}
		if last := rows[len(rows)-1]; lead >= 20 && lead <= 80 && len(rows) > 1 && !strings.HasPrefix(strings.TrimPrefix(last, carry), `"sha256"`) && !strings.HasPrefix(last, carry+`"cap"`) {
			t.Errorf("with %d letters before it, a name stands apart from its value:\n%s", lead, strings.Join(rows, "\n"))
		}
	}
}

func TestCodeKeepsAnEllipsisWithItsText(t *testing.T) {
	for lead := range 90 {
		rows := breakCode(`[1] manifest.json:48  {"name":"`+strings.Repeat("x", lead)+`" … "state":"absent" … "why":"no such command" …`, textWidth-2*codeSide)
		for _, row := range rows {
			if strings.HasPrefix(strings.TrimPrefix(row, carry), "…") {
				t.Errorf("with %d letters before it:\n%s", lead, strings.Join(rows, "\n"))
			}
		}
		if last := rows[len(rows)-1]; len(rows) == 2 && lead > 25 && lead < 44 && last != carry+`"why":"no such command" …` {
			t.Errorf("with %d letters before it:\n%s", lead, strings.Join(rows, "\n"))
		}
	}
}

func TestCodeGivesUpPadding(t *testing.T) {
	for s, want := range map[string][]string{
		"a" + strings.Repeat(" ", 200) + "b": {"a  b"},
		"driver       : ccm":                 {"driver       : ccm"},
		"   [1] a" + strings.Repeat(" ", 99): {"   [1] a"},
		"   " + strings.Repeat("x   y ", 30): nil,
	} {
		got := breakCode(strings.TrimRight(s, " "), textWidth-2*codeSide)
		if want == nil {
			if !strings.HasPrefix(got[0], "   x  y x  y") {
				t.Errorf("%q becomes %q", s, got)
			}
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: -want +got:\n%s", s, diff)
		}
	}
}

func TestContentsEndTogether(t *testing.T) {
	for n := 30; n < 80; n++ {
		l := bare(Document{Markdown: []byte("<!-- toc -->\n\n" + strings.Repeat("## Kapitel\n\nText\n\n", n)), Lang: "de"})
		entries := make([]int, len(l.Pages))
		for i, p := range l.Pages {
			for _, op := range p.Ops {
				if r, ok := op.(Rule); ok && r.Dash == Dotted {
					entries[i]++
				}
			}
		}
		for i, got := range entries {
			if i > 0 && got > 0 && got < contentsTail {
				t.Errorf("%d chapters: page %d has %d entries of the contents", n, i+1, got)
			}
		}
	}
}

func TestRightToLeft(t *testing.T) {
	for s, want := range map[string]string{
		"Laufwerk 990":                "Laufwerk 990",
		"Name: \u05d0\u05d1 \u05d2 x": "Name: \u05d2 \u05d1\u05d0 x",
		"\u05d0\u05d1 12 \u05d2":      "\u05d2 12 \u05d1\u05d0",
		"\u05d0\u05b8\u05d1":          "\u05d1\u05d0\u05b8",
	} {
		got := ""
		for _, p := range visual(bodyStyle.pieces(look{}, s)) {
			got += p.s
		}
		if got != want {
			t.Errorf("%q is drawn as %q, want %q", s, got, want)
		}
	}
}
