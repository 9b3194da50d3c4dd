//go:build linux

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hwcap/capture"
	"hwcap/parse"
	"hwcap/parse/fact"
)

// TestBundlesOfThisMachine lets sosreport and hw-probe look at this machine
// while hwcap does, and holds that all three give the same PCI facts.
func TestBundlesOfThisMachine(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root to run sosreport and hw-probe")
	}
	dir := t.TempDir()
	run := func(t *testing.T, name string, args ...string) {
		t.Helper()
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skipf("no program %s", name)
		}
		cmd := exec.Command(path, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "LC_ALL=C")
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET} // nothing leaves this machine
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", name, err, out)
		}
	}
	run(t, "lspci")
	own := filepath.Join(dir, "own.tar.gz")
	if _, err := capture.Collect(context.Background(), capture.Options{Output: own, Select: capture.Selection{Only: []string{"pci"}}}); err != nil {
		t.Fatal(err)
	}
	want := pciFacts(t, own)
	if len(want) == 0 {
		t.Skip("no PCI functions here")
	}
	compare := func(t *testing.T, name, format string) {
		t.Helper()
		m, err := parse.Open(name, parse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if m.Capture.Format != format || m.Capture.Kernel == "" || m.Capture.CutOff {
			t.Errorf("%s: capture %+v", name, m.Capture)
		}
		if diff := cmp.Diff(want, pciFacts(t, name), cmpopts.EquateEmpty(), cmpopts.IgnoreTypes(fact.Line{})); diff != "" {
			t.Errorf("%s (-collect +bundle):\n%s", name, diff)
		}
	}
	t.Run("sosreport", func(t *testing.T) {
		run(t, "sos", "report", "--batch", "--quiet", "--no-report", "--tmp-dir", dir, "-o", "pci,kernel", "-z", "xz")
		packed, err := filepath.Glob(filepath.Join(dir, "sosreport-*.tar.xz"))
		if err != nil || len(packed) != 1 {
			t.Fatalf("archives %v, %v", packed, err)
		}
		compare(t, packed[0], "sosreport")
		run(t, "tar", "-xf", packed[0])
		compare(t, strings.TrimSuffix(packed[0], ".tar.xz"), "sosreport")
	})
	t.Run("hw-probe", func(t *testing.T) {
		const left = "/root/HW_PROBE"
		if _, err := os.Stat(left); err != nil {
			t.Cleanup(func() { os.Remove(left) }) // the folder, if nothing is in it
		}
		run(t, "hw-probe", "-all", "-log-level", "minimal", "-enable", "lspci_all", "-save", dir)
		compare(t, filepath.Join(dir, "hw.info.txz"), "hw-probe")
		run(t, "tar", "-xf", "hw.info.txz")
		compare(t, filepath.Join(dir, "hw.info"), "hw-probe")
	})
}

// pciFacts are those of a capture or bundle that every bundle holds: what
// "lspci -nnvv" prints as root, without where it stands.
func pciFacts(t *testing.T, name string) []fact.Device {
	t.Helper()
	m, err := parse.Open(name, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.PCI {
		d := &m.PCI[i]
		d.Sysfs, d.Root, d.Label, d.Modules, d.NUMANode, d.IOMMUGroup = nil, "", "", nil, nil, ""
		d.Serial = fact.Val[string]{} // which hw-probe hides
		d.Header = ""                 // which lspci does not print
		for _, id := range []*string{&d.ProgIf, &d.Revision, &d.SubVendor, &d.SubDevice} {
			if strings.Trim(*id, "0") == "" { // which it leaves out
				*id = ""
			}
		}
	}
	return m.PCI
}
