package figure

import (
	"fmt"
	"slices"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render/device"
)

// The measures of the IOMMU groups, in millimetres.
const (
	groupGap    = 4.0
	groupWidth  = treeWidth - 2*rootLeft // of one that stands alone, else half of it
	groupHead   = 9.4                    // number and what binds the devices
	groupLine   = 3.9                    // a device
	groupFoot   = 1.6
	mostMembers = 12
)

// bonds say what binds the devices of a group, by the finding's reason: of the
// bridge among them, or of all.
var bonds = map[string][2]string{
	"no-acs":         {"Port ohne ACS", "port without ACS"},
	"acs-off":        {"Port, ACS nicht eingeschaltet", "port, ACS not switched on"},
	"pci-bridge":     {"Brücke zu PCI, wo es kein ACS gibt", "bridge to PCI, which has no ACS"},
	"multi-function": {"Funktionen eines Geräts ohne ACS", "functions of one device without ACS"},
	"unreadable":     {"Ursache nicht lesbar", "cause not readable"},
	"other":          {"Ursache nicht erkannt", "cause not identified"},
}

// group is one IOMMU group of several devices.
type group struct {
	id, binder, bond string
	devices          []string
}

// IOMMUGroups draws which devices share an IOMMU group and what binds them: a
// box for each group that the finding tells one by one, and counts of the
// others, those of the processor's and the chipset's functions and those of one
// device. It draws nothing where each device has a group of its own. The
// findings must be those of the report. lang is "de" or "en".
func IOMMUGroups(m *fact.Machine, findings []judge.Finding, lang string) []*Scene {
	i := slices.IndexFunc(findings, func(f judge.Finding) bool { return f.ID == "iommu-groups" && f.Verdict == judge.Problem })
	if i < 0 {
		return nil
	}
	values := findings[i].Values
	var shown, folded []group
	for _, r := range table(values["shared"]) {
		g := group{id: str(r["group"]), binder: str(r["binder"]), bond: str(r["reason"])}
		g.devices, _ = r["devices"].([]string)
		if r["shown"] == true {
			shown = append(shown, g)
		} else {
			folded = append(folded, g)
		}
	}
	if len(shown) == 0 {
		return nil
	}
	width := groupWidth
	if len(shown) > 1 {
		width = (groupWidth - groupGap) / 2
	}
	var scenes []*Scene
	for first := 0; first < len(shown) && len(scenes) < mostPages; {
		s := newSheet(m, lang)
		s.heading(s.word("IOMMU-Gruppen mit mehreren Geräten", "IOMMU groups of several devices"))
		var words []string
		columns := [2]float64{s.y, s.y}
		for begin := first; first < len(shown); first++ {
			c := 0
			if columns[1] < columns[0] {
				c = 1
			}
			g := shown[first]
			if first > begin && columns[c]+g.height() > treeMost-24 {
				break
			}
			s.group(m, g, rootLeft+float64(c)*(width+groupGap), columns[c], width)
			columns[c] += g.height() + groupGap
			if len(shown) == 1 {
				columns[1] = columns[0]
			}
			words = append(words, s.members(g))
		}
		s.y = max(columns[0], columns[1]) - groupGap + 1.5
		if first == len(shown) || len(scenes) == mostPages-1 {
			words = append(words, s.counts(values, folded, len(shown)-first)...)
		}
		s.note(s.word("Was in einer Gruppe ist, lässt sich, von Brücken abgesehen, nur gemeinsam an eine virtuelle Maschine durchreichen. Fett und gerahmt: was die Geräte zusammenhält.",
			"What is in one group, bridges aside, can only be passed to a virtual machine together. Bold in a frame: what binds the devices."))
		scenes = append(scenes, s.end(s.Title+". "+strings.Join(words, " ")))
	}
	return scenes
}

// rows is how many lines a group's devices take.
func (g *group) rows() int { return min(len(g.devices), mostMembers) }

func (g *group) height() float64 {
	h := groupHead + groupLine*float64(g.rows()) + groupFoot
	if len(g.devices) > mostMembers {
		h += groupLine
	}
	return h
}

