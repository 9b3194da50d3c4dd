package rtnetlink

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
	"hwcap/parse/netlink"
	"hwcap/parse/netlink/netlinktest"
)

var little, big = netlinktest.Little, netlinktest.Big

// info makes struct ifinfomsg.
func info(f *netlinktest.File, index uint32) []byte {
	return bytes.Join([][]byte{{0, 0, 1, 0}, f.U32(index), f.U32(0), f.U32(0)}, nil)
}

// stats makes struct rtnl_link_stats64 of n numbers.
func stats(f *netlinktest.File, n int, set map[int]uint64) []byte {
	var b []byte
	for i := range n {
		b = append(b, f.U64(set[i])...)
	}
	return b
}

// port is a card's port, a record of its own.
func port(f *netlinktest.File) []byte {
	return f.Message(newLink, info(f, 2), f.Text(3, "eth0"), f.Attr(1, []byte{2, 0, 0, 0, 0, 1}), f.Attr(4, f.U32(9000)), f.Attr(5, f.U32(2)),
		f.Attr(16, []byte{6}), f.Attr(33, []byte{1}), f.Attr(35, f.U32(12)), f.Attr(21, f.U32(8)),
		f.Attr(23, stats(f, 24, map[int]uint64{0: 99, 12: 5, 15: 7})),
		f.Text(56, "0000:81:00.0"), f.Text(57, "pci"))
}

