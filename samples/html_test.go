package samples

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render"
	"hwcap/render/catalogue"
	"hwcap/render/figure"
	"hwcap/render/html"
)

// pageOf is the HTML's side of a report.
func pageOf(t testing.TB, r *render.Report) html.Document {
	t.Helper()
	var md bytes.Buffer
	if err := r.Markdown(&md); err != nil {
		t.Fatal(err)
	}
	title, err := r.Title()
	if err != nil {
		t.Fatal(err)
	}
	doc := html.Document{Markdown: md.Bytes(), Lang: string(r.Lang), Title: title, Subject: r.Head(), Figures: map[string]*figure.Scene{}}
	for _, p := range r.Pictures {
		doc.Figures[p.Path] = p.Scene
	}
	return doc
}

func written(t testing.TB, doc html.Document) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := html.Write(&b, doc); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// pages are the HTML reports on every sample, on the poisoned capture and on two
// captures, by path.
func pages(t testing.TB) map[string][]byte {
	t.Helper()
	texts, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	machines := map[string]*fact.Machine{"hostile": poisoned(t)}
	for _, name := range Names() {
		machines[name], _ = sample(t, name)
	}
	for name, m := range machines {
		findings := judge.Run(m)
		for _, lang := range catalogue.Langs {
			r, err := render.New(m, findings, texts, lang)
			if err != nil {
				t.Fatal(err)
			}
			all[fmt.Sprintf("/%s.%s.html", name, lang)] = written(t, pageOf(t, r))
		}
	}
	p := pair(t, "workstation-before", "workstation")
	for _, lang := range catalogue.Langs {
		d, err := render.NewDiff(p, judge.Compare(p), texts, lang)
		if err != nil {
			t.Fatal(err)
		}
		var md bytes.Buffer
		if err := d.Markdown(&md); err != nil {
			t.Fatal(err)
		}
		all["/diff."+string(lang)+".html"] = written(t, html.Document{Markdown: md.Bytes(), Lang: string(lang), Title: d.Title()})
	}
	return all
}

// TestHTMLSaysWhatTheMarkdownSays holds that every finding has its article, and
// that every link inside the page leads somewhere.
func TestHTMLSaysWhatTheMarkdownSays(t *testing.T) {
	texts, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Names() {
		m, findings := sample(t, name)
		for _, lang := range catalogue.Langs {
			r, err := render.New(m, findings, texts, lang)
			if err != nil {
				t.Fatal(err)
			}
			page := string(written(t, pageOf(t, r)))
			for _, it := range r.Items {
				article := fmt.Sprintf(`id="%s" aria-labelledby`, it.Anchor)
				if shown := it.Verdict == judge.Problem; shown && strings.Count(page, article) != 1 {
					t.Errorf("%s.%s: %s (%s) has no article", name, lang, it.ID, it.Anchor)
				}
			}
			if n := strings.Count(page, "<svg "); n != len(r.Pictures) {
				t.Errorf("%s.%s: %d pictures, want %d", name, lang, n, len(r.Pictures))
			}
			if cited := bareCitation.FindString(aside.ReplaceAllString(page, "")); cited != "" {
				t.Errorf("%s.%s: a citation leads nowhere: %s", name, lang, cited)
			}
			ids := map[string]bool{}
			for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
				if ids[m[1]] {
					t.Errorf("%s.%s: two elements are called %q", name, lang, m[1])
				}
				ids[m[1]] = true
			}
			for _, m := range regexp.MustCompile(`(?:href="#|aria-labelledby=")([^"]*)"`).FindAllStringSubmatch(page, -1) {
				for id := range strings.FieldsSeq(m[1]) {
					if !ids[id] {
						t.Errorf("%s.%s: nothing is called %q", name, lang, id)
					}
				}
			}
		}
	}
}

// aside is what has no citations, bareCitation one that is no link.
var (
	aside        = regexp.MustCompile(`(?s)<pre>.*?</pre>|<svg .*?</svg>`)
	bareCitation = regexp.MustCompile(`[^>]{0,40}[^>]\[[0-9]+\]`)
)

