package judge

import (
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// netPCIeHeadroom holds the speed of a network card's ports against what its way
// through PCI Express carries, and both against a measurement, if there is one.
var netPCIeHeadroom = Rule{
	ID:      "net-pcie-headroom",
	Area:    Platform,
	Sources: []string{"lspci-vvv", "pci", "net", "netlink-ethtool", "ethtool", "dmesg", "kmsg", "journal-k"},
	// Rates in Gbit/s: needGbps of the ports that have a link, mostGbps of all at
	// their highest rate, 0 where not known, pathGbps of the narrowest hop in one
	// direction before packet headers, measuredGbps of iperf3.
	Keys: []string{
		"card", "needGbps", "mostGbps", "pathGbps", "speedGTs", "widthLanes", "narrowestUpper", "ports", "upPorts", "downPorts",
		"measured", "measuredGbps", "measuredPercent", "streams", "doubt", "fromLog",
	},
	Cases: []Case{
		{Name: "enough", Verdict: OK, Confidence: Derived},
		{Name: "enough-now", Verdict: OK, Confidence: Derived},
		{Name: "enough-measured-less", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "short", Verdict: Problem, Severity: Notice, Confidence: Derived},
		{Name: "short-reached", Verdict: Problem, Severity: Notice, Confidence: Likely},
		{Name: "short-measured-less", Verdict: Problem, Severity: Notice, Confidence: Derived},
		{Name: "not-assessable", Verdict: Unknown},
	},
	Judge: judgeNetHeadroom,
}

// What of a path's rate a measurement must reach for the path to be a likely
// limit. Packet headers leave 80 to 90 % of it to the data; where less than
// reachedShare came through, something else was slower.
const reachedShare = 0.7

// netCard is a card and its ports.
type netCard struct {
	address     string // first function
	link        *Link
	up, down    []string // interfaces with a link and without
	need, most  int      // Mbit/s
	at, mostAt  []fact.Line
	logSpeed    bool
	unknownRate bool // of a port
}

func judgeNetHeadroom(m *fact.Machine) []Finding {
	if isGuest(m) {
		return nil
	}
	t := newTree(m)
	var out []Finding
	cards := t.netCards()
	for _, c := range cards {
		hops, whole := t.path(c.link)
		f := c.finding()
		if !whole {
			if why := c.doubtful(); why != "" && (c.need > 0 || c.most > 0) {
				f.Case = "not-assessable"
				f.Values["doubt"] = string(why)
				f.cite("link", c.link.now().NowAt...)
				f.measure(m, c, cards)
				out = append(out, f)
			}
			continue
		}
		narrow := slices.MinFunc(hops, func(a, b *Link) int { return compare(a.Now().GBs(), b.Now().GBs()) })
		path := narrow.Now().GBs() * 8
		f.Values["pathGbps"], f.Values["speedGTs"], f.Values["widthLanes"] = path, narrow.Now().Speed, narrow.Now().Width
		f.Values["narrowestUpper"] = narrow.Upper.Address
		f.cite("path", narrow.now().NowAt...)
		if c.settle(&f, path) {
			f.measure(m, c, cards)
			out = append(out, f.weigh(path)...)
		}
	}
	return append(out, headroomByLog(m, cards)...)
}

// settle chooses between enough and short; false where no rate is known.
func (c *netCard) settle(f *Finding, path float64) bool {
	need, most := float64(c.need)/1000, float64(c.most)/1000
	switch {
	case need == 0 && (most == 0 || path < most):
		return false // nothing runs
	case need > path:
		f.Case = "short"
	case most == 0 || path < most:
		f.Case = "enough-now"
	default:
		f.Case = "enough"
	}
	return true
}

// netCards returns the Ethernet cards that have a PCIe link, with what is known of
// their ports. Ports of one card share its link.
func (t *tree) netCards() []*netCard {
	m := t.machine
	byPlace := map[string]*netCard{}
	var out []*netCard
	for _, l := range t.links {
		if l.Lower.Class != "0200" || onChip(t, l.Upper) {
			continue
		}
		c := &netCard{address: l.Lower.Address, link: l}
		byPlace[place(l.Lower)] = c
		out = append(out, c)
	}
	ports := map[string]bool{}
	for _, n := range wired(m) {
		d := m.Device(n.Device)
		if d == nil || byPlace[place(d)] == nil {
			continue
		}
		c := byPlace[place(d)]
		ports[d.Address] = true
		c.add(m, n)
	}
	for i := range m.PCI { // functions without an interface: what the chip could do, and what the log says
		d := &m.PCI[i]
		c := byPlace[place(d)]
		if c == nil || ports[d.Address] || isVF(d) || d.Class != "0200" {
			continue
		}
		c.add(m, &fact.Interface{Device: d.Address})
	}
	return out
}

// add adds one port.
func (c *netCard) add(m *fact.Machine, n *fact.Interface) {
	rate, at, _ := lineRate(m, n)
	if rate == 0 {
		c.unknownRate = true
	}
	c.most += rate
	if rate > 0 {
		c.mostAt = append(c.mostAt, at)
	}
	name := n.Name
	speed, read := n.Speed.Get()
	upAt, up := linkUp(n)
	if name == "" {
		name = n.Device
		speed, upAt, up = loggedSpeed(m, n.Device)
		read = up
		c.logSpeed = c.logSpeed || up
	}
	if !up || !read || speed <= 0 {
		c.down = append(c.down, name)
		return
	}
	c.up = append(c.up, name)
	c.need += speed
	if n.Speed.At.IsZero() {
		c.at = append(c.at, upAt)
	} else {
		c.at = append(c.at, n.Speed.At)
	}
}

// loggedSpeed is what the log's last message says of the link of a function.
func loggedSpeed(m *fact.Machine, address string) (mbps int, at fact.Line, up bool) {
	for _, n := range notesOf(m, address, "nic-link") {
		mbps, at, up = printedSpeed(n.Fields["speedMbps"]+"Mbps"), n.At, n.Fields["state"] == "up"
	}
	return mbps, at, up
}

func (c *netCard) finding() Finding {
	f := found("enough", c.address)
	most := float64(c.most) / 1000
	if c.unknownRate {
		most = 0
	}
	f.Values = map[string]any{
		"card": c.address, "needGbps": float64(c.need) / 1000, "mostGbps": most, "pathGbps": 0.0, "speedGTs": 0.0, "widthLanes": 0, "narrowestUpper": "",
		"ports": len(c.up) + len(c.down), "upPorts": append([]string{}, c.up...), "downPorts": append([]string{}, c.down...),
		"measured": false, "measuredGbps": 0.0, "measuredPercent": 0.0, "streams": 0, "doubt": "", "fromLog": c.logSpeed,
	}
	if c.unknownRate {
		c.most = 0
	}
	f.cite("speed", c.at...)
	f.cite("most", c.mostAt...)
	return f
}

// doubtful names why the way to the card cannot be judged, if the reason is one
// that its owner should know of; "" for others, and for parts of a chip.
func (c *netCard) doubtful() doubt {
	l := c.link
	for hops := 0; l != nil && hops < buses; hops++ { // a forged listing can lead in a circle
		switch why := l.doubt(); why {
		case tunnelled, implausible, gone:
			return why
		}
		l = l.tree.byLower[l.Upper.Parent]
	}
	return ""
}

// measure adds the best figure of iperf3, if this card is the one that it most
// likely ran over: iperf3 does not name the interface.
func (f *Finding) measure(m *fact.Machine, c *netCard, all []*netCard) {
	for _, other := range all {
		if other != c && other.need >= c.need {
			return // it may as well be the other one
		}
	}
	for _, x := range m.Measurements {
		rate, ok := x.BytesPerSecond.Get()
		gbps := rate * 8 / 1e9
		if x.Tool != "iperf3" || x.Side == "sender" && x.What == "UDP" || !ok || gbps <= f.Values["measuredGbps"].(float64) || c.need == 0 || gbps > float64(c.need)/1000 {
			continue
		}
		f.Values["measured"], f.Values["measuredGbps"], f.Values["streams"] = true, gbps, x.Threads
		f.Evidence = slices.DeleteFunc(f.Evidence, func(e Evidence) bool { return e.Role == "measured" })
		f.cite("measured", x.From)
	}
}

// weigh says what the measurement means beside the path. Where the path
// suffices, that it does is one finding, on the card, and that something else is
// slow another, on the interface.
func (f Finding) weigh(path float64) []Finding {
	measured := f.Values["measuredGbps"].(float64)
	if measured == 0 {
		return []Finding{f}
	}
	limit := min(path, f.Values["needGbps"].(float64))
	f.Values["measuredPercent"] = measured / limit * 100
	switch {
	case f.Case == "short" && measured >= reachedShare*path:
		f.Case = "short-reached"
	case f.Case == "short":
		f.Case = "short-measured-less"
	case measured < reachedShare*limit:
		slow := f
		slow.Case, slow.Subjects = "enough-measured-less", f.Values["upPorts"].([]string)
		slow.Evidence = slices.Clone(f.Evidence)
		return []Finding{f, slow}
	}
	return []Finding{f}
}

// headroomByLog judges the cards of which the log alone tells: the kernel's line
// on the bandwidth of the path, and the driver's on the link. A path limited by
// 2.5 GT/s may be a tunnel, whose figures mean nothing.
func headroomByLog(m *fact.Machine, known []*netCard) []Finding {
	var out []Finding
	for _, n := range m.Log.Of("bandwidth") {
		if m.Device(n.Device) != nil || slices.ContainsFunc(known, func(c *netCard) bool { return c.address == n.Device }) ||
			slices.ContainsFunc(out, func(f Finding) bool { return f.Subjects[0] == n.Device }) {
			continue
		}
		speed, at, up := loggedSpeed(m, n.Device)
		path, ok := gigabits(n.Fields["available"])
		if !up || speed == 0 || !ok || len(m.PCI) > 0 {
			continue
		}
		c := &netCard{address: n.Device, up: []string{n.Device}, need: speed, at: []fact.Line{at}, logSpeed: true, unknownRate: true}
		f := c.finding()
		f.Values["pathGbps"], f.Values["narrowestUpper"] = path, n.Fields["limit-device"]
		f.cite("path", n.At)
		if c.settle(&f, path) && !(f.Case == "short" && strings.HasPrefix(n.Fields["limit-speed"], "2.5 ")) {
			out = append(out, f)
		}
	}
	return out
}