func TestParse(t *testing.T) {
	for name, orders := range map[string][2]netlinktest.Order{"little endian": {little, little}, "big endian": {big, big}, "machine and file differ": {big, little}} {
		t.Run(name, func(t *testing.T) {
			f := netlinktest.New(orders[0], orders[1], netlink.Route)
			f.Record(port(f))
			f.Record(f.Message(newLink, info(f, 7), f.Text(3, "bond0"), f.Attr(18|0x8000, f.Text(1, "bond")), f.Attr(16, []byte{2}), f.Attr(33, []byte{0})))
			f.Record(f.Message(newLink, info(f, 5), f.Text(3, "eth0.10"), f.Attr(18|0x8000, f.Text(1, "vlan"), f.Attr(2, []byte{1, 2})), f.Attr(5, f.U32(2)), f.Attr(10, f.U32(7))))
			f.Record(f.Message(newLink, info(f, 9), f.Text(3, "veth1"), f.Attr(5, f.U32(2)), f.Attr(37, f.U32(0)), f.Text(56, "virtio0"), f.Text(57, "virtio")))
			f.Done()
			got, problems, err := Parse(bytes.NewReader(f.Bytes), "netlink/route.pcap")
			if err != nil || len(problems) > 0 {
				t.Fatal(problems, err)
			}
			at := func(frame int, text string) fact.Line {
				return fact.Line{File: "netlink/route.pcap", Frame: frame, Text: text}
			}
			eth := at(1, "eth0 index=2 operstate=up carrier=1 carrier_changes=12 mtu=9000 parent=pci/0000:81:00.0 num_vf=8 rx_crc_errors=5 rx_missed_errors=7")
			bond := at(2, "bond0 index=7 operstate=down carrier=0 kind=bond")
			want := []fact.Interface{
				{Name: "eth0", Index: 2, Device: "0000:81:00.0", OperState: fact.Of("up", eth), Carrier: fact.Of("1", eth), CarrierChanges: fact.Of(int64(12), eth),
					MTU: fact.Of(9000, eth), VFs: fact.Of(8, eth), Errors: fact.Of(map[string]int64{"rx_crc_errors": 5, "rx_missed_errors": 7}, eth), At: eth},
				{Name: "bond0", Index: 7, Kind: "bond", OperState: fact.Of("down", bond), Carrier: fact.Of("0", bond), At: bond},
				{Name: "eth0.10", Index: 5, Kind: "vlan", Master: "bond0", Lower: "eth0", At: at(3, "eth0.10 index=5 kind=vlan")},
				{Name: "veth1", Index: 9, At: at(4, "veth1 index=9")},
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("interfaces (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseBroken(t *testing.T) {
	one := func(parts ...[]byte) []byte {
		f := netlinktest.New(little, little, netlink.Route)
		return f.Record(f.Message(newLink, parts...)).Done().Bytes
	}
	f := netlinktest.New(little, little, netlink.Route)
	whole := f.Record(port(f)).Done().Bytes
	twice := netlinktest.New(little, little, netlink.Route)
	twice.Record(port(twice)).Record(twice.Message(newLink, info(twice, 2), twice.Text(3, "renamed"))).Done()
	other := netlinktest.New(little, little, netlink.Generic)
	other.Record(other.Message(newLink, info(other, 2), other.Text(3, "eth0"))).Done()
	for name, test := range map[string]struct {
		file  []byte
		names string
		want  string // of the problem or error
	}{
		"no permission":                   {netlinktest.New(little, little, netlink.Route).Refuse(1, nil).Bytes, "", "error 1"},
		"too short":                       {one([]byte{1, 2, 3}), "", "too short for an interface"},
		"without a name":                  {one(info(f, 2), f.Attr(4, f.U32(1500))), "", "without a name"},
		"a name that is too long":         {one(info(f, 2), f.Text(3, "sixteen-letters-")), "", "without a name"},
		"another protocol":                {other.Bytes, "", ""},
		"cut off":                         {append(whole[:len(whole)-20:len(whole)-20], 1), "eth0", "unexpected EOF"},
		"seen twice":                      {twice.Bytes, "renamed", ""},
		"numbers that are too short":      {one(info(f, 2), f.Text(3, "eth0"), f.Attr(4, []byte{1}), f.Attr(16), f.Attr(33), f.Attr(23, make([]byte, 7))), "eth0", ""},
		"a state that nobody knows":       {one(info(f, 2), f.Text(3, "eth0"), f.Attr(16, []byte{77})), "eth0", ""},
		"stands on one that is not there": {one(info(f, 2), f.Text(3, "eth0"), f.Attr(5, f.U32(99)), f.Attr(10, f.U32(98))), "eth0", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, problems, err := Parse(bytes.NewReader(test.file), "f")
			var names []string
			for _, i := range got {
				names = append(names, i.Name)
				if i.MTU.Known() && i.MTU.V < 1000 || i.OperState.State == fact.Present && i.OperState.V == "" || i.Lower != "" || i.Master != "" {
					t.Errorf("a value that was not read: %+v", i)
				}
			}
			if strings.Join(names, " ") != test.names {
				t.Errorf("interfaces %v, want %q", names, test.names)
			}
			said := fmt.Sprint(problems, err)
			if !strings.Contains(said, test.want) || test.want == "" && said != "[] <nil>" {
				t.Errorf("it says %s, want %q", said, test.want)
			}
		})
	}
}

func TestLimit(t *testing.T) {
	f := netlinktest.New(little, little, netlink.Route)
	for i := range uint32(maxInterfaces + 5) {
		f.Record(f.Message(newLink, info(f, i+1), f.Text(3, fmt.Sprint("v", i))))
	}
	got, problems, err := Parse(bytes.NewReader(f.Done().Bytes), "f")
	if err != nil || len(got) != maxInterfaces || len(problems) != 1 || !strings.Contains(problems[0].Text, "more than 10000 interfaces") {
		t.Errorf("%d interfaces, %v, %v", len(got), problems, err)
	}
}

func FuzzNetlinkRoute(f *testing.F) {
	g := netlinktest.New(little, little, netlink.Route)
	f.Add(g.Record(port(g)).Done().Bytes)
	g = netlinktest.New(big, little, netlink.Route)
	f.Add(g.Record(port(g), port(g)).Refuse(13, nil).Bytes)
	f.Fuzz(func(t *testing.T, file []byte) {
		got, _, _ := Parse(bytes.NewReader(file), "f")
		seen := map[int]bool{}
		for _, i := range got {
			if i.Name == "" || i.At.Frame == 0 || !strings.HasPrefix(i.At.Text, i.Name) || seen[i.Index] || i.MTU.Known() && i.MTU.At != i.At {
				t.Errorf("%+v", i)
			}
			seen[i.Index] = true
		}
	})
}

// Doubled input: records full of the smallest attributes, all nested ones.
func BenchmarkHostile(b *testing.B) {
	for _, mib := range []int{1, 2, 4} {
		f := netlinktest.New(little, little, netlink.Route)
		nest := f.Attr(18|0x8000, bytes.Repeat(f.Attr(1), 16_000))
		for len(f.Bytes) < mib<<20 {
			f.Record(f.Message(newLink, info(f, 2), f.Text(3, "eth0"), nest, nest, nest))
		}
		b.Run(fmt.Sprint(mib, " MiB"), func(b *testing.B) {
			b.SetBytes(int64(len(f.Bytes)))
			for b.Loop() {
				Parse(bytes.NewReader(f.Bytes), "f")
			}
		})
	}
}
