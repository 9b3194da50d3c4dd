package judge

import (
	"maps"
	"slices"

	"hwcap/parse/fact"
)

// ioatDMA lists the DMA engines that drivers have registered for anyone who
// wants memory copied: Intel's I/OAT (QuickData, CBDMA) and others. Channels are
// in /sys/class/dma (drivers/dma/dmaengine.c).
var ioatDMA = Rule{
	ID:      "ioat-dma",
	Area:    Isolate,
	Sources: []string{"dma", "lspci-vvv", "pci", "dmesg", "kmsg", "journal-k"},
	// engines is a table: driver ("" where it is not known), channels, devices.
	// driver is that of all channels, or "".
	Keys: []string{"channels", "driver", "engines", "version", "failures", "bound"},
	Cases: []Case{
		{Name: "channels", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "failed", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "no-channels", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "not-captured", Verdict: Unknown},
	},
	Judge: judgeIOATDMA,
}

func judgeIOATDMA(m *fact.Machine) []Finding {
	f := found("channels", Machine)
	channels, devices := map[string]int{}, map[string]map[string]bool{} // by driver
	for _, c := range m.DMA {
		driver := c.Driver
		if d := m.Device(c.Device); driver == "" && d != nil {
			driver = d.Driver
		}
		if channels[driver]++; devices[driver] == nil {
			devices[driver] = map[string]bool{}
		}
		if c.Device != "" {
			devices[driver][c.Device] = true
		}
		f.cite("channel", c.At)
	}
	engines, driver := []map[string]any{}, ""
	for _, name := range slices.Sorted(maps.Keys(channels)) {
		engines = append(engines, map[string]any{"driver": name, "channels": channels[name], "devices": len(devices[name])})
		if driver = name; len(channels) > 1 {
			driver = ""
		}
	}
	bound := 0
	for i := range m.PCI {
		if d := &m.PCI[i]; d.Driver == "ioatdma" {
			bound++
			f.cite("bound", d.DriverAt)
		}
	}
	version := ""
	for _, n := range m.Log.Of("ioat") {
		version = n.Fields["version"]
		f.cite("driver", n.At)
	}
	failures := m.Log.Of("ioat-failed")
	f.citeNotes("failure", failures)
	f.Values = map[string]any{
		"channels": len(m.DMA), "driver": driver, "engines": engines, "version": version, "failures": len(failures), "bound": bound,
	}
	switch list := m.Lists["sys/class/dma"]; {
	case len(failures) > 0:
		f.Case, f.Count = "failed", len(failures)
	case len(m.DMA) > 0 && !interrupted(m, "dma"):
	case bound == 0:
		return nil // nothing says that there is such an engine
	case len(m.DMA) == 0 && (list.State == fact.Present || list.State == fact.Empty) && !interrupted(m, "dma"):
		f.Case = "no-channels"
	default:
		f.Case = "not-captured"
	}
	return []Finding{f}
}
