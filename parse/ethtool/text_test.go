package ethtool

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hwcap/parse/fact"
)

var noPlaces = cmpopts.IgnoreTypes(fact.Line{})

const upText = `Settings for eth0:
	Supported ports: [ TP ]
	Supported link modes:   100baseT/Full
	                        1000baseT/Full
	                        2500baseT/Full
	Supported pause frame use: Symmetric
	Supports auto-negotiation: Yes
	Supported FEC modes: Not reported
	Advertised link modes:  100baseT/Full 1000baseT/Full
	Advertised pause frame use: Symmetric
	Advertised auto-negotiation: Yes
	Advertised FEC modes: Not reported
	Link partner advertised link modes:  100baseT/Full
	                                     1000baseT/Full
	Link partner advertised pause frame use: No
	Link partner advertised auto-negotiation: Yes
	Link partner advertised FEC modes: Not reported
	Speed: 1000Mb/s
	Lanes: 1
	Duplex: Full
	Auto-negotiation: on
	Port: Twisted Pair
	PHYAD: 1
	Transceiver: internal
	MDI-X: off (auto)
	Supports Wake-on: pumbg
	Wake-on: g
        Current message level: 0x00000007 (7)
                               drv probe link
	Link detected: yes
	SQI: 6/7
	Link Down Events: 3
`

const downText = `Settings for eth1:
	Supported ports: [ FIBRE ]
	Supported link modes:   10000baseT/Full
	Link partner advertised link modes:  Not reported
	Speed: Unknown!
	Duplex: Unknown! (255)
	Port: Direct Attach Copper
	Auto-negotiation: off
	Link detected: no (Autoneg, No partner detected)
`

// The text and the dump of one port are the same facts.
func TestTextAndNetlinkAgree(t *testing.T) {
	text, problems, unread, err := ParseText(strings.NewReader(upText), "cmd/ethtool.txt")
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	dump, _, err := ParseNetlink(bytes.NewReader(whole(little, little).Bytes), "netlink/ethtool.pcap")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(dump, text, noPlaces); diff != "" {
		t.Errorf("(-netlink +text):\n%s", diff)
	}
	if want := (fact.Unread{File: "cmd/ethtool.txt", Of: 32, Ignored: 13}); unread != want {
		t.Errorf("unread %+v, want %+v", unread, want)
	}
	at := func(line int, text string) fact.Line {
		return fact.Line{File: "cmd/ethtool.txt", Line: line, Text: text}
	}
	places := []fact.Line{text[0].At, text[0].Ethtool.Supported.At, text[0].Ethtool.Partner.At, text[0].Speed.At}
	want := []fact.Line{at(1, "Settings for eth0:"), at(3, "\tSupported link modes:   100baseT/Full"),
		at(13, "\tLink partner advertised link modes:  100baseT/Full"), at(18, "\tSpeed: 1000Mb/s")}
	if diff := cmp.Diff(want, places); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
}

