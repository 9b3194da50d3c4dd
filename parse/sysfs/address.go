package sysfs

import (
	"cmp"
	"strings"
)

// tail is the length of ":c5:00.0", what follows the domain.
const tail = 8

// IsAddress reports whether s is a PCI address with its domain, in lower case.
// Domains have four digits, more behind a VMD controller or a hypervisor
// ("10000:00:02.0").
func IsAddress(s string) bool {
	n := len(s) - tail
	if n < 4 || n > 8 {
		return false
	}
	return hex(s[:n]) && s[n] == ':' && hex(s[n+1:n+3]) && s[n+3] == ':' && hex(s[n+4:n+6]) &&
		s[n+6] == '.' && s[n+7] >= '0' && s[n+7] <= '7'
}

// CompareAddresses orders addresses by domain, bus, device and function.
func CompareAddresses(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// Domain, bus and slot of an address: "0000", "c5" and "0000:c5:00".
func domainOf(address string) string { return address[:len(address)-tail] }

// Slot returns the address without its function: "0000:c5:00".
func slotOf(address string) string { return address[:len(address)-2] }

// DomainBus splits the address into its domain and the number of its bus.
func DomainBus(address string) (domain string, bus int) {
	n := len(address) - tail
	return domainOf(address), digit(address[n+1])<<4 | digit(address[n+2])
}

// hex reports whether s consists of lower-case hexadecimal digits.
func hex(s string) bool {
	for i := range len(s) {
		if digit(s[i]) < 0 {
			return false
		}
	}
	return true
}

func digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}

// lastAddress returns the last PCI address among the elements of a link's
// target, and where it begins; -1 if there is none.
func lastAddress(target string) (address string, at int) {
	for end := len(target); end > 0; {
		start := strings.LastIndexByte(target[:end], '/') + 1
		if IsAddress(target[start:end]) {
			return target[start:end], start
		}
		end = start - 1
	}
	return "", -1
}

// place reads where a PCI function stands out of its link target,
// "../../../devices/pci0000:c2/0000:c2:02.0/0000:c3:00.0": the bridge above it,
// empty on a root bus, and the folder name of the root bridge.
func place(target string) (parent, root string) {
	_, at := lastAddress(target)
	if at <= 0 {
		return "", ""
	}
	above := target[:at-1]
	if last := above[strings.LastIndexByte(above, '/')+1:]; IsAddress(last) {
		parent = last
	}
	for end := len(above); end > 0; {
		start := strings.LastIndexByte(above[:end], '/') + 1
		if part := above[start:end]; strings.HasPrefix(part, "pci") && strings.Contains(part, ":") {
			return parent, part
		}
		end = start - 1
	}
	return parent, ""
}
