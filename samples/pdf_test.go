package samples

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render"
	"hwcap/render/catalogue"
	"hwcap/render/figure"
	"hwcap/render/pdf"
	"hwcap/render/typeface"
)

// paper is the PDF of one report: what went in, how it was laid out, and the
// file.
type paper struct {
	report *render.Report
	doc    pdf.Document
	list   *pdf.List
	path   string
}

// TestPDF holds the PDF of every sample, and of the machines that strain the
// layout, to what a reader may expect of it. HWCAP_DEMO names a folder to keep
// the files in, to be looked at.
func TestPDF(t *testing.T) {
	texts, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	folder := os.Getenv("HWCAP_DEMO")
	if folder == "" {
		folder = t.TempDir()
	}
	machines := strained(t)
	for _, name := range Names() {
		machines[name], _ = sample(t, name)
	}
	for _, name := range slices.Sorted(maps.Keys(machines)) {
		m := machines[name]
		findings := judge.Run(m)
		for _, lang := range catalogue.Langs {
			t.Run(name+"."+string(lang), func(t *testing.T) {
				r, err := render.New(m, findings, texts, lang)
				if err != nil {
					t.Fatal(err)
				}
				p := onPaper(t, r, filepath.Join(folder, name+"."+string(lang)+".pdf"))
				p.checkPages(t)
				p.checkLinks(t)
				p.checkTables(t)
				p.checkFile(t)
				p.checkText(t)
			})
		}
	}
}

// TestHostileTextStaysTextInPDF holds that what a capture says becomes no link.
func TestHostileTextStaysTextInPDF(t *testing.T) {
	texts, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	m := poisoned(t)
	findings := judge.Run(m)
	for _, lang := range catalogue.Langs {
		r, err := render.New(m, findings, texts, lang)
		if err != nil {
			t.Fatal(err)
		}
		p := onPaper(t, r, filepath.Join(t.TempDir(), "hostile.pdf"))
		p.checkPages(t)
		p.checkLinks(t)
		p.checkFile(t)
		n := 0
		each(p.list, func(_ int, o pdf.Text) { n += strings.Count(o.S, "evil.example") })
		if n < 100 {
			t.Error("the poison is not in the report, so this test shows nothing")
		}
	}
}

