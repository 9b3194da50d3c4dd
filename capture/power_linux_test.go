package capture

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// putFunction makes a PCI function in a power state.
func (t *target) putFunction(tb testing.TB, address, class, power string) {
	dir := "sys/bus/pci/devices/" + address + "/"
	for name, text := range map[string]string{"class": class, "power_state": power, "power/runtime_status": "active",
		"current_link_speed": "8.0 GT/s PCIe", "config": strings.Repeat("\xff", 64)} {
		t.put(tb, dir+name, text+"\n")
	}
}

// twoAsleep is a machine with a graphics card of two functions of which one
// sleeps, a drive that sleeps, and a network card that does not.
func twoAsleep(t *testing.T) *target {
	target := fakeTarget(t)
	target.noWake = true
	target.putFunction(t, "0000:01:00.0", "0x030000", "D3hot")
	target.putFunction(t, "0000:01:00.1", "0x040300", "D0")
	target.putFunction(t, "0000:02:00.0", "0x010802", "D0")
	target.put(t, "sys/bus/pci/devices/0000:02:00.0/power/runtime_status", "suspended\n")
	target.putFunction(t, "0000:03:00.0", "0x020000", "D0")
	target.putFunction(t, "0000:03:00.1", "0x020000", "unknown")
	return target
}

const leftTwo = "left asleep by --no-wake: 0000:01:00.0, 0000:02:00.0"

func TestTreeLeavesWhatSleeps(t *testing.T) {
	target := twoAsleep(t)
	rec, members := target.askAlone(t, row(t, "pci"))
	if rec.State != Present || rec.Why != leftTwo {
		t.Errorf("state %s, why %q", rec.State, rec.Why)
	}
	var read []string
	for name := range members {
		if base := filepath.Base(name); base == "config" || base == "current_link_speed" {
			read = append(read, strings.TrimPrefix(name, linkFolder+"/"))
		}
	}
	slices.Sort(read)
	want := []string{"0000:01:00.1/config", "0000:01:00.1/current_link_speed", "0000:03:00.0/config",
		"0000:03:00.0/current_link_speed", "0000:03:00.1/config", "0000:03:00.1/current_link_speed"}
	if diff := cmp.Diff(want, read); diff != "" {
		t.Errorf("read of the device (-want +got):\n%s", diff)
	}
	if members[linkFolder+"/0000:01:00.0/class"] == "" || members[linkFolder+"/0000:01:00.0/power_state"] != "D3hot\n" {
		t.Error("what the kernel has in memory is missing")
	}

	target.noWake = false
	if rec, members := target.askAlone(t, row(t, "pci")); rec.Why != "" || members[linkFolder+"/0000:01:00.0/config"] == "" {
		t.Errorf("without --no-wake: why %q, members %v", rec.Why, slices.Sorted(maps.Keys(members)))
	}
}

// A program that would read all functions is run for those that are awake.
func TestCommandLeavesWhatSleeps(t *testing.T) {
	target := twoAsleep(t)
	rec, members := target.askAlone(t, Source{Name: "x", Kind: Command, run: "fake slots", slot: "-s"})
	if rec.State != Present || rec.Why != leftTwo {
		t.Errorf("state %s, why %q", rec.State, rec.Why)
	}
	if got, want := members["cmd/x.txt"], "-s 0000:01:00.1\n-s 0000:03:\n"; got != want {
		t.Errorf("ran for %q, want %q", got, want)
	}
	for _, address := range []string{"0000:01:00.1", "0000:03:00.0", "0000:03:00.1"} {
		target.putFunction(t, address, "0x020000", "D3cold")
	}
	if rec, members := target.askAlone(t, Source{Name: "x", Kind: Command, run: "fake slots", slot: "-s"}); rec.State != NotAsked || len(members) != 0 {
		t.Errorf("where everything sleeps: state %s, why %q, members %q", rec.State, rec.Why, members)
	}
	target.noWake = false
	if rec, members := target.askAlone(t, Source{Name: "x", Kind: Command, run: "fake slots", slot: "-s"}); rec.State != Present || members["cmd/x.txt"] != "\n" {
		t.Errorf("without --no-wake: state %s, members %q", rec.State, members)
	}
}

