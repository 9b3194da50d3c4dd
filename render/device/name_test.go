package device

import (
	"strings"
	"testing"

	"hwcap/parse/fact"
)

func TestName(t *testing.T) {
	for name, tc := range map[string]struct {
		device *fact.Device
		want   string
	}{
		"nothing known":              {&fact.Device{Address: "0000:01:00.0"}, ""},
		"no device":                  {nil, ""},
		"ids only":                   {&fact.Device{Vendor: "8086", Device: "0435"}, "8086:0435"},
		"the firmware's label":       {&fact.Device{Vendor: "8086", Device: "1533", Label: "Onboard LAN1"}, "Onboard LAN1"},
		"legal form":                 {&fact.Device{Name: "Intel Corporation DH895XCC Series QAT"}, "Intel DH895XCC Series QAT"},
		"not in the list of names":   {&fact.Device{Vendor: "8086", Device: "347a", Name: "Intel Corporation Device"}, "Intel Device 347a"},
		"graphics card":              {&fact.Device{Class: "0300", Name: "NVIDIA Corporation AD106 [GeForce RTX 4060 Ti]"}, "NVIDIA GeForce RTX 4060 Ti"},
		"short name in brackets":     {&fact.Device{Class: "0604", Name: "Advanced Micro Devices, Inc. [AMD] Raphael/Granite Ridge GPP Bridge"}, "AMD Raphael/Granite Ridge GPP Bridge"},
		"graphics of that maker":     {&fact.Device{Class: "0300", Name: "Advanced Micro Devices, Inc. [AMD/ATI] Navi 33 [Radeon RX 7600]"}, "AMD Radeon RX 7600"},
		"graphics in a processor":    {&fact.Device{Class: "0300", Name: "Advanced Micro Devices, Inc. [AMD/ATI] Raphael"}, "AMD Raphael"},
		"limited company":            {&fact.Device{Name: "Realtek Semiconductor Co., Ltd. RTL8125 2.5GbE Controller"}, "Realtek RTL8125 2.5GbE Controller"},
		"brackets of another class":  {&fact.Device{Class: "0106", Name: "Intel Corporation SATA Controller [AHCI mode]"}, "Intel SATA Controller [AHCI mode]"},
		"a name with the maker":      {&fact.Device{Class: "0300", Name: "ASPEED Technology, Inc. ASPEED Graphics Family"}, "ASPEED Graphics Family"},
		"a bracket that only closes": {&fact.Device{Class: "0300", Name: "Maker card]"}, "Maker card]"},
	} {
		if got := Name(tc.device); got != tc.want {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
	long := Short(&fact.Device{Name: strings.Repeat("ä", 200)})
	if n := len([]rune(long)); n != 60 || !strings.HasSuffix(long, "…") {
		t.Errorf("%q has %d characters", long, n)
	}
}
