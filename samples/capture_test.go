package samples

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"path"
	"slices"
	"strings"
	"testing"

	"hwcap/parse"
	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/parse/pciconfig"
)

// member is a file of a capture, by its name below the capture's folder.
type member struct {
	name string
	data []byte
}

// readMembers unpacks a sample.
func readMembers(t testing.TB, name string) (folder string, members []member) {
	t.Helper()
	f, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := unpack(packed)
	if err != nil {
		t.Fatal(err)
	}
	return untar(t, plain)
}

// untar lists the members of a capture.
func untar(t testing.TB, plain []byte) (folder string, members []member) {
	t.Helper()
	for r := tar.NewReader(bytes.NewReader(plain)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return folder, members
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		top, rest, _ := strings.Cut(h.Name, "/")
		folder = top
		members = append(members, member{rest, data})
	}
}

// machine parses members as one capture.
func machine(t testing.TB, folder string, members []member) *fact.Machine {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members {
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: folder + "/" + m.name, Size: int64(len(m.data)), Mode: 0o600}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(m.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	m, err := parse.Read(&b, folder, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// sample parses a sample and judges it.
func sample(t testing.TB, name string) (*fact.Machine, []judge.Finding) {
	t.Helper()
	folder, members := readMembers(t, name)
	m := machine(t, folder, members)
	return m, judge.Run(m)
}

// TestSamplesReadCleanly holds that the samples give no problems.
func TestSamplesReadCleanly(t *testing.T) {
	for _, name := range Names() {
		m, _ := sample(t, name)
		for _, p := range m.Problems {
			t.Errorf("%s: %s:%d: %s", name, p.File, p.Line, p.Text)
		}
		for _, s := range m.Sources {
			if s.State == fact.Failed && name == "workstation" {
				t.Errorf("%s: source %s: %s", name, s.Name, s.Why)
			}
		}
	}
}

// TestEvidenceStandsWhereItSays checks every reference of every finding of
// every sample: the quoted text is in the capture, at the stated place. So is
// that of a target without lspci, of which configuration space tells.
func TestEvidenceStandsWhereItSays(t *testing.T) {
	decoded := 0
	for _, name := range Names() {
		folder, members := readMembers(t, name)
		for _, missing := range []string{"", "cmd/lspci-vvv.txt"} {
			kept := slices.DeleteFunc(slices.Clone(members), func(m member) bool { return m.name == missing })
			t.Run(name+"/without "+missing, func(t *testing.T) {
				decoded += checkEvidence(t, kept, judge.Run(machine(t, folder, kept)))
			})
		}
	}
	if decoded == 0 {
		t.Error("nothing cites configuration space")
	}
}

// checkEvidence returns how many references are into configuration space.
func checkEvidence(t *testing.T, members []member, findings []judge.Finding) (decoded int) {
	t.Helper()
	lines := map[string][]string{}
	data := map[string][]byte{}
	frames := map[string][]string{}
	for _, m := range members {
		lines[m.name] = strings.Split(string(m.data), "\n")
		data[m.name] = m.data
		if strings.HasSuffix(m.name, ".pcap") {
			frames[m.name] = frameTexts(t, m)
		}
	}
	for _, f := range findings {
		if f.Verdict == judge.Problem && len(f.Evidence) == 0 {
			t.Errorf("%s, case %s, %v: no evidence", f.ID, f.Case, f.Subjects)
		}
		for _, e := range f.Evidence {
			text := strings.TrimSpace(e.Text)
			switch {
			case lines[e.File] == nil:
				t.Errorf("%s cites %s, which is not in the capture", f.ID, e.File)
			case e.Line.Line > 0:
				if e.Line.Line > len(lines[e.File]) || strings.TrimSpace(strings.TrimSuffix(lines[e.File][e.Line.Line-1], "\r")) != text {
					t.Errorf("%s cites %s:%d as %q, which does not stand there", f.ID, e.File, e.Line.Line, text)
				}
			case e.Frame > 0:
				if e.Frame > len(frames[e.File]) || !mentions(text, frames[e.File][e.Frame-1]) {
					t.Errorf("%s cites record %d of %s as %q", f.ID, e.Frame, e.File, text)
				}
			case path.Base(e.File) == "config":
				decoded++
				if want := pciconfig.Text(data[e.File], int(e.Offset)); text != want || text == "" {
					t.Errorf("%s cites offset %#x of %s as %q, there stands %q", f.ID, e.Offset, e.File, text, want)
				}
			default:
				t.Errorf("%s cites %s without a place", f.ID, e.File)
			}
		}
	}
	return decoded
}

// TestConfigSaysWhatLspciPrints holds the text of lspci against the files
// config of the same capture: nothing of which both speak differs.
func TestConfigSaysWhatLspciPrints(t *testing.T) {
	compared := 0
	for _, name := range Names() {
		folder, members := readMembers(t, name)
		var text, files []member
		for _, m := range members {
			switch {
			case m.name == "cmd/lspci-vvv.txt":
				text = append(text, m)
			case strings.HasPrefix(m.name, "sys/bus/pci/devices/"):
				files = append(files, m)
			}
		}
		if !slices.ContainsFunc(files, func(m member) bool { return path.Base(m.name) == "config" }) {
			continue
		}
		printed, decoded := machine(t, folder, text), machine(t, folder, files)
		for i := range printed.PCI {
			p := &printed.PCI[i]
			d := decoded.Device(p.Address)
			if d == nil {
				t.Errorf("%s: %s is in lspci's text only", name, p.Address)
				continue
			}
			if p.Express != nil && d.Express == nil || p.AER != nil && d.AER == nil || p.ACS != nil && d.ACS == nil || p.Parent != d.Parent || p.Name != "" && d.Name == "" || d.CapsState != p.CapsState {
				t.Errorf("%s: %s without the text of lspci is %+v", name, p.Address, d)
			}
			p.Name, p.SubName, p.ClassName = "", "", "" // pci.ids of another day
			p.Fill(d, func(field string, at fact.Line) {
				if field != "pciIds" {
					t.Errorf("%s: %s: %s is not what %+v says", name, p.Address, field, at)
				}
			})
			compared++
		}
	}
	if compared == 0 {
		t.Error("no sample has both")
	}
}

// mentions reports whether the decoded text names the driver of a record.
func mentions(text, driver string) bool { return driver != "" && strings.Contains(text, driver) }

// frameTexts returns the driver name in each record of a netlink crypto dump
// ("" where a record is none), by its fixed place in struct crypto_user_alg.
func frameTexts(t *testing.T, m member) []string {
	t.Helper()
	var out []string
	for data := m.data[24:]; len(data) >= 16; {
		n := int(uint32(data[8]) | uint32(data[9])<<8 | uint32(data[10])<<16 | uint32(data[11])<<24)
		record := data[16 : 16+n]
		name := ""
		if len(record) >= 32+208 {
			field := record[32+64 : 32+128]
			name = string(field[:max(0, slices.Index(field, 0))])
		}
		out = append(out, name)
		data = data[16+n:]
	}
	return out
}
