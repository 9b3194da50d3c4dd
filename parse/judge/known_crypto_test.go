package judge

import (
	"testing"

	"hwcap/parse/fact"
)

// A driver built into the kernel is known by its name alone.
func TestOffloadOf(t *testing.T) {
	for driver, family := range map[string]string{
		"qat_aes_xts":      "Intel QuickAssist (QAT)",
		"omap-sha1":        "TI OMAP",
		"ecb-aes-omap":     "TI OMAP",
		"virtio-pkcs1-rsa": "virtio-crypto",
		"tegra-se-sha1":    "NVIDIA Tegra SE",
		"sm3-starfive":     "StarFive",
		"cbc(aes-eip93)":   "Inside Secure EIP93",
		"authenc(hmac(md5-eip93), cbc(aes-eip93))": "Inside Secure EIP93",
	} {
		if o := offloadOf(&fact.Algorithm{Driver: driver, Module: "kernel"}); o == nil || o.name != family {
			t.Errorf("%s is of %+v, want %s", driver, o, family)
		}
	}
}
