package klog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hwcap/parse/fact"
)

// kinds lists the notes as "kind device fields @boot".
func kinds(notes []fact.Note) []string {
	var out []string
	for _, n := range notes {
		s := strings.Join(strings.Fields(n.Kind+" "+n.Device+" "+fields(n.Fields)), " ")
		if n.Count > 0 {
			s += fmt.Sprintf(" x%d", n.Count)
		}
		if n.Boot != 0 {
			s += fmt.Sprintf(" @%d", n.Boot)
		}
		out = append(out, s)
	}
	return out
}

func TestSituations(t *testing.T) {
	tests := map[string]struct {
		text   string
		want   []string
		starts bool
	}{
		"a root bridge gets the name of the ACPI device that follows": {
			text: "[    0.1] x\n[    0.100000] ACPI: PCI Root Bridge [PC07] (domain 0000 [bus c2-c9])\n" +
				"[    0.100001] acpi PNP0A08:07: _OSC: OS supports [ASPM MSI]\n" +
				"[    0.200000] ACPI: PCI Root Bridge [UNC1] (domain 0000 [bus ff])\n" +
				"[    0.300000] ACPI: PCI Root Bridge [PC08] (domain 0000 [bus d0-d7])\n" +
				"[    0.300001] acpi PNP0A08:08: FADT indicates ASPM is unsupported, using BIOS configuration\n",
			want: []string{
				"root-bridge PNP0A08:07 bus-first=c2 bus-last=c9 domain=0000 name=PC07", "osc PNP0A08:07 list=ASPM MSI what=supports",
				"root-bridge bus-first=ff bus-last=ff domain=0000 name=UNC1",
				"root-bridge PNP0A08:08 bus-first=d0 bus-last=d7 domain=0000 name=PC08", "fadt-aspm PNP0A08:08 what=bios",
			},
		},
		"of a BAR the last state counts": {
			text: "[    1.000000] pci 0000:01:00.0: BAR 1 [mem size 0x400000000 64bit pref]: can't assign; no space\n" +
				"[    1.000001] pci 0000:01:00.0: BAR 1 [mem size 0x400000000 64bit pref]: failed to assign\n" +
				"[    1.000002] pci 0000:01:00.0: BAR 3 [mem size 0x100]: can't assign; no space\n" +
				"[    1.000003] pci 0000:00:01.0: bridge window [io  size 0x1000]: can't assign; no space\n" +
				"[    1.000004] pci 0000:00:01.0: bridge window [mem 0x1000-0x1fff]: assigned\n" +
				"[    2.000000] pci 0000:01:00.0: BAR 3 [mem 0x1000-0x10ff]: assigned\n",
			want: []string{
				"bar-failed 0000:01:00.0 bar=BAR 1 failures=2 resource=[mem size 0x400000000 64bit pref] space=pref what=no-space",
				"bar-failed 0000:00:01.0 bar=bridge window resource=[io size 0x1000] space=io what=no-space",
				"bar-assigned 0000:00:01.0 bar=bridge window resource=[mem 0x1000-0x1fff] space=mem",
				"bar-assigned 0000:01:00.0 bar=BAR 3 failures=1 resource=[mem 0x1000-0x10ff] space=mem",
			},
		},
		"two boots in one text": {
			text: "[    0.000000] Linux version 6.1\n[    5.000000] DMAR: IOMMU enabled\n[    0.000000] Linux version 6.2\n[    0.500000] x2apic enabled\n",
			want: []string{"linux-version release=6.1 @-1", "iommu-param state=enabled @-1", "linux-version release=6.2", "x2apic state=enabled"}, starts: true,
		},
		"two boots in a journal that cut the second": {
			text: "-- Journal begins at Mon 2026-11-30 --\n[    0.000000] host kernel: Linux version 6.1\n-- Boot 0123 --\n[    9.000000] host kernel: DMAR: IOMMU enabled\n",
			want: []string{"linux-version release=6.1 @-1", "iommu-param state=enabled"},
		},
		"a console log before the first message": {
			text: "Booting the kernel.\n\n[    0.000000][    T0] Linux version 6.0\n", want: []string{"linux-version release=6.0"}, starts: true,
		},
		"the reason of a containment event on its own line": {
			text: "[    1.000000] pcieport 0000:a9:10.0: DPC: containment event, status:0x2009 \nsource:0x0000\n[    1.000001] pcieport 0000:a9:10.0: DPC: unmasked uncorrectable error detected\n",
			want: []string{"dpc-event 0000:a9:10.0 reason=unmasked uncorrectable error source=0x0000 status=0x2009"},
		},
		"two pastes in one text": {
			text: "[  100.000000] DMAR: IOMMU enabled\n[   50.000000] x\n[   50.100000] x2apic enabled\n",
			want: []string{"iommu-param state=enabled @-1", "x2apic state=enabled"},
		},
		"one line from a processor whose clock is behind": {
			text: "[  100.000000] DMAR: IOMMU enabled\n[   50.000000] x\n[  100.100000] x2apic enabled\n",
			want: []string{"iommu-param state=enabled", "x2apic state=enabled"},
		},
		"hibernation sets the clock back": {
			text: "[    0.000000] Linux version 6.1\n[  100.000000] DMAR: IOMMU enabled\n[   90.000000] x\n[   90.100000] x2apic enabled\n",
			want: []string{"linux-version release=6.1", "iommu-param state=enabled", "x2apic state=enabled"}, starts: true,
		},
		"what a hung task was doing": {
			text: "[    1.000000] INFO: task kworker/u16:0:8 blocked for more than 120 seconds.\n[    1.000001]       Tainted: P\n[    1.000002] Workqueue: kcryptd/253:0 kcryptd_crypt [dm_crypt]\n",
			want: []string{"hung-task seconds=120 tainted=P task=kworker/u16:0:8 workqueue=kcryptd/253:0 kcryptd_crypt [dm_crypt]"},
		},
		"kmsg names the device beside the text": {
			text: "4,100,1000000,-;not enough MMIO resources for SR-IOV\n SUBSYSTEM=pci\n DEVICE=+pci:0000:c5:00.0\n6,101,1000001,-;Kernel command line: a\\x5cb\n",
			want: []string{"sriov-failed 0000:c5:00.0 reason=mmio", `command-line text=a\b`},
		},
		"lines of other programs": {
			text: "Nov 30 12:14:56 host kernel: DMAR: IOMMU enabled\nNov 30 12:14:56 host sshd[1]: DMAR: IOMMU disabled\nNov 30 12:14:57 host kernel: x2apic enabled\n",
			want: []string{"iommu-param state=enabled", "x2apic state=enabled"},
		},
		"two boots in a syslog without seconds, the first cut": {
			text: strings.Repeat("Nov 30 12:14:56 host kernel: x\n", 30) + "Nov 30 12:14:56 host kernel: DMAR: IOMMU enabled\n" +
				"Nov 30 12:20:00 host kernel: Linux version 6.2\nNov 30 12:20:00 host kernel: x2apic enabled\n",
			want: []string{"iommu-param state=enabled @-1", "linux-version release=6.2", "x2apic state=enabled"}, starts: true,
		},
		"what an Arm processor says before its version is of the same boot": {
			text: "Nov 30 12:14:56 host kernel: Booting Linux on physical CPU 0x0\nNov 30 12:14:56 host kernel: Linux version 6.2\n",
			want: []string{"linux-version release=6.2"}, starts: true,
		},
		"two boots in a journal without seconds": {
			text: "Nov 30 12:14:56 host kernel: DMAR: IOMMU enabled\n-- Boot 0123 --\nNov 30 12:20:00 host kernel: x2apic enabled\n",
			want: []string{"iommu-param state=enabled @-1", "x2apic state=enabled"},
		},
		"boots by their ids": {
			text: `{"_BOOT_ID":"aa","_TRANSPORT":"kernel","MESSAGE":"DMAR: IOMMU enabled"}` + "\n" +
				`{"_BOOT_ID":"bb","_TRANSPORT":"syslog","MESSAGE":"DMAR: IOMMU disabled"}` + "\n" +
				`{"_BOOT_ID":"bb","_TRANSPORT":"kernel","MESSAGE":"x2apic enabled"}` + "\n",
			want: []string{"iommu-param state=enabled @-1", "x2apic state=enabled"},
		},
		"an object that is cut off, and one without a message": {
			text: `{"MESSAGE":"DMAR: IOMMU enabled","_TRANSPORT":"ker` + "\n" + `{"MESSAGE":null,"_TRANSPORT":"kernel"}` + "\n" + `{"MESSAGE":"x2apic enabled"}` + "\n" + `{"MESSAGE":"x2apic dis`,
			want: []string{"iommu-param state=enabled", "x2apic state=enabled"},
		},
		"the escapes of JSON, and the device beside the text": {
			text: `{"MESSAGE":"not enough MMIO resources for SR-IOV","_KERNEL_DEVICE":"+pci:0000:c5:00.0"}` + "\n" + `{"MESSAGE":"Kernel command line: a=\"b\" \u00e4\ud83d\ude00\\ \/"}` + "\n",
			want: []string{"sriov-failed 0000:c5:00.0 reason=mmio", "command-line text=a=\"b\" ä😀\\ /"},
		},
		"a text of lines, then one of objects, then lines again": {
			text: "[    1.000000] DMAR: IOMMU enabled\n" + `{"MESSAGE":"x2apic enabled"}` + "\n[    2.000000] PCIe ASPM is disabled\n",
			want: []string{"iommu-param state=enabled", "x2apic state=enabled", "aspm-disabled"},
		},
		"a message that a syslog daemon folds": {
			text: "Nov 30 12:14:56 host kernel: irq 16: nobody cared\nNov 30 12:14:57 host last message repeated 3 times\n" +
				"Nov 30 12:14:58 host kernel: message repeated 2 times: [ [   12.345678] x2apic enabled]\n",
			want: []string{"irq-nobody-cared irq=16", "irq-nobody-cared irq=16 x3", "x2apic state=enabled x2"},
		},
		"the lines of a fault of an Arm unit": {
			text: "[    1.000000] arm-smmu-v3 arm-smmu-v3.5.auto: event 0x10 received:\n[    1.000001] arm-smmu-v3 arm-smmu-v3.5.auto: \t0x0002060000000010\n" +
				"[    1.000002] arm-smmu-v3 arm-smmu-v3.5.auto: event: F_TRANSLATION client: 0001:06:00.0 sid: 0x20600 ssid: 0x0 iova: 0xff9bc000 ipa: 0x0\n" +
				"[    1.000003] arm-smmu-v3 arm-smmu-v3.5.auto: unpriv data write s1 \"Input address caused fault\" stag: 0x0\n",
			want: []string{"iommu-fault 0001:06:00.0 access=write address=0xff9bc000 event=0x10 name=F_TRANSLATION reason=Input address caused fault sid=0x20600 unit=arm-smmu-v3.5.auto vendor=arm"},
		},
		"what taints the kernel that crashed": {
			text: "[    1.000000] BUG: kernel NULL pointer dereference, address: 0\n[    1.000001] CPU: 0 PID: 1 Comm: x Tainted: P        W  OE      6.12.1 #1\n",
			want: []string{"oops kind=bug tainted=PWOE text=NULL pointer dereference, address: 0"},
		},
		"the header of a crash that was kept": {
			text: "Oops#1 Part1\n<5>[    0.000000] Linux version 6.1\n",
			want: []string{"pstore count=1 part=1 what=oops", "linux-version release=6.1"}, starts: true,
		},
		"journald says that it lost messages": {
			text: "Nov 30 12:14:56 host systemd-journald[1]: Missed 12 kernel messages\n",
			want: []string{"lost-messages count=12"},
		},
		"a memory error by firmware": {
			text: "[    1.000000] {1}[Hardware Error]: Hardware error from APEI Generic Hardware Error Source: 1\n[    1.000001] {1}[Hardware Error]: event severity: corrected\n" +
				"[    1.000002] {1}[Hardware Error]:  Error 0, type: corrected\n[    1.000003] {1}[Hardware Error]:   section_type: memory error\n" +
				"[    1.000004] {1}[Hardware Error]:    error_status: Storage error in DRAM memory (0x0000000000000400)\n" +
				"[    1.000005] {1}[Hardware Error]:   physical_address: 0x000000001234f000\n[    1.000006] {1}[Hardware Error]:   node:0 card:1 module:0 rank:1 bank:3 device:0 row:4711 column:8 \n" +
				"[    1.000007] {1}[Hardware Error]:   error_type: 2, single-bit ECC\n[    1.000008] {1}[Hardware Error]:   DIMM location: NODE 1 DIMM_A1 \n",
			want: []string{"hardware-error address=0x000000001234f000 error=single-bit ECC from=ghes location=NODE 1 DIMM_A1 place=card:1 module:0 rank:1 bank:3 device:0 row:4711 column:8 section=memory error severity=corrected source=1 status=Storage error in DRAM memory"},
		},
		"nothing": {},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			res := parseText(t, test.text)
			if diff := cmp.Diff(test.want, kinds(res.Notes)); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
			if res.StartsAtBoot != test.starts {
				t.Errorf("starts at boot: %v, want %v", res.StartsAtBoot, test.starts)
			}
		})
	}
}

