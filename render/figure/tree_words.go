package figure

import (
	"fmt"
	"strings"

	"hwcap/parse/fact"
)

// phrases is what the tree says, by language.
type phrases struct {
	title, desc                 string // desc: number of links, of root ports
	hop, bottlenecks, further   string // of desc
	of                          string // page of pages
	port, device                string // column headings
	upper, now, lower           string
	narrow, framed              map[string]string // by hop.bottleneck, hop.framed
	nothing                     string
	trained, occupied, notRead  string
	kinds                       map[string]string
	more, functions, same, also string
	idle                        string
	inside, virtual             [2]string // one, many
	guest, left                 string
	marks                       map[Class]string
}

var spoken = map[string]phrases{
	"de": {
		title: "PCIe-Baum", desc: "Baum der PCIe-Links, Zahl der Links: %d, der Root Ports: %d. Je Link steht links, was der obere Anschluss kann, in der Mitte, was ausgehandelt ist, rechts, was das untere Gerät kann. Ausgehandelt ist:",
		of: "Teil %d von %d", port: "Anschluss", device: "Gerät", upper: "kann oben", now: "ausgehandelt", lower: "kann unten",
		hop: "%s nach %s: %s", bottlenecks: "Nadelöhr: %s.", further: "und %d weitere",
		narrow:  map[string]string{alone: "Nadelöhr", shared: "Nadelöhr, geteilt"},
		framed:  map[string]string{onCard: "auf der Karte", behindSwitch: "hinter dem Switch"},
		nothing: "nichts dahinter", trained: "kein Link", occupied: "belegt, aber kein Link", notRead: "Link nicht gelesen",
		kinds: map[string]string{fact.RootPort: "Root Port", fact.UpstreamPort: "Switch, Upstream", fact.DownstreamPort: "Downstream Port", fact.PCIeToPCI: "Brücke zu PCI"},
		more:  "und %d weitere", functions: "%d Funktionen", same: "ebenso %s", also: "dahinter %s",
		idle:   "Ports, an denen nichts gefunden wurde",
		inside: [2]string{"Nicht gezeichnet: 1 Gerät im Chipsatz oder in der CPU, ohne Link.", "Nicht gezeichnet: %d Geräte im Chipsatz oder in der CPU, ohne Link."}, virtual: [2]string{"Dazu 1 virtuelle Funktion (SR-IOV).", "Dazu %d virtuelle Funktionen (SR-IOV)."},
		guest: "Virtuelle Maschine: Diese Links bildet der Hypervisor nach.", left: "%d weitere Links fanden keinen Platz.",
		marks: map[Class]string{Info: "Info", Notice: "Hinweis", Warning: "Warnung", Critical: "kritisch"},
	},
	"en": {
		title: "PCIe tree", desc: "Tree of the PCIe links; number of links: %d, of root ports: %d. For each link, the left says what the upper port can do, the middle what is negotiated, the right what the lower device can do. Negotiated are:",
		of: "part %d of %d", port: "Port", device: "Device", upper: "upper can", now: "negotiated", lower: "lower can",
		hop: "%s to %s: %s", bottlenecks: "Bottleneck: %s.", further: "and %d more",
		narrow:  map[string]string{alone: "bottleneck", shared: "shared bottleneck"},
		framed:  map[string]string{onCard: "on the card", behindSwitch: "behind the switch"},
		nothing: "nothing behind it", trained: "no link", occupied: "occupied, but no link", notRead: "link not read",
		kinds: map[string]string{fact.RootPort: "Root port", fact.UpstreamPort: "Switch, upstream", fact.DownstreamPort: "Downstream port", fact.PCIeToPCI: "Bridge to PCI"},
		more:  "and %d more", functions: "%d functions", same: "likewise %s", also: "behind it %s",
		idle:   "Ports at which nothing was found",
		inside: [2]string{"Not drawn: 1 device inside the chipset or the CPU, without a link.", "Not drawn: %d devices inside the chipset or the CPU, without a link."}, virtual: [2]string{"Also 1 virtual function (SR-IOV).", "Also %d virtual functions (SR-IOV)."},
		guest: "Virtual machine: these links are made up by the hypervisor.", left: "%d more links found no room.",
		marks: map[Class]string{Info: "info", Notice: "notice", Warning: "warning", Critical: "critical"},
	},
}

// describe says in words what scene n shows.
func (t *tree) describe(n int) string {
	const most = 12 // links named
	var links, narrow []string
	total := 0
	for _, r := range t.rows {
		if r.scene != n || r.hop.lower == nil {
			continue
		}
		total++
		now := speed(r.hop.negotiated(), t.lang)
		if r.hop.negotiated() == nil {
			now = t.silent(r.hop)
		}
		text := fmt.Sprintf(t.say.hop, t.address(r.hop.upper.Address), t.address(r.hop.lower.Address), now)
		if len(links) < most {
			links = append(links, text)
		}
		if r.hop.bottleneck != "" {
			narrow = append(narrow, text)
		}
	}
	if total > len(links) {
		links = append(links, fmt.Sprintf(t.say.further, total-len(links)))
	}
	out := fmt.Sprintf(t.say.desc, t.links, len(t.roots))
	if total == 0 {
		out = out[:strings.LastIndexByte(out[:len(out)-1], '.')+1]
	} else {
		out += " " + strings.Join(links, "; ") + "."
	}
	if t.left > 0 && n == len(t.scenes)-1 {
		out += " " + fmt.Sprintf(t.say.left, t.left)
	}
	if len(narrow) > 0 {
		out += " " + fmt.Sprintf(t.say.bottlenecks, strings.Join(narrow[:min(most, len(narrow))], "; "))
	}
	return out
}

// address drops the domain where there is only one.
func (t *tree) address(a string) string {
	if t.oneDomain {
		return strings.TrimPrefix(a, "0000:")
	}
	return a
}

// kind names what a device is.
func (t *tree) kind(d *fact.Device) string {
	if d.Express != nil && t.say.kinds[d.Express.Type] != "" {
		return t.say.kinds[d.Express.Type]
	}
	if d.Driver != "" {
		return d.Driver
	}
	return t.kindOf(d)
}

// vacancy says what is known of a port with nothing below.
func (t *tree) vacancy(d *fact.Device) string {
	if d.Express != nil && d.Express.SlotSta != nil && d.Express.SlotSta.PresDet {
		return t.say.occupied
	}
	return t.say.nothing
}

// untrained writes the link of a port with nothing below it. Where the port
// can report that its link is down, that counts and not the width, which some
// print as x1 (PCIe Base Specification 7.5.3.8, Data Link Layer Link Active).
func (t *tree) untrained(port *fact.Device, now *fact.Link) string {
	if now == nil {
		return "?"
	}
	if e := port.Express; e != nil {
		reports, _ := e.DLActiveReporting.Get()
		active, known := e.DLActive.Get()
		if reports && known && !active {
			return t.say.trained
		}
	}
	if now.Width == 0 {
		return t.say.trained
	}
	return speed(now, t.lang)
}

// silent says why nothing is written at a link: it is none of PCI Express, or
// it was not read.
func (t *tree) silent(h *hop) string {
	if h.upper.CapsState == fact.Present && h.upper.Express == nil {
		return "PCI"
	}
	return t.say.notRead
}