// group draws the box of one group.
func (s *sheet) group(m *fact.Machine, g group, x, y, width float64) {
	const indent = 5.0
	right := x + width - 1.5
	head := Label{X: x + 2, Y: y + 4, Text: s.word("Gruppe ", "Group ") + g.id, Size: 8, Bold: true, Class: Ink}.Fit(40)
	s.add(
		Rect{X: x, Y: y, W: width, H: g.height(), Fill: Panel, Border: Muted, Stroke: 0.2},
		head,
		Label{X: right, Y: y + 4, Text: s.count(len(g.devices), s.word("Gerät", "device"), s.word("Geräte", "devices")), Size: smallest, Class: Muted, Anchor: End},
		Label{X: x + 2, Y: y + 7.6, Text: s.bond(g), Size: smallest, Class: Ink}.Fit(width-3.5),
	)
	y += groupHead
	top, bottom := y+groupLine/2, y
	for _, name := range g.shown() {
		binds := name == g.binder
		middle := y + groupLine/2
		// A rail joins all, as what binds them does.
		s.add(Line{x + 2.8, middle, x + indent - 0.6, middle, 0.3, Ink, false})
		bottom = middle
		text := Label{X: x + indent, Y: middle + 0.9, Text: s.address(name), Size: body, Mono: true, Bold: binds, Class: Ink}
		if binds {
			s.add(Rect{X: x + indent - 0.6, Y: y + 0.2, W: right - x - indent + 1.1, H: groupLine - 0.4, Fill: Paper, Border: Ink, Stroke: 0.3})
		}
		text = text.Fit(width / 2)
		at := text.X + text.Room() + 1.8
		s.add(text)
		if called := device.Name(m.Device(name)); called != "" {
			s.add(Label{X: at, Y: middle + 0.9, Text: called, Size: smallest, Bold: binds, Class: Ink}.Fit(right - at))
		}
		y += groupLine
	}
	s.add(Line{x + 2.8, top, x + 2.8, bottom, 0.3, Ink, false})
	if n := len(g.devices) - g.rows(); n > 0 {
		s.add(Label{X: x + indent, Y: y + 2.7, Text: fmt.Sprintf(s.word("und %d weitere", "and %d more"), n), Size: smallest, Class: Muted})
	}
}

// shown are the devices that have a line, what binds them always among them.
func (g *group) shown() []string {
	out := slices.Clone(g.devices[:g.rows()])
	if i := slices.Index(g.devices, g.binder); i >= len(out) {
		out[len(out)-1] = g.binder
	}
	return out
}

func (s *sheet) bond(g group) string {
	words := bonds[g.bond]
	if words[0] == "" {
		words = bonds["other"]
	}
	return s.word(words[0], words[1])
}

// counts writes how many groups are not drawn, and of what kind.
func (s *sheet) counts(values mapping, folded []group, hidden int) []string {
	var out []string
	tell := func(n int, one, many string) {
		switch {
		case n == 1:
			out = append(out, one)
		case n > 1:
			out = append(out, fmt.Sprintf(many, s.num.Num(float64(n))))
		}
	}
	tell(hidden, s.word("Eine weitere Gruppe mit mehreren Geräten.", "One more group of several devices."),
		s.word("%s weitere Gruppen mit mehreren Geräten.", "%s more groups of several devices."))
	tell(len(folded), s.word("Nicht gezeichnet: eine Gruppe von Funktionen in CPU und Chipsatz.", "Not drawn: one group of functions in CPU and chipset."),
		s.word("Nicht gezeichnet: %s Gruppen von Funktionen in CPU und Chipsatz.", "Not drawn: %s groups of functions in CPU and chipset."))
	tell(whole(values["bridgesOnly"]), s.word("Dazu eine Gruppe, in der nur Brücken sind.", "Also one group that holds bridges alone."),
		s.word("Dazu %s Gruppen, in denen nur Brücken sind.", "Also %s groups that hold bridges alone."))
	tell(whole(values["alone"]), s.word("Ein Gerät ist allein in seiner Gruppe.", "One device is alone in its group."),
		s.word("%s Geräte sind je allein in ihrer Gruppe.", "%s devices are each alone in their group."))
	if values["override"] == true {
		out = append(out, s.word("Der Kernel wurde angewiesen, ACS anzunehmen: Getrennte Gruppen beweisen hier keine Trennung.",
			"The kernel was told to assume ACS: separate groups do not prove separation here."))
	}
	y := s.y
	for _, l := range (Label{X: rootLeft, Y: y + 3, Text: strings.Join(out, " "), Size: body, Class: Ink}).Wrap(treeWidth-rootLeft, 3.4, 4) {
		if l.Text != "" {
			s.add(l)
			s.y = l.Y + 1
		}
	}
	return out
}

// members says in words what the box of a group shows.
func (s *sheet) members(g group) string {
	var names []string
	for _, d := range g.shown() {
		names = append(names, s.address(d))
	}
	if n := len(g.devices) - g.rows(); n > 0 {
		names = append(names, fmt.Sprintf(s.word("%d weitere", "%d more"), n))
	}
	out := fmt.Sprintf(s.word("Gruppe %s, %s: %s", "Group %s, %s: %s"), g.id, s.count(len(g.devices), s.word("Gerät", "device"), s.word("Geräte", "devices")), s.num.List(names))
	bond := s.bond(g)
	if g.binder != "" {
		bond = s.address(g.binder) + ", " + bond
	}
	return out + " (" + bond + ")."
}
