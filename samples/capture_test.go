package samples

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
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
		if len(text) == 0 || !slices.ContainsFunc(files, func(m member) bool { return path.Base(m.name) == "config" }) {
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

// mentions reports whether the decoded text names the subject of a record.
func mentions(text, subject string) bool { return subject != "" && strings.Contains(text, subject) }

// frameTexts returns what each record of a netlink dump is about, read without
// the parsers: the driver of an algorithm, the interface, the handle of a device
// ("" where a record is none of these).
func frameTexts(t *testing.T, m member) []string {
	t.Helper()
	var out []string
	for data := m.data[24:]; len(data) >= 16; {
		n := int(binary.LittleEndian.Uint32(data[8:]))
		out = append(out, recordSubject(path.Base(m.name), data[16:16+n]))
		data = data[16+n:]
	}
	return out
}

// recordSubject reads one record: 16 bytes of the capture's own header, 16 of the
// message's, then what the family puts before its attributes.
func recordSubject(file string, record []byte) string {
	switch {
	case file == "crypto.pcap" && len(record) >= 32+208: // struct crypto_user_alg, cra_driver_name
		return zeroEnded(record[32+64 : 32+128])
	case file == "route.pcap" && len(record) > 48: // struct ifinfomsg; IFLA_IFNAME
		return zeroEnded(attributeOf(record[48:], 3))
	case file == "ethtool.pcap" && len(record) > 36: // struct genlmsghdr; ETHTOOL_A_HEADER_DEV_NAME
		return zeroEnded(attributeOf(attributeOf(record[36:], 1), 2))
	case file == "devlink.pcap" && len(record) > 36: // DEVLINK_ATTR_BUS_NAME and _DEV_NAME
		if bus := zeroEnded(attributeOf(record[36:], 1)); bus != "" {
			return bus + "/" + zeroEnded(attributeOf(record[36:], 2))
		}
	}
	return ""
}

// attributeOf returns the value of the first attribute of that type.
func attributeOf(b []byte, kind uint16) []byte {
	for len(b) >= 4 {
		size := int(binary.LittleEndian.Uint16(b))
		if size < 4 || size > len(b) {
			return nil
		}
		if binary.LittleEndian.Uint16(b[2:])&0x3fff == kind { // without the flags of nesting and byte order
			return b[4:size]
		}
		b = b[min(len(b), (size+3)&^3):]
	}
	return nil
}

func zeroEnded(b []byte) string {
	text, _, _ := bytes.Cut(b, []byte{0})
	return string(text)
}

// TestFramesSayWhatTheyAreCitedFor holds the places of facts on interfaces to the
// records of the dumps, with a second reader.
func TestFramesSayWhatTheyAreCitedFor(t *testing.T) {
	compared := map[string]int{}
	for _, name := range Names() {
		folder, members := readMembers(t, name)
		m := machine(t, folder, members)
		for _, dump := range members {
			if !strings.HasSuffix(dump.name, ".pcap") {
				continue
			}
			subjects := frameTexts(t, dump)
			check := func(at fact.Line, subject string) {
				if at.File != dump.name {
					return
				}
				compared[path.Base(dump.name)]++
				if at.Frame < 1 || at.Frame > len(subjects) || subjects[at.Frame-1] != subject || !mentions(at.Text, subject) {
					t.Errorf("%s: %s is at record %d of %s, %q", name, subject, at.Frame, at.File, at.Text)
				}
			}
			for _, i := range m.Net {
				check(i.Carrier.At, i.Name)
				check(i.MTU.At, i.Name)
				check(i.Speed.At, i.Name)
				if e := i.Ethtool; e != nil {
					check(e.Supported.At, i.Name)
					check(e.Link.At, i.Name)
				}
			}
			for _, d := range m.Devlink {
				check(d.At, d.Handle)
			}
		}
	}
	for _, dump := range []string{"route.pcap", "ethtool.pcap"} {
		if compared[dump] == 0 {
			t.Errorf("nothing of %s is held to it", dump)
		}
	}
}
