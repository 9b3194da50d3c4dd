package lspci

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"hwcap/parse/fact"
)

// TestInstalled lets the lspci of this machine print dumps of configuration
// space, and reads all of that.
func TestInstalled(t *testing.T) {
	dumps, _ := filepath.Glob(filepath.Join(corpus(t), "pciutils-tests", "*"))
	tool, err := exec.LookPath("lspci")
	if err != nil {
		t.Skip("lspci is not installed")
	}
	for _, dump := range dumps {
		cmd := exec.Command(tool, "-F", dump, "-vvvnn")
		cmd.Env = append(os.Environ(), "LC_ALL=C")
		text, err := cmd.Output()
		if err != nil {
			t.Errorf("%s: lspci: %v", dump, err)
			continue
		}
		r, err := Parse(bytes.NewReader(text), filepath.Base(dump))
		if err != nil {
			t.Fatal(err)
		}
		if r.Unread.Lines > 0 || len(r.Problems) > 0 || len(r.Devices) == 0 {
			t.Errorf("%s: %d devices, unread %+v, problems %v", dump, len(r.Devices), r.Unread, r.Problems)
		}
		for i := range r.Devices {
			sane(t, dump, &r.Devices[i])
		}
	}
}

// sane holds a device against what no device can be.
func sane(t *testing.T, dump string, d *fact.Device) {
	t.Helper()
	if len(d.Vendor) != 4 || len(d.Device) != 4 || len(d.Class) != 4 || d.DriverKnown {
		t.Errorf("%s: %s: vendor %q, device %q, class %q, driver known: %v", dump, d.Address, d.Vendor, d.Device, d.Class, d.DriverKnown)
	}
	x := d.Express
	if x == nil {
		return
	}
	if x.Type == "" || x.DevCtl == nil || x.DevSta == nil || x.MaxPayloadCap == 0 || x.MaxPayload == 0 || x.MaxReadReq == 0 {
		t.Errorf("%s: %s: incomplete: %+v", dump, d.Address, x)
	}
	inside := x.Type == fact.RCiEP || x.Type == fact.RCEC
	if links := x.LinkCap != nil && x.LinkSta != nil && x.LinkCtl != nil; links == inside {
		t.Errorf("%s: %s: %s with links: %v", dump, d.Address, x.Type, links)
	}
	if x.LinkCap != nil && x.LinkSta != nil && x.LinkSta.Width > x.LinkCap.Width {
		t.Errorf("%s: %s: x%d of x%d", dump, d.Address, x.LinkSta.Width, x.LinkCap.Width)
	}
}
