package judge

import (
	"fmt"
	"testing"

	"hwcap/parse/fact"
)

// listed is a PCI Express function without a readable capability: its place in
// the tree has to tell what it is.
func listed(address, parent, class, physfn string) fact.Device {
	width := fact.Of(fact.Link{Speed: 8, Width: 4}, fact.Line{File: "x", Line: 1})
	return fact.Device{
		Address: address, Parent: parent, Class: class,
		Sysfs: &fact.Sysfs{PhysFn: physfn, Max: width, Current: width},
	}
}

func TestVirtualFunctionsOfForgedCaptures(t *testing.T) {
	const port, pf, a, b, lost = "0000:00:01.0", "0000:01:00.0", "0000:01:00.1", "0000:01:00.2", "0000:09:00.0"
	bridge := listed(port, "", "0604", "")
	tests := map[string]struct {
		devices []fact.Device
		want    aerLink
	}{
		"of a physical function":       {[]fact.Device{bridge, listed(pf, port, "0200", ""), listed(a, port, "0200", pf)}, aerLink{pf, port}},
		"of itself":                    {[]fact.Device{bridge, listed(a, port, "0200", a)}, aerLink{a, port}},
		"of itself, beside one":        {[]fact.Device{bridge, listed(pf, port, "0200", ""), listed(a, port, "0200", a)}, aerLink{pf, port}},
		"of each other":                {[]fact.Device{bridge, listed(a, port, "0200", b), listed(b, port, "0200", a)}, aerLink{a, port}},
		"of one that is in no listing": {[]fact.Device{bridge, listed(a, port, "0200", lost)}, aerLink{a, port}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got, ok := linkOfError(&fact.Machine{PCI: test.devices}, a); got != test.want || !ok {
				t.Errorf("linkOfError = %+v, %t; want %+v", got, ok, test.want)
			}
		})
	}
}

// TestParentsInACircle: every rule ends, whatever a capture says stands where.
func TestParentsInACircle(t *testing.T) {
	long := &fact.Machine{}
	for i := range buses + 9 {
		long.PCI = append(long.PCI, listed(fmt.Sprintf("%04x:01:00.0", i), fmt.Sprintf("%04x:01:00.0", i+1), "0604", ""))
	}
	circle := &fact.Machine{PCI: []fact.Device{
		listed("0000:01:00.0", "0000:02:00.0", "0604", ""),
		listed("0000:02:00.0", "0000:03:00.0", "0604", ""),
		listed("0000:03:00.0", "0000:01:00.0", "0604", ""),
		listed("0000:04:00.0", "0000:04:00.0", "0604", ""),
		listed("0000:05:00.0", "0000:03:00.0", "0200", ""),
	}}
	for name, m := range map[string]*fact.Machine{"circle": circle, "longer than a domain": long} {
		t.Run(name, func(t *testing.T) {
			for _, kind := range []string{"", fact.RootPort, fact.DownstreamPort, fact.UpstreamPort} {
				for i := range m.PCI {
					m.PCI[i].Express = nil
					if kind != "" {
						m.PCI[i].Express = &fact.Express{Type: kind, MaxPayload: 128, MaxPayloadCap: 128}
						m.PCI[i].Bus = &fact.BusRange{}
					}
				}
				for _, d := range m.PCI {
					linkOfError(m, d.Address)
					rootPortOf(m, d.Address)
				}
				tree := newTree(m)
				for _, l := range tree.links {
					l.Fixed = true // so that the way up is not ended by a doubt
				}
				for _, l := range tree.links {
					tree.path(l)
				}
				Run(m)
			}
		})
	}
}
