package parse_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"hwcap/parse"
	"hwcap/parse/fact"
)

const half = "the last line has no end and may be cut: it is not read"

// TestHalfALastLine holds that of a text by itself a last line without an end
// gives no fact, and that a problem says so.
func TestHalfALastLine(t *testing.T) {
	for situation, tc := range map[string]struct {
		text   string
		line   int // of the problem, 0 for none
		unread int
		holds  func(m *fact.Machine) bool
	}{
		"/proc/crypto": {aes + "priority     : 4", 5, 1, func(m *fact.Machine) bool {
			return len(m.Crypto.Algorithms) == 1 && m.Crypto.Algorithms[0].Priority == 100
		}},
		"a log":        {boot + iommu + "[    2.000000] x2apic ena", 3, 1, func(m *fact.Machine) bool { return len(m.Log.Notes) == 2 }},
		"a log, whole": {boot + iommu, 0, 0, func(m *fact.Machine) bool { return len(m.Log.Notes) == 2 }},
		"a log of objects": {`{"_TRANSPORT":"kernel","MESSAGE":"DMAR: IOMMU enabled"}` + "\n" + `{"_TRANSPORT":"kernel","MESSAGE":"x2apic enabled"}`, 0, 0,
			func(m *fact.Machine) bool { return len(m.Log.Notes) == 2 }},
		"a log of objects, cut": {`{"_TRANSPORT":"kernel","MESSAGE":"DMAR: IOMMU enabled"}` + "\n" + `{"_TRANSPORT":"kernel","MESSAGE":"x2apic enabled`, 2, 1,
			func(m *fact.Machine) bool { return len(m.Log.Notes) == 1 }},
		"UTF-16 with 8-bit text behind": {"\xff\xfe" + strings.Join(strings.Split(iommu, ""), "\x00") + "\x00" + random, 2, 1, func(m *fact.Machine) bool { return len(m.Log.Notes) == 1 }},
		"rows with capital offsets, which are whole": {host + func() (rows string) {
			for offset := 0; offset < 0x100; offset += 16 {
				rows += fmt.Sprintf("%02X:%s\n", offset, strings.Repeat(" 00", 16))
			}
			return rows
		}(), 0, 0, func(m *fact.Machine) bool {
			return !slices.ContainsFunc(m.Problems, func(p fact.Problem) bool { return strings.Contains(p.Text, "row is missing") })
		}},
		"lspci, which judges itself": {host + "01:00.0 Network controller: Example", 0, 0, func(m *fact.Machine) bool { return len(m.PCI) == 2 }},
	} {
		t.Run(situation, func(t *testing.T) {
			m, err := open([]byte(tc.text), parse.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(m.Problems, func(p fact.Problem) bool { return p.Text == half })
			if tc.line == 0 && at >= 0 || tc.line > 0 && (at < 0 || m.Problems[at].Line != tc.line) {
				t.Errorf("problems %+v", m.Problems)
			}
			if u := m.Unread; tc.unread > 0 && (len(u) != 1 || u[0].Lines != tc.unread) {
				t.Errorf("unread %+v", u)
			}
			if !tc.holds(m) {
				t.Errorf("notes %+v, algorithms %+v, %d functions", m.Log.Notes, m.Crypto.Algorithms, len(m.PCI))
			}
		})
	}
}

// TestExportIsHandedOnWhole holds that what stands in a field that is no text
// is never taken for a line of the log.
func TestExportIsHandedOnWhole(t *testing.T) {
	field := func(value string) string {
		return "MESSAGE\n" + string(binary.LittleEndian.AppendUint64(nil, uint64(len(value)))) + value + "\n"
	}
	const kernel = "__CURSOR=s=1\n_TRANSPORT=kernel\n"
	fake := field("foo\n\n_TRANSPORT=kernel\nMESSAGE=x2apic enabled\n\n$ lspci\n" + host)
	text := kernel + field("DMAR: IOMMU enabled") + "\n__CURSOR=s=2\n_TRANSPORT=syslog\n" + fake + "\n" + kernel + "MESSAGE=DMAR: IOMMU enabled\n\n"
	for situation, tc := range map[string]struct {
		text  string
		lines []int
		pci   int
	}{
		"by itself":        {text, []int{4, 21}, 0},
		"behind a prompt":  {"$ journalctl -o export\n" + text, []int{5, 22}, 0},
		"before a listing": {text + "$ lspci\n" + host, []int{4, 21}, 1},
		"cut in a value":   {text + kernel + field("x2apic enabled")[:18], []int{4, 21}, 0},
	} {
		t.Run(situation, func(t *testing.T) {
			m, err := open([]byte(tc.text), parse.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			var lines []int
			for _, n := range m.Log.Notes {
				lines = append(lines, n.At.Line)
			}
			if !slices.Equal(lines, tc.lines) || len(m.PCI) != tc.pci {
				t.Errorf("notes %+v, %d functions", m.Log.Notes, len(m.PCI))
			}
			if cut := strings.HasPrefix(situation, "cut"); cut != slices.ContainsFunc(m.Problems, func(p fact.Problem) bool { return p.Text == half }) {
				t.Errorf("problems %+v", m.Problems)
			}
			for _, u := range m.Unread {
				if u.Lines+u.Ignored > u.Of {
					t.Errorf("unread %+v", u)
				}
			}
		})
	}
}
