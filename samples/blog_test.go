package samples

import (
	"bytes"
	"html"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render"
	"hwcap/render/catalogue"
)

// sites are the programs that make pages of posts: what they need besides, where
// they look for a bundle, and where they leave the pages.
var sites = map[string]struct {
	args    []string
	files   map[string]string
	bundles string // %s is the sample
	built   string
}{
	"hugo": {
		args: []string{"--buildFuture", "--panicOnWarning"},
		files: map[string]string{
			"config.toml":                  "baseURL = 'https://blog.example/'\ndefaultContentLanguage = 'de'\ndefaultContentLanguageInSubdir = true\ndisableKinds = ['taxonomy', 'term', 'RSS', 'sitemap', '404', 'home']\n[languages.de]\nweight = 1\n[languages.en]\nweight = 2\n",
			"layouts/_default/single.html": `<html lang="{{ .Language.Lang }}"><title>{{ .Title }}</title><h1>{{ .Title }}</h1><p>{{ .Summary }}</p>{{ range .Translations }}<a href="{{ .RelPermalink }}">{{ .Title }}</a>{{ end }}{{ .Content }}</html>`,
			"layouts/_default/list.html":   `{{ range .Pages }}{{ .Title }}{{ end }}`,
		},
		bundles: "content/%s",
		built:   "public",
	},
	"jekyll": {
		args: []string{"build", "--future", "--drafts", "--strict_front_matter"},
		files: map[string]string{
			"_config.yml":        "title: t\n",
			"_layouts/post.html": `<html lang="{{ page.lang }}"><title>{{ page.title }}</title><h1>{{ page.title }}</h1><p>{{ page.summary }}</p>{{ content }}</html>`,
		},
		bundles: ".",
		built:   "_site",
	},
}

// TestBlogsBuild has the programs make pages of a post on every sample, and on
// the poisoned capture: without a warning, both languages linked, each link and
// figure there, nothing alive.
func TestBlogsBuild(t *testing.T) {
	texts, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	refs := refsOf(texts)
	machines := map[string]*fact.Machine{"hostile": poisoned(t)}
	for _, name := range Names() {
		machines[name], _ = sample(t, name)
	}
	bundles := tree{}
	for name, m := range machines {
		findings := judge.Run(m)
		for _, lang := range catalogue.Langs {
			r, err := render.New(m, findings, texts, lang)
			if err != nil {
				t.Fatal(err)
			}
			posts := tree{}
			posts.addPosts(t, r)
			for file, data := range posts {
				bundles[name+"/"+file] = data
			}
		}
	}
	for program, site := range sites {
		t.Run(program, func(t *testing.T) {
			command, err := exec.LookPath(program)
			if err != nil {
				t.Skipf("no %s", program)
			}
			dir, files := t.TempDir(), tree{}
			for name, text := range site.files {
				files[name] = []byte(text)
			}
			for file, data := range bundles {
				name, rest, _ := strings.Cut(file, "/")
				if in, ok := strings.CutPrefix(rest, program+"/"); ok {
					files[filepath.Join(strings.ReplaceAll(site.bundles, "%s", name), in)] = data
				}
			}
			files.write(t, dir)
			cmd := exec.Command(command, site.args...)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil || bytes.Contains(bytes.ToLower(out), []byte("warn")) {
				t.Fatalf("%v\n%s", err, out)
			}
			built, pages := os.DirFS(filepath.Join(dir, site.built)), 0
			err = fs.WalkDir(built, ".", func(file string, _ fs.DirEntry, err error) error {
				if file != "index.html" && path.Base(file) == "index.html" { // Hugo's leads to the first language
					pages++
					checkPost(t, built, file, refs)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if want := 2 * len(machines); pages != want {
				t.Errorf("%d pages, want %d", pages, want)
			}
		})
	}
}

// write writes the files below dir.
func (f tree) write(t *testing.T, dir string) {
	t.Helper()
	for name, data := range f {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// checkPost holds a page to what it may refer to: its own parts, files of the
// site that are there, the page in the other language, the catalogue's refs.
func checkPost(t *testing.T, site fs.FS, file string, refs []string) {
	t.Helper()
	data, err := fs.ReadFile(site, file)
	if err != nil {
		t.Fatal(err)
	}
	page, other := string(data), false
	for _, tag := range regexp.MustCompile(`(?s)<[a-zA-Z][^>]*>`).FindAllString(page, -1) {
		if acting.MatchString(tag) {
			t.Errorf("%s: alive: %s", file, tag)
		}
		if strings.HasPrefix(tag, "<img") && !regexp.MustCompile(`\balt="[^"]{20,}"`).MatchString(tag) {
			t.Errorf("%s: a figure without its text: %s", file, tag)
		}
		for _, m := range regexp.MustCompile(`\b(?:href|src)="([^"]*)"`).FindAllStringSubmatch(tag, -1) {
			to := html.UnescapeString(m[1])
			switch name, inside := strings.CutPrefix(to, "#"); {
			case inside && strings.Contains(page, ` id="`+name+`"`), slices.Contains(refs, to):
			default:
				place := strings.TrimPrefix(to, "/")
				if place == to {
					place = path.Join(path.Dir(file), to)
				}
				if _, err := fs.Stat(site, path.Clean(place)); err != nil {
					t.Errorf("%s: leads to %q", file, to)
				}
				other = other || strings.Count(place, "/") > 0 && path.Join(path.Clean(place), "index.html") == inOther.Replace(file)
			}
		}
	}
	if !other {
		t.Errorf("%s: no link to the other language", file)
	}
	if wrong := regexp.MustCompile(`HTML omitted|HAHAHUGO|<p>\{|<table>\s*<tbody>|<code[^>]*>[^<]*\\\|`).FindString(page); wrong != "" {
		t.Errorf("%s: there is %s", file, wrong)
	}
	if !strings.Contains(page, `href="#f-1"`) || strings.Count(page, "<h1") != 1 {
		t.Errorf("%s: no anchors, or more titles than one", file)
	}
}

// inOther is the page in the other language.
var inOther = strings.NewReplacer("de/", "en/", "en/", "de/")