func TestText(t *testing.T) {
	absent := fact.Missing[[]fact.LinkMode](fact.Absent, fact.Line{})
	noWord := fact.Missing[string](fact.Absent, fact.Line{})
	of := func(v bool) fact.Val[bool] { return fact.Of(v, fact.Line{}) }
	down := fact.Interface{Name: "eth1", Speed: fact.Missing[int](fact.Absent, fact.Line{}), Duplex: noWord, Ethtool: &fact.Ethtool{
		Supported: fact.Of(list(fact.LinkMode{Name: "10000baseT/Full", Speed: 10000}), fact.Line{}), Partner: absent,
		Port: fact.Of("Direct Attach Copper", fact.Line{}), Autoneg: of(false), Link: of(false), LinkReason: fact.Of("Autoneg, No partner detected", fact.Line{})}}
	link := func(name string, v fact.Val[bool]) fact.Interface {
		return fact.Interface{Name: name, Ethtool: &fact.Ethtool{Link: v}}
	}
	denied := fact.Missing[bool](fact.Denied, fact.Line{})
	tests := map[string]struct {
		text   string
		want   []fact.Interface
		unread int
	}{
		"no link":             {downText, []fact.Interface{down}, 0},
		"carriage returns":    {strings.ReplaceAll(downText, "\n", "\r\n"), []fact.Interface{down}, 0},
		"tabs made of blanks": {strings.ReplaceAll(downText, "\t", "    "), []fact.Interface{down}, 0},
		"half duplex, and a driver that knows little": {
			"Settings for eth2:\n\tSupported link modes:   10baseT/Half 10baseT/Full \n\tSpeed: 10Mb/s\n\tDuplex: Half\n\tTransceiver: external\n\tLink detected: yes\n",
			[]fact.Interface{{Name: "eth2", Speed: fact.Of(10, fact.Line{}), Duplex: fact.Of("half", fact.Line{}), Ethtool: &fact.Ethtool{
				Supported:   fact.Of(list(fact.LinkMode{Name: "10baseT/Half", Speed: 10}, fact.LinkMode{Name: "10baseT/Full", Speed: 10}), fact.Line{}),
				Transceiver: fact.Of("external", fact.Line{}), Link: of(true)}}}, 0},
		"the unknown speed of 2.6": {"Settings for eth0:\n\tSpeed: Unknown! (65535)\n\tPort: Unknown! (255)\n",
			[]fact.Interface{{Name: "eth0", Speed: fact.Missing[int](fact.Absent, fact.Line{}), Ethtool: &fact.Ethtool{Port: noWord}}}, 0},
		"several, one of which has nothing": {"Settings for lo:\n\tLink detected: yes\nSettings for ifb0:\nNo data available\n" + downText,
			[]fact.Interface{link("lo", of(true)), {Name: "ifb0", Ethtool: &fact.Ethtool{}}, down}, 0},
		"the same twice: the later one": {"Settings for a:\n\tLink detected: yes\n\tSpeed: 10Mb/s\nSettings for a:\n\tLink detected: no\n", []fact.Interface{link("a", of(false))}, 0},
		"denied, standard error first": {"Cannot get wake-on-lan settings: Operation not permitted\nCannot get link status: Operation not permitted\nSettings for a:\n\tWake-on: d\n",
			[]fact.Interface{link("a", denied)}, 0},
		"denied, standard error in between": {"Settings for a:\n\tWake-on: d\nCannot get link status: Operation not permitted\n", []fact.Interface{link("a", denied)}, 0},
		"denied for the next one": {"Settings for a:\n\tLink detected: yes\nCannot get link status: Operation not permitted\nSettings for b:\n\tWake-on: d\n",
			[]fact.Interface{link("a", of(true)), link("b", denied)}, 0},
		"not an interface of ours": {"Settings for eth0:\nCannot get device settings: No such device\nNo data available\n",
			[]fact.Interface{{Name: "eth0", Ethtool: &fact.Ethtool{Autoneg: fact.Missing[bool](fact.Absent, fact.Line{}), Supported: absent, Advertised: absent, Partner: absent}}}, 0},
		"a name that nobody has": {"netlink error: no device matches name (offset 24)\nnetlink error: No such device\nNo data available\nCannot get driver information: No such device\n", nil, 0},
		"ethtool -i": {"driver: ixgbe\nversion: 6.1.0\nfirmware-version: 0x800005\nexpansion-rom-version: \nbus-info: 0000:81:00.0\nsupports-test: yes\n",
			[]fact.Interface{{Driver: "ixgbe", Device: "0000:81:00.0", Ethtool: &fact.Ethtool{Firmware: fact.Of("0x800005", fact.Line{})}}}, 0},
		"ethtool -i of a card without versions": {"driver: virtio_net\nfirmware-version:\nbus-info: 0000:00:03.0\n",
			[]fact.Interface{{Driver: "virtio_net", Device: "0000:00:03.0", Ethtool: &fact.Ethtool{Firmware: noWord}}}, 0},
		"ethtool -i of what is on no PCI bus": {"driver: r8152\nbus-info: usb-0000:00:14.0-1\n", nil, 0},
		"a label without its colon":           {"Settings for eth1:\n    Supported link modes 10baseT/Half\n        100baseT/Full\n", []fact.Interface{{Name: "eth1", Ethtool: &fact.Ethtool{}}}, 2},
		"another command's output":            {"NIC statistics:\n     rx_packets: 5\nSpeed: 10Mb/s\n", nil, 3},
		"a name that is none":                 {"Settings for sixteen-letters-:\n\tSpeed: 10Mb/s\n", nil, 2},
		"numbers that are none":               {"Settings for a:\n\tLanes: many\n\tSQI: x/y\n\tLink Down Events: ?\n\tLink detected: maybe\n", []fact.Interface{{Name: "a", Ethtool: &fact.Ethtool{}}}, 0},
		"nothing":                             {"", nil, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, _, unread, err := ParseText(strings.NewReader(test.text), "f")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got, noPlaces); diff != "" {
				t.Errorf("interfaces (-want +got):\n%s", diff)
			}
			if unread.Lines != test.unread {
				t.Errorf("unread %+v, want %d", unread, test.unread)
			}
		})
	}
}

