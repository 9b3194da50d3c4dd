package judge

import (
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// The cases of a graphics card's link that was sampled after the snapshot.
const (
	reached       = "reached"         // the samples show what both ends can do
	slowUnderLoad = "slow-under-load" // they do not, although a load ran
	samplesLost   = "samples-lost"    // nor is there all of them
)

// loadTime is how many seconds a load must have run before a link that did not
// rise tells anything: programs read and compile before they use a card.
const loadTime = 5

// Reasons for which samples in which a link did not rise prove nothing.
const (
	noLoad        = "none"
	loadFailed    = "exit"
	loadBrief     = "short"
	loadOther     = "other"     // the program is not one for graphics cards
	loadElsewhere = "elsewhere" // other links rose, this one not at all
)

// sampleKeys are the values that samples give a finding: the best seen of the
// link (0 without samples), for how long, and the load.
var sampleKeys = []string{"maxSpeedGTs", "maxWidthLanes", "sampledSeconds", "loadCommand", "loadFlaw", "loadExit"}

// sampled returns the fastest and the widest sample of l, of either end. A zero
// width: there is none.
func (l *Link) sampled() (fastest, widest fact.Sample) {
	all, ok := l.tree.machine.Samples.Get()
	if !ok {
		return
	}
	for _, end := range []*fact.Device{l.Lower, l.Upper} {
		if p := all.Port(end.Address); p != nil {
			if p.Fastest.Speed > fastest.Speed {
				fastest = p.Fastest
			}
			if p.Widest.Width > widest.Width {
				widest = p.Widest
			}
		}
	}
	return
}

// sampledSpeed names the case that samples make of a link below its speed, ""
// for none: only graphics cards rise under load.
func (l *Link) sampledSpeed() string {
	fastest, _ := l.sampled()
	switch {
	case !graphics(l.card()):
		return ""
	case fastest.Speed >= l.Want().Speed:
		return reached
	case l.samplesLost():
		return samplesLost
	case fastest.Speed > 0 && l.loadFlaw() == "":
		return slowUnderLoad
	}
	return ""
}

// sampledWidth does the same for a link below its width. That it stays narrow
// under load is nothing new, as width does not depend on load for most cards.
func (l *Link) sampledWidth() string {
	_, widest := l.sampled()
	switch {
	case !graphics(l.card()):
		return ""
	case widest.Width >= l.Want().Width:
		return reached
	case l.samplesLost():
		return samplesLost
	}
	return ""
}

// samplesLost reports whether samples were asked for and are not all there.
func (l *Link) samplesLost() bool {
	switch l.tree.machine.Source("links").State {
	case fact.Present, fact.Empty, fact.NotAsked:
		return false
	}
	return true
}

// loadFlaw says why samples in which a link did not rise prove nothing, "" if
// they do.
func (l *Link) loadFlaw() string {
	all := l.tree.machine.Samples.V
	exit := l.tree.machine.Source("links").Exit
	fastest, _ := l.sampled()
	switch {
	case len(all.Command) == 0:
		return noLoad
	case exit != nil && *exit != 0:
		return loadFailed
	case all.Duration < loadTime:
		return loadBrief
	case sparesGraphics(all.Command):
		return loadOther
	case fastest.Speed <= l.Now().Speed && l.othersRose():
		return loadElsewhere
	}
	return ""
}

// othersRose reports whether a sampled link other than l became faster.
func (l *Link) othersRose() bool {
	return slices.ContainsFunc(l.tree.machine.Samples.V.Ports, func(p fact.PortSamples) bool {
		return p.Address != l.Lower.Address && p.Address != l.Upper.Address && p.Slowest.Speed > 0 && p.Fastest.Speed > p.Slowest.Speed
	})
}

// sampledCases are those whose wording speaks of samples, if there are any.
var sampledCases = []string{reached, slowUnderLoad, "idle", "idle-narrow"}

// addSamples gives f what the samples of l say. best is the one that counts
// for f.
func (l *Link) addSamples(f *Finding, best fact.Sample) {
	fastest, widest := l.sampled()
	all := l.tree.machine.Samples.V
	source := l.tree.machine.Source("links")
	f.Values["maxSpeedGTs"], f.Values["maxWidthLanes"] = fastest.Speed, widest.Width
	f.Values["sampledSeconds"], f.Values["loadCommand"] = all.Duration, commandLine(all.Command)
	f.Values["loadFlaw"], f.Values["loadExit"] = "", 0
	switch {
	case f.Case == samplesLost:
		f.cite("samples", source.At)
	case best.At.IsZero() || !slices.Contains(sampledCases, f.Case):
	default:
		// First, as it is the one line that shows a link which is fine.
		f.Evidence = slices.Insert(f.Evidence, 0, Evidence{Line: best.At, Role: "max"})
		f.cite("load", all.At)
		if f.Values["loadFlaw"] = l.loadFlaw(); f.Values["loadFlaw"] == loadFailed {
			f.Values["loadExit"] = *source.Exit
			f.cite("exit", source.At)
		}
	}
}

// commandLine is a command for one line of text.
func commandLine(argv []string) string {
	const most = 80 // runes
	line := []rune(strings.Join(argv, " "))
	if len(line) > most {
		return string(line[:most]) + "…"
	}
	return string(line)
}
