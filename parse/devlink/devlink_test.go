package devlink

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

const familyNumber = 21

func begin(pcap, machine netlinktest.Order) *netlinktest.File {
	return netlinktest.New(pcap, machine, netlink.Generic).Family("devlink", familyNumber)
}

// reply makes an answer about the card in 81:00.0.
func reply(f *netlinktest.File, command uint8, attributes ...[]byte) []byte {
	return f.Generic(familyNumber, command, append([][]byte{f.Text(attrBus, "pci"), f.Text(attrDevice, "0000:81:00.0")}, attributes...)...)
}

func part(f *netlinktest.File, kind uint16, name, value string) []byte {
	return f.Attr(kind|0x8000, f.Text(attrVersionName, name), f.Text(attrVersionValue, value))
}

func health(f *netlinktest.File, name string, state byte, failures, recoveries uint64) []byte {
	return f.Attr(attrReporter|0x8000, f.Text(attrName, name), f.Attr(attrState, []byte{state}), f.Attr(attrErrors, f.U64(failures)), f.Attr(attrRecoveries, f.U64(recoveries)))
}

func whole(pcap, machine netlinktest.Order) *netlinktest.File {
	f := begin(pcap, machine)
	f.Record(f.Generic(familyNumber, commandNew, f.Text(attrBus, "auxiliary"), f.Text(attrDevice, "mlx5_core.sf.2")))
	f.Record(reply(f, commandNew, f.Attr(attrReloadFailed, []byte{0}))).Done()
	f.Record(reply(f, commandInfo, f.Text(attrDriver, "ice"), f.Text(99, "00-11-22-33"), part(f, attrFixed, "board.id", "K1-2"),
		part(f, attrRunning, "fw.mgmt", "7.3.4"), part(f, attrStored, "fw.mgmt", "7.5.0"))).Done()
	f.Record(reply(f, commandReporter, health(f, "fw", 0, 0, 0)))
	return f.Record(reply(f, commandReporter, f.Attr(attrPort, f.U32(1)), health(f, "tx", 1, 5, 4))).Done()
}