// watch is a page that holds others as frames, as narrow as a telephone, and
// writes down what is wrong with them. It may look into them as they come from
// the same server; their own policy allows no script.
const watch = `<!doctype html><title>watch</title><link rel="icon" href="data:,"><body>
%s<pre id="faults">not run</pre>
<script>
const faults = [];
let looked = 0;
function luminance(c) {
  const [r, g, b] = c.match(/[\d.]+/g).map(v => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4 });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function look(frame) {
  const w = frame.contentWindow, d = frame.contentDocument, name = frame.getAttribute('src');
  const fault = s => faults.push(name + ': ' + s);
  const style = e => w.getComputedStyle(e);
  if (d.documentElement.scrollWidth > 400) fault('wider than the window: ' + d.documentElement.scrollWidth);
  for (const tag of ['header', 'main', 'nav', 'footer', 'h1']) if (d.querySelectorAll(tag).length !== 1) fault('not one ' + tag);
  for (const e of d.querySelectorAll('script, img, iframe, object, embed, form, [onload], [onerror], [onclick]')) fault('there is ' + e.outerHTML.slice(0, 80));
  const paper = style(d.documentElement).backgroundColor;
  if (paper !== '%s') fault('the style sheet does not work: ' + paper);
  // Text against what is behind it.
  const behind = e => { for (; e; e = e.parentElement) { const c = style(e).backgroundColor; if (c !== 'rgba(0, 0, 0, 0)') return c } return paper };
  const pairs = new Set();
  for (const e of d.querySelectorAll('body *')) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || e.closest('svg')) continue;
    const pair = style(e).color + behind(e);
    if (pairs.has(pair)) continue;
    pairs.add(pair);
    const [a, b] = [luminance(style(e).color), luminance(behind(e))].sort((x, y) => x - y);
    if ((b + 0.05) / (a + 0.05) < 4.5) fault('contrast ' + pair + ' of ' + e.outerHTML.slice(0, 80));
  }
  // A citation unfolds the evidence it leads to.
  const folded = d.querySelector('details:not([open]) [id]');
  if (folded) {
    w.location.hash = folded.id;
    if (!folded.closest('details').open) fault('the evidence stays folded: ' + folded.id);
  }
  for (const e of d.querySelectorAll('details')) e.open = true;
  // What can be used can be reached with the keyboard, and shows it.
  for (const e of d.querySelectorAll('a[href], input, summary, [tabindex]')) {
    if (e.closest('svg') || style(e).display === 'none' || !e.getClientRects().length) continue;
    e.focus({focusVisible: true, preventScroll: true});
    if (d.activeElement !== e) { fault('cannot be reached: ' + e.outerHTML.slice(0, 80)); break }
    if (e.id !== 'main' && style(e).outlineStyle === 'none') { fault('no focus to see: ' + e.outerHTML.slice(0, 80)); break }
  }
  // The filter.
  const seen = s => [...d.querySelectorAll(s)].filter(e => e.getClientRects().length).length;
  for (const box of d.querySelectorAll('.filter input')) {
    const kind = box.id.slice(5), of = 'article.' + kind, all = seen('article'), mine = seen(of);
    if (!mine || seen('.filtered')) fault('the filter begins wrongly at ' + kind);
    box.checked = false;
    if (seen(of) || seen('article') !== all - mine || !seen('.filtered')) fault('the filter does not hide ' + kind);
    box.checked = true;
    if (seen('article') !== all) fault('the filter does not show again ' + kind);
  }
  const heads = [...d.querySelectorAll('h1, h2, h3, h4')].map(h => +h.tagName[1]);
  heads.forEach((h, i) => { if (i && h > heads[i - 1] + 1) fault('a heading is skipped') });
  for (const th of d.querySelectorAll('th')) if (!th.scope) fault('a head of a table without scope');
  looked++;
}
addEventListener('load', () => {
  for (const f of document.querySelectorAll('iframe[src]')) try { look(f) } catch (e) { faults.push(f.src + ': ' + e) }
  document.querySelector('#faults').textContent = 'looked at ' + looked + '\n' + faults.join('\n') + '\nend';
});
</script>`

