package ethtool

import (
	"strings"

	"hwcap/parse/fact"
)

// modeNames are the bits of a set of link modes (enum
// ethtool_link_mode_bit_indices, include/uapi/linux/ethtool.h) by the names that
// the kernel gives to them (link_mode_names, net/ethtool/common.c). Some are no
// modes: ports, pause frames, error correction.
var modeNames = []string{
	"10baseT/Half", "10baseT/Full", "100baseT/Half", "100baseT/Full", "1000baseT/Half", "1000baseT/Full",
	"Autoneg", "TP", "AUI", "MII", "FIBRE", "BNC", "10000baseT/Full", "Pause", "Asym_Pause", "2500baseX/Full",
	"Backplane", "1000baseKX/Full", "10000baseKX4/Full", "10000baseKR/Full", "10000baseR_FEC",
	"20000baseMLD2/Full", "20000baseKR2/Full", "40000baseKR4/Full", "40000baseCR4/Full", "40000baseSR4/Full",
	"40000baseLR4/Full", "56000baseKR4/Full", "56000baseCR4/Full", "56000baseSR4/Full", "56000baseLR4/Full",
	"25000baseCR/Full", "25000baseKR/Full", "25000baseSR/Full", "50000baseCR2/Full", "50000baseKR2/Full",
	"100000baseKR4/Full", "100000baseSR4/Full", "100000baseCR4/Full", "100000baseLR4_ER4/Full",
	"50000baseSR2/Full", "1000baseX/Full", "10000baseCR/Full", "10000baseSR/Full", "10000baseLR/Full",
	"10000baseLRM/Full", "10000baseER/Full", "2500baseT/Full", "5000baseT/Full", "None", "RS", "BASER",
	"50000baseKR/Full", "50000baseSR/Full", "50000baseCR/Full", "50000baseLR_ER_FR/Full", "50000baseDR/Full",
	"100000baseKR2/Full", "100000baseSR2/Full", "100000baseCR2/Full", "100000baseLR2_ER2_FR2/Full",
	"100000baseDR2/Full", "200000baseKR4/Full", "200000baseSR4/Full", "200000baseLR4_ER4_FR4/Full",
	"200000baseDR4/Full", "200000baseCR4/Full", "100baseT1/Full", "1000baseT1/Full", "400000baseKR8/Full",
	"400000baseSR8/Full", "400000baseLR8_ER8_FR8/Full", "400000baseDR8/Full", "400000baseCR8/Full", "LLRS",
	"100000baseKR/Full", "100000baseSR/Full", "100000baseLR_ER_FR/Full", "100000baseCR/Full",
	"100000baseDR/Full", "200000baseKR2/Full", "200000baseSR2/Full", "200000baseLR2_ER2_FR2/Full",
	"200000baseDR2/Full", "200000baseCR2/Full", "400000baseKR4/Full", "400000baseSR4/Full",
	"400000baseLR4_ER4_FR4/Full", "400000baseDR4/Full", "400000baseCR4/Full", "100baseFX/Half",
	"100baseFX/Full", "10baseT1L/Full", "800000baseCR8/Full", "800000baseKR8/Full", "800000baseDR8/Full",
	"800000baseDR8_2/Full", "800000baseSR8/Full", "800000baseVR8/Full", "10baseT1S/Full", "10baseT1S/Half",
	"10baseT1S_P2MP/Half", "10baseT1BRR/Full", "200000baseCR/Full", "200000baseKR/Full", "200000baseDR/Full",
	"200000baseDR_2/Full", "200000baseSR/Full", "200000baseVR/Full", "400000baseCR2/Full", "400000baseKR2/Full",
	"400000baseDR2/Full", "400000baseDR2_2/Full", "400000baseSR2/Full", "400000baseVR2/Full",
	"800000baseCR4/Full", "800000baseKR4/Full", "800000baseDR4/Full", "800000baseDR4_2/Full",
	"800000baseSR4/Full", "800000baseVR4/Full", "1600000baseCR8/Full", "1600000baseKR8/Full",
	"1600000baseDR8/Full", "1600000baseDR8_2/Full",
}

const (
	modeAutoneg = "Autoneg"
	maxModes    = 160 // of one set; Linux 6.16 has 125
	maxModeName = 31  // ETH_GSTRING_LEN without the final zero
)

// known lets names from a text share the memory of those here.
var known = func() map[string]string {
	m := make(map[string]string, len(modeNames))
	for _, name := range modeNames {
		m[name] = name
	}
	return m
}()

// mode returns the link mode of that name, and whether it is one: the kernel
// makes such names from the speed in Mbit/s, "base", the medium, a slash and the
// duplex (__LINK_MODE_NAME, net/ethtool/common.c). So modes of newer kernels are
// known as well.
func mode(name string) (fact.LinkMode, bool) {
	number, rest, ok := strings.Cut(name, "base")
	if !ok || rest == "" || number == "" || len(number) > 8 || len(name) > maxModeName {
		return fact.LinkMode{}, false
	}
	speed := 0
	for _, c := range []byte(number) {
		if c < '0' || c > '9' {
			return fact.LinkMode{}, false
		}
		speed = 10*speed + int(c-'0')
	}
	if own, ok := known[name]; ok {
		name = own
	}
	return fact.LinkMode{Name: name, Speed: speed}, speed > 0
}

// modes is a set of link modes in the making.
type modes struct {
	list    []fact.LinkMode
	autoneg bool
}

// add takes a bit by its name.
func (m *modes) add(name string) {
	if name == modeAutoneg {
		m.autoneg = true
	}
	if l, ok := mode(name); ok && len(m.list) < maxModes {
		m.list = append(m.list, l)
	}
}

// value is the set as a fact: absent where the driver reports no mode.
func (m *modes) value(at fact.Line) fact.Val[[]fact.LinkMode] {
	if len(m.list) == 0 {
		return fact.Missing[[]fact.LinkMode](fact.Absent, at)
	}
	return fact.Of(m.list, at)
}
