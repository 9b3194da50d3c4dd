//go:build linux

package main

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hwcap/parse/judge"
	"hwcap/samples"
)

// planted are texts that name a machine and a person, and the names.
var planted = map[string]string{
	"hostname":  "kaltbrunn7\n",
	"uname":     "Linux kaltbrunn7 6.12.9-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.12.9-1 (2025-01-10) x86_64 GNU/Linux\n",
	"lspci.txt": "0000:01:00.0 Ethernet controller [0200]: Intel Corporation I210 Gigabit Network Connection [8086:1533] (rev 03)\n\tControl: I/O- Mem+ BusMaster+\n\tCapabilities: [140 v1] Device Serial Number 3c-a9-f4-ff-ff-51-d2-7e\n\tKernel driver in use: igb\n",
	"dmesg.txt": "[    0.000000] Linux version 6.12.9-amd64 (wilhelmine@kaltbrunn7) (gcc 14.2.0) #1 SMP\n" +
		"[    0.000000] Command line: BOOT_IMAGE=/vmlinuz root=UUID=7d3c41aa-9b1e-4f27-8c55-0e6a4b9d2f18 ro\n" +
		"[    1.000000] igb 0000:01:00.0 eth0: (PCIe:2.5Gb/s:Width x1) 3c:a9:f4:51:d2:7e\n" +
		"[    2.000000] pcieport 0000:00:1c.0: AER: Correctable error message received from 0000:01:00.0\n" +
		"[    2.000001] igb 0000:01:00.0: PCIe Bus Error: severity=Correctable, type=Physical Layer, (Receiver ID)\n" +
		"[    3.000000] systemd[1]: Hostname set to <kaltbrunn7>.\n",
}

var plantedNames = []string{
	"kaltbrunn7", "wilhelmine", "3c:a9:f4:51:d2:7e", "3ca9f451d27e", "3c-a9-f4-ff-ff-51-d2-7e", "7ed251f4a93c", "7e:d2:51:f4:a9:3c",
	"7d3c41aa-9b1e-4f27-8c55-0e6a4b9d2f18", "anneliese",
}

func plant(t *testing.T) string {
	dir := filepath.Join(t.TempDir(), "anneliese-kaltbrunn7")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range planted {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestPublishTellsNobody looks for every planted name in every format.
func TestPublishTellsNobody(t *testing.T) {
	dir := plant(t)
	t.Setenv("TMPDIR", t.TempDir())
	for _, arg := range []string{dir, filepath.Join(dir, "dmesg.txt"), filepath.Join(dir, "lspci.txt")} {
		for _, blog := range []string{"", "plain", "hugo", "jekyll"} {
			opt := everything
			opt.out, opt.publish, opt.blog, opt.mail = filepath.Join(t.TempDir(), "out"), true, blog, blog == ""
			if err := runReport(context.Background(), arg, opt); err != nil {
				t.Fatal(err)
			}
			files := readTree(t, opt.out)
			if len(files) < 7 {
				t.Errorf("%d files", len(files))
			}
			for name, data := range files {
				both := strings.ToLower(name + "\n" + string(data))
				for _, secret := range plantedNames {
					if strings.Contains(both, secret) || strings.Contains(both, reversed(secret)) {
						t.Errorf("%s %s: %s holds %s", filepath.Base(arg), blog, name, secret)
					}
				}
			}
			if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		}
	}
}

func reversed(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

func readTree(t *testing.T, dir string) map[string][]byte {
	files := map[string][]byte{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			files[name], err = os.ReadFile(filepath.Join(dir, name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestPublishedSamples: a published report says the same of the hardware, and
// breaks off where the capture does.
func TestPublishedSamples(t *testing.T) {
	for _, name := range samples.Names() {
		published, mark, err := openPublished(t.Context(), []string{"sample:" + name}, nil)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := openCapture("sample:" + name)
		if err != nil {
			t.Fatal(err)
		}
		if host := plain.Capture.Host; published[0].Capture.Host == host || strings.Contains(published[0].Capture.ID, host) || !published[0].Capture.Redacted {
			t.Errorf("%s: published as %+v", name, published[0].Capture)
		}
		was, is := judge.Run(plain), judge.Run(published[0])
		if !slices.EqualFunc(was, is, func(a, b judge.Finding) bool { return a.ID == b.ID && a.Case == b.Case }) {
			t.Errorf("%s: the findings differ", name)
		}
		packed := filepath.Join(t.TempDir(), name+".tar")
		if err := os.WriteFile(packed, sampleTar(t, name), 0o600); err != nil {
			t.Fatal(err)
		}
		_, again, err := openPublished(t.Context(), []string{packed}, nil)
		if err != nil || !bytes.Equal(mark, again) {
			t.Errorf("%s: the same capture has another key: %v", name, err)
		}
	}
}

func TestPublishBrokenOff(t *testing.T) {
	whole := sampleTar(t, "workstation")
	name := filepath.Join(t.TempDir(), "cut.tar")
	if err := os.WriteFile(name, whole[:len(whole)*2/3|511], 0o600); err != nil {
		t.Fatal(err)
	}
	m, _, err := openPublished(t.Context(), []string{name}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !m[0].Capture.CutOff || len(m[0].PCI) == 0 {
		t.Errorf("read as %+v, %d devices", m[0].Capture, len(m[0].PCI))
	}
}

// TestHugoBuilds builds a site of every sample without a warning.
func TestHugoBuilds(t *testing.T) {
	hugo, err := exec.LookPath("hugo")
	if err != nil {
		t.Skip("no hugo")
	}
	site := t.TempDir()
	for name, text := range map[string]string{
		"config.toml":                  "baseURL = 'https://example.org/'\ndefaultContentLanguage = 'de'\ndisableKinds = ['taxonomy', 'term', 'RSS', 'sitemap', '404']\n[languages.de]\nweight = 1\n[languages.en]\nweight = 2\n",
		"layouts/_default/single.html": `<html lang="{{ .Language.Lang }}"><h1>{{ .Title }}</h1>{{ range .Translations }}<a href="{{ .RelPermalink }}">{{ .Title }}</a>{{ end }}{{ .Content }}</html>`,
		"layouts/_default/list.html":   `{{ range .Pages }}{{ .Title }}{{ end }}`,
	} {
		file := filepath.Join(site, name)
		os.MkdirAll(filepath.Dir(file), 0o755)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range samples.Names() {
		opt := everything
		opt.formats, opt.blog, opt.out = []string{"md"}, "hugo", filepath.Join(site, "content", name)
		if err := runReport(t.Context(), "sample:"+name, opt); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(hugo, "--buildFuture", "--panicOnWarning")
	cmd.Dir = site
	if out, err := cmd.CombinedOutput(); err != nil || bytes.Contains(out, []byte("WARN")) {
		t.Fatalf("%v\n%s", err, out)
	}
	built := readTree(t, filepath.Join(site, "public"))
	for _, page := range []string{"workstation/index.html", "en/workstation/index.html"} {
		text := string(built[page])
		if !strings.Contains(text, `id="f-1"`) || !strings.Contains(text, `href="#f-1"`) || strings.Contains(text, "HTML omitted") || !strings.Contains(text, "workstation/\"") {
			t.Errorf("%s: no anchor, no translation, or something was left out", page)
		}
		for _, part := range strings.Split(text, `<img src="`)[1:] {
			figure, _, _ := strings.Cut(part, `"`)
			if built[filepath.Join(filepath.Dir(page), figure)] == nil {
				t.Errorf("%s: %s is missing", page, figure)
			}
		}
	}
}