// TestBrowser opens the pages in a real browser, for which no name has an
// address: nothing is asked for besides them, nothing is complained of, and they do what watch asks for, in the light
// and in the dark.
func TestBrowser(t *testing.T) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium")
	}
	all := pages(t)
	var frames strings.Builder
	for name := range all {
		fmt.Fprintf(&frames, `<iframe src="%s" width="400" height="800"></iframe>`+"\n", name)
	}
	// What is asked for in vain shows that asking is noticed.
	frames.WriteString(`<iframe srcdoc="<img src='http://control.example/x.png' alt=''>"></iframe>` + "\n")
	paper := map[string]string{"preferredColorScheme=1": "rgb(255, 255, 255)", "preferredColorScheme=0": "rgb(22, 27, 32)"}
	for scheme, colour := range paper {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			page, ok := all[req.URL.Path]
			switch {
			case req.URL.Path == "/watch":
				fmt.Fprintf(w, watch, frames.String(), colour)
			case ok:
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				w.Write(page)
			default:
				http.NotFound(w, req)
			}
		}))
		log := filepath.Join(t.TempDir(), "net.json")
		cmd := exec.Command(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
			"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
			"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--log-net-log="+log, "--user-data-dir="+t.TempDir(),
			"--blink-settings="+scheme, "--enable-logging=stderr", "--dump-dom", server.URL+"/watch")
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); err != nil {
			t.Fatalf("chromium: %v\n%s", err, stderr.String())
		}
		server.Close()
		_, faults, _ := strings.Cut(stdout.String(), `<pre id="faults">`)
		faults, _, _ = strings.Cut(faults, "</pre>")
		if want := fmt.Sprintf("looked at %d\n\nend", len(all)); faults != want {
			t.Errorf("%s: %s", scheme, faults)
		}
		for line := range strings.Lines(stderr.String()) {
			if strings.Contains(line, "CONSOLE") && !strings.Contains(line, "control.example") {
				t.Errorf("%s: %s", scheme, line)
			}
		}
		asked := askedFor(t, log)
		if !slices.Contains(asked, "http://control.example/x.png") {
			t.Errorf("%s: the control was not asked for, so this test shows nothing", scheme)
		}
		for _, url := range asked {
			if path, ours := strings.CutPrefix(url, server.URL); url != "http://control.example/x.png" && !(ours && all[path] != nil) {
				t.Errorf("%s: asked for %s", scheme, url)
			}
		}
	}
}

// request is a line of chromium's network log that begins a request, with the
// origin on whose behalf it is made. The browser's own, for updates and the
// like, have none.
var request = regexp.MustCompile(`(?m)^\{"params":\{.*"initiator":"([^"]*)".*"url":"([^"]*)"`)

// askedFor are the addresses that pages asked for, or had asked for.
func askedFor(t *testing.T, log string) (urls []string) {
	t.Helper()
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range request.FindAllStringSubmatch(string(data), -1) {
		if m[1] != "not an origin" {
			urls = append(urls, m[2])
		}
	}
	return urls
}

// TestPrintUnfolds prints a page: evidence that is folded on the screen is on
// paper, and what only a screen has use for is not.
func TestPrintUnfolds(t *testing.T) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium")
	}
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("no pdftotext")
	}
	texts, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	m, findings := sample(t, "desktop-10g")
	r, err := render.New(m, findings, texts, catalogue.English)
	if err != nil {
		t.Fatal(err)
	}
	page, dir := written(t, pageOf(t, r)), t.TempDir()
	file, paper := filepath.Join(dir, "report.html"), filepath.Join(dir, "report.pdf")
	if err := os.WriteFile(file, page, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--host-resolver-rules=MAP * ~NOTFOUND", "--user-data-dir="+t.TempDir(), "--no-pdf-header-footer", "--print-to-pdf="+paper, "file://"+file)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("chromium: %v\n%s", err, out)
	}
	text, err := exec.Command("pdftotext", "-layout", paper, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	folded := regexp.MustCompile(`(?s)<details>.*?</details>`).FindAll(page, -1)
	lines := regexp.MustCompile(`(?m)^\s*\[7\] `).FindAll(text, -1) // folded are more than six
	if len(folded) == 0 || len(lines) < len(folded) {
		t.Errorf("%d of %d folded lists of evidence are on paper", len(lines), len(folded))
	}
	for _, onScreen := range []string{"Show findings", "Skip to the content"} {
		if bytes.Contains(text, []byte(onScreen)) {
			t.Errorf("%q is on paper", onScreen)
		}
	}
}