func TestResult(t *testing.T) {
	text := "6,42,1500000,-;x2apic enabled\n6,43,2500000,-;AER: something new\n\n6,44,3500000,-;nothing\n"
	res := parseText(t, text)
	seq, first, last := int64(42), 1.5, 3.5
	want := &Result{
		File:  fact.LogFile{File: "cmd/dmesg.txt", Format: "kmsg", Lines: 4, FirstSeq: &seq, FirstAt: fact.Line{File: "cmd/dmesg.txt", Line: 1, Text: "6,42,1500000,-;x2apic enabled"}},
		First: &first, Last: &last, Unread: fact.Unread{File: "cmd/dmesg.txt", Lines: 1, Of: 4, Ignored: 2},
	}
	if diff := cmp.Diff(want, res, cmpopts.IgnoreFields(Result{}, "Notes"), cmpopts.IgnoreUnexported(Result{})); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
}

func TestFlood(t *testing.T) {
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "[%5d.000000] DMAR: [DMA Read NO_PASID] Request device [0b:00.0] fault addr 0x%x [fault reason 0x06] x\n", i, i)
	}
	res := parseText(t, text.String())
	if len(res.Notes) != maxSame {
		t.Fatalf("%d notes, want %d", len(res.Notes), maxSame)
	}
	times := 0
	for _, n := range res.Notes {
		times += n.Times()
	}
	last := res.Notes[maxSame-1]
	if times != 1000 || last.LastTime == nil || *last.LastTime != 999 {
		t.Errorf("%d times, the last at %v", times, last.LastTime)
	}
}

