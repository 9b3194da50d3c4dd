package judge

import (
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// offload is a family of drivers that hand work to a device instead of the
// processor's own instructions. What the kernel lists of an implementation does
// not say which it is; names and modules do.
type offload struct {
	name     string   // as the report calls it
	modules  []string // as /proc/crypto prints them
	prefixes []string // of the driver name
	suffixes []string
	source   string // where the names stand in the kernel tree
}

// offloads are the families known. CPU extensions (aesni, ce, neon, padlock,
// s390, p10, riscv) are not among them: they are instructions.
var offloads = []offload{
	{"Intel QuickAssist (QAT)", []string{"intel_qat"}, []string{"qat_", "qat-"}, nil, "drivers/crypto/intel/qat/qat_common/qat_algs.c, qat_asym_algs.c, qat_comp_algs.c"},
	{"Intel IAA", []string{"iaa_crypto"}, nil, []string{"-iaa"}, "drivers/crypto/intel/iaa/iaa_crypto_main.c"},
	{"AMD CCP", []string{"ccp_crypto"}, nil, []string{"-ccp"}, "drivers/crypto/ccp/ccp-crypto-*.c"},
	{"NXP CAAM", []string{"caam_jr", "dpaa2_caam"}, nil, []string{"-caam", "-caam-qi", "-caam-qi2"}, "drivers/crypto/caam/caamalg.c, caamalg_qi.c, caamalg_qi2.c"},
	{"HiSilicon SEC", []string{"hisi_sec", "hisi_sec2"}, []string{"hisi_sec_"}, nil, "drivers/crypto/hisilicon/sec2/sec_crypto.c"},
	{"HiSilicon HPRE", []string{"hisi_hpre"}, []string{"hpre-"}, nil, "drivers/crypto/hisilicon/hpre/hpre_crypto.c"},
	{"HiSilicon ZIP", []string{"hisi_zip"}, []string{"hisi-"}, nil, "drivers/crypto/hisilicon/zip/zip_crypto.c"},
	{"Marvell CESA", []string{"marvell_cesa"}, []string{"mv-"}, nil, "drivers/crypto/marvell/cesa/cipher.c, hash.c"},
	{"Marvell OcteonTX CPT", []string{"octeontx_cptvf", "rvu_cptvf"}, []string{"cpt_", "cpt-"}, nil, "drivers/crypto/marvell/octeontx2/otx2_cptvf_algs.c"},
	{"Cavium Nitrox", []string{"n5pf"}, []string{"n5_"}, nil, "drivers/crypto/cavium/nitrox/nitrox_skcipher.c, nitrox_aead.c"},
	{"Inside Secure SafeXcel", []string{"crypto_safexcel"}, []string{"safexcel-"}, nil, "drivers/crypto/inside-secure/safexcel_cipher.c, safexcel_hash.c"},
	{"Inside Secure EIP93", []string{"crypto_hw_eip93"}, nil, []string{"-eip93", "-eip93)", "-eip93))"}, "drivers/crypto/inside-secure/eip93/"},
	{"Chelsio T6", []string{"chcr"}, nil, []string{"-chcr"}, "drivers/crypto/chelsio/chcr_algo.c"},
	{"virtio-crypto", []string{"virtio_crypto"}, []string{"virtio_crypto_", "virtio-crypto-", "virtio-pkcs1-"}, nil, "drivers/crypto/virtio/virtio_crypto_skcipher_algs.c, virtio_crypto_akcipher_algs.c"},
	{"Qualcomm QCE", []string{"qcrypto"}, nil, []string{"-qce"}, "drivers/crypto/qce/"},
	{"Freescale Talitos", []string{"talitos"}, nil, []string{"-talitos"}, "drivers/crypto/talitos.c"},
	{"Freescale DCP", []string{"mxs_dcp"}, nil, []string{"-dcp"}, "drivers/crypto/mxs-dcp.c"},
	{"Rockchip", []string{"rk_crypto"}, []string{"rk-"}, []string{"-rk"}, "drivers/crypto/rockchip/"},
	{"Allwinner", []string{"sun8i_ce", "sun8i_ss", "sun4i_ss"}, nil, []string{"-sun8i-ce", "-sun8i-ss", "-sun4i-ss"}, "drivers/crypto/allwinner/"},
	{"Amlogic GXL", []string{"amlogic_gxl_crypto"}, nil, []string{"-gxl"}, "drivers/crypto/amlogic/amlogic-gxl-core.c"},
	{"Atmel", nil, []string{"atmel-"}, nil, "drivers/crypto/atmel-aes.c, atmel-tdes.c, atmel-sha.c"},
	{"STM32", nil, []string{"stm32-"}, nil, "drivers/crypto/stm32/"},
	{"NVIDIA Tegra SE", []string{"tegra_se"}, []string{"tegra-se-"}, []string{"-tegra"}, "drivers/crypto/tegra/"},
	{"TI SA2UL", []string{"sa2ul"}, nil, []string{"-sa2ul"}, "drivers/crypto/sa2ul.c"},
	{"TI OMAP", nil, []string{"omap-"}, []string{"-omap"}, "drivers/crypto/omap-aes.c, omap-des.c, omap-sham.c"},
	{"Xilinx ZynqMP", nil, []string{"zynqmp-", "xilinx-zynqmp-"}, nil, "drivers/crypto/xilinx/"},
	{"StarFive", []string{"jh7110_crypto"}, []string{"starfive-"}, []string{"-starfive"}, "drivers/crypto/starfive/"},
	{"Aspeed", []string{"aspeed_crypto"}, []string{"aspeed-"}, nil, "drivers/crypto/aspeed/"},
}

// The rows that rules know more of.
var (
	qatOffload   = &offloads[0]
	tegraOffload = &offloads[slices.IndexFunc(offloads, func(o offload) bool { return o.name == "NVIDIA Tegra SE" })]
)

// offloadOf returns the family of an implementation, or nil where the processor
// does the work itself. Instances of templates ("pkcs1(qat-rsa,sha512)") match
// none: their name begins with the template's and ends with a bracket, their
// module is the template's. EIP93 names its own ciphers like instances
// ("cbc(aes-eip93)").
func offloadOf(a *fact.Algorithm) *offload {
	for i := range offloads {
		o := &offloads[i]
		if a.Module != "" && slices.Contains(o.modules, a.Module) ||
			slices.ContainsFunc(o.prefixes, func(p string) bool { return strings.HasPrefix(a.Driver, p) }) ||
			slices.ContainsFunc(o.suffixes, func(s string) bool { return strings.HasSuffix(a.Driver, s) }) {
			return o
		}
	}
	return nil
}

// harmlessFailure is a failed self-test that is known to be no fault.
type harmlessFailure struct{ driver, rc string }

// harmlessFailures are requests that a device cannot take and that its driver
// refuses with -EINVAL: QAT has no Diffie-Hellman of 6144 and 8192 bits, which
// the kernel tests by the groups of RFC 7919
// (https://lore.kernel.org/linux-crypto/ZcJFXtTZXKng7hKv@gcabiddu-mobl.ger.corp.intel.com/).
var harmlessFailures = []harmlessFailure{
	{"ffdhe6144(qat-dh)", "-22"},
	{"ffdhe8192(qat-dh)", "-22"},
}

// cpuAES are the instructions of processors that compute AES, and how the
// kernel names the drivers that use them.
type cpuAES struct {
	name    string   // as the report calls them
	flag    string   // in /proc/cpuinfo
	drivers []string // parts of the names of drivers
	module  string
	option  string // in the kernel's configuration
	source  string
}

// Per architecture, by the word before the flags in /proc/cpuinfo ("flags" on
// x86, "Features" on Arm); the usual ones first.
var cpuInstructions = map[string][]cpuAES{
	"flags": {
		{"AES-NI", "aes", []string{"aesni", "vaes"}, "aesni_intel", "CRYPTO_AES_NI_INTEL", "arch/x86/crypto/aesni-intel_glue.c"},
		{"PadLock", "ace", []string{"padlock"}, "padlock_aes", "CRYPTO_DEV_PADLOCK_AES", "drivers/crypto/padlock-aes.c"},
	},
	"Features": {
		{"Crypto Extensions", "aes", []string{"-ce"}, "aes_ce_blk", "CRYPTO_AES_ARM64_CE_BLK", "arch/arm64/crypto/aes-glue.c, arch/arm/crypto/aes-ce-glue.c"},
	},
}

// servingChassis are the chassis types of servers (SMBIOS specification 3.x,
// table 17: System Enclosure or Chassis Types).
var servingChassis = map[string]bool{"17": true, "23": true, "28": true, "29": true}

// routerSystems are how systems for routers call themselves in os-release.
var routerSystems = []string{"OpenWrt", "VyOS", "OPNsense", "pfSense", "IPFire", "LEDE", "ImmortalWrt"}
