package judge

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

var gpuLost = Rule{
	ID: "gpu-lost", Area: Errors,
	Sources: []string{"dmesg", "kmsg", "journal-k", "lspci-vvv"},
	Keys:    []string{"xids", "rings", "resetOK", "resetFailed", "correctedBefore", "link", "driver", "logState"},
	Cases: []Case{
		{Name: "lost", Verdict: Problem, Severity: Critical, Confidence: Observed},
		{Name: "hang", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "error", Verdict: Problem, Severity: Warning, Confidence: Observed, Known: true},
		{Name: "program", Verdict: Problem, Severity: Info, Confidence: Observed, Known: true},
		{Name: "none", Verdict: OK, Confidence: Observed},
		{Name: "unread", Verdict: Unknown, Confidence: Observed},
	},
	Judge: judgeGPU,
}

// gpuDrivers are those whose messages are known.
var gpuDrivers = []string{"nvidia", "amdgpu", "radeon", "i915", "xe"}

// gpuReport is what the log says of one graphics card.
type gpuReport struct {
	grade               string
	count               int
	xids, rings         map[string]bool
	resetOK, resetFails int
	first               *float64 // when it began
	evidence            []Evidence
}

// judgeGPU gives a finding for each graphics card that failed.
func judgeGPU(m *fact.Machine) []Finding {
	reports := map[string]*gpuReport{}
	for _, n := range m.Log.Of("gpu-lost", "gpu-xid", "gpu-ring-timeout", "gpu-hang", "gpu-reset") {
		address := gpuAddress(n.Device)
		r := reports[address]
		if r == nil {
			r = &gpuReport{xids: map[string]bool{}, rings: map[string]bool{}}
			reports[address] = r
		}
		r.add(n)
	}
	var out []Finding
	for _, address := range slices.Sorted(maps.Keys(reports)) {
		out = append(out, reports[address].finding(m, address))
	}
	if len(out) > 0 {
		return out
	}
	if !slices.ContainsFunc(m.PCI, func(d fact.Device) bool { return slices.Contains(gpuDrivers, d.Driver) }) {
		return nil
	}
	return logSilence(m, "none", "unread")
}

// gpuAddress completes what NVIDIA's driver prints, an address without the
// function. A message without any is about the machine.
func gpuAddress(device string) string {
	if device != "" && !strings.Contains(device, ".") {
		return device + ".0"
	}
	return cmp.Or(device, Machine)
}

// gpuGrades are the cases, mildest first.
var gpuGrades = []string{"", "program", "error", "hang", "lost"}

func (r *gpuReport) add(n fact.Note) {
	grade := "hang"
	switch n.Kind {
	case "gpu-lost":
		grade = "lost"
	case "gpu-xid":
		r.xids[n.Fields["xid"]] = true
		grade = knownXid(n.Fields["xid"]).Grade
	case "gpu-ring-timeout":
		r.rings[n.Fields["ring"]] = true
	case "gpu-reset":
		switch n.Fields["state"] {
		case "ok":
			r.resetOK += n.Times()
		case "failed":
			r.resetFails += n.Times()
		}
	}
	if slices.Index(gpuGrades, grade) > slices.Index(gpuGrades, r.grade) {
		r.grade = grade
	}
	if n.Kind != "gpu-reset" {
		r.count += n.Times()
	}
	if r.first == nil {
		r.first = n.Time
	}
	const few = 6
	if len(r.evidence) < few {
		r.evidence = append(r.evidence, Evidence{Line: n.At, Role: "message"})
	}
}

func (r *gpuReport) finding(m *fact.Machine, address string) Finding {
	f := found(r.grade, address)
	f.Count = max(1, r.count)
	f.Evidence = r.evidence
	xids := []map[string]any{}
	for _, number := range slices.SortedFunc(maps.Keys(r.xids), func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }) {
		x := knownXid(number)
		xids = append(xids, map[string]any{"number": number, "de": x.De, "en": x.En})
	}
	f.Values["xids"] = xids
	f.Values["rings"] = append([]string{}, slices.Sorted(maps.Keys(r.rings))...)
	f.Values["resetOK"], f.Values["resetFailed"] = r.resetOK, r.resetFails
	f.Values["driver"] = ""
	if d := m.Device(address); d != nil {
		f.Values["driver"] = d.Driver
	}
	link, _ := linkOfError(m, address)
	f.Values["link"] = link.lower
	before := 0
	for _, e := range m.Log.AER {
		if e.Boot != 0 || e.Device != address && e.Device != link.upper || e.Severity != "corrected" {
			continue
		}
		if e.First != nil && r.first != nil && *e.First > *r.first {
			continue
		}
		before += e.Count
		if len(e.At) > 0 {
			f.cite("aer", e.At[0])
		}
	}
	f.Values["correctedBefore"] = before
	return f
}