// onPaper makes the PDF twice, which must give the same bytes.
func onPaper(t *testing.T, r *render.Report, path string) paper {
	t.Helper()
	page := pageOf(t, r)
	start, _ := time.Parse(time.RFC3339, r.Machine.Capture.Start)
	doc := pdf.Document{
		Markdown: page.Markdown, Lang: page.Lang, Title: page.Title, Subject: page.Subject, Author: "hwcap",
		RunningHead: r.Host(), Created: start, Figures: map[string]*figure.Scene{},
	}
	for _, p := range r.Pictures {
		doc.Figures[p.Path] = p.Scene
	}
	var files [2]bytes.Buffer
	for i := range files {
		if err := pdf.Write(&files[i], doc); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
		t.Error("two runs give different bytes")
	}
	if err := os.WriteFile(path, files[0].Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return paper{r, doc, pdf.Layout(doc), path}
}

// each calls f for every operation of a kind, with its page from 1.
func each[O pdf.Op](l *pdf.List, f func(page int, op O)) {
	for i, p := range l.Pages {
		for _, op := range p.Ops {
			if o, ok := op.(O); ok {
				f(i+1, o)
			}
		}
	}
}

// checkPages holds that every page has its number, and nothing sticks out of
// the paper.
func (p paper) checkPages(t *testing.T) {
	form := map[string]string{"de": "Seite %d von %d", "en": "page %d of %d"}[p.doc.Lang]
	numbered := map[int]bool{}
	each(p.list, func(page int, o pdf.Text) {
		if o.S == fmt.Sprintf(form, page, len(p.list.Pages)) {
			numbered[page] = true
		}
		if right := o.X + o.Face.Width(o.S, o.Size); o.X < 19.9 || right > 191.2 || o.Y < 10 || o.Y > 290 {
			t.Errorf("page %d: %v reaches from %.1f to %.1f mm", page, o, o.X, right)
		}
	})
	if len(numbered) != len(p.list.Pages) {
		t.Errorf("%d of %d pages are numbered", len(numbered), len(p.list.Pages))
	}
}

// checkLinks holds that links inside the document lead somewhere, and that the
// contents name the page which their link leads to.
func (p paper) checkLinks(t *testing.T) {
	at := map[string]int{}
	each(p.list, func(page int, o pdf.Anchor) {
		if at[o.Name] == 0 {
			at[o.Name] = page
		}
	})
	entries := 0
	each(p.list, func(page int, o pdf.Link) {
		name, inside := strings.CutPrefix(o.To, "#")
		switch {
		case !inside && !strings.HasPrefix(o.To, "https://"):
			t.Errorf("page %d: a link to %q", page, o.To)
		case strings.Contains(o.To, "evil.example"):
			t.Errorf("page %d: hostile text came alive: %q", page, o.To)
		case inside && at[name] == 0:
			t.Errorf("page %d: a link to %s, which is nowhere", page, o.To)
		}
		if !strings.HasPrefix(name, "§") {
			return
		}
		// An entry of two lines has its number in the second.
		each(p.list, func(on int, number pdf.Text) {
			if n, err := strconv.Atoi(number.S); on == page && err == nil && number.X > 180 && number.Y > o.Y && number.Y < o.Y+o.H {
				entries++
				if n != at[name] {
					t.Errorf("the contents say page %d for %s, which is on %d", n, name, at[name])
				}
			}
		})
	})
	// On the first page, a link says in words where it leads: a reader on paper
	// cannot follow it.
	page := map[string]string{"de": "Seite", "en": "page"}[p.doc.Lang]
	var target string
	links, told := 0, 0
	for _, op := range p.list.Pages[0].Ops {
		switch o := op.(type) {
		case pdf.Link:
			if name, inside := strings.CutPrefix(o.To, "#"); inside && !strings.HasPrefix(name, "§") {
				target = name
				links++
			}
		case pdf.Text:
			if n, err := strconv.Atoi(o.S); err == nil && target != "" {
				told++
				if n != at[target] {
					t.Errorf("the first page says %s %d for %s, which is on %d", page, n, target, at[target])
				}
				target = ""
			} else if target != "" && !strings.Contains(o.S, page) && o.Class != figure.Accent {
				t.Errorf("the first page names no page for %s but goes on %q", target, o.S)
			}
		}
	}
	if told == 0 && links > 0 { // a hostile title fills the page
		t.Error("the first page names no page")
	}
	bookmarks := 0
	each(p.list, func(int, pdf.Bookmark) { bookmarks++ })
	if entries == 0 || entries > bookmarks {
		t.Errorf("%d entries in the contents, %d bookmarks", entries, bookmarks)
	}
}

var addressOnly = regexp.MustCompile(`^[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$`)

// checkTables holds that tables of devices have their header on every page.
func (p paper) checkTables(t *testing.T) {
	rows, headers := map[int]bool{}, map[int]bool{}
	each(p.list, func(page int, o pdf.Text) {
		if o.X == 20 && o.Size < 8 && o.Face == typeface.Mono && addressOnly.MatchString(o.S) {
			rows[page] = true
		}
		if o.X == 20 && o.Size < 9 && o.Face == typeface.SansBold && o.Class == figure.Muted {
			headers[page] = true
		}
	})
	for page := range rows {
		if !headers[page] {
			t.Errorf("page %d has rows of a table without its header", page)
		}
	}
}

// checkFile has other programs read the file.
func (p paper) checkFile(t *testing.T) {
	if out := p.run(t, "qpdf", "--check", p.path); strings.Contains(out, "WARNING") {
		t.Error(out)
	}
	info := p.run(t, "pdfinfo", p.path)
	for _, want := range []string{`Title: +` + regexp.QuoteMeta(typeface.Clean(p.doc.Title)), `Author: +hwcap`, `Subject: +\S`, fmt.Sprintf(`Pages: +%d\n`, len(p.list.Pages))} {
		if p.doc.Subject == "" && strings.HasPrefix(want, "Subject") {
			continue
		}
		if ok, _ := regexp.MatchString(want, info); !ok {
			t.Errorf("no %s in\n%s", want, info)
		}
	}
	fonts := strings.Split(strings.TrimSpace(p.run(t, "pdffonts", p.path)), "\n")[2:]
	for _, f := range fonts {
		if !strings.Contains(f, " yes no  yes ") { // embedded, mapped to Unicode
			t.Errorf("a font that is not embedded: %s", f)
		}
	}
	if len(fonts) < 2 {
		t.Error("no fonts")
	}
	file, err := os.ReadFile(p.path)
	if err != nil {
		t.Fatal(err)
	}
	lang := map[string]string{"de": "/Lang (de-DE)", "en": "/Lang (en)"}[p.doc.Lang]
	if !bytes.Contains(file, []byte(lang)) {
		t.Errorf("no %s", lang)
	}
	want, got := 0, 0
	each(p.list, func(int, pdf.Link) { want++ })
	for _, dest := range regexp.MustCompile(`/Subtype /Link [^>]*?/(?:Dest \[(\d+) 0 R|A <</S /URI)`).FindAllSubmatch(file, -1) {
		got++
		if n := string(dest[1]); n != "" && !bytes.Contains(file, []byte("\n"+n+" 0 obj\n<</Type /Page\n")) {
			t.Errorf("a link leads to object %s, which is no page", n)
		}
	}
	if got != want {
		t.Errorf("%d links in the file, %d were laid out", got, want)
	}
	var outline []string
	each(p.list, func(_ int, o pdf.Bookmark) { outline = append(outline, o.Title) })
	if n := bytes.Count(file, []byte("<</Title ")); n < len(outline) || len(outline) == 0 {
		t.Errorf("%d entries in the outline, %d were laid out", n, len(outline))
	}
}

// checkText takes the text out again: the titles of the findings, in order, and
// no U+FFFD.
func (p paper) checkText(t *testing.T) {
	text := strings.Join(strings.Fields(p.run(t, "pdftotext", p.path, "-")), "")
	if strings.ContainsRune(text, typeface.Missing) && !bytes.ContainsRune(p.doc.Markdown, typeface.Missing) {
		t.Error("a U+FFFD that the capture did not have")
	}
	last := 0
	for _, c := range p.report.Chapters() {
		for _, it := range c.Items {
			title := strings.Join(strings.Fields(plainTitle(it.Title)), "")
			// Summary and contents say it before.
			at := strings.LastIndex(text, title)
			if at < 0 {
				t.Errorf("%s: no title %q", it.ID, it.Title)
			}
			if at < last {
				t.Errorf("%s: %q stands before what it follows", it.ID, it.Title)
			}
			last = max(at, last)
		}
	}
}

// plainTitle is a title without its Markdown.
func plainTitle(s string) string {
	s = regexp.MustCompile("`+ ?").ReplaceAllString(s, "")
	return typeface.Clean(regexp.MustCompile(`\\([[:punct:]])`).ReplaceAllString(s, "$1"))
}

func (p paper) run(t *testing.T, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not installed", name)
	}
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}

