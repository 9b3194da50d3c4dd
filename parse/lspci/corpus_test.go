package lspci

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"hwcap/parse/fact"
)

// corpus returns the folder with texts of real machines.
func corpus(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("HWCAP_CORPUS")
	if dir == "" {
		t.Skip("no corpus: HWCAP_CORPUS is not set")
	}
	return dir
}

func parseFile(t *testing.T, path string) *Result {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := Parse(f, filepath.Base(path))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return r
}

// The versions whose output of the same dumps the corpus has, oldest first.
var versions = []string{"2.2.10", "3.1.4", "3.2.1", "3.5.4", "3.6.4", "3.9.0", "3.11.1", "3.13.0"}

// TestCorpusVersions: eight versions of lspci say the same about the same dump,
// as far as each says it.
func TestCorpusVersions(t *testing.T) {
	dir := corpus(t)
	dumps, err := os.ReadDir(filepath.Join(dir, "lspci-versions", versions[0]))
	if err != nil {
		t.Fatal(err)
	}
	facts := 0
	for _, dump := range dumps {
		newest := parseFile(t, filepath.Join(dir, "lspci-versions", "3.13.0", dump.Name()))
		for _, v := range versions[:len(versions)-1] {
			old := parseFile(t, filepath.Join(dir, "lspci-versions", v, dump.Name()))
			if len(old.Devices) != len(newest.Devices) {
				t.Errorf("%s: %s lists %d devices, 3.13.0 %d", dump.Name(), v, len(old.Devices), len(newest.Devices))
				continue
			}
			for i := range old.Devices {
				if x := old.Devices[i].Express; x != nil && x.LinkCap != nil && v < "3.2.1" {
					x.LinkCap.ASPM = "" // code 0 is "unknown" up to 3.2.0, L1 alone up to 3.1.8
				}
				c := comparison{version: v}
				c.compare("", reflect.ValueOf(old.Devices[i]), reflect.ValueOf(newest.Devices[i]))
				for _, diff := range c.diffs {
					t.Errorf("%s %s: %s", dump.Name(), newest.Devices[i].Address, diff)
				}
				facts += c.same
			}
		}
	}
	t.Logf("%d dumps, %d facts agree", len(dumps), facts)
}

// comparison walks two devices. What one of them does not print is not
// compared: nil pointers, values without a state, empty lists and zero numbers.
type comparison struct {
	version string
	same    int
	diffs   []string
}

// unlike are the fields that versions print differently, and why.
var unlike = map[string]string{
	".Express.LinkSta.Note": "lspci's own judgement changed with the versions",
	".CapsState":            "a version may not print a capability at all",
	".ARI":                  "absent says nothing",
	".ExtCaps":              "absent says nothing",
	".DriverKnown":          "dumps carry no drivers",
}

func (c *comparison) compare(path string, a, b reflect.Value) {
	switch av := a.Interface().(type) {
	case fact.Line, []fact.Line:
		return
	case string:
		// A closed set of differences in wording: devices without a name, and
		// addresses with or without leading zeros.
		plain := func(s string) string {
			return strings.TrimLeft(strings.Replace(s, "Unknown device", "Device", 1), "0")
		}
		if bv := b.String(); unlike[path] == "" && av != "" && bv != "" {
			c.equal(path, reflect.ValueOf(plain(av)), reflect.ValueOf(plain(bv)))
		}
		return
	case []fact.Region: // 3.8 and later list the upper half of a 64-bit BAR when they read a dump
		for _, x := range av {
			for _, y := range b.Interface().([]fact.Region) {
				if x.Index == y.Index {
					c.compare(path, reflect.ValueOf(x), reflect.ValueOf(y))
				}
			}
		}
		return
	case []fact.Window: // up to 3.5.2 a closed window is not printed
		for _, x := range av {
			for _, y := range b.Interface().([]fact.Window) {
				if x.Kind == y.Kind {
					c.compare(path, reflect.ValueOf(x), reflect.ValueOf(y))
				}
			}
		}
		return
	}
	if unlike[path] != "" {
		return
	}
	switch a.Kind() {
	case reflect.Pointer:
		if !a.IsNil() && !b.IsNil() {
			c.compare(path, a.Elem(), b.Elem())
		}
	case reflect.Struct:
		if state := a.FieldByName("State"); state.IsValid() && a.FieldByName("V").IsValid() && (state.IsZero() || b.FieldByName("State").IsZero()) {
			return
		}
		for i := range a.NumField() {
			c.compare(path+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i))
		}
	case reflect.Map:
		for _, key := range a.MapKeys() {
			if other := b.MapIndex(key); other.IsValid() {
				c.equal(path+"."+key.String(), a.MapIndex(key), other)
			}
		}
	case reflect.Slice:
		if a.Len() > 0 && b.Len() > 0 && a.Len() != b.Len() {
			c.equal(path, a, b)
			return
		}
		for i := range min(a.Len(), b.Len()) {
			c.compare(path, a.Index(i), b.Index(i))
		}
	case reflect.Bool:
		c.equal(path, a, b)
	default:
		if !a.IsZero() && !b.IsZero() {
			c.equal(path, a, b)
		}
	}
}

func (c *comparison) equal(path string, a, b reflect.Value) {
	if reflect.DeepEqual(a.Interface(), b.Interface()) {
		c.same++
		return
	}
	c.diffs = append(c.diffs, fmt.Sprintf("%s: %s says %v, 3.13.0 says %v", path, c.version, a.Interface(), b.Interface()))
}
