package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
)

// TestVirtualMachine checks what .ci/vm/guest.sh left behind: captures of a
// machine whose hardware and errors are known, made by hwcap itself.
func TestVirtualMachine(t *testing.T) {
	out := os.Getenv("HWCAP_VM")
	if out == "" {
		t.Skip("no virtual machine: HWCAP_VM does not name a folder in which .ci/vm/boot ran")
	}
	network := strings.TrimSpace(readFile(t, filepath.Join(out, "injected")))
	root := openVM(t, filepath.Join(out, "root.tar.gz"))
	nobody := openVM(t, filepath.Join(out, "nobody.tar.gz"))

	t.Run("verdicts as root", func(t *testing.T) {
		want := map[string]judge.Verdict{
			"osc-aer-denied":           judge.OK,
			"aer-active":               judge.OK,
			"iommu-state":              judge.OK,
			"log-complete":             judge.OK,
			"capture-privilege":        judge.OK,
			"aer-errors":               judge.Problem,
			"pcie-link-not-assessable": judge.Unknown, // the links of a virtual machine lead nowhere
		}
		for _, f := range root.findings {
			if v, ok := want[f.ID]; ok && f.Verdict != v {
				t.Errorf("%s is %q (case %s), want %q", f.ID, f.Verdict, f.Case, v)
			}
			delete(want, f.ID)
			if f.Area == judge.Links && f.Severity.Rank() > judge.Info.Rank() {
				t.Errorf("%s finds %s on %v, though no link is real", f.ID, f.Case, f.Subjects)
			}
		}
		for id := range want {
			t.Errorf("%s says nothing", id)
		}
		if c := root.finding(t, "iommu-state").Case; c != "translating" {
			t.Errorf("iommu-state is %q, want translating", c)
		}
	})

	t.Run("injected errors", func(t *testing.T) {
		f := root.finding(t, "aer-errors")
		if f.Case != "injected" || f.Severity != judge.Info {
			t.Errorf("case %s, severity %s, want injected and info", f.Case, f.Severity)
		}
		if diff := cmp.Diff([]string{network}, f.Subjects); diff != "" {
			t.Errorf("subjects (-want +got):\n%s", diff)
		}
		want := map[string]any{"correctedCount": 3, "nonFatalCount": 1, "fatalCount": 0, "sysfsCount": 4, "logCount": 4, "earlierCount": 0}
		got := map[string]any{}
		for key := range want {
			got[key] = f.Values[key]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("counts (-want +got):\n%s", diff)
		}
		d := root.machine.Device(network)
		if d == nil || d.Sysfs == nil {
			t.Fatalf("no facts on %s", network)
		}
		if n := d.Sysfs.AERCorrectable.V.Counts["RxErr"]; n != 3 {
			t.Errorf("%d receiver errors counted, want 3", n)
		}
		if n := d.Sysfs.AERNonFatal.V.Counts["CmpltTO"]; n != 1 {
			t.Errorf("%d completion timeouts counted, want 1", n)
		}
	})

	t.Run("facts as root", func(t *testing.T) {
		m := root.machine
		if n := len(m.Log.Of("irq-remap")); n == 0 {
			t.Error("the log says nothing of interrupt remapping")
		}
		var proc, netlink []string
		for _, a := range m.Crypto.Algorithms {
			if !a.From.IsZero() {
				proc = append(proc, a.Driver)
			}
			if !a.Frame.IsZero() {
				netlink = append(netlink, a.Driver)
			}
		}
		if diff := cmp.Diff(proc, netlink); diff != "" {
			t.Errorf("the netlink dump differs from /proc/crypto (-proc +netlink):\n%s", diff)
		}
		if n := strings.Count("\n"+root.members["proc/crypto"], "\ndriver "); n == 0 || n != len(proc) {
			t.Errorf("%d algorithms read, /proc/crypto has %d", len(proc), n)
		}
		for _, p := range m.Problems {
			t.Errorf("%s:%d: %s", p.File, p.Line, p.Text)
		}
	})

	t.Run("less as nobody", func(t *testing.T) {
		asRoot := map[string]judge.Verdict{}
		for _, f := range root.findings {
			for _, s := range f.Subjects {
				asRoot[f.ID+" "+s] = f.Verdict
			}
		}
		for _, f := range nobody.findings {
			for _, s := range f.Subjects {
				if f.Verdict == judge.OK && asRoot[f.ID+" "+s] != judge.OK {
					t.Errorf("%s of %s is ok (case %s), as root it was %q", f.ID, s, f.Case, asRoot[f.ID+" "+s])
				}
			}
		}
		for _, id := range []string{"osc-aer-denied", "aer-latent-bits"} { // from the log, from the registers
			if f := nobody.finding(t, id); f.Verdict != judge.Unknown {
				t.Errorf("%s is %q (case %s), want unknown", id, f.Verdict, f.Case)
			}
		}
		f := nobody.finding(t, "capture-privilege")
		denied, _ := f.Values["denied"].([]string)
		for _, source := range []string{"dmesg", "kmsg", "acpi-dmar", "ras-errors"} {
			if !slices.Contains(denied, source) {
				t.Errorf("capture-privilege does not name %s: %v", source, denied)
			}
		}
		affected, _ := f.Values["affected"].([]string)
		for _, id := range []string{"osc-aer-denied", "aer-latent-bits"} {
			if !slices.Contains(affected, id) {
				t.Errorf("capture-privilege does not say that root would settle %s: %v", id, affected)
			}
		}
	})

	for name, c := range map[string]vmCapture{"root": root, "nobody": nobody} {
		t.Run("evidence as "+name, c.checkEvidence)
		t.Run("report as "+name, c.checkReport)
	}
	if text := readFile(t, filepath.Join(out, "piped", "report.en.md")); !strings.Contains(text, network) {
		t.Errorf("the report through a pipe does not name %s", network)
	}
}

