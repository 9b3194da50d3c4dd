package lspci

import "bytes"

// Messages of pcilib and lspci (standard error) reach a text through 2>&1. They
// are written unbuffered, so one lands wherever the last 4096 bytes of standard
// output ended: on a line of its own, in the middle of one, or with its own line
// end missing (lib/sysfs.c writes text, reason and line end one by one).

// reasons are the texts of strerror(3) that end a message; lspci never sets a
// locale. What follows one on the same line is lspci's again.
var reasons = []string{
	"No such device", "No such file or directory", "Operation not permitted", "Permission denied", "Input/output error",
	"Connection timed out", "Invalid argument", "Device or resource busy", "Resource temporarily unavailable",
	"Operation not supported", "Is a directory",
}

// commands are the starts of lspci's own messages; "lspci: " alone also stands
// in prose and in a shell's "lspci: command not found".
var commands = []string{"lspci: Unable to ", "lspci: libkmod ", "lspci: Cannot "}

// cutMessage looks for a message in raw. It returns what stands before it and,
// if its line end is missing, what stands behind it.
func cutMessage(raw []byte) (before, after []byte, found bool) {
	start := messageAt(raw)
	if start < 0 {
		return nil, nil, false
	}
	for _, reason := range reasons {
		if i := bytes.Index(raw[start:], []byte(": "+reason)); i >= 0 {
			after = raw[start+i+len(": ")+len(reason):]
			break
		}
	}
	return raw[:start], after, true
}

// messageAt returns where a message begins in raw, or -1.
func messageAt(raw []byte) int {
	for from := 0; ; {
		i := bytes.Index(raw[from:], []byte("pci")) // in both names, and rare elsewhere
		if i < 0 {
			return -1
		}
		i += from
		if hasPrefix(raw[i:], "pcilib: ") {
			return i
		}
		if i >= 2 && hasAnyPrefix(raw[i-2:], commands) {
			return i - 2
		}
		from = i + len("pci")
	}
}
