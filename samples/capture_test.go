package samples

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"hwcap/parse"
	"hwcap/parse/fact"
	"hwcap/parse/judge"
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
// every sample: the quoted text is in the capture, at the stated place.
func TestEvidenceStandsWhereItSays(t *testing.T) {
	for _, name := range Names() {
		_, members := readMembers(t, name)
		lines := map[string][]string{}
		for _, m := range members {
			lines[m.name] = strings.Split(string(m.data), "\n")
		}
		frames := map[string][]string{}
		for _, m := range members {
			if strings.HasSuffix(m.name, ".pcap") {
				frames[m.name] = frameTexts(t, m)
			}
		}
		_, findings := sample(t, name)
		for _, f := range findings {
			if f.Verdict == judge.Problem && len(f.Evidence) == 0 {
				t.Errorf("%s: %s, case %s, %v: no evidence", name, f.ID, f.Case, f.Subjects)
			}
			for _, e := range f.Evidence {
				text := strings.TrimSpace(e.Text)
				switch {
				case lines[e.File] == nil:
					t.Errorf("%s: %s cites %s, which is not in the capture", name, f.ID, e.File)
				case e.Line.Line > 0:
					if e.Line.Line > len(lines[e.File]) || strings.TrimSpace(strings.TrimSuffix(lines[e.File][e.Line.Line-1], "\r")) != text {
						t.Errorf("%s: %s cites %s:%d as %q, which does not stand there", name, f.ID, e.File, e.Line.Line, text)
					}
				case e.Frame > 0:
					if e.Frame > len(frames[e.File]) || !mentions(text, frames[e.File][e.Frame-1]) {
						t.Errorf("%s: %s cites record %d of %s as %q", name, f.ID, e.Frame, e.File, text)
					}
				default:
					t.Errorf("%s: %s cites %s without a place", name, f.ID, e.File)
				}
			}
		}
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
