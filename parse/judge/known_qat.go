package judge

import "hwcap/parse/fact"

// qatChip is what is known of a QuickAssist chip. Ids: include/linux/pci_ids.h
// and drivers/crypto/intel/qat/qat_common/adf_accel_devices.h. Driver, module
// and firmware: drivers/crypto/intel/qat/qat_<name>/adf_drv.c and
// adf_<name>_hw_data.h.
type qatChip struct {
	name           string
	generation     int    // as the kernel counts (adf_gen2_*, adf_gen4_*, ...); 0: no driver there
	pf, vf         string // device ids, vendor 8086
	driver, module string // of the physical function in the kernel tree; "" if it has none
	since          kernelVersion
	firmware       []string
	vfDriver       string // of the virtual function in the kernel tree; "" if it has none
	vfModule       string
	outOfTree      string // module of Intel's own package, where the kernel has none
	intelPackage   string // and the package's name
	qatlib         bool   // supported by github.com/intel/qatlib (README, "Supported Devices")
}

var qatChips = []qatChip{
	{name: "DH895xCC", generation: 2, pf: "0435", vf: "0443", driver: "dh895xcc", module: "qat_dh895xcc", since: kernelVersion{3, 17, 0},
		firmware: []string{"qat_895xcc.bin", "qat_895xcc_mmp.bin"}, vfDriver: "dh895xccvf", vfModule: "qat_dh895xccvf"},
	{name: "C62x", generation: 2, pf: "37c8", vf: "37c9", driver: "c6xx", module: "qat_c62x", since: kernelVersion{4, 5, 0},
		firmware: []string{"qat_c62x.bin", "qat_c62x_mmp.bin"}, vfDriver: "c6xxvf", vfModule: "qat_c62xvf"},
	{name: "C3xxx", generation: 2, pf: "19e2", vf: "19e3", driver: "c3xxx", module: "qat_c3xxx", since: kernelVersion{4, 5, 0},
		firmware: []string{"qat_c3xxx.bin", "qat_c3xxx_mmp.bin"}, vfDriver: "c3xxxvf", vfModule: "qat_c3xxxvf"},
	// 8c8268166e83
	{name: "4xxx", generation: 4, pf: "4940", vf: "4941", driver: "4xxx", module: "qat_4xxx", since: kernelVersion{5, 11, 0},
		firmware: []string{"qat_4xxx.bin", "qat_4xxx_mmp.bin"}, qatlib: true},
	// fbdab61af2d0
	{name: "401xx", generation: 4, pf: "4942", vf: "4943", driver: "4xxx", module: "qat_4xxx", since: kernelVersion{5, 19, 0},
		firmware: []string{"qat_4xxx.bin", "qat_4xxx_mmp.bin"}, qatlib: true},
	// a3e8c919b993
	{name: "402xx", generation: 4, pf: "4944", vf: "4945", driver: "4xxx", module: "qat_4xxx", since: kernelVersion{6, 4, 0},
		firmware: []string{"qat_402xx.bin", "qat_402xx_mmp.bin"}, qatlib: true},
	// fcf60f4bcf54
	{name: "420xx", generation: 4, pf: "4946", vf: "4947", driver: "420xx", module: "qat_420xx", since: kernelVersion{6, 8, 0},
		firmware: []string{"qat_420xx.bin", "qat_420xx_mmp.bin"}, qatlib: true},
	// 17fd7514ae68
	{name: "6xxx", generation: 6, pf: "4948", vf: "4949", driver: "6xxx", module: "qat_6xxx", since: kernelVersion{6, 16, 0},
		firmware: []string{"qat_6xxx.bin", "qat_6xxx_mmp.bin"}},
	// Known to pci.ids and to Intel's packages, to no driver of the kernel tree.
	{name: "DH89xxCC", pf: "0434", vf: "0442", intelPackage: "QAT 1.6"},
	{name: "D15xx", pf: "6f54", vf: "6f55", outOfTree: "qat_d15xx"},
	{name: "200xx", pf: "18ee", vf: "18ef"},
	{name: "C4xxx (Atom P5xxx)", pf: "18a0", vf: "18a1"},
	{name: "Atom C2xxx", pf: "1f18", vf: "1f19", intelPackage: "QAT 1.5"},
}

// qatChipOf returns what is known of d, and whether it is a virtual function;
// nil where d is no QuickAssist device.
func qatChipOf(d *fact.Device) (chip *qatChip, virtual bool) {
	if d.Vendor != "8086" {
		return nil, false
	}
	for i := range qatChips {
		switch c := &qatChips[i]; d.Device {
		case c.pf:
			return c, false
		case c.vf:
			return c, true
		}
	}
	return nil, false
}

// qatDriverOf returns the first chip that a driver of the kernel tree is for,
// and whether it is its driver for virtual functions.
func qatDriverOf(driver string) (chip *qatChip, virtual bool) {
	for i := range qatChips {
		switch c := &qatChips[i]; driver {
		case "":
		case c.driver:
			return c, false
		case c.vfDriver:
			return c, true
		}
	}
	return nil, false
}

// qatCorrupts reports whether v is of the stable releases 6.1.39 to 6.1.52,
// whose QAT driver overwrote memory of others at start; 6.1.53 fixed it
// (https://lore.kernel.org/linux-crypto/ZQPxuZ2tifa9bQKJ@gcabiddu-mobl1.ger.corp.intel.com/).
func qatCorrupts(v kernelVersion) bool {
	return v.major == 6 && v.minor == 1 && v.patch >= 39 && v.patch <= 52
}

// qatSilent reports whether v is of the series in which the stable update of
// March 2022, "crypto: qat - disable registration of algorithms", keeps the
// driver from offering anything to the kernel. 5.18 had it too; 5.19 lifted it.
// Older levels of these series do register, so this explains what is missing
// and predicts nothing.
func qatSilent(v kernelVersion) bool {
	switch [2]int{v.major, v.minor} {
	case [2]int{4, 9}, [2]int{4, 14}, [2]int{4, 19}, [2]int{5, 4}, [2]int{5, 10}, [2]int{5, 15}, [2]int{5, 18}:
		return true
	}
	return false
}

// accelCard is what is known of a card with an accelerator, from its data sheet.
type accelCard struct {
	vendor, device string
	name           string
	watts          int  // typical power
	passive        bool // no fan of its own
	ambient        int  // highest temperature of the air around it, in degrees Celsius
	source         string
}

// The chip of the first row also stands on boards; who asks has made sure that
// it is on a card.
var accelCards = []accelCard{
	{"8086", "0435", "Intel QuickAssist Adapter 8950", 40, true, 55, "Intel QuickAssist Adapter 8950, product brief"},
}

// accelCardOf returns what is known of the card that d is on, or nil.
func accelCardOf(d *fact.Device) *accelCard {
	for i := range accelCards {
		if c := &accelCards[i]; c.vendor == d.Vendor && c.device == d.Device {
			return c
		}
	}
	return nil
}

// qatLevel is what a chip may do by the level that the maker of the machine sold
// it with: fuses or a licence, of which no register that Linux reads tells.
type qatLevel struct {
	name                       string
	compressGbits, cipherGbits int // Gbit/s
	rsaKPerSecond              int // thousands of RSA operations a second, 2048 bits
}

// qatLevels are those that vendors of servers name, by the chip's PF id: C62x as
// in the data sheets of blades with it.
var qatLevels = map[string][]qatLevel{
	"37c8": {{"40G", 28, 40, 40}, {"100G", 65, 100, 100}},
}
