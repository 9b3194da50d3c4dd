package lspci

import (
	"bytes"

	"hwcap/parse/fact"
)

// Up to 2.2.6 the Express registers have other names, one line each field:
//
//	Device: Supported: MaxPayload 128 bytes, PhantFunc 0, ExtTag-
//	Device: MaxPayload 128 bytes, MaxReadReq 512 bytes
//	Link: Supported Speed 2.5Gb/s, Width x8, ASPM L0s, Port 2
//	Link: ASPM Disabled CommClk- ExtSynch-
//	Link: Speed 2.5Gb/s, Width x8
//	Slot: Number 3, PowerLimit 25.000000

func readOldDevice(d *fact.Device, r *register) bool {
	x := d.Express
	switch {
	case hasPrefix(r.text, "Supported: "):
		n, ok := numberAfter(r.text, "MaxPayload ")
		x.MaxPayloadCap = n
		return ok
	case hasPrefix(r.text, "MaxPayload "):
		x.MaxPayload, _ = numberAfter(r.text, "MaxPayload ")
		x.MaxReadReq, _ = numberAfter(r.text, "MaxReadReq ")
		return x.MaxPayload > 0
	case hasPrefix(r.text, "Errors: "), hasPrefix(r.text, "RlxdOrd"): // both are DevCtl
		flags := devCtlNames.flags(r)
		if flags == nil {
			return false
		}
		if x.DevCtl == nil {
			x.DevCtl = flags
			return true
		}
		if len(x.DevCtl.At) >= maxJoin {
			return false
		}
		for name, on := range flags.Bits {
			x.DevCtl.Bits[name] = on
		}
		x.DevCtl.At = append(x.DevCtl.At, flags.At...)
		return true
	default: // latencies, buttons and the slot's power limit of DevCap
		return true
	}
}

func readOldLink(d *fact.Device, r *register) bool {
	x := d.Express
	switch {
	case hasPrefix(r.text, "Supported "):
		l, ok := readLink(r)
		if !ok {
			return false
		}
		if n, ok := numberAfter(r.text, "Port "); ok {
			l.Port = &n
		}
		l.ASPM = string(field(after(r.text, "ASPM "), ','))
		x.LinkCap = l
		return true
	case hasPrefix(r.text, "ASPM "):
		for _, words := range []string{"Disabled", "L0s Enabled", "L1 Enabled", "L0s L1 Enabled"} {
			if rest := r.text[len("ASPM "):]; hasPrefix(rest, words) {
				// The disable bit is a bare word behind ASPM's own.
				off := bytes.Contains(rest[len(words):], []byte(" Disabled"))
				x.LinkCtl = &fact.LinkCtl{ASPM: words, Disabled: off, At: r.at[0]}
				return true
			}
		}
		return false
	case hasPrefix(r.text, "Speed "):
		l, ok := readLink(r)
		x.LinkSta = l
		return ok
	default: // latencies
		return true
	}
}

func readOldSlot(d *fact.Device, r *register) bool {
	if hotPlug := flagVal(r, "HotPlug"); hotPlug.Known() {
		d.Express.HotPlug = hotPlug
	}
	if hasPrefix(r.text, "Number ") {
		if n, ok := numberAfter(r.text, "Number "); ok {
			d.Express.SlotNumber = &n
		}
	}
	return true
}