// strained are machines that a layout finds hard.
func strained(t *testing.T) map[string]*fact.Machine {
	t.Helper()
	folder, vm := readMembers(t, "vm")
	manifest := vm[slices.IndexFunc(vm, func(m member) bool { return m.name == "manifest.json" })].data
	without := func(state string) []member {
		return []member{{"manifest.json", regexp.MustCompile(`"state":"(present|empty)"`).ReplaceAll(manifest, []byte(`"state":"`+state+`"`))}}
	}
	return map[string]*fact.Machine{
		"no-rights":     machine(t, folder, without("denied")),
		"nothing":       machine(t, folder, without("absent")),
		"300-devices":   machine(t, "hwcap-300-devices", []member{{"cmd/lspci-vvv.txt", server(150, plainNames)}}),
		"strange-names": machine(t, "hwcap-strange-names", []member{{"cmd/lspci-vvv.txt", server(len(strangeNames), strangeNames)}}),
		"200000-errors": machine(t, "hwcap-200000-errors", []member{{"cmd/lspci-vvv.txt", server(3, plainNames)}, {"cmd/dmesg.txt", errorLog(200_000)}}),
	}
}

var plainNames = []string{"Example Semiconductor NVMe SSD Controller EX9000", "Example Networks Ethernet Controller E810 for QSFP28"}

