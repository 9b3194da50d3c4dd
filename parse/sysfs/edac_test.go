package sysfs_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hwcap/parse/fact"
	"hwcap/parse/sysfs"
)

func TestEDAC(t *testing.T) {
	const mc = "sys/devices/system/edac/mc/"
	noPlaces := cmpopts.IgnoreTypes(fact.Line{})
	number := func(n int64) fact.Val[int64] { return fact.Of(n, fact.Line{}) }
	tests := map[string]struct {
		files map[string]string
		want  fact.Val[[]fact.Controller]
	}{
		"modules": {map[string]string{
			mc + ".list":       "mc0\npower\n",
			mc + "mc0/mc_name": "Skylake Socket#0 IMC#0\n", mc + "mc0/ce_count": "9\n", mc + "mc0/ue_count": "0\n", mc + "mc0/ce_noinfo_count": "2\n",
			mc + "mc0/ue_noinfo_count": "0\n", mc + "mc0/seconds_since_reset": "86400\n", mc + "mc0/sdram_scrub_rate": "1024\n",
			mc + "mc0/dimm10/dimm_label": "A2\n", mc + "mc0/dimm10/dimm_ce_count": "0\n", mc + "mc0/dimm10/dimm_ue_count": "0\n",
			mc + "mc0/dimm2/dimm_label": "A1\n", mc + "mc0/dimm2/dimm_ce_count": "7\n", mc + "mc0/dimm2/dimm_ue_count": "0\n", mc + "mc0/dimm2/size": "32768\n",
			mc + "mc0/dimm2/dimm_location": "channel 0 slot 0 \n", mc + "mc0/dimm2/dimm_mem_type": "Registered-DDR4\n", mc + "mc0/dimm2/dimm_edac_mode": "S4ECD4ED\n",
			// Where there are modules, their chip-select rows count the same errors.
			mc + "mc0/csrow0/ce_count": "7\n", mc + "mc0/csrow0/ue_count": "0\n", mc + "mc0/csrow0/ch0_ce_count": "7\n",
		}, fact.Of([]fact.Controller{{
			ID: "mc0", Name: "Skylake Socket#0 IMC#0", CE: number(9), UE: number(0), CENoInfo: number(2), UENoInfo: number(0), Since: number(86400), ScrubRate: number(1024),
			DIMMs: []fact.DIMMCount{{Label: "A1", Corrected: 7, Location: "channel 0 slot 0", MemType: "Registered-DDR4", Mode: "S4ECD4ED", SizeMiB: 32768}, {Label: "A2"}},
		}}, fact.Line{})},
		"a rank with one counter is none": {map[string]string{
			mc + "mc1/ce_count": "1\n", mc + "mc1/rank0/dimm_ce_count": "1\n", mc + "mc1/sdram_scrub_rate": "-1\n",
		}, fact.Of([]fact.Controller{{ID: "mc1", CE: number(1), ScrubRate: fact.Missing[int64](fact.Absent, fact.Line{})}}, fact.Line{})},
		"chip-select rows of old kernels": {map[string]string{
			mc + "mc0/csrow0/ce_count": "3\n", mc + "mc0/csrow0/ue_count": "0\n", mc + "mc0/csrow0/mem_type": "Registered-DDR3\n",
			mc + "mc0/csrow0/ch0_ce_count": "3\n", mc + "mc0/csrow0/ch0_dimm_label": "A1\n", mc + "mc0/csrow0/ch1_ce_count": "0\n", mc + "mc0/csrow0/ch1_dimm_label": "\n",
			// Nobody knows in which channel the uncorrected error was.
			mc + "mc0/csrow1/ce_count": "1\n", mc + "mc0/csrow1/ue_count": "1\n", mc + "mc0/csrow1/ch0_ce_count": "1\n", mc + "mc0/csrow1/ch0_dimm_label": "A2\n",
			mc + "mc0/csrow1/ch1_ce_count": "0\n", mc + "mc0/csrow1/ch1_dimm_label": "B2\n",
			mc + "mc0/csrow2/ce_count": "5\n",
		}, fact.Of([]fact.Controller{{ID: "mc0", DIMMs: []fact.DIMMCount{
			{Label: "A1", Corrected: 3}, {Label: "mc0/csrow0/ch1"}, {Label: "A2, B2", Corrected: 1, Uncorrected: 1},
		}}}, fact.Line{})},
		"no driver": {map[string]string{mc + ".list": "power\n"}, fact.Missing[[]fact.Controller](fact.Empty, fact.Line{})},
		"nothing":   {map[string]string{}, fact.Val[[]fact.Controller]{}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			m := read(test.files)
			if diff := cmp.Diff(test.want, m.RAS.EDAC, noPlaces); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(m.Problems) > 0 {
				t.Errorf("problems %v", m.Problems)
			}
		})
	}
}

// TestEDACLine reads a counter out of what grep printed of several.
func TestEDACLine(t *testing.T) {
	var m fact.Machine
	tree := sysfs.New(&m)
	at := fact.Line{File: "counters.txt", Line: 7, Text: "/sys/devices/system/edac/mc/mc0/ce_count:3"}
	tree.AddLine(strings.TrimPrefix("/sys/devices/system/edac/mc/mc0/ce_count", "/"), "3", at)
	tree.Finish()
	if v := m.RAS.EDAC.V[0].CE; v.V != 3 || v.At != at || m.RAS.EDAC.At != at {
		t.Errorf("%+v, list at %+v", v, m.RAS.EDAC.At)
	}
}