func TestBrokenStream(t *testing.T) {
	broken := errors.New("broken")
	r := io.MultiReader(strings.NewReader("[    0.000000] Linux version 6.1\n[    1.0000"), &failing{broken})
	res, err := Parse(r, "f", 0)
	if !errors.Is(err, broken) || len(res.Notes) != 1 {
		t.Errorf("%d notes, error %v", len(res.Notes), err)
	}
	long := "[    1.000000] " + strings.Repeat("x", 3*maxLine) + "\n[    2.000000] x2apic enabled\n"
	if res, err = Parse(strings.NewReader(long), "f", 0); err != nil || len(res.Notes) != 1 || res.Notes[0].At.Line != 2 || len(res.Problems) != 1 {
		t.Errorf("behind a long line: %+v %v", res, err)
	}
}

type failing struct{ err error }

func (f *failing) Read([]byte) (int, error) { return 0, f.err }

// endless gives the same lines over and over, up to a number of bytes.
type endless struct {
	block []byte
	at    int
	left  int
	peak  uint64 // the largest heap seen
	reads int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	if e.reads++; e.reads%256 == 0 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		e.peak = max(e.peak, m.HeapAlloc)
	}
	n := copy(p[:min(len(p), e.left)], e.block[e.at:])
	e.at = (e.at + n) % len(e.block)
	e.left -= n
	return n, nil
}