// strangeNames are names as no maker gives them.
var strangeNames = []string{
	strings.Repeat("Extraordinarily Long Product Name ", 12) + "End",
	strings.Repeat("Unbreakable", 40),
	"深圳市示例科技有限公司 NVMe 固态硬盘",
	"サンプル電子 ストレージ",
	"Fast 🚀 Disk 😀 with ✅ and ❌",
	"התקן אחסון לדוגמה",
	"جهاز تخزين مثال",
	"e\u0301 decomposed, \u202eoverridden\u202c, zero\u200bwidth",
	"| pipe | `tick` | *star* | <b>tag</b> | [x](https://example.org)",
	"Жёсткий диск Ωμέγα ½ ™ ® ﬁ",
}

// server is lspci's text on n root ports with a drive behind each, 15 to a bus.
func server(n int, names []string) []byte {
	var b bytes.Buffer
	for i := range n {
		port, below := fmt.Sprintf("0000:%x0:%02x.0", i/15, 1+i%15), i/15*16+1+i%15
		link := func(cap, sta string) {
			fmt.Fprintf(&b, "\t\tLnkCap:\tPort #%d, Speed %s, Width x4, ASPM L1, Exit Latency L1 <16us\n", i, cap)
			fmt.Fprintf(&b, "\t\t\tClockPM- Surprise- LLActRep- BwNot- ASPMOptComp+\n\t\tLnkSta:\tSpeed %s, Width x4\n", sta)
		}
		fmt.Fprintf(&b, "%s PCI bridge [0604]: Example Semiconductor Root Port %d [fffe:000c] (prog-if 00 [Normal decode])\n", port, i)
		fmt.Fprintf(&b, "\tBus: primary=%02x, secondary=%02x, subordinate=%02x, sec-latency=0\n", i/15*16, below, below)
		fmt.Fprintf(&b, "\tCapabilities: [54] Express (v2) Root Port (Slot+), IntMsgNum 0\n")
		link("32GT/s", "16GT/s")
		fmt.Fprintf(&b, "\tKernel driver in use: pcieport\n\n")
		fmt.Fprintf(&b, "0000:%02x:00.0 Non-Volatile memory controller [0108]: %s [fffe:0010] (prog-if 02 [NVM Express])\n", below, names[i%len(names)])
		fmt.Fprintf(&b, "\tCapabilities: [70] Express (v2) Endpoint, IntMsgNum 0\n")
		link("16GT/s", "16GT/s")
		fmt.Fprintf(&b, "\tKernel driver in use: nvme\n\n")
	}
	return b.Bytes()
}

// errorLog is a kernel log with n corrected errors (drivers/pci/pcie/aer.c).
func errorLog(n int) []byte {
	var b bytes.Buffer
	io.WriteString(&b, "[    0.000000] Linux version 7.0.0-example (builder@example) #1 SMP\n")
	for i := range n {
		at, bus := 100+float64(i)/50, 1+i%3
		fmt.Fprintf(&b, "[%12.6f] pcieport 0000:00:%02x.0: AER: Correctable error message received from 0000:%02x:00.0\n", at, bus, bus)
		fmt.Fprintf(&b, "[%12.6f] nvme 0000:%02x:00.0: PCIe Bus Error: severity=Correctable, type=Physical Layer, (Receiver ID)\n", at, bus)
		fmt.Fprintf(&b, "[%12.6f] nvme 0000:%02x:00.0:   device [fffe:0010] error status/mask=00000001/0000e000\n", at, bus)
		fmt.Fprintf(&b, "[%12.6f] nvme 0000:%02x:00.0:    [ 0] RxErr                  (First)\n", at, bus)
	}
	return b.Bytes()
}
