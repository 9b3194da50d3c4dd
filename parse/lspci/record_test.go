package lspci

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
)

// TestRecords reads the forms of lspci that are made for programs.
func TestRecords(t *testing.T) {
	host := fact.Device{Address: "0000:00:00.0", Class: "0600", ClassName: "Host bridge", Vendor: "8086", Device: "29c0", Name: "Example Bridge", Listings: 1}
	for _, test := range []struct {
		situation string
		text      string
		want      []fact.Device
	}{
		{"-vmmk", "Slot:\t00:1f.3\nClass:\tAudio device\nVendor:\tExample Corporation\nDevice:\tDevice 1234\nSVendor:\tBoard Maker\nSDevice:\tModel 7\nRev:\t02\nProgIf:\t80\n" +
			"PhySlot:\t3\nNUMANode:\t1\nDTNode:\t/soc/pcie\nIOMMUGroup:\t14\nDriver:\tsnd_example\nModule:\tsnd_example\nModule:\tsnd_other\n\n" +
			"Slot:\t0001:01:00.0\nClass:\tEthernet controller\nVendor:\tExample\nDevice:\tNIC\n\n",
			[]fact.Device{
				{Address: "0000:00:1f.3", Class: "0403", ClassName: "Audio device", Name: "Example Corporation", Device: "1234", SubName: "Board Maker Model 7", Revision: "02", ProgIf: "80", Slot: "3",
					NUMANode: ptr(1), IOMMUGroup: "14", Driver: "snd_example", DriverKnown: true, Modules: []string{"snd_example", "snd_other"}, Listings: 1},
				{Address: "0001:01:00.0", Class: "0200", ClassName: "Ethernet controller", Name: "Example NIC", DriverKnown: true, Listings: 1},
			}},
		{"-vmmnn", "Slot:\t00:00.0\nClass:\tHost bridge [0600]\nVendor:\tExample [8086]\nDevice:\tBridge [29C0]\n", []fact.Device{host}},
		{"-vm, which calls the slot a device", "Device:\t00:00.0\nClass:\tHost bridge [0600]\nVendor:\tExample [8086]\nDevice:\tBridge [29c0]\n", []fact.Device{host}},
		{"-vmmn, in a mail", "> Slot:   00:00.0\n> Class:  0600\n> Vendor: 8086\n> Device: 1237\n",
			[]fact.Device{{Address: "0000:00:00.0", Class: "0600", Vendor: "8086", Device: "1237", Listings: 1}}},
		{"-mm", `00:1f.3 "Audio device" "Example" "Audio" -r02 -p80 "Board Maker" "Device 0001"` + "\n" + `0001:01:00.0 "Network controller" "Example \"X\" \\" "NIC" "" ""` + "\n",
			[]fact.Device{
				{Address: "0000:00:1f.3", Class: "0403", ClassName: "Audio device", Name: "Example Audio", Revision: "02", ProgIf: "80", SubName: "Board Maker", SubDevice: "0001", Listings: 1},
				{Address: "0001:01:00.0", Class: "0280", ClassName: "Network controller", Name: `Example "X" \ NIC`, Listings: 1},
			}},
		{"-mmnn", `00:00.0 "Host bridge [0600]" "Example [8086]" "Bridge [29c0]" "" ""` + "\n", []fact.Device{host}},
		{"-mmn, then a listing that says more", `00:00.0 "0600" "8086" "29c0" -r02 "" ""` + "\n$ lspci -k\n00:00.0 Host bridge: Example Bridge\n\tSubsystem: Example Board\n\n",
			[]fact.Device{{Address: "0000:00:00.0", Class: "0600", ClassName: "Host bridge", Vendor: "8086", Device: "29c0", Revision: "02", Name: "Example Bridge", SubName: "Example Board", Listings: 2}}},
	} {
		t.Run(test.situation, func(t *testing.T) {
			got := parse(t, test.text)
			if diff := cmp.Diff(test.want, got.Devices, noPlaces); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(got.Problems) > 0 || got.Unread.Lines > 0 {
				t.Errorf("problems %v, unread %+v", got.Problems, got.Unread)
			}
		})
	}
	got := parse(t, `00:00.0 "0600" "8086`+"\nSlot:\t00:01.0\nClass:\t0604\nNovelty:\t1\n")
	if got.Unread.Lines != 2 || len(got.Problems) != 1 {
		t.Errorf("unread %+v, problems %v", got.Unread, got.Problems)
	}
	if at := got.Devices[1].From; at.Line != 2 || at.Text != "Slot:\t00:01.0" {
		t.Errorf("second device stands at %+v", at)
	}
}
