package klog

import (
	"strings"

	"hwcap/parse/fact"
)

// hit is a message that holds a literal of the tables, cut into its parts.
type hit struct {
	*message
	text   string // the whole message
	driver string // "pcieport"
	device string // PCI address or ACPI name
	owner  string // as device, but of any bus: "nvme0", "arm-smmu-v3.0.auto"
	iface  string // network interface named between device and message
	body   string // the message after driver and device
	rest   string // the message after driver and owner
}

// newHit cuts "<driver> <device>: message", the form of dev_printk
// (drivers/base/core.c), and "<driver> <device> <interface>: message", that of
// netdev_printk.
func newHit(m *message) hit {
	h := hit{message: m, text: strings.TrimRight(string(m.text), " ")}
	if m.kmsg && strings.Contains(h.text, `\x`) {
		h.text = unescape(h.text)
	}
	h.body, h.rest = h.text, h.text
	driver, rest, _ := strings.Cut(h.text, " ")
	name, body, _ := strings.Cut(rest, " ")
	if driver != "" && !strings.HasSuffix(driver, ":") {
		switch owner, colon := strings.CutSuffix(name, ":"); {
		case colon:
			// Up to 4.19 the services of a port have names of their own:
			// "0000:00:1c.0:pcie004" (drivers/pci/pcie/portdrv_core.c).
			if port, service, ok := strings.Cut(owner, ":pcie"); ok && len(service) == 3 && isBDF(port) {
				owner = port
			}
			h.driver, h.owner, h.rest = driver, owner, body
		case isBDF(name):
			iface, after, _ := strings.Cut(body, ": ")
			if !strings.Contains(iface, " ") {
				h.driver, h.owner, h.iface, h.rest = driver, name, iface, after
			}
		}
	}
	switch {
	case isBDF(h.owner), isACPI(h.owner):
		h.device, h.body = h.owner, h.rest
	default:
		h.driver, h.device = "", string(m.device)
	}
	return h
}

// unescape undoes the escapes of /dev/kmsg: \x09, \x5c.
func unescape(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) && s[i+1] == 'x' && isHex(s[i+2]) && isHex(s[i+3]) {
			out.WriteByte(nibble(s[i+2])<<4 | nibble(s[i+3]))
			i += 3
			continue
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

func nibble(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// note starts a note of the hit; the parser adds boot and place.
func (h *hit) note(kind string, fields ...string) fact.Note {
	n := fact.Note{Kind: kind, Device: h.device, Driver: h.driver}
	for i := 0; i < len(fields); i += 2 {
		if fields[i+1] != "" {
			if n.Fields == nil {
				n.Fields = map[string]string{}
			}
			n.Fields[fields[i]] = fields[i+1]
		}
	}
	return n
}

// seconds returns the time of the message, or nil.
func (h *hit) seconds() *float64 {
	if !h.timed {
		return nil
	}
	t := h.time
	return &t
}