func TestParse(t *testing.T) {
	for name, orders := range map[string][2]netlinktest.Order{"little endian": {little, little}, "big endian": {big, big}, "machine and file differ": {little, big}} {
		t.Run(name, func(t *testing.T) {
			got, problems, err := Parse(bytes.NewReader(whole(orders[0], orders[1]).Bytes), "netlink/devlink.pcap")
			if err != nil || len(problems) > 0 {
				t.Fatal(problems, err)
			}
			at := func(frame int, text string) fact.Line {
				return fact.Line{File: "netlink/devlink.pcap", Frame: frame, Text: text}
			}
			first := at(3, "pci/0000:81:00.0 reload_failed=false")
			info := at(5, "pci/0000:81:00.0 driver=ice fixed:board.id=K1-2 running:fw.mgmt=7.3.4 stored:fw.mgmt=7.5.0")
			port := 1
			want := []fact.Devlink{
				{Handle: "auxiliary/mlx5_core.sf.2", At: at(2, "auxiliary/mlx5_core.sf.2")},
				{Handle: "pci/0000:81:00.0", Device: "0000:81:00.0", Driver: fact.Of("ice", info), Failed: fact.Of(false, first),
					Versions: []fact.DevlinkVersion{{Kind: "fixed", Name: "board.id", Value: "K1-2", At: info}, {Kind: "running", Name: "fw.mgmt", Value: "7.3.4", At: info}, {Kind: "stored", Name: "fw.mgmt", Value: "7.5.0", At: info}},
					Reporters: []fact.HealthReporter{
						{Name: "fw", State: "healthy", At: at(7, "pci/0000:81:00.0 reporter=fw state=healthy error=0 recover=0")},
						{Name: "tx", Port: &port, State: "error", Errors: 5, Recoveries: 4, At: at(8, "pci/0000:81:00.0/1 reporter=tx state=error error=5 recover=4")},
					}, At: first},
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("devices (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseBroken(t *testing.T) {
	file := func(parts ...func(f *netlinktest.File) []byte) []byte {
		f := begin(little, little)
		for _, p := range parts {
			f.Record(p(f))
		}
		return f.Done().Bytes
	}
	for name, test := range map[string]struct {
		file    []byte
		devices int
		want    string
	}{
		"no family":               {netlinktest.New(little, little, netlink.Generic).Record(reply(begin(little, little), commandNew)).Done().Bytes, 0, ""},
		"no permission":           {begin(little, little).Refuse(1, nil).Bytes, 0, ""}, // the list of sources tells
		"a command nobody asked":  {file(func(f *netlinktest.File) []byte { return reply(f, 77) }), 0, ""},
		"a device without a name": {file(func(f *netlinktest.File) []byte { return f.Generic(familyNumber, commandNew) }), 0, "a device without a name"},
		"no command":              {file(func(f *netlinktest.File) []byte { return f.Message(familyNumber) }), 0, "too short for a command"},
		"a reporter without a state": {file(func(f *netlinktest.File) []byte { return reply(f, commandReporter, health(f, "fw", 7, 0, 0)) }), 1,
			"a health reporter without a name or state"},
		"a name that is too long": {file(func(f *netlinktest.File) []byte {
			return reply(f, commandReporter, health(f, strings.Repeat("x", maxText+1), 0, 0, 0))
		}), 1, "a health reporter without a name"},
		"empty nests": {file(func(f *netlinktest.File) []byte {
			return reply(f, commandInfo, f.Attr(attrRunning), f.Attr(attrFixed), f.Attr(attrReloadFailed), f.Attr(attrPort))
		}), 1, ""},
		"cut off": {whole(little, little).Bytes[:200], 1, "unexpected EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			got, problems, err := Parse(bytes.NewReader(test.file), "f")
			if len(got) != test.devices {
				t.Errorf("%+v", got)
			}
			for _, d := range got {
				if len(d.Reporters)+len(d.Versions) > 0 || d.Failed.Known() {
					t.Errorf("read what is not there: %+v", d)
				}
			}
			said := fmt.Sprint(problems, err)
			if !strings.Contains(said, test.want) || test.want == "" && said != "[] <nil>" {
				t.Errorf("it says %s, want %q", said, test.want)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	f := begin(little, little)
	for range maxParts + 3 {
		f.Record(reply(f, commandReporter, health(f, "fw", 0, 1<<63, 0)))
	}
	for i := range maxDevices + 3 {
		f.Record(f.Generic(familyNumber, commandNew, f.Text(attrBus, "x"), f.Text(attrDevice, fmt.Sprint(i))))
	}
	f.Record(reply(f, commandInfo, bytes.Repeat(part(f, attrRunning, "a", "b"), maxParts+3)))
	got, problems, err := Parse(bytes.NewReader(f.Done().Bytes), "f")
	if err != nil || len(got) != maxDevices || len(problems) != 4 {
		t.Errorf("%d devices, %v, %v", len(got), problems, err)
	}
	if d := got[0]; len(d.Reporters) != maxParts || len(d.Versions) != maxParts || d.Reporters[0].Errors < 0 {
		t.Errorf("%d reporters, %d versions", len(d.Reporters), len(d.Versions))
	}
}

func FuzzNetlinkDevlink(f *testing.F) {
	f.Add(whole(little, little).Bytes)
	f.Add(whole(big, little).Bytes)
	f.Fuzz(func(t *testing.T, file []byte) {
		got, _, _ := Parse(bytes.NewReader(file), "f")
		for i, d := range got {
			if !strings.HasPrefix(d.At.Text, d.Handle) || i > 0 && got[i-1].Handle >= d.Handle {
				t.Errorf("%+v", d)
			}
			for _, r := range d.Reporters {
				if r.Name == "" || r.State == "" || r.Errors < 0 || r.At.Frame == 0 {
					t.Errorf("%+v", r)
				}
			}
		}
	})
}

// Doubled input: messages full of the smallest versions.
func BenchmarkHostile(b *testing.B) {
	for _, mib := range []int{1, 2, 4} {
		f := begin(little, little)
		many := bytes.Repeat(f.Attr(attrRunning|0x8000, f.Text(attrVersionName, "a")), 10_000)
		for len(f.Bytes) < mib<<20 {
			f.Record(reply(f, commandInfo, many))
		}
		b.Run(fmt.Sprint(mib, " MiB"), func(b *testing.B) {
			b.SetBytes(int64(len(f.Bytes)))
			for b.Loop() {
				Parse(bytes.NewReader(f.Bytes), "f")
			}
		})
	}
}
