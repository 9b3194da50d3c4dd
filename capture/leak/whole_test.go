package leak

import "testing"

func TestWholeValues(t *testing.T) {
	for _, test := range []struct{ member, line, want string }{
		{"x/sys/class/dmi/id/product_serial", "5FFDBE2X", "5FFDBE2X"},
		{"sys/class/dmi/id/chassis_asset_tag", "To be filled by O.E.M.", ""},
		{"sys/bus/usb/devices/usb1/serial", "0000:00:14.0", ""},
		{"sys/bus/usb/devices/usb1/serial", "xhci-hcd.0.auto", ""},
		{"sys/class/fc_host/host3/port_name", "0x21000024ff4a5b6c", "0x21000024ff4a5b6c"},
		{"sys/class/fc_host/host3/port_name", "0x2066877fff4a5b6c", ""},
		{"doc/serial", "AB1234567", ""},
	} {
		got := ""
		wholeValue(test.member, test.line, func(_ Way, _, value string) { got = value })
		if got != test.want {
			t.Errorf("%s %q: found %q, want %q", test.member, test.line, got, test.want)
		}
	}
}
