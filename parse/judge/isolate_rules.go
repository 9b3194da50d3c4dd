package judge

import (
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// isolateRules are the rules of the area Isolate, and two of Links on what drivers
// and interrupts do.
var isolateRules = []Rule{iommuState, iommuFault, irqRemapping, iommuGroups, acsOverride, passthroughFit, dmaPreboot, vmdActive, nvmeRemapped, ioatDMA, driverNotBound, msiFallback}

// interrupted reports whether the manifest says that one of the named sources
// was not read to its end. A source that no manifest mentions is not: then the
// facts alone speak.
func interrupted(m *fact.Machine, names ...string) bool {
	for _, name := range names {
		switch s := m.Source(name); s.State {
		case fact.Present, fact.Empty, fact.Absent, fact.NotAsked:
		default:
			return true
		}
	}
	return false
}

// logFromBoot reports whether the kernel log is there from the first message
// of the boot to the capture, so that a line that it lacks was never printed.
func logFromBoot(m *fact.Machine) bool {
	from, ok := m.Log.FromBoot.Get()
	return ok && from && m.Log.State == fact.Present
}

// citeNotes cites the lines of kernel messages.
func (f *Finding) citeNotes(role string, notes []fact.Note) {
	for _, n := range notes {
		f.cite(role, n.At)
	}
}

// citeSource cites the line of the manifest that tells how a source ended.
func (f *Finding) citeSource(m *fact.Machine, role string, names ...string) {
	for _, name := range names {
		f.cite(role, m.Source(name).At)
	}
}

// bootWords returns the words of the kernel command line that set one of the
// parameters named, in order.
func bootWords(m *fact.Machine, names ...string) []string {
	line, _ := m.Platform.Cmdline.Get()
	return wordsOf(line, names...)
}

func wordsOf(cmdline string, names ...string) []string {
	words := []string{}
	for word := range strings.FieldsSeq(cmdline) {
		if word == "--" { // the rest is for the init program
			break
		}
		if name, _, _ := strings.Cut(word, "="); slices.Contains(names, name) {
			words = append(words, word)
		}
	}
	return words
}
