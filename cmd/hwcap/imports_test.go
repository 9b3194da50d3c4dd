package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// pkg is what go list says of a package.
type pkg struct {
	ImportPath   string
	Dir          string
	GoFiles      []string
	Imports      []string
	TestImports  []string
	XTestImports []string
}

func listPackages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports", "hwcap/...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		switch err := dec.Decode(&p); {
		case errors.Is(err, io.EOF):
			return all
		case err != nil:
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// under reports whether path is one of the packages or below one.
func under(path string, prefixes ...string) bool {
	for _, p := range prefixes {
		if path == p || strings.HasPrefix(path, p+"/") {
			return true
		}
	}
	return false
}

// TestImportRules holds the borders between the packages: collecting and
// parsing meet only in the capture format, parsing knows no opinion, and each
// outside library has its one door.
func TestImportRules(t *testing.T) {
	// never[x] lists what the packages below x must not import.
	never := map[string][]string{
		"hwcap/capture":     {"hwcap/parse", "hwcap/render", "hwcap/templates", "hwcap/samples", "hwcap/cmd"},
		"hwcap/parse":       {"hwcap/capture", "hwcap/render", "hwcap/templates", "hwcap/samples", "hwcap/cmd", "net", "os/exec", "net/http"},
		"hwcap/parse/judge": {"os", "io"},
		"hwcap/render":      {"hwcap/capture", "hwcap/samples", "hwcap/cmd", "net", "os/exec"},
		"hwcap/templates":   {"hwcap/parse", "hwcap/render", "hwcap/capture", "hwcap/samples", "hwcap/cmd"},
		"hwcap/samples":     {"hwcap/parse", "hwcap/render", "hwcap/capture", "hwcap/templates", "hwcap/cmd"},
	}
	// only[lib] lists the packages that may import lib.
	only := map[string][]string{
		"github.com/jung-kurt/gofpdf":     {"hwcap/render/pdf"},
		"github.com/yuin/goldmark":        {"hwcap/render/pdf", "hwcap/render/html"}, // both are made from the Markdown
		"github.com/BurntSushi/toml":      {"hwcap/render/catalogue"},
		"github.com/spf13/cobra":          {"hwcap/cmd"},
		"filippo.io/age":                  {"hwcap/cmd"},
		"github.com/google/go-cmp":        {},
		"github.com/rogpeppe/go-internal": {},
	}
	for _, p := range listPackages(t) {
		for _, imp := range p.Imports {
			for from, banned := range never {
				if under(p.ImportPath, from) && under(imp, banned...) {
					t.Errorf("%s imports %s", p.ImportPath, imp)
				}
			}
			for lib, doors := range only {
				if under(imp, lib) && !under(p.ImportPath, doors...) {
					t.Errorf("%s imports %s", p.ImportPath, imp)
				}
			}
			if under(imp, "hwcap/cmd") {
				t.Errorf("%s imports %s: nothing imports the command", p.ImportPath, imp)
			}
		}
		// Parsers look at facts and at nothing else of the project; only the
		// opener, which calls them, knows them all.
		if under(p.ImportPath, "hwcap/parse") && p.ImportPath != "hwcap/parse" {
			for _, imp := range p.Imports {
				if imp == "hwcap/parse" || imp == "hwcap/parse/judge" {
					t.Errorf("%s imports %s", p.ImportPath, imp)
				}
			}
		}
	}
}

// TestNoClock: the same capture gives the same report at any time, so that only
// collecting and the command line may ask what time it is.
func TestNoClock(t *testing.T) {
	out, err := exec.Command("git", "grep", "-lE", `time\.(Now|Since|Until)`, "--", ":/parse/*.go", ":/render/*.go").Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Skipf("git grep: %v", err)
	}
	for _, f := range strings.Fields(string(out)) {
		if !strings.HasSuffix(f, "_test.go") {
			t.Errorf("%s asks for the time", f)
		}
	}
}

// TestOneFileKnowsGofpdf keeps the PDF library exchangeable.
func TestOneFileKnowsGofpdf(t *testing.T) {
	out, err := exec.Command("git", "grep", "-l", "jung-kurt/gofpdf", "--", ":/*.go").Output()
	if err != nil {
		t.Skipf("git grep: %v", err)
	}
	var users []string
	for _, f := range strings.Fields(string(out)) {
		if !strings.HasSuffix(f, "_test.go") {
			users = append(users, f)
		}
	}
	if len(users) != 1 {
		t.Errorf("gofpdf is imported by %v, want one file", users)
	}
}
