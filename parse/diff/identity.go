package diff

import (
	"slices"
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

// Verdict says whether two captures are of one machine.
type Verdict string

// The verdicts.
const (
	Same            Verdict = "same"
	SameLikely      Verdict = "same-likely"
	Different       Verdict = "different"
	DifferentLikely Verdict = "different-likely"
	Unclear         Verdict = "unclear"
)

// Identity is whether two captures are of one machine, and what says so.
type Identity struct {
	Verdict Verdict
	Signs   []Sign
}

// One reports whether the captures are compared as those of one machine:
// unless something speaks against it.
func (i Identity) One() bool { return i.Verdict != Different && i.Verdict != DifferentLikely }

// Sign is one thing that two captures say of their machine. What only one of
// them says is no sign.
type Sign struct {
	What     string // "boot", "serials", "board", "host", "root-ports"
	Agrees   bool
	Old, New string // as printed; for serials and ports: how many
	Common   int    // of serials and root ports: how many both have
	OldAt    []fact.Line
	NewAt    []fact.Line
}

// identify weighs the signs. A boot is one machine's. A board that is another
// one outweighs cards that are the same, since cards move; a card with the same
// serial number outweighs a name, since machines are renamed.
func identify(old, new *fact.Machine) Identity {
	var id Identity
	say := func(s Sign, spoken bool) (agrees, differs bool) {
		if !spoken {
			return false, false
		}
		id.Signs = append(id.Signs, s)
		return s.Agrees, !s.Agrees
	}
	sameBoot, _ := say(named("boot", old.Capture.Boot, new.Capture.Boot))
	sameBoard, otherBoard := say(boards(old, new))
	sameSerials, otherSerials := say(serials(old, new))
	sameHost, otherHost := say(hosts(old, new))
	samePorts, otherPorts := say(rootPorts(old, new))
	if !sameBoot { // another boot is no sign of another machine
		id.Signs = slices.DeleteFunc(id.Signs, func(s Sign) bool { return s.What == "boot" })
	}
	switch {
	case sameBoot:
		id.Verdict = Same
	case otherBoard:
		id.Verdict = Different
	case sameSerials && !otherPorts:
		id.Verdict = Same
	case sameSerials:
		id.Verdict = SameLikely
	case otherPorts && !sameHost, otherSerials && otherHost:
		id.Verdict = Different
	case sameHost && (sameBoard || samePorts || !otherSerials && !otherPorts):
		id.Verdict = SameLikely
	case otherHost, otherSerials && len(numbered(old)) > 1 && len(numbered(new)) > 1: // one card may have been replaced
		id.Verdict = DifferentLikely
	case sameBoard && samePorts:
		id.Verdict = SameLikely
	default:
		id.Verdict = Unclear
	}
	return id
}

func named(what, old, new string) (s Sign, spoken bool) {
	return Sign{What: what, Agrees: old == new, Old: old, New: new}, old != "" && new != ""
}

// hosts compares names. A pseudonym differs from the name, and from that made
// with another key.
func hosts(old, new *fact.Machine) (s Sign, spoken bool) {
	s, spoken = named("host", old.Capture.Host, new.Capture.Host)
	hidden := strings.HasPrefix(s.Old, "host-") || strings.HasPrefix(s.New, "host-")
	return s, spoken && (s.Agrees || !hidden)
}

// boards compares what the firmware calls the machine and its board.
func boards(old, new *fact.Machine) (s Sign, spoken bool) {
	s = Sign{What: "board", Agrees: true}
	a, b := &old.Platform, &new.Platform
	for _, v := range [][2]fact.Val[string]{{a.Vendor, b.Vendor}, {a.Product, b.Product}, {a.BoardVendor, b.BoardVendor}, {a.Board, b.Board}, {a.Model, b.Model}} {
		was, known := v[0].Get()
		is, too := v[1].Get()
		if !known || !too {
			continue
		}
		if spoken = true; s.Old == "" || was != old.Platform.Vendor.V || is != new.Platform.Vendor.V { // the board's maker is mostly the machine's
			s.Old, s.New = strings.TrimSpace(s.Old+" "+was), strings.TrimSpace(s.New+" "+is)
		}
		s.Agrees = s.Agrees && was == is
		s.OldAt, s.NewAt = append(s.OldAt, v[0].At), append(s.NewAt, v[1].At)
	}
	return s, spoken
}

// serials compares the serial numbers of what can be plugged. Those of bridges
// are left out: switches of one kind often have the same.
func serials(old, new *fact.Machine) (s Sign, spoken bool) {
	had, have := numbered(old), numbered(new)
	s = Sign{What: "serials", Old: strconv.Itoa(len(had)), New: strconv.Itoa(len(have))}
	for _, d := range sorted(had) {
		if n := have[serialOf(d)]; n != nil && n.Vendor == d.Vendor {
			s.Common++
			s.OldAt, s.NewAt = append(s.OldAt, d.Serial.At), append(s.NewAt, n.Serial.At)
		}
	}
	s.Agrees = s.Common > 0
	if !s.Agrees {
		if pseudonyms(had) || pseudonyms(have) {
			return s, false
		}
		for _, d := range sorted(had) {
			s.OldAt = append(s.OldAt, d.Serial.At)
		}
		for _, d := range sorted(have) {
			s.NewAt = append(s.NewAt, d.Serial.At)
		}
	}
	return s, len(had) > 0 && len(have) > 0
}

// pseudonyms reports whether serial numbers stand for others: hwcap redact gives
// them the beginning 06-68-77, or that end where they are reversed.
func pseudonyms(devices map[string]*fact.Device) bool {
	for serial := range devices {
		if strings.HasPrefix(serial, "06-68-77-") || strings.HasSuffix(serial, "-77-68-06") {
			return true
		}
	}
	return false
}

// numbered are the first functions of devices with a serial number of their
// own, by that number.
func numbered(m *fact.Machine) map[string]*fact.Device {
	out := map[string]*fact.Device{}
	for i := range m.PCI {
		d := &m.PCI[i]
		serial := serialOf(d)
		switch {
		case serial == "" || isBridge(d) || virtual(d):
		case out[serial] == nil:
			out[serial] = d
		case device(out[serial]) != device(d):
			out[serial] = &fact.Device{} // two cards: no number of their own
		}
	}
	for serial, d := range out {
		if d.Address == "" {
			delete(out, serial)
		}
	}
	return out
}

func sorted(of map[string]*fact.Device) []*fact.Device {
	out := make([]*fact.Device, 0, len(of))
	for _, d := range of {
		out = append(out, d)
	}
	slices.SortFunc(out, func(a, b *fact.Device) int { return compareAddress(a, b) })
	return out
}

// rootPorts compares the chips that the root ports are of. Their number is left
// out of it: firmware hides ports of empty slots.
func rootPorts(old, new *fact.Machine) (s Sign, spoken bool) {
	had, have := ports(old), ports(new)
	s = Sign{What: "root-ports", Old: strconv.Itoa(len(had)), New: strconv.Itoa(len(have))}
	for ids := range had {
		if have[ids] != nil {
			s.Common++
		}
	}
	s.Agrees = s.Common > 0
	for _, d := range sorted(had) {
		s.OldAt = append(s.OldAt, d.From)
	}
	for _, d := range sorted(have) {
		s.NewAt = append(s.NewAt, d.From)
	}
	return s, len(had) > 0 && len(have) > 0
}

// ports are the root ports by their ids, one of each.
func ports(m *fact.Machine) map[string]*fact.Device {
	out := map[string]*fact.Device{}
	for i := range m.PCI {
		d := &m.PCI[i]
		if d.Express != nil && d.Express.Type == fact.RootPort && d.Vendor != "" {
			if ids := d.Vendor + ":" + d.Device; out[ids] == nil {
				out[ids] = d
			}
		}
	}
	return out
}
