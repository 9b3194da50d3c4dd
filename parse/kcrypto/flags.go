package kcrypto

import (
	"fmt"
	"slices"

	"hwcap/parse/fact"
)

// Bits of cra_flags (include/linux/crypto.h).
const (
	typeMask     = 0xf
	larval       = 0x10
	dead         = 0x20
	dying        = 0x40
	async        = 0x80
	reused       = 0x200 // has had three names
	tested       = 0x400
	internal     = 0x2000
	optionalKey  = 0x4000
	fipsInternal = 0x20000
)

// AllocatesMemory is CRYPTO_ALG_ALLOCATES_MEMORY: the implementation may
// allocate memory while it works, so that whoever writes out memory must not use
// it. dm-crypt and dm-integrity mask it.
const AllocatesMemory = 0x10000

// flags are the bits above the type. A bit that means something else for some
// types has their row first.
var flags = []struct {
	bit   uint32
	name  string
	types []string // nil for all
}{
	{larval, "LARVAL", nil},
	{dead, "DEAD", nil},
	{dying, "DYING", nil},
	{async, "ASYNC", nil},
	{0x100, "NEED_FALLBACK", nil},
	{tested, "TESTED", nil},
	{0x800, "INSTANCE", nil},
	{0x1000, "KERN_DRIVER_ONLY", nil},
	{internal, "INTERNAL", nil},
	{optionalKey, "SKCIPHER_REQSIZE_LARGE", []string{"skcipher", "lskcipher"}}, // include/crypto/internal/skcipher.h
	{optionalKey, "OPTIONAL_KEY", nil},
	{0x8000, "NOLOAD", nil},
	{AllocatesMemory, "ALLOCATES_MEMORY", nil},
	{fipsInternal, "FIPS_INTERNAL", nil},
	{0x40000, "REQ_VIRT", nil}, // REQ_CHAIN in 6.15
	{0x80000, "NO_FALLBACK", nil},
	{0x1000000, "BLOCK_ONLY", hashes}, // include/crypto/internal/hash.h
	{0x2000000, "FINAL_NONZERO", hashes},
	{0x4000000, "FINUP_MAX", hashes},
	{0x8000000, "NO_EXPORT_CORE", hashes},
}

var hashes = []string{"ahash", "shash"}

// flagNames returns the names of the bits in cra_flags of an algorithm of that
// type, type bits left out, in the order of the bits. A bit without a name here
// is given in hexadecimal.
func flagNames(cra uint32, kind string, age age) []string {
	var names []string
	for bit := uint32(typeMask + 1); bit != 0; bit <<= 1 {
		if cra&bit != 0 {
			names = append(names, flagName(bit, kind, age))
		}
	}
	return names
}

func flagName(bit uint32, kind string, age age) string {
	if bit == reused {
		return age.reused
	}
	for _, f := range flags {
		if f.bit == bit && (f.types == nil || slices.Contains(f.types, kind)) {
			return f.name
		}
	}
	return fmt.Sprintf("0x%08x", bit)
}

// age is what a kernel of some age means by what others use otherwise.
type age struct {
	reused string // name of the bit 0x200
}

// Ages of kernels.
var (
	withGeniv  = age{"GENIV"}     // to 5.0: already wrapped by a generator of IVs
	withEngine = age{"ENGINE"}    // 6.6 to 6.14, crypto/crypto_engine.c
	withCopies = age{"DUP_FIRST"} // from 6.15, commit f1440a90465b: copied when registered
)

// oldTypes are the types that went until 5.5; bits from newFlags on came with
// 6.15, where the generic hashes have one.
var oldTypes = []string{"blkcipher", "ablkcipher", "givcipher", "nivaead", "pcompress"}

const newFlags = 0xff040000

// ageOf tells the age of the kernel by what is in its list.
func ageOf(algs []fact.Algorithm) age {
	found := withEngine
	for _, a := range algs {
		if a.Flags.V&newFlags != 0 {
			return withCopies
		}
		if slices.Contains(oldTypes, a.Type) {
			found = withGeniv
		}
	}
	return found
}

// stableTypes are the numbers of types that no kernel gave to another one since
// there is NETLINK_CRYPTO. All others moved, some more than once.
var stableTypes = map[uint32]string{0x1: "cipher", 0x3: "aead", 0xc: "rng"}

// nameTypes fills in the types of entries that came without a report: the other
// entries of the dump tell which number this kernel gives to which type.
func nameTypes(algs []fact.Algorithm) {
	learned := map[uint32]string{}
	for _, a := range algs {
		if number := a.Flags.V & typeMask; a.Type != "" && a.Flags.V&larval == 0 && learned[number] == "" {
			learned[number] = a.Type
		}
	}
	for i := range algs {
		if a := &algs[i]; a.Type == "" {
			number := a.Flags.V & typeMask
			a.Type = learned[number]
			if a.Type == "" {
				a.Type = stableTypes[number]
			}
		}
	}
}
