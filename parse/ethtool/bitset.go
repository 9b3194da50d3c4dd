package ethtool

import (
	"fmt"

	"hwcap/parse/netlink"
)

// bits hands each bit of a set to take, by its name, and whether it is set. In
// the verbose form each bit has its name and those of the mask are there, in the
// compact form value and mask are numbers of 32 bits in the order of the machine
// (Documentation/networking/ethtool-netlink.rst, "Bit sets").
func bits(set *netlink.Attributes, m *netlink.Message, take func(name string, set bool)) {
	noMask := false
	var value, mask []byte
	for a := set.Nested(); a.Next(); {
		switch a.Type {
		case attrNoMask:
			noMask = true
		case attrBits:
			for b := a.Nested(); b.Next(); {
				if b.Type == attrBit {
					name, isSet := bit(b.Nested())
					if name != "" {
						take(name, isSet || noMask)
					}
				}
			}
		case attrValue:
			value = a.Value
		case attrMask:
			mask = a.Value
		}
	}
	if mask == nil {
		mask = value
	}
	isSet := func(words []byte, n int) bool {
		at := n / 32 * 4
		return at+4 <= len(words) && m.Order.Uint32(words[at:])>>(n%32)&1 != 0
	}
	for n := range min(len(mask)/4*32, maxModes) {
		if isSet(mask, n) {
			take(bitName(n), isSet(value, n))
		}
	}
}

// bit reads one bit of the verbose form.
func bit(a *netlink.Attributes) (name string, set bool) {
	for a.Next() {
		switch a.Type {
		case attrBitIndex:
			if n, ok := a.Uint32(); ok && name == "" && n < maxModes {
				name = bitName(int(n))
			}
		case attrBitName:
			if text, ok := a.Text(maxModeName); ok {
				name = text
			}
		case attrBitValue:
			set = true
		}
	}
	return name, set
}

func bitName(n int) string {
	if n < len(modeNames) {
		return modeNames[n]
	}
	return fmt.Sprintf("bit %d", n)
}
