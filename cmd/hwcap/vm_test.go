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

// TestVirtualMachine checks what .ci/vm/guest/errors.sh left behind: captures
// of a machine whose hardware and errors are known, made by hwcap itself.
func TestVirtualMachine(t *testing.T) {
	out := vmFolder(t, "errors")
	devices := strings.Fields(readFile(t, filepath.Join(out, "devices")))
	network, port, drive := devices[0], devices[1], devices[2]
	root := openVM(t, filepath.Join(out, "root.tar.gz"))
	nobody := openVM(t, filepath.Join(out, "nobody.tar.gz"))

	t.Run("verdicts as root", func(t *testing.T) {
		want := map[string]judge.Verdict{
			"osc-aer-denied":           judge.OK,
			"aer-active":               judge.OK,
			"iommu-state":              judge.OK,
			"log-complete":             judge.OK,
			"capture-privilege":        judge.OK,
			"ras-history":              judge.OK,
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
		// What the drive's end of the link lost, the port above it noticed. The
		// kernel counts no fatal error of a device beyond a link: it does not
		// read its registers.
		keys := []string{"correctedCount", "nonFatalCount", "fatalCount", "sysfsCount", "logCount", "databaseCount", "earlierCount"}
		want := map[string][]any{network: {3, 1, 1, 4, 5, 5, 0}, drive: {0, 0, 1, 1, 1, 1, 0}}
		for _, f := range root.findings {
			if f.ID != "aer-errors" {
				continue
			}
			if f.Case != "injected" || f.Severity != judge.Info || len(f.Subjects) != 1 {
				t.Errorf("case %s, severity %s, subjects %v, want injected, info, one", f.Case, f.Severity, f.Subjects)
				continue
			}
			var got []any
			for _, key := range keys {
				got = append(got, f.Values[key])
			}
			if diff := cmp.Diff(want[f.Subjects[0]], got); diff != "" {
				t.Errorf("%v of %s (-want +got):\n%s", keys, f.Subjects[0], diff)
			}
			delete(want, f.Subjects[0])
		}
		for subject := range want {
			t.Errorf("no errors of %s", subject)
		}
		for _, c := range []struct {
			device, severity, bit string
			want                  int64
		}{{network, "corrected", "RxErr", 3}, {network, "nonfatal", "CmpltTO", 1}, {port, "fatal", "SDES", 1}} {
			if n := root.counted(t, c.device, c.severity, c.bit); n != c.want {
				t.Errorf("%d %s of %s counted, want %d", n, c.bit, c.device, c.want)
			}
		}
		for _, f := range root.findings {
			if f.ID == "evidence-conflict" && f.Case == "aer-unrecorded" {
				t.Errorf("the database is said to be silent on %v, though it recorded", f.Subjects)
			}
		}
	})

	t.Run("facts as root", func(t *testing.T) {
		m := root.machine
		if n := len(m.Log.Of("irq-remap")); n == 0 {
			t.Error("the log says nothing of interrupt remapping")
		}
		root.checkCrypto(t, out)
		root.checkProblems(t)
	})

	t.Run("a fatal error that could not be read", func(t *testing.T) {
		c := openVM(t, filepath.Join(out, "unplug.tar.gz"))
		c.checkProblems(t) // a card that did not come back has no network port: an answer, no fault
		for _, f := range append(slices.Clone(root.findings), c.findings...) {
			if f.ID == "evidence-conflict" && strings.HasPrefix(f.Case, "aer-") {
				t.Errorf("sources contradict each other on %v (case %s), though the kernel counts no error that it cannot read", f.Subjects, f.Case)
			}
			// All errors of this machine were made on purpose.
			if f.ID == "aer-latent-bits" && slices.Contains(f.Subjects, network) && f.Case != "injected" {
				t.Errorf("%s of %v is %s, want injected", f.ID, f.Subjects, f.Case)
			}
		}
		for _, c := range []vmCapture{root, c} {
			failed := slices.ContainsFunc(c.machine.Log.Of("aer-recovery"), func(n fact.Note) bool {
				return n.Fields["result"] == "failed" && n.Device == c.machine.Device(network).Parent
			})
			if said := c.expect(t, "aer-errors", "injected", network).Values["recoveryFailed"]; said != failed {
				t.Errorf("that recovery failed is %v in the finding, %v in the log", said, failed)
			}
		}
	})

	t.Run("drive unplugged meanwhile", func(t *testing.T) {
		c := openVM(t, filepath.Join(out, "unplug.tar.gz"))
		if s, ok := c.machine.Samples.Get(); !ok || s.Port(port) == nil {
			t.Errorf("no samples of %s, the port above", port)
		}
		for _, f := range c.findings {
			if slices.Contains(f.Subjects, drive) && f.Verdict == judge.Problem && f.ID != "aer-errors" {
				t.Errorf("%s finds %s on the drive, which was only unplugged", f.ID, f.Case)
			}
			if f.ID != "aer-errors" && f.Severity.Rank() > judge.Notice.Rank() {
				t.Errorf("%s finds %s on %v", f.ID, f.Case, f.Subjects)
			}
		}
		t.Run("evidence", c.checkEvidence)
		t.Run("report", c.checkReport)
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

// vmFolder is where the boot called name left its files.
func vmFolder(t *testing.T, name string) string {
	t.Helper()
	out := os.Getenv("HWCAP_VM")
	if out == "" {
		t.Skip("no virtual machine: HWCAP_VM does not name a folder in which .ci/vm/boots ran")
	}
	return filepath.Join(out, name)
}

// counted returns the kernel's counter of an error bit, 0 where it has none.
func (c vmCapture) counted(t *testing.T, device, severity, bit string) int64 {
	t.Helper()
	d := c.machine.Device(device)
	if d == nil || d.Sysfs == nil {
		t.Fatalf("no facts on %s", device)
	}
	switch severity {
	case "corrected":
		return d.Sysfs.AERCorrectable.V.Counts[bit]
	case "nonfatal":
		return d.Sysfs.AERNonFatal.V.Counts[bit]
	}
	return d.Sysfs.AERFatal.V.Counts[bit]
}

// checkCrypto holds that the netlink dump has what /proc/crypto has, in its
// order, and both what the guest's script read right after.
func (c vmCapture) checkCrypto(t *testing.T, out string) {
	t.Helper()
	var proc, netlink []string
	for _, a := range c.machine.Crypto.Algorithms {
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
	var want []string
	for line := range strings.Lines(readFile(t, filepath.Join(out, "crypto"))) {
		if driver, ok := strings.CutPrefix(line, "driver       : "); ok {
			want = append(want, strings.TrimSpace(driver))
		}
	}
	if diff := cmp.Diff(want, proc); diff != "" || len(want) == 0 {
		t.Errorf("%d algorithms; the capture differs from the machine (-machine +capture):\n%s", len(want), diff)
	}
}

// checkProblems holds that all was readable.
func (c vmCapture) checkProblems(t *testing.T) {
	t.Helper()
	for _, p := range c.machine.Problems {
		t.Errorf("%s:%d: %s", p.File, p.Line, p.Text)
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
			lines := strings.Split(strings.TrimRight(c.members[e.File], "\x00"), "\n") // a device tree ends its texts with 0
			switch {
			case e.Frame > 0: // the names of a record stand in it as they are
				if driver := strings.Fields(e.Text); len(driver) == 0 || !strings.Contains(c.members[e.File], driver[0]) {
					t.Errorf("%s cites record %d of %s as %q", f.ID, e.Frame, e.File, e.Text)
				}
			case e.Offset > 0: // the text is what the bytes there mean
				if e.Offset >= int64(len(c.members[e.File])) {
					t.Errorf("%s cites byte %d of %s, which has %d", f.ID, e.Offset, e.File, len(c.members[e.File]))
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
