package lspci

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

// FuzzParse: no text makes the parser panic, what it returns holds together, and
// line ends change nothing.
func FuzzParse(f *testing.F) {
	f.Add(machine(1))
	for _, seed := range []string{
		"00:00.0 Host bridge: x\n00:00.0 Host bridge: x\n",
		"> 00:1c.0 0604: 8086:1234 (rev 01) (prog-if 00\n> [Normal decode])\n>  Memory behind bridge: None\n",
		"10000:e1:00.0/e2:00.0 a: b\r\n\tCapabilities: <access denied>\r\n",
		"00:1f.0 a: b\n\t!!! Unknown header type 7f\n00: ff ff\n",
		"00:00.0 a: pcilib: read failed: x\n",
		"     1\t-[0000:00]-+-00.0\n-+-[0000:00]---01.0-[01]--+-00.0\n |  \\-00.1 x\n+-02.0\n\\-[01]-\n|\n",
		"00:03.0 a: b\n\tBus: primary=00, secondary=02, subordinate=05\n00:03.0/00.0 a: b\n00:03.0/00.0/01.1 c: d\n",
		"Slot:\t00:1f.3\nClass:\t0600\n\n00:1f.3 \"a\\\"\" \"[8086]\" \"\" -r -p80 \"\n",
		"Nov  9 17:55:01 00:1c.0 Host bridge: x\nNov 10 17:55:02 \tSubsystem: y\n\nx\n9:00:1c.0 Host bridge: y\n10-\tKernel modules: z\n",
		"00:00.0 Host bridge: =C2=A0=E2=80=A6 abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz=\n\x1b[1m\x1b]0;x\a&amp;lt;&#x3e;&#;\xa0=20\n",
		"IOMMU Group 7:\n\t00:1c.0 Host bridge: x\nIOMMU Group 8 00:1d.0 Host bridge: y\n",
		"00:00.0 a: b pcilib: read failed: No such device\n c\npcilib: x\n",
		"00:00.0 a: b\n\tCapabilities: [40] Express (v2) Root\n\t\tLnkCap:\tSpeed 2.5GT/s, Width x\n\t\tSltCap:\tSlot #fff, PowerLimit 1\n",
		"00:00.0 a: b\n\tCapabilities: [100 v1] #0e\n\tRegion 999999999999999999999: Memory at 0 [size=99999999999999999999T]\n",
		"00:00.0 a: b\n\tCapabilities: [200 v1] Physical Resizable BAR\n\t\tBAR 7: current size: 9999999999EB, supported: 1EB &lt;\n",
		"00:00.0 ]]>a [: b] [0600] (rev ]\n\tSubsystem: ]]> [8086:]\n\tCapabilities: ]40[ x\n\tRegion 0: Memory at ] [size=]\n",
		"00:00.0 a: b\n\tNUMA node: \u00a0-1\n\tKernel modules: ,, ,\n\tFlags: IOMMU group ",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Parse(bytes.NewReader(text), "x")
		if err != nil {
			t.Fatal(err)
		}
		if o := r.Outside; o.Lines > r.Unread.Lines || o.Ignored > r.Unread.Ignored || o.Lines+o.Ignored != o.Of {
			t.Errorf("%+v, outside %+v", r.Unread, o)
		}
		if u := r.Unread; u.Of != bytes.Count(text, []byte("\n"))+boolInt(len(text) > 0 && text[len(text)-1] != '\n') || u.Lines+u.Ignored > u.Of {
			t.Errorf("%+v", u)
		}
		lines := strings.Split(string(text), "\n")
		seen := map[string]bool{}
		for _, d := range r.Devices {
			if seen[d.Address] || d.Listings < 0 {
				t.Errorf("%s: listed twice, or %d listings", d.Address, d.Listings)
			}
			seen[d.Address] = true
			if at := d.From; at.Line < 1 || at.Line > len(lines) || !strings.Contains(lines[at.Line-1], at.Text) {
				t.Errorf("%s: cites line %d as %q", d.Address, at.Line, at.Text)
			}
			for _, g := range d.Regions {
				if g.Size < 0 {
					t.Errorf("%s: region of %d bytes", d.Address, g.Size)
				}
			}
		}
		for line := range bytes.Lines(text) {
			Begins(line)
			IsTree(line)
		}
		if bytes.IndexByte(text, '\r') < 0 {
			windows, _ := Parse(bytes.NewReader(bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))), "x")
			if !reflect.DeepEqual(bare(r.Devices), bare(windows.Devices)) {
				t.Errorf("line ends of Windows give other facts:\n%+v\n%+v", r.Devices, windows.Devices)
			}
		}
	})
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
