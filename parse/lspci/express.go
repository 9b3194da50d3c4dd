package lspci

import (
	"bytes"
	"strings"

	"hwcap/parse/fact"
)

// The registers of the PCI Express capability (PCIe Base Specification 7.5.3).
// Their rows are found in its scope only, so d.Express is there.

// flagVal reads one flag as a value that stands in the line that prints it.
func flagVal(r *register, name string) fact.Val[bool] {
	on, found := flag(r.text, name)
	if !found {
		return fact.Val[bool]{}
	}
	return fact.Of(on, r.lineOf(name))
}

// lineOf returns the register's line that holds text; the first if none does.
func (r *register) lineOf(text string) fact.Line {
	for _, l := range r.at[1:] {
		if strings.Contains(l.Text, text) {
			return l
		}
	}
	return r.at[0]
}

func readDevCap(d *fact.Device, r *register) bool {
	x := d.Express
	n, ok := numberAfter(r.text, "MaxPayload ")
	x.MaxPayloadCap, x.MaxPayloadCapAt = n, r.lineOf("MaxPayload")
	x.FLReset = flagVal(r, "FLReset")
	return ok
}

func readDevCtl(d *fact.Device, r *register) bool {
	x := d.Express
	x.DevCtl = devCtlNames.flags(r)
	x.MaxPayload, _ = numberAfter(r.text, "MaxPayload ")
	x.MaxReadReq, _ = numberAfter(r.text, "MaxReadReq ")
	return x.DevCtl != nil
}

func readDevSta(d *fact.Device, r *register) bool {
	x := d.Express
	x.DevSta = devStaNames.flags(r)
	return x.DevSta != nil
}

func readRootCtl(d *fact.Device, r *register) bool {
	x := d.Express
	x.RootCtl = rootCtlNames.flags(r)
	return x.RootCtl != nil
}

// readLink reads speed and width, which every version prints in this order,
// with a remark in parentheses behind each from 3.6.0 on.
func readLink(r *register) (*fact.Link, bool) {
	at := after(r.text, "Speed ")
	v, ok := speed(at)
	if !ok {
		return nil, false
	}
	width := after(at, "Width x")
	n, ok := number(width, 10)
	if !ok {
		return nil, false
	}
	return &fact.Link{Speed: v, Width: n, Note: note(field(at, ','), field(width, ',')), At: r.at[0]}, true
}

// note returns lspci's own judgement of speed and width. Its meaning changed
// with the versions; "ok" says nothing.
func note(values ...[]byte) string {
	var note string
	for _, v := range values {
		_, word, found := bytes.Cut(v, []byte("("))
		if !found {
			continue
		}
		switch word := string(field(word, ')')); {
		case word == "ok" || word == note:
		case note == "":
			note = word
		default:
			note += ", " + word
		}
	}
	return note
}

func readLnkCap(d *fact.Device, r *register) bool {
	l, ok := readLink(r)
	if !ok {
		return false
	}
	x := d.Express
	x.LinkCap = l
	if n, ok := numberAfter(r.text, "Port #"); ok {
		l.Port = &n
	}
	l.ASPM = string(field(after(r.text, "ASPM "), ','))
	x.DLActiveReporting = flagVal(r, "LLActRep")
	return true
}

func readLnkSta(d *fact.Device, r *register) bool {
	l, ok := readLink(r)
	if !ok {
		return false
	}
	x := d.Express
	x.LinkSta = l
	x.DLActive = flagVal(r, "DLActive")
	return true
}

// readLnkCtl reads "ASPM L1 Enabled; RCB 64 bytes, LnkDisable- CommClk+": the
// bit is "Disabled" up to 3.10, like ASPM's own word.
func readLnkCtl(d *fact.Device, r *register) bool {
	aspm := after(r.text, "ASPM ")
	if aspm == nil {
		return false
	}
	ctl := &fact.LinkCtl{ASPM: string(field(aspm, ';')), At: r.at[0]}
	off, found := flag(r.text, "LnkDisable")
	if !found {
		off, _ = flag(r.text, "Disabled")
	}
	ctl.Disabled = off
	d.Express.LinkCtl = ctl
	return true
}

func readLnkCtl2(d *fact.Device, r *register) bool {
	v, ok := speed(after(r.text, "Target Link Speed: "))
	if !ok {
		return false
	}
	d.Express.LinkCtl2 = &fact.LinkCtl2{Target: v, At: r.at[0]}
	return true
}

// readSltCap reads the latch sensor and hot-plug flags and "Slot #3, PowerLimit 25W". Up to 3.1.6
// the number is hexadecimal ("Slot #%3x"), and the power limit has no unit.
func readSltCap(d *fact.Device, r *register) bool {
	d.Express.HotPlug = flagVal(r, "HotPlug")
	d.Express.MRLSensor = flagVal(r, "MRL")
	slot := after(r.text, "Slot #")
	if slot == nil {
		return false
	}
	base := 16
	if bytes.IndexByte(field(after(slot, "PowerLimit "), ';'), 'W') >= 0 {
		base = 10
	}
	n, ok := number(slot, base)
	if ok {
		d.Express.SlotNumber = &n
	}
	return ok
}

func readSltSta(d *fact.Device, r *register) bool {
	present, ok := flag(r.text, "PresDet")
	if !ok {
		return false
	}
	fault, _ := flag(r.text, "PowerFlt")
	latch, _ := flag(r.text, "MRL") // "Status" comes first, before "Changed: MRL-"
	d.Express.SlotSta = &fact.SlotSta{PresDet: present, PowerFlt: fault, MRL: latch, At: r.at[0]}
	return true
}
