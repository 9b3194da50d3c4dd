package judge

import (
	"cmp"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// oscAnswer is what the log says of the talk between kernel and firmware about
// one root bridge (drivers/acpi/pci_root.c, negotiate_os_control).
type oscAnswer struct {
	bridge   string
	features []string // the kernel's own: "OS supports [...]"
	controls []string // granted: "OS now controls [...]"
	refused  []string // "platform does not support [...]", all rounds
	wanted   []string // "OS requested [...]", printed where the request failed
	status   string   // of the failed request: "AE_NOT_FOUND"

	answered bool // the controls line is there
	failed   bool // the firmware keeps everything
	unasked  bool // the kernel says that it asked for nothing

	about     []fact.Line // the lines that end the talk
	refusedAt []fact.Line // those that refuse AER
	refusals  []fact.Line // those that refuse anything
}

// oscOutcome is how the talk about AER ended.
type oscOutcome int

const (
	oscUnclear oscOutcome = iota // the lines break off
	oscGranted
	oscRefused
	oscNeverAsked
	oscLegacy // a root bridge of conventional PCI: there is nothing to ask for
)

// oscAnswers returns the root bridges of which the log speaks, by name.
func oscAnswers(m *fact.Machine) []oscAnswer {
	var answers []oscAnswer
	for _, n := range m.Log.Of("osc", "port-services-disabled") {
		i := slices.IndexFunc(answers, func(a oscAnswer) bool { return a.bridge == n.Device })
		if i < 0 {
			i = len(answers)
			answers = append(answers, oscAnswer{bridge: n.Device})
		}
		answers[i].add(n)
	}
	slices.SortFunc(answers, func(a, b oscAnswer) int { return cmp.Compare(a.bridge, b.bridge) })
	return answers
}

// add takes in one line.
func (a *oscAnswer) add(n fact.Note) {
	if n.Kind == "port-services-disabled" {
		a.unasked = true
		a.about = append(a.about, n.At)
		return
	}
	words := strings.Fields(n.Fields["list"])
	switch n.Fields["what"] {
	case "supports":
		a.features = words
	case "not-supported":
		a.refused = append(a.refused, words...)
		a.refusals = append(a.refusals, n.At)
		if slices.Contains(words, "AER") {
			a.refusedAt = append(a.refusedAt, n.At)
		}
	case "controls", "assumes":
		a.controls, a.answered = words, true
		a.about = append(a.about, n.At)
	case "requested":
		a.wanted = words
	case "not-requesting":
		// Either the kernel lacks a feature, or was told to do without, that it
		// would have to bring; or the firmware offers nothing at all.
		a.failed = n.Fields["reason"] == "platform-lacks"
		a.unasked = !a.failed
		a.about = append(a.about, n.At)
	case "retains", "failed":
		a.failed, a.status = true, n.Fields["reason"]
		a.about = append(a.about, n.At)
	}
}

// lines returns what to cite for the outcome.
func (a *oscAnswer) lines() []fact.Line {
	if len(a.refusedAt) > 0 {
		return a.refusedAt
	}
	return a.about
}

// outcome says how the talk ended. A feature that stands neither among the
// granted nor among the refused ones was not asked for; to know that, both the
// first and the last line of the talk must be there.
func (a *oscAnswer) outcome() oscOutcome {
	switch {
	case slices.Contains(a.controls, "AER"):
		return oscGranted
	case slices.Contains(a.refused, "AER"):
		return oscRefused
	case a.unasked:
		return oscNeverAsked
	case a.answered && len(a.features) > 0:
		return oscNeverAsked
	case a.failed && (len(a.wanted) == 0 || slices.Contains(a.wanted, "AER")):
		return oscRefused
	case a.failed:
		return oscNeverAsked
	case !a.answered && strings.HasPrefix(a.bridge, "PNP0A03"):
		return oscLegacy
	}
	return oscUnclear
}

// tableState tells whether the firmware has an ACPI table.
type tableState string

const (
	tableThere   tableState = "present"
	tableMissing tableState = "absent"
	tableUnknown tableState = "unknown"
)

// acpiTable looks for a table by its signature, first in the listing of
// /sys/firmware/acpi/tables, then among the lines with which the kernel lists
// the tables at boot. Absence is proven by the listing's line that would follow
// the table's; without a manifest, by a log from the boot on.
func acpiTable(m *fact.Machine, signature string) (tableState, []fact.Line) {
	list := m.Lists["sys/firmware/acpi/tables"]
	for _, e := range list.Entries {
		if e.Name == signature {
			return tableThere, []fact.Line{e.At}
		}
	}
	var first *fact.Note
	notes := m.Log.Of("acpi-table")
	for i, n := range notes {
		if n.Fields["signature"] == signature {
			return tableThere, []fact.Line{n.At}
		}
		if first == nil {
			first = &notes[i]
		}
	}
	source := m.Source("acpi-tables").State
	switch {
	case list.State == fact.Present && len(list.Entries) > 0 && (source == fact.Present || source == fact.NotAsked && !hasManifest(m)):
		at := list.Entries[len(list.Entries)-1].At
		for _, e := range list.Entries {
			if e.Name > signature {
				at = e.At
				break
			}
		}
		return tableMissing, []fact.Line{at}
	case !hasManifest(m) && list.State == "" && first != nil && fromBoot(m):
		return tableMissing, []fact.Line{first.At}
	}
	return tableUnknown, nil
}

// firmwareReports returns the lines that prove that the firmware passes errors
// on to Linux: registered APEI sources (drivers/acpi/apei/ghes.c), or a record
// of a PCIe error. The HEST table alone only describes what could be.
func firmwareReports(m *fact.Machine) (lines []fact.Line, record bool) {
	for _, n := range m.Log.Of("ghes") {
		if strings.HasPrefix(n.Fields["kind"], "enabled-") {
			lines = append(lines, n.At)
		}
	}
	for _, e := range m.Log.AER {
		if e.Firmware && e.Boot == 0 && len(e.At) > 0 {
			return append(lines, e.At[0]), true
		}
	}
	return lines, false
}

// hasManifest reports whether hwcap collect made the capture: then a source
// that it does not have was lost, or not asked for.
func hasManifest(m *fact.Machine) bool { return m.Capture.Tool != "" }

// fromBoot reports whether the log is known to start with the boot.
func fromBoot(m *fact.Machine) bool {
	from, ok := m.Log.FromBoot.Get()
	return ok && from
}
