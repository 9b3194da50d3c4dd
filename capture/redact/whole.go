package redact

import (
	"bytes"
	"path"
	"strings"
)

// wholeValues are members of sysfs, by the last part of their name, that hold an
// identity and nothing else (Documentation/ABI of the kernel).
var wholeValues = map[string]announced{
	"product_serial":    asWholeSerial(DMISerial), // class/dmi/id
	"board_serial":      asWholeSerial(DMISerial),
	"chassis_serial":    asWholeSerial(DMISerial),
	"board_asset_tag":   asWholeSerial(AssetTag),
	"chassis_asset_tag": asWholeSerial(AssetTag),
	"serial":            asWholeSerial(Serial), // class/nvme, bus/usb, bus/cxl
	"serial_number":     asWholeSerial(Serial),
	"port_name":         asHex(WWN), // class/fc_host
	"node_name":         asHex(WWN),
	"fabric_name":       asHex(WWN),
	"sas_address":       asHex(WWN), // class/sas_device
	"node_guid":         asHex(WWN), // class/infiniband
	"sys_image_guid":    asHex(WWN),
}

// wholeValue returns what takes the value of a member that holds nothing else.
func wholeValue(member string) announced {
	if !strings.HasPrefix(member, "sys/") && !strings.Contains(member, "/sys/") {
		return nil
	}
	return wholeValues[path.Base(member)]
}

// takeWhole takes a line that is a value.
func (t *text) takeWhole() {
	if end := len(bytes.TrimRight(t.line, " \t\x00")); end > 0 && end < maxValue {
		t.whole(t, 0, end)
	}
}

// asWholeSerial takes a serial number. That of a root hub is the name of its
// controller, 0000:00:14.0 or xhci-hcd.0.auto.
func asWholeSerial(class Class) announced {
	const shortest = 5
	return func(t *text, from, to int) {
		s := t.line[from:to]
		if bytes.HasPrefix(s, []byte("0x")) && isAllHex(s[2:]) {
			from += 2
		}
		if to-from < shortest || !bytes.ContainsAny(s, "0123456789") || bytes.Contains(s, []byte("hcd")) || t.ownForm(from, to) {
			return
		}
		t.foundSerial(from, to, class)
	}
}
