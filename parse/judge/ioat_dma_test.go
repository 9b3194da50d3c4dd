package judge_test

import (
	"fmt"
	"testing"

	"hwcap/parse/fact"
)

// dmaChannels adds n channels to /sys/class/dma, each of a device of its own.
func dmaChannels(n int, driver string) step {
	return func(m *fact.Machine) {
		l := m.Lists["sys/class/dma"]
		l.State = fact.Present
		for i := range n {
			name := fmt.Sprintf("dma%dchan0", i)
			e := fact.Entry{Name: name, At: place("sys/class/dma/.list", i+1, name)}
			l.Entries = append(l.Entries, e)
			m.DMA = append(m.DMA, fact.DMAChannel{Name: name, Device: fmt.Sprintf("0000:00:01.%d", i), Driver: driver, At: e.At})
		}
		m.Lists["sys/class/dma"] = l
	}
}

func TestIOATDMA(t *testing.T) {
	engine := device("0000:00:01.0", "8086:0b00", "0880", "ioatdma", func(d *fact.Device) { d.DriverAt = place("cmd/lspci-vvv.txt", 68, "Kernel driver in use: ioatdma") })
	loaded := note("ioat", "", "ioatdma: Intel(R) QuickData Technology Driver 5.00", "version", "5.00")
	halted := note("ioat-failed", "0000:00:01.0", "ioatdma 0000:00:01.0: Channel halted (80)", "error", "80")
	check(t, "ioat-dma", []scene{
		{"eight channels", machine(engine, loaded, dmaChannels(8, "ioatdma")), "machine=channels"},
		{"of another driver", machine(dmaChannels(2, "idxd")), "machine=channels"},
		{"two drivers", machine(dmaChannels(2, "idxd"), dmaChannels(4, "ioatdma")), "machine=channels"},
		{"driver not known", machine(dmaChannels(1, "")), "machine=channels"},
		{"a channel halted", machine(engine, dmaChannels(1, "ioatdma"), halted), "machine=failed"},
		{"failed, and no channels", machine(engine, halted), "machine=failed"},
		{"bound without channels", machine(engine, dmaChannels(0, "")), "machine=no-channels"},
		{"list denied", machine(engine, source("dma", fact.Denied)), "machine=not-captured"},
		{"list cut", machine(engine, dmaChannels(1, "ioatdma"), source("dma", fact.Truncated)), "machine=not-captured"},
		{"no such engine", machine(device("0000:00:00.0", "8086:9a14", "0600", "")), ""},
		{"nothing captured", machine(), ""},
	})
}
