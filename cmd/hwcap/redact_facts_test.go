package main

import (
	"archive/tar"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hwcap/capture/redact"
	"hwcap/parse"
	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/samples"
)

// TestRedactionKeepsFacts: what a redacted capture says of the hardware is what
// the capture said, on the same lines.
func TestRedactionKeepsFacts(t *testing.T) {
	for _, name := range samples.Names() {
		t.Run(name, func(t *testing.T) {
			original := sampleTar(t, name)
			redacted, result := redactTar(t, original, redact.Key{1})
			again, _ := redactTar(t, redacted, redact.Key{2})
			if !bytes.Equal(again, redacted) {
				t.Error("redacting with another key changed something")
			}
			before, err := parse.Read(bytes.NewReader(original), name+".tar", parse.Options{})
			if err != nil {
				t.Fatal(err)
			}
			after, err := parse.Read(bytes.NewReader(redacted), name+".tar", parse.Options{})
			if err != nil {
				t.Fatal(err)
			}
			compareFacts(t, before, after, result.Replacements)
		})
	}
}

// TestRedactionKeepsFactsOfCorpus does so with single texts that strangers
// published.
func TestRedactionKeepsFactsOfCorpus(t *testing.T) {
	root := os.Getenv("HWCAP_CORPUS")
	if root == "" {
		t.Skip("no corpus: HWCAP_CORPUS is not set")
	}
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		name, _ := filepath.Rel(root, path)
		name = filepath.ToSlash(name)
		original, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		before, err := parse.Read(bytes.NewReader(original), filepath.Base(path), parse.Options{})
		if err != nil {
			return nil // nothing that hwcap knows
		}
		files++
		t.Run(name, func(t *testing.T) {
			if unpacked := unpack(original); unpacked != nil {
				redacted, result := redactTar(t, unpacked, redact.Key{1})
				after, err := parse.Read(bytes.NewReader(redacted), filepath.Base(path), parse.Options{})
				if err != nil {
					t.Fatal(err)
				}
				compareFacts(t, before, after, result.Replacements)
				return
			}
			r := redact.New(redact.Key{1})
			redacted := rewrite(t, r, filepath.Base(path), original)
			again := rewrite(t, redact.New(redact.Key{2}), filepath.Base(path), redacted)
			if !bytes.Equal(again, redacted) {
				t.Errorf("redacting with another key changed something: %s", firstDifference(redacted, again))
			}
			after, err := parse.Read(bytes.NewReader(redacted), filepath.Base(path), parse.Options{})
			if err != nil {
				t.Fatal(err)
			}
			compareFacts(t, before, after, r.Report())
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files", files)
}

// unpack returns what is in b, nil where it is not packed.
func unpack(b []byte) []byte {
	var in io.Reader = bzip2.NewReader(bytes.NewReader(b))
	if packed, err := gzip.NewReader(bytes.NewReader(b)); err == nil {
		in = packed
	}
	unpacked, err := io.ReadAll(in)
	if err != nil && len(unpacked) == 0 {
		return nil
	}
	return unpacked
}

func rewrite(t *testing.T, r *redact.Redactor, name string, text []byte) []byte {
	t.Helper()
	if err := r.Learn(name, bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := r.Rewrite(name, &b, bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func firstDifference(a, b []byte) string {
	x, y := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range min(len(x), len(y)) {
		if !bytes.Equal(x[i], y[i]) {
			return fmt.Sprintf("line %d:\n%.200s\n%.200s", i+1, x[i], y[i])
		}
	}
	return "another number of lines"
}

func sampleTar(t *testing.T, name string) []byte {
	t.Helper()
	r, err := samples.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return unpack(b)
}

func redactTar(t *testing.T, b []byte, key redact.Key) ([]byte, *redact.Result) {
	t.Helper()
	var out bytes.Buffer
	result, err := redact.Archive(&out, func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(b)), nil
	}, key, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tar.NewReader(bytes.NewReader(out.Bytes())).Next(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), result
}

// TestPseudonymsAcrossCaptures: two captures of one machine that were redacted
// with one key have the same facts in common as before, with another key none of
// those that were replaced.
func TestPseudonymsAcrossCaptures(t *testing.T) {
	replaced := func(name string, key redact.Key) map[string]string {
		original := sampleTar(t, name)
		redacted, _ := redactTar(t, original, key)
		all := map[string]string{}
		pairStrings(factsOf(t, name, original), factsOf(t, name, redacted), func(was, is string) {
			if was == is {
				return
			}
			if before, ok := all[was]; ok && before != is {
				t.Errorf("%s: %q became %q and %q", name, was, before, is)
			}
			all[was] = is
		})
		return all
	}
	before, after := replaced("workstation-before", redact.Key{1}), replaced("workstation", redact.Key{1})
	other := replaced("workstation", redact.Key{2})
	common := 0
	for was, is := range before {
		again, ok := after[was]
		if !ok {
			continue
		}
		common++
		if again != is {
			t.Errorf("%q became %q, and %q in the other capture", was, is, again)
		}
		if other[was] == is {
			t.Errorf("%q became %q under either key", was, is)
		}
	}
	if common < 3 { // the host, a drive, a command line
		t.Errorf("%d replaced facts in common of %d and %d", common, len(before), len(after))
	}
}

// factsOf returns what "hwcap facts" prints of a capture.
func factsOf(t *testing.T, name string, archive []byte) any {
	t.Helper()
	m, err := parse.Read(bytes.NewReader(archive), name+".tar", parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return asJSON(t, m)
}

// pairStrings hands the texts at the same places of two values of JSON to do.
// The sums and times of a capture are no facts of its machine.
func pairStrings(a, b any, do func(a, b string)) {
	switch a := a.(type) {
	case map[string]any:
		b, _ := b.(map[string]any)
		for name, value := range a {
			if name != "sha256" && name != "redacted" {
				pairStrings(value, b[name], do)
			}
		}
	case []any:
		b, _ := b.([]any)
		for i := range min(len(a), len(b)) {
			pairStrings(a[i], b[i], do)
		}
	case string:
		if b, ok := b.(string); ok {
			do(a, b)
		}
	}
}

// identityFields are the facts that are identities, or hold some.
var identityFields = []string{"serial", "host", "boot", "sha256", "bytes", "cmdline", "loadCommand", "id"}

// compareFacts compares what was parsed and what the rules say of it. A text
// may differ where it is an identity, or a line on which something was
// replaced; a number may not.
func compareFacts(t *testing.T, before, after *fact.Machine, report []redact.Replacement) {
	t.Helper()
	replaced := func(file string, line int) bool {
		for _, r := range report {
			if strings.HasSuffix(r.File, file) && r.Line <= line && line <= r.Last {
				return true
			}
		}
		return false
	}
	after.Capture.Redacted = before.Capture.Redacted // the one thing that it says more
	c := comparison{t: t, replaced: replaced}
	c.compare("facts", asJSON(t, before), asJSON(t, after), nil)
	c.compare("findings", asJSON(t, judge.Run(before)), asJSON(t, judge.Run(after)), nil)
}

func asJSON(t *testing.T, v any) any {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	var out any
	if err := dec.Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

type comparison struct {
	t        *testing.T
	replaced func(file string, line int) bool
	shown    int
}

func (c *comparison) differ(path string, a, b any) {
	if c.shown++; c.shown <= 10 {
		c.t.Errorf("%s:\n  was %.300v\n  is  %.300v", path, a, b)
	}
}

// compare compares two values of JSON. within are the objects around them.
func (c *comparison) compare(path string, a, b any, within []map[string]any) {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			c.differ(path, a, b)
			return
		}
		for name, value := range a {
			if slices.Contains(identityFields, name) {
				continue
			}
			c.compare(path+"."+name, value, b[name], append(within, a))
		}
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			c.differ(path, a, b)
			return
		}
		for i := range a {
			c.compare(fmt.Sprintf("%s[%d]", path, i), a[i], b[i], within)
		}
	default:
		if a != b && !c.excused(path, a, within) {
			c.differ(path, a, b)
		}
	}
}

// excused reports whether the text a stands in an object that comes from a
// line on which something was replaced.
func (c *comparison) excused(path string, a any, within []map[string]any) bool {
	if _, ok := a.(string); !ok {
		return false
	}
	if path == "facts.platform.version" { // the kernel's banner names who built it
		return true
	}
	for i := len(within) - 1; i >= 0; i-- {
		for _, at := range []any{within[i], within[i]["from"]} {
			at, ok := at.(map[string]any)
			if !ok {
				continue
			}
			file, _ := at["file"].(string)
			number, _ := at["line"].(json.Number)
			if line, err := number.Int64(); file != "" && err == nil && c.replaced(file, int(line)) {
				return true
			}
		}
	}
	return false
}