// vmCapture is a capture, read twice: by the opener, and plainly.
type vmCapture struct {
	members  map[string]string
	machine  *fact.Machine
	findings []judge.Finding
}

func openVM(t *testing.T, name string) vmCapture {
	t.Helper()
	m, err := openCapture(name)
	if err != nil {
		t.Fatal(err)
	}
	c := vmCapture{members: map[string]string{}, machine: m, findings: judge.Run(m)}
	packed, err := gzip.NewReader(strings.NewReader(readFile(t, name)))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(packed); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return c
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		_, member, _ := strings.Cut(h.Name, "/")
		c.members[member] = string(data)
	}
}

// finding returns the only finding of a rule.
func (c vmCapture) finding(t *testing.T, id string) judge.Finding {
	t.Helper()
	var found []judge.Finding
	for _, f := range c.findings {
		if f.ID == id {
			found = append(found, f)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d findings %s, want one", len(found), id)
	}
	return found[0]
}

// checkEvidence holds that every quoted line stands where the finding says.
func (c vmCapture) checkEvidence(t *testing.T) {
	for _, f := range c.findings {
		if f.Verdict == judge.Problem && len(f.Evidence) == 0 {
			t.Errorf("%s, case %s, %v: no evidence", f.ID, f.Case, f.Subjects)
		}
		for _, e := range f.Evidence {
			lines := strings.Split(c.members[e.File], "\n")
			switch {
			case e.Frame > 0: // the names of a record stand in it as they are
				if driver := strings.Fields(e.Text); len(driver) == 0 || !strings.Contains(c.members[e.File], driver[0]) {
					t.Errorf("%s cites record %d of %s as %q", f.ID, e.Frame, e.File, e.Text)
				}
			case e.Line.Line < 1 || e.Line.Line > len(lines) || strings.TrimSpace(lines[e.Line.Line-1]) != strings.TrimSpace(e.Text):
				t.Errorf("%s cites %s:%d as %q, which does not stand there", f.ID, e.File, e.Line.Line, e.Text)
			}
		}
	}
}

// checkReport writes the whole report in both languages and every format.
func (c vmCapture) checkReport(t *testing.T) {
	files, err := renderFiles(c.machine, c.findings, reportOptions{langs: []string{"de", "en"}, formats: reportFormats})
	if err != nil {
		t.Fatal(err)
	}
	begins := map[string]string{"report.de.md": "# ", "report.en.md": "# ", "report.de.pdf": "%PDF-", "report.en.pdf": "%PDF-", "report.json": "{"}
	for _, f := range files {
		if !bytes.HasPrefix(f.data, []byte(begins[f.name])) {
			t.Errorf("%s begins with %.20q", f.name, f.data)
		}
		delete(begins, f.name)
	}
	if len(begins) > 0 {
		t.Errorf("not written: %v", begins)
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
