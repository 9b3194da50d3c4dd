package parse_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"hwcap/parse"
)

// kernelLog is at least size bytes of what a server says all day, with a port
// that reports corrected errors now and then. All of it has one time, so that
// it can be repeated.
func kernelLog(size int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < size; i++ {
		for _, m := range []string{
			"audit: type=1400 audit(1764504896.%d:7): apparmor=\"STATUS\" operation=\"profile_load\" profile=\"unconfined\"",
			"br0: port 1(veth%d) entered forwarding state",
			"usb 1-5: new high-speed USB device number %d using xhci_hcd",
			"EXT4-fs (dm-%d): mounted filesystem with ordered data mode. Quota mode: none.",
			"systemd-journald[%d]: Sent WATCHDOG=1 notification.",
			"wlan0: associate with 02:00:00:00:00:%02x (try 1/3)",
		} {
			fmt.Fprintf(&b, "[ 1234.567890] "+m+"\n", i%100)
		}
		if i%4 == 0 {
			b.WriteString("[ 1234.567890] pcieport 0000:00:1c.0: AER: Corrected error message received from 0000:02:00.0\n" +
				"[ 1234.567890] nvme 0000:02:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)\n" +
				"[ 1234.567890] nvme 0000:02:00.0:   device [144d:a824] error status/mask=00000001/00000000\n" +
				"[ 1234.567890] nvme 0000:02:00.0:    [ 0] RxErr                  (First)\n")
		}
	}
	return b.Bytes()
}

func packed(tb testing.TB, data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		tb.Fatal(err)
	}
	if err := z.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// repeated reads block a number of times and notes the largest heap seen on
// the way. A gzip file may be made of many.
type repeated struct {
	block []byte
	times int
	rest  []byte
	peak  uint64
}

func (r *repeated) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		if r.times == 0 {
			return 0, io.EOF
		}
		r.times--
		r.rest = r.block
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		r.peak = max(r.peak, now.HeapAlloc)
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// TestLogMemory reads 64 MiB of kernel log, plain and compressed, in a heap
// that does not grow with it.
func TestLogMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("64 MiB of log: left out in short mode")
	}
	const times = 64
	log := kernelLog(1 << 20)
	for name, block := range map[string][]byte{"dmesg.txt": log, "dmesg.txt.gz": packed(t, log)} {
		t.Run(name, func(t *testing.T) {
			runtime.GC()
			var before runtime.MemStats
			runtime.ReadMemStats(&before)
			in := &repeated{block: block, times: times}
			m, err := parse.Read(in, name, parse.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if grown := int64(in.peak) - int64(before.HeapAlloc); grown > 32<<20 {
				t.Errorf("the heap grew by %d bytes", grown)
			}
			if got, want := m.Log.AER[0].Count, times*bytes.Count(log, []byte("AER: Corrected")); got != want {
				t.Errorf("%d errors counted, want %d", got, want)
			}
		})
	}
}

func BenchmarkLog(b *testing.B) {
	const times = 16
	log := kernelLog(1 << 20)
	for name, block := range map[string][]byte{"dmesg.txt": log, "dmesg.txt.gz": packed(b, log)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(times * int64(len(log)))
			for b.Loop() {
				if _, err := parse.Read(&repeated{block: block, times: times}, name, parse.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkAdverse opens texts and archives that are made to be slow, and twice
// as much of each: the rate stays.
func BenchmarkAdverse(b *testing.B) {
	for _, tc := range []struct {
		name string
		make func(n int) []byte
	}{
		{"sections", func(n int) []byte {
			return adverse(n, func(i int) string { return fmt.Sprintf("%s# /proc/x%d\nx\n", markFile, i) })
		}},
		{"sections of one kind", func(n int) []byte {
			return adverse(n, func(int) string { return mark + "# /sbin/lspci -nn\n" + lspciBare })
		}},
		{"kinds in turn", func(n int) []byte { return adverse(n, func(int) string { return lspciText + dmesgText + cryptoText }) }},
		{"prompts", func(n int) []byte {
			return adverse(n, func(int) string { return "$ lspci\n00:00.0 Host bridge: x\n# dmesg\n" })
		}},
		{"tops", func(n int) []byte {
			entries := make([]entry, n)
			for i := range entries {
				entries[i] = entry{name: fmt.Sprintf("%d/proc/cmdline", i), data: "x\n"}
			}
			return tarOf(b, entries...)
		}},
		{"files of ZIP", func(n int) []byte {
			entries := make([]entry, n)
			for i := range entries {
				entries[i] = entry{name: fmt.Sprintf("x/%d", i), data: "x\n"}
			}
			return zipOf(b, nil, entries...)
		}},
		{"functions in sysfs", func(n int) []byte {
			return treeOf(b, n, "sys/bus/pci/devices/%04x_00_00.0/vendor", "0x8086\n")
		}},
		{"configuration spaces", func(n int) []byte { // each a list that comes back to its start
			loop := make([]byte, 256)
			copy(loop, "\x86\x80\x35\x04")
			loop[6], loop[0x34], loop[0x40], loop[0x41] = 0x10, 0x40, 0x05, 0x40
			return treeOf(b, n, "sys/bus/pci/devices/%04x_00_00.0/config", string(loop))
		}},
		{"groups", func(n int) []byte { return treeOf(b, n, "sys/kernel/iommu_groups/%d/type", "DMA\n") }},
		{"interfaces", func(n int) []byte { return treeOf(b, n, "sys/class/net/eth%d/speed", "1000\n") }},
		{"QAT devices", func(n int) []byte {
			return treeOf(b, n, "sys/kernel/debug/qat_4xxx_%04x_00_00.0/fw_counters", "AE 0: 1\n")
		}},
		{"sources of a manifest", func(n int) []byte {
			sources := adverse(n, func(i int) string {
				return fmt.Sprintf("{\"name\":\"x%d\",\"path\":\"proc/x%d\",\"kind\":\"file\",\"state\":\"absent\"},\n", i, i)
			})
			return tarOf(b, entry{name: "hwcap-host/manifest.json", data: "{\"schema\":\"hwcap.capture/1\",\"sources\":[\n" + strings.TrimSuffix(string(sources), ",\n") + "\n]}\n"})
		}},
		{"algorithms", func(n int) []byte {
			return adverse(n, func(i int) string {
				return fmt.Sprintf("name         : xts(aes)\ndriver       : d%d\npriority     : %d\n\n", i, i)
			})
		}},
		{"mappings", func(n int) []byte {
			return adverse(n, func(i int) string { return fmt.Sprintf("vg-%d: 0 1 linear 8:1 0\n", i) })
		}},
	} {
		for _, n := range []int{1000, 2000} {
			data := tc.make(n)
			b.Run(fmt.Sprintf("%s/%d", tc.name, n), func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				for b.Loop() {
					open(data, parse.Limits{})
				}
			})
		}
	}
}

// treeOf is a tar of n files of one line, named by their number.
func treeOf(b *testing.B, n int, name, data string) []byte {
	entries := make([]entry, n)
	for i := range entries {
		entries[i] = entry{name: "hwcap-host/" + fmt.Sprintf(name, i), data: data}
	}
	return tarOf(b, entries...)
}

func adverse(n int, piece func(i int) string) []byte {
	var b bytes.Buffer
	for i := range n {
		b.WriteString(piece(i))
	}
	return b.Bytes()
}
