package main

import (
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"hwcap/templates"
)

// TestLicencesOfAllModules holds the licence texts to the modules that are
// linked, on any system, and to the list of names that package pciids embeds.
func TestLicencesOfAllModules(t *testing.T) {
	want := []string{"Go", "hwcap", "pci.ids"}
	for _, goos := range []string{"linux", "darwin", "windows"} {
		cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "hwcap/cmd/hwcap")
		cmd.Env = append(os.Environ(), "GOOS="+goos)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		want = append(want, strings.Fields(string(out))...)
	}
	slices.Sort(want)
	want = slices.Compact(want)
	entries, err := templates.Licenses.ReadDir("licenses")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, strings.ReplaceAll(strings.TrimSuffix(path.Base(e.Name()), ".txt"), "__", "/"))
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("licence texts for %v\nlinked are %v", got, want)
	}
}
