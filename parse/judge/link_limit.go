package judge

import (
	"fmt"

	"hwcap/parse/fact"
)

// The cases of a link that reaches all it can, because one end cannot do more.
const (
	cardLimit    = "card-limit"
	portLimit    = "port-limit"
	devicesLimit = "devices-limit" // several of cardLimit, none of them in a slot
)

// explained reports whether pcie-switch-translates says which end of l sets
// the limit, so that a general finding would only repeat it: l is one of the
// two links in use at a switch that translates. It also holds for the uplink of
// a switch whose other links the capture lost.
func (l *Link) explained() bool {
	t := l.tree
	if t.kind(l.Lower) == fact.UpstreamPort {
		if len(t.translated(l)) == 1 || t.cutOff(l.Lower) {
			return true
		}
	}
	in := t.byLower[l.Upper.Parent]
	if in == nil || t.kind(l.Upper) != fact.DownstreamPort {
		return false
	}
	outs := t.translated(in)
	return len(outs) == 1 && outs[0] == l
}

// cutOff reports whether the capture lacks what is behind a switch: its ports,
// of which a switch has one at least, or a device at a link that is up.
func (t *tree) cutOff(upstream *fact.Device) bool {
	ports := t.children[upstream.Address]
	for _, port := range ports {
		if len(t.children[port.Address]) == 0 && t.leads(port) {
			return true
		}
	}
	return len(ports) == 0
}

// joinUnslotted makes one finding of those that say of devices outside of slots
// that the device is the limit: parts of the board, mostly, of which there is
// nothing more to say.
func joinUnslotted(findings []Finding) []Finding {
	var rest, own []Finding
	for _, f := range findings {
		if f.Case == cardLimit && f.Values["slotted"] == false {
			own = append(own, f)
		} else {
			rest = append(rest, f)
		}
	}
	if len(own) < 2 {
		return findings
	}
	all := found(devicesLimit)
	var rows []map[string]any
	for i, f := range own {
		rows = append(rows, map[string]any{
			"devices": f.Subjects, "upper": f.Values["upper"],
			"speedGTs": f.Values["speedGTs"], "widthLanes": f.Values["widthLanes"], "gbs": f.Values["gbs"],
			"upperCapSpeedGTs": f.Values["upperCapSpeedGTs"], "upperCapWidthLanes": f.Values["upperCapWidthLanes"],
		})
		all.Subjects = append(all.Subjects, f.Subjects...)
		for _, e := range f.Evidence {
			all.cite(fmt.Sprint("link ", i), e.Line)
		}
	}
	all.Count = len(all.Subjects)
	all.Values["links"] = rows
	return append(rest, all)
}
