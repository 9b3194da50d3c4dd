package lspci

import (
	"bytes"
	"strings"
	"testing"
)

// FuzzParse: no text makes the parser panic, and what it returns holds together.
func FuzzParse(f *testing.F) {
	f.Add(machine(1))
	for _, seed := range []string{
		"00:00.0 Host bridge: x\n00:00.0 Host bridge: x\n",
		"> 00:1c.0 0604: 8086:1234 (rev 01) (prog-if 00\n> [Normal decode])\n>  Memory behind bridge: None\n",
		"10000:e1:00.0/e2:00.0 a: b\r\n\tCapabilities: <access denied>\r\n",
		"00:1f.0 a: b\n\t!!! Unknown header type 7f\n00: ff ff\n",
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
		}
	})
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