// noise is what a kernel log is mostly made of, and errors that never end.
const noise = "[ 1000.000000] usb 1-4: new high-speed USB device number 7 using xhci_hcd\n" +
	"[ 1000.100000] IPv6: ADDRCONF(NETDEV_CHANGE): veth1: link becomes ready\n" +
	"[ 1000.200000] audit: type=1400 audit(1764504896.345:12): apparmor=\"STATUS\" operation=\"profile_load\"\n" +
	"[ 1000.300000] EXT4-fs (dm-0): mounted filesystem with ordered data mode. Quota mode: none.\n" +
	"[ 1000.400000] br0: port 2(lan4) entered forwarding state\n"

const flooding = "[ 1001.000000] pcieport 0000:c2:05.0: AER: Corrected error message received from 0000:c7:00.0\n" +
	"[ 1001.000001] nvme 0000:c7:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)\n" +
	"[ 1001.000002] nvme 0000:c7:00.0:   device [144d:a824] error status/mask=00000001/00000000\n" +
	"[ 1001.000003] nvme 0000:c7:00.0:    [ 0] RxErr                  (First)\n" +
	"[ 1001.000004] ixgbe 0000:05:00.0 eth2: NIC Link is Down\n" +
	"[ 1001.000005] INFO: task kworker/u16:0:8 blocked for more than 120 seconds.\n" +
	"[ 1001.000006] pci 0000:0b:00.0: BAR 0 [mem size 0x1000]: can't assign; no space\n"

