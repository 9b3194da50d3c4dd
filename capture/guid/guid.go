// Package guid tells UUIDs that name a kind of thing, the same on every machine,
// from those that name one thing and are an identity.
package guid

import "strings"

// wellKnown are interfaces of firmware and types of partitions (PCI Firmware 3.3
// section 4.5.1, ACPI 6.5 section 6.2.11, UEFI 2.10 table 5-7, Discoverable
// Partitions Specification), and the product UUID of boards that were given none.
var wellKnown = map[string]bool{
	"33db4d5b-1ff7-401c-9657-7441c03dd766": true, // _OSC of PCI
	"68f2d50b-c469-4d8a-bd3d-941a103fd3fc": true, // of CXL
	"0811b06e-4a27-44f9-8d60-3cbbc22e7b48": true, // of the platform
	"e5c937d0-3553-4d7a-9117-ea4d19c3434d": true, // _DSM of PCI
	"8be4df61-93ca-11d2-aa0d-00e098032b8c": true, // global variables of UEFI
	"d719b2cb-3d3a-4596-a3bc-dad00e67656f": true, // its security database
	"c12a7328-f81f-11d2-ba4b-00a0c93ec93b": true, // EFI system partition
	"e3c9e316-0b5c-4db8-817d-f92df00215ae": true, // reserved by Microsoft
	"ebd0a0a2-b9e5-4433-87c0-68b6b72699c7": true, // its data
	"de94bba4-06d1-4d40-a16a-bfd50179d6ac": true, // its recovery
	"0fc63daf-8483-4772-8e79-3d69d8477de4": true, // file systems of Linux
	"4f68bce3-e8cd-4db1-96e7-fbcaf984b709": true, // its root on x86-64
	"0657fd6d-a4ab-43c4-84e5-0933c84b4f4f": true, // swap
	"e6d6d379-f507-44c2-a23c-238f2a3df928": true, // LVM
	"a19d880f-05fc-4d3b-a006-743f0f84911e": true, // RAID
	"ca7d7ccb-63ed-4c53-861c-1742536059cc": true, // LUKS
	"21686148-6449-6e6f-744e-656564454649": true, // BIOS boot
	"9dbb5994-a997-11da-b012-b622a1ef5492": true, // events of Dell's WMI
	"8cf2644b-4b0b-428f-9387-6d876050dc67": true, // HibernateLocation of systemd
	"cfc8fc79-be2e-4ddc-97f0-9f98bfe298a0": true, // dumps of efi-pstore
	"03000200-0400-0500-0006-000700080009": true, // of boards that were given none
}

// kinds stand before a UUID that names a kind of thing.
var kinds = [...]string{"WMI GUID", "event GUID", "type GUID", "GUID code", "PARTTYPE", "parttype", "PART_ENTRY_TYPE",
	"class_id", "section type", "section_type", "section type: unknown,", "_DSM", "_OSC", "vendor info"}

// WellKnown reports whether a UUID, behind the text before it on its line, is no
// identity: by its value, by the words before it, as the name of a variable of
// UEFI, or as that of a client of a management engine, which stands behind the
// address of that (0000:00:16.0-UUID, drivers/misc/mei/bus.c).
func WellKnown(before, uuid string) bool {
	if wellKnown[strings.ToLower(uuid)] || strings.Contains(before[max(0, len(before)-96):], "/efivars/") {
		return true
	}
	if device, ok := strings.CutSuffix(before, "-"); ok && isAddress(device[max(0, len(device)-len("0000:00:16.0")):]) {
		return true
	}
	before = strings.TrimRight(before, " :={(\"'")
	for _, w := range kinds {
		if strings.HasSuffix(before, w) {
			return true
		}
	}
	return false
}

// isAddress reports whether s has the form of a PCI address with its domain.
func isAddress(s string) bool {
	const form = "hhhh:hh:hh.d"
	if len(s) != len(form) {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; form[i] {
		case 'h':
			if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
				return false
			}
		case 'd':
			if c < '0' || c > '7' {
				return false
			}
		default:
			if c != form[i] {
				return false
			}
		}
	}
	return true
}