func TestTextLimit(t *testing.T) {
	var b strings.Builder
	for i := range maxInterfaces + 3 {
		fmt.Fprintf(&b, "Settings for v%d:\n\tSpeed: 10Mb/s\n", i)
	}
	b.WriteString("Settings for v1:\n" + strings.Repeat("x", 10*maxLine) + "\n")
	got, problems, unread, err := ParseText(strings.NewReader(b.String()), "f")
	if err != nil || len(got) != maxInterfaces || len(problems) != 1 || unread.Lines != 2*3+1 {
		t.Errorf("%d interfaces, %v, %+v, %v", len(got), problems, unread, err)
	}
}

func TestLooks(t *testing.T) {
	for line, want := range map[string]bool{
		"Settings for eth0:": true, "\tLink detected: yes": true, "    Supported link modes:   10baseT/Half": true, "driver: e1000e": true, "bus-info: ": true,
		"Settings for the whole house:": false, "driver       : qat_aes": false, "\tSpeed: 1000Mb/s": false, "Link detected yes": false, "": false, "Settings for :": false,
	} {
		if got := Looks([]byte(line)); got != want {
			t.Errorf("Looks(%q) = %v, want %v", line, got, want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add([]byte(upText + downText))
	f.Add([]byte("Cannot get link status: Operation not permitted\nSettings for a:\ndriver: x\nbus-info: 0000:00:03.0\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, _, unread, _ := ParseText(bytes.NewReader(b), "f")
		if unread.Lines+unread.Ignored > unread.Of {
			t.Errorf("unread %+v", unread)
		}
		names := map[string]bool{}
		for _, i := range got {
			if i.Ethtool == nil || i.At.Line == 0 || i.Name == "" && i.Device == "" || i.Name != "" && names[i.Name] {
				t.Errorf("%+v", i)
			}
			names[i.Name] = true
		}
	})
}

func BenchmarkText(b *testing.B) {
	for _, n := range []int{1, 2, 4} {
		// Lists without an end, which each line goes on with.
		text := strings.Repeat(upText, 200*n) + "Settings for b:\n\tSupported link modes:" + strings.Repeat(" 10baseT/Half\n", 20_000*n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				ParseText(strings.NewReader(text), "f")
			}
		})
	}
}

// TestCorpus reads what real machines printed.
func TestCorpus(t *testing.T) {
	corpus := os.Getenv("HWCAP_CORPUS")
	if corpus == "" {
		t.Skip("no corpus: HWCAP_CORPUS is not set")
	}
	for name, want := range map[string]struct {
		name  string
		speed fact.Val[int]
		modes int
	}{
		"insights-ethtool/ETHTOOL_INFO.txt":        {"eth1", fact.Of(1000, fact.Line{}), 5},
		"hotsos-k8s-vm/ethtool_ens3":               {"ens3", fact.Missing[int](fact.Absent, fact.Line{}), 0},
		"insights-ethtool/ETHTOOL_INFO_TEST.txt":   {"eth1", fact.Val[int]{}, 0},
		"hotsos-k8s-vm/ethtool_-i_ens3":            {"", fact.Val[int]{}, 0},
		"insights-ethtool/TEST_ETHTOOL_I_GOOD.txt": {"", fact.Val[int]{}, 0},
	} {
		b, err := os.ReadFile(filepath.Join(corpus, name))
		if err != nil {
			t.Fatal(err)
		}
		got, problems, unread, err := ParseText(bytes.NewReader(b), name)
		if err != nil || len(problems) > 0 || len(got) != 1 {
			t.Errorf("%s: %+v %v %v", name, got, problems, err)
			continue
		}
		t.Logf("%-45s %2d lines, unread %d", name, unread.Of, unread.Lines)
		if i := got[0]; i.Name != want.name || len(i.Ethtool.Supported.V) != want.modes || unread.Lines > 0 {
			t.Errorf("%s: %+v, unread %+v", name, i, unread)
		}
		if diff := cmp.Diff(want.speed, got[0].Speed, noPlaces); diff != "" {
			t.Errorf("%s: speed (-want +got):\n%s", name, diff)
		}
	}
}