func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("64 MiB of log: left out in short mode")
	}
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	in := &endless{block: []byte(noise + flooding), left: 64 << 20}
	res, err := Parse(in, "f", 0)
	if err != nil {
		t.Fatal(err)
	}
	if grown := int64(in.peak) - int64(before.HeapAlloc); grown > 16<<20 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
	if n := len(res.Notes); n > 4*maxSame {
		t.Errorf("%d notes kept", n)
	}
	// The text ends inside a report, which makes a group of its own.
	if want := 64 << 20 / len(noise+flooding); len(res.AER) > 2 || res.AER[0].Count < want {
		t.Errorf("%d groups of errors, the first counts %d, want one with %d", len(res.AER), res.AER[0].Count, want)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(noise + flooding))
	f.Add([]byte("<6>[    0.000000] Linux version 6.1\n6,1,2,-;x\n DEVICE=+pci:0000:00:00.0\n"))
	f.Add([]byte("{1}[Hardware Error]: event severity: fatal\n{1}[Hardware Error]:   section_type: PCIe error\n{1}[Hardware Error]:   device_id: 0000:01:00.0\n"))
	f.Add([]byte("Nov 30 12:14:56 host kernel: acpi PNP0A08:00: _OSC: OS supports [ASPM]\n-- Boot x --\n"))
	f.Add([]byte(strings.Join(unopened, "\n")))
	for _, form := range forms {
		f.Add([]byte(text(form)))
	}
	for _, part := range adverse {
		f.Add([]byte(part(0) + part(1) + part(2)))
	}
	for _, s := range samples {
		f.Add([]byte("[    1.000000] " + s.message + "\n"))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		Looks(b)
		res, err := Parse(bytes.NewReader(b), "f", 0)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(b), "\n")
		named := strings.Contains(string(b), "MESSAGE") || strings.Contains(string(b), "msg")
		for _, n := range res.Notes {
			at := n.At
			switch {
			case at.Line < 1 || at.Line > len(lines) || !strings.Contains(lines[at.Line-1], at.Text):
				t.Errorf("evidence of %+v is not in the line", n)
			case !named && len(at.Text) < maxLine-2 && strings.TrimRight(lines[at.Line-1], "\r") != at.Text:
				t.Errorf("evidence of %+v is not the whole line", n)
			}
		}
		if u := res.Unread; u.Lines < 0 || u.Ignored < 0 || u.Lines+u.Ignored > u.Of {
			t.Errorf("unread %+v", u)
		}
		Join(fact.Present, res, res)
	})
}

func BenchmarkPlain(b *testing.B) { benchmark(b, noise) }
func BenchmarkFlood(b *testing.B) { benchmark(b, flooding) }
func BenchmarkPCIBoot(b *testing.B) {
	benchmark(b, "[    0.500000] pci 0000:00:1c.0: PME# supported from D0 D3hot D3cold\n[    0.500000] pci 0000:00:1c.0: [8086:9d15] type 01 class 0x060400\n")
}
func BenchmarkObjects(b *testing.B) {
	var block strings.Builder
	for line := range strings.Lines(noise) {
		fmt.Fprintf(&block, "{\"__CURSOR\":\"s=%s\",\"_BOOT_ID\":\"%s\",\"_TRANSPORT\":\"kernel\",\"MESSAGE\":%s,\"_SOURCE_MONOTONIC_TIMESTAMP\":\"1000\"}\n",
			strings.Repeat("0123456789abcdef", 8), bootID, quote(line[16:len(line)-1]))
	}
	benchmark(b, block.String())
}

func benchmark(b *testing.B, block string) {
	const size = 8 << 20
	b.SetBytes(size)
	for b.Loop() {
		if _, err := Parse(&endless{block: []byte(strings.Repeat(block, 64)), left: size, reads: -1 << 30}, "f", 0); err != nil {
			b.Fatal(err)
		}
	}
}
