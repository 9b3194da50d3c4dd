package klog

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
)

// made is a text that is made while it is read, and never in memory as a whole.
type made struct {
	part func(n int) string
	left int
	n    int
	rest string
	peak uint64 // the largest heap seen
}

func (m *made) Read(p []byte) (int, error) {
	if m.left <= 0 {
		return 0, io.EOF
	}
	if m.rest == "" {
		var b strings.Builder
		for b.Len() < 256<<10 {
			b.WriteString(m.part(m.n))
			m.n++
		}
		m.rest = b.String()
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		m.peak = max(m.peak, now.HeapAlloc)
	}
	n := copy(p[:min(len(p), m.left)], m.rest)
	m.rest = m.rest[n:]
	m.left -= n
	return n, nil
}

// adverse are texts that would cost most if something grew with them, or was
// looked at more than once.
var adverse = map[string]func(n int) string{
	"one line": func(int) string { return "DMAR: x " },
	"one line of stamps": func(n int) string {
		return fmt.Sprintf("[%5d.%06d] x2apic enabled ", n/1e6, n%1e6)
	},
	"one line of carriage returns": func(int) string { return "a\r" },
	"long lines": func(n int) string {
		return fmt.Sprintf("[    1.000000] pci 0000:%02x:%02x.0: DPC: containment event, status:0x1%s\n", n>>5&255, n&31, strings.Repeat(" AER: ", maxLine/6))
	},
	"devices": func(n int) string {
		return fmt.Sprintf("[    1.000000] pci %04x:%02x:00.0: BAR 0 [mem size 0x1000]: failed to assign\n", n>>8&0xffff, n&255)
	},
	"reports": func(n int) string {
		at := fmt.Sprintf("%04x:%02x:00.0", n>>8&0xffff, n&255)
		return "[    1.000000] pcieport 0000:00:01.0: AER: Corrected error message received from " + at + "\n" +
			"[    1.000000] nvme " + at + ": PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)\n" +
			"[    1.000000] nvme " + at + ":   device [144d:a824] error status/mask=00000001/00000000" + strings.Repeat(" x", maxLine/4) + "\n"
	},
	"records": func(n int) string {
		return fmt.Sprintf("[    1.000000] {%d}[Hardware Error]:   device_id: %04x:%02x:00.0\n", n, n>>8&0xffff, n&255)
	},
	"boots": func(n int) string {
		return fmt.Sprintf("[    0.000000] Linux version 6.%d\n[    1.000000] pci 0000:%02x:00.0: BAR 0 [mem size 0x1000]: failed to assign\n", n, n&255)
	},
	"flood": func(int) string {
		return "[    1.000000] DMAR: [DMA Read NO_PASID] Request device [0b:00.0] fault addr 0x0 [fault reason 0x06] x\n"
	},
	"wraps": func(int) string {
		return "[    1.000000] pci 0000:00:00.0: PCIe\n" + strings.Repeat("and so on and so on and so on and so on and so on and so on\n", 9)
	},
	"escapes":        func(int) string { return "\x1b[31m\x1b]0;\x1b(B[" },
	"patterns":       func(int) string { return "alg: alg: : [DMA [ Request device [ _OSC: AER: PCIe Bus Error: severity=\n" },
	"unended object": func(n int) string { return fmt.Sprintf(`{"dmesg":[{"time":%d.0,"msg":"x2apic enabled`, n) },
	"objects": func(n int) string {
		return fmt.Sprintf(`{"pri":6,"time":%d.000000,"msg":"pci 0000:%02x:00.0: x2apic enabled"},`, n, n&255)
	},
	"brackets":       func(int) string { return `{"MESSAGE":[{"MESSAGE":[1,"x",` },
	"an endless key": func(n int) string { return map[bool]string{true: `{"msg" : "`, false: `xx\u0041\n`}[n == 0] },
	"an endless list": func(n int) string {
		return map[bool]string{true: `{"_BOOT_ID":"1","MESSAGE" : [ 1`, false: ", 120"}[n == 0]
	},
	"boots of a journal": func(n int) string {
		return fmt.Sprintf("{\"_BOOT_ID\":\"%d\",\"_TRANSPORT\":\"kernel\",\"MESSAGE\":\"x2apic enabled\"}\n", n)
	},
	"binary fields": func(n int) string { return "__CURSOR=1\n" + exported("MESSAGE", strings.Repeat("x", n%9000)) + "\n" },
	"a binary field that lies": func(n int) string {
		return "__CURSOR=1\nMESSAGE\n\xff\xff\xff\x3f\x00\x00\x00\x00x2apic enabled\n\n"
	},
	"repetitions": func(int) string {
		return "Nov 30 12:14:56 host kernel: x2apic enabled\nNov 30 12:14:56 host last message repeated 999999 times\n"
	},
}

// TestAdverse holds that what is kept does not grow with a text, whatever it
// says.
func TestAdverse(t *testing.T) {
	if testing.Short() {
		t.Skip("8 MiB of each text: left out in short mode")
	}
	const size, most = 8 << 20, 64 << 20
	for name, part := range adverse {
		t.Run(name, func(t *testing.T) {
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			in := &made{part: part, left: size}
			res, err := Parse(in, "f", 0)
			if err != nil {
				t.Fatal(err)
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			if grown := int64(in.peak) - int64(before.HeapAlloc); grown > most {
				t.Errorf("the heap grew by %d MiB, at most %d are allowed", grown>>20, most>>20)
			}
			if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); kept > most*2/3 {
				t.Errorf("%d MiB are kept", kept>>20)
			}
			if len(res.Notes) > maxNotes || len(res.AER) > maxGroups {
				t.Errorf("%d notes, %d groups", len(res.Notes), len(res.AER))
			}
			runtime.KeepAlive(res)
		})
	}
}

// BenchmarkAdverse reads each text in three sizes: the rate must not fall.
func BenchmarkAdverse(b *testing.B) {
	for name, part := range adverse {
		for _, mib := range []int{4, 8, 16} {
			b.Run(fmt.Sprintf("%s/%dMiB", name, mib), func(b *testing.B) {
				b.SetBytes(int64(mib) << 20)
				for b.Loop() {
					if _, err := Parse(&made{part: part, left: mib << 20}, "f", 0); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