// A source that cannot leave a device out is not asked while one of its kind
// sleeps.
func TestSourcesThatCouldWake(t *testing.T) {
	target := twoAsleep(t)
	for class, want := range map[string]State{anyClass: NotAsked, "0x0108": NotAsked, "0x03": NotAsked, "0x02": Present, "0x0b40": Present} {
		rec, _ := target.askAlone(t, Source{Name: "x", Kind: Command, run: "fake answer", wakes: class})
		if rec.State != want || want == NotAsked && !strings.Contains(rec.Why, "left asleep by --no-wake: 0000:0") {
			t.Errorf("class %s: state %s, why %q, want %s", class, rec.State, rec.Why, want)
		}
	}
}

func TestNetworkCardAsleep(t *testing.T) {
	target := twoAsleep(t)
	target.putFunction(t, "0000:03:00.1", "0x020000", "D3hot")
	for interfaceName, address := range map[string]string{"eth0": "0000:03:00.0", "eth1": "0000:03:00.1"} {
		target.put(t, "sys/class/net/"+interfaceName+"/mtu", "1500\n")
		target.put(t, "sys/class/net/"+interfaceName+"/speed", "1000\n")
		target.link(t, "sys/class/net/"+interfaceName+"/device", "../../../bus/pci/devices/"+address)
	}
	rec, members := target.askAlone(t, row(t, "net"))
	if rec.Why != "left asleep by --no-wake: eth1" || members["sys/class/net/eth0/speed"] == "" || members["sys/class/net/eth1/speed"] != "" {
		t.Errorf("why %q, members %v", rec.Why, members)
	}
}

func TestSlots(t *testing.T) {
	all := []string{"0000:00:00.0", "0000:00:1f.3", "0000:01:00.0", "10000:e1:00.0", "10000:e1:00.1"}
	for situation, tt := range map[string]struct{ leave, want []string }{
		"none sleeps":      {nil, []string{"0000:00:", "0000:01:", "10000:e1:"}},
		"one of a bus":     {[]string{"0000:00:1f.3"}, []string{"0000:00:00.0", "0000:01:", "10000:e1:"}},
		"all of a bus":     {[]string{"10000:e1:00.0", "10000:e1:00.1"}, []string{"0000:00:", "0000:01:"}},
		"everything":       {all, nil},
		"one that is gone": {[]string{"0000:07:00.0"}, []string{"0000:00:", "0000:01:", "10000:e1:"}},
	} {
		if diff := cmp.Diff(tt.want, slots(all, tt.leave)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", situation, diff)
		}
	}
}

// Every row that asks a device says how --no-wake spares those that sleep.
func TestRowsThatAskDevices(t *testing.T) {
	for _, s := range Sources() {
		spares := s.wakes != "" || s.slot != "" || s.watch != nil || slices.ContainsFunc(s.picks, func(p pick) bool { return p.asks != "" })
		if spares != (s.Asks != "") {
			t.Errorf("%s asks %q, and spares what sleeps: %v", s.Name, s.Asks, spares)
		}
	}
}

// Readers take 100,000 members; all trees at their limits are fewer.
func TestLimitsOfFiles(t *testing.T) {
	sum := 0
	for _, s := range Sources() {
		if s.Kind == Tree {
			sum += s.most
		}
	}
	if sum > 99_000 {
		t.Errorf("%d members of trees, too many with those of commands and files", sum)
	}
	target := fakeTarget(t)
	for _, name := range []string{"a", "b", "c"} {
		target.put(t, "sys/x/"+name, "1\n")
	}
	rec, members := target.askAlone(t, Source{Name: "x", Kind: Tree, Path: "sys/x", most: 2, picks: []pick{{dir: "sys/x", files: "*"}}})
	if rec.State != Truncated || rec.Why != "limit of files of 2" || len(members) != 2 {
		t.Errorf("state %s, why %q, %d members", rec.State, rec.Why, len(members))
	}
}
