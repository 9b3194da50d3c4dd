package mcelog

import (
	"fmt"
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

// Bits of IA32_MCi_STATUS (Intel SDM volume 3B; AMD's MCA has the same).
const (
	statusValid       = 1 << 63
	statusUncorrected = 1 << 61 // UC
	statusCorrupt     = 1 << 57 // PCC
)

// thermal is the bank of an event that is no error: the kernel's own, 128.
const thermal = "THERMAL EVENT"

// namedBanks are those without a number (extended_bankname of mcelog.c).
var namedBanks = []string{thermal, "Timeout waiting for exception on other CPUs", "ACPI/APEI reported error", "Undecoded extended event "}

// start reads the line that a record begins with: "CPU 0 BANK 4 TSC 2bfc83b1b8",
// "CPU 0 4 northbridge TSC ..." for AMD, "CPU 0 THERMAL EVENT"; "CPU 0" alone
// with --raw.
func (p *parser) start(text string, at fact.Line) bool {
	rest, ok := strings.CutPrefix(text, "CPU ")
	if !ok {
		return false
	}
	number, bank, _ := strings.Cut(rest, " ")
	cpu, err := strconv.Atoi(number)
	if err != nil || cpu < 0 {
		return false
	}
	bank, _, _ = strings.Cut(bank, " TSC ")
	check := fact.MachineCheck{CPU: &cpu, At: at}
	if !readBank(&check, strings.TrimSpace(bank)) {
		return false
	}
	p.endCheck()
	p.endDIMM()
	p.check, p.status = &check, false
	return true
}

func readBank(check *fact.MachineCheck, bank string) bool {
	if bank == "" {
		return true
	}
	for _, name := range namedBanks {
		if strings.HasPrefix(bank, name) {
			check.BankName = bank
			return true
		}
	}
	number, name, _ := strings.Cut(strings.TrimPrefix(bank, "BANK "), " ")
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 {
		return false
	}
	check.Bank, check.BankName = &n, name
	return true
}

// unused are fields without a use, with how many words each has.
var unused = map[string]int{
	"TSC": 1, "MCGSTATUS": 1, "MCGCAP": 1, "APICID": 1, "APIC": 1, "microcode": 1, "PPIN": 1, "MICROCODE": 1, "PROCESSOR": 1,
}

// fields reads a line of fields of the open record: "MISC 86 ADDR 1424bd400",
// "STATUS 8c00004000010091 MCGSTATUS 0", "MCGCAP c07 APICID 0 SOCKETID 0".
func (p *parser) fields(text string, at fact.Line) bool {
	c := p.check
	if c == nil {
		return false
	}
	if strings.HasPrefix(text, "RIP") || strings.HasPrefix(text, "CPUID Vendor ") {
		p.result.Unread.Ignored++
		return true
	}
	words := strings.Fields(text)
	known := false
	for len(words) > 1 {
		key, word := words[0], words[1]
		words = words[2:]
		n, ok := unused[key]
		switch {
		case ok:
			words = words[min(len(words), n-1):]
		case key == "STATUS":
			status, err := strconv.ParseUint(strings.TrimPrefix(word, "0x"), 16, 64)
			if ok = err == nil; ok {
				p.status = true
				c.Status = fmt.Sprintf("%016x", status)
				c.Severity = severity(status, c.BankName)
			}
		case key == "ADDR":
			c.Address, ok = hex(word)
		case key == "MISC":
			c.Misc, ok = hex(word)
		case key == "SOCKETID", key == "SOCKET":
			// Printed by %x or %u; the same below ten.
			n, err := strconv.Atoi(word)
			if ok = err == nil && n >= 0; ok {
				c.Socket = &n
			}
		case key == "BANK":
			n, err := strconv.Atoi(word)
			if ok = err == nil && n >= 0; ok {
				c.Bank = &n
			}
		case key == "TIME":
			n, err := strconv.ParseInt(word, 10, 64)
			if ok = err == nil; ok {
				c.Time = n
				words = nil // the same for people
			}
		}
		if !ok && !known {
			return false
		}
		if !ok {
			p.refuse(text, at, "has a field that cannot be read")
			return true
		}
		known = true
	}
	return known
}

// hex returns the digits of a hex number.
func hex(word string) (string, bool) {
	word = strings.TrimPrefix(word, "0x")
	if _, err := strconv.ParseUint(word, 16, 64); err != nil {
		return "", false
	}
	return strings.Clone(word), true // else it would keep its line in memory
}

func severity(status uint64, bank string) string {
	switch {
	case status&statusValid == 0 || bank == thermal:
		return ""
	case status&statusUncorrected == 0:
		return "corrected"
	case status&statusCorrupt != 0:
		return "fatal"
	}
	return "uncorrected"
}

// endCheck keeps the open record.
func (p *parser) endCheck() {
	if p.check == nil {
		return
	}
	c := *p.check
	p.check = nil
	if p.room(c.At, 0) {
		p.result.Checks = append(p.result.Checks, c)
	}
}

// isNumber reports whether text is prefix and a decimal number.
func isNumber(text, prefix string) bool {
	digits, ok := strings.CutPrefix(text, prefix)
	if !ok {
		return false
	}
	_, err := strconv.ParseUint(digits, 10, 32)
	return err == nil
}
