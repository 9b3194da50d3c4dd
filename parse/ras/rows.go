package ras

import (
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

// summaryRow reads a row of --summary.
func summaryRow(section, line string) (fact.RASEvent, bool) {
	switch section {
	case "memory":
		severity, rest, ok := strings.Cut(line, " on DIMM Label(s): '")
		label, location, closed := cutLast(rest, "' location: ")
		_, count, counted := cutLast(location, " errors: ")
		n, err := strconv.Atoi(count)
		return fact.RASEvent{Count: n, Device: label, Severity: severity, Message: line}, ok && closed && counted && err == nil
	case "aer", "mce", "extlog":
		first, rest, ok := strings.Cut(line, " ")
		n, err := strconv.Atoi(first)
		if !ok || err != nil {
			return fact.RASEvent{}, false
		}
		if section == "aer" {
			severity, message, ok := strings.Cut(rest, " errors:")
			return fact.RASEvent{Count: n, Severity: severity, Message: strings.TrimSpace(message)}, ok
		}
		message, ok := strings.CutSuffix(rest, "errors")
		event := fact.RASEvent{Count: n, Message: strings.TrimSpace(message)}
		if section == "extlog" {
			event.Severity = event.Message[strings.LastIndexByte(event.Message, ' ')+1:]
		}
		return event, ok
	case vendorSection: // "SMMU: 3", "errors: 3"
		module, count, ok := cutLast(line, ": ")
		n, err := strconv.Atoi(count)
		return fact.RASEvent{Count: n, Device: strings.TrimSuffix(module, "errors"), Message: line}, ok && err == nil
	}
	// "0:2048 has 7 errors", "mem0 errors: 3", "Recovered errors: 24"
	if subject, count, ok := cutLast(line, " has "); ok {
		count, ok = strings.CutSuffix(count, " errors")
		n, err := strconv.Atoi(count)
		return fact.RASEvent{Count: n, Device: subject, Message: line}, ok && err == nil
	}
	subject, count, ok := cutLast(line, " errors: ")
	n, err := strconv.Atoi(count)
	event := fact.RASEvent{Count: n, Message: line}
	if strings.HasPrefix(section, "cxl-") {
		event.Device = subject
	}
	return event, ok && err == nil
}

// rowStart reads what each row of --errors begins with: its number, in vendors'
// sections with a dot, and the time, which rasdaemon leaves empty where it does
// not know it.
func rowStart(line string) (time, rest string, ok bool) {
	n := 0
	for n < len(line) && line[n] >= '0' && line[n] <= '9' {
		n++
	}
	if n == 0 || n == len(line) {
		return "", "", false
	}
	rest, _ = strings.CutPrefix(line[n:], ".")
	if rest, ok = strings.CutPrefix(rest, " "); !ok {
		return "", "", false
	}
	if time, rest, ok = cutTime(rest); ok {
		return time, rest, true
	}
	rest, ok = strings.CutPrefix(rest, " ")
	return "", rest, ok
}

// cutTime cuts a time off the beginning: "2026-01-02 03:04:05 +0100" from an
// SQLite database; without zone or with one in another form, and with fractions
// of a second, from others.
func cutTime(s string) (time, rest string, ok bool) {
	const day, second = "0000-00-00", "0000-00-00 00:00:00"
	if !like(s, second) && !like(strings.Replace(s[:min(len(s), len(second))], "T", " ", 1), second) {
		return "", s, false
	}
	n := len(second)
	for n < len(s) && (s[n] == '.' || s[n] == '+' || s[n] == '-' || s[n] == ':' && n+1 < len(s) && s[n+1] != ' ' || s[n] >= '0' && s[n] <= '9') {
		n++
	}
	if zone := s[n:]; like(zone, " +0000") || like(zone, " -0000") {
		n += len(" +0000")
	}
	if n < len(s) && s[n] != ' ' {
		return "", s, false
	}
	return s[:n], strings.TrimPrefix(s[n:], " "), true
}

// like reports whether s begins with a text of the form of pattern, where 0
// stands for any digit.
func like(s, pattern string) bool {
	if len(s) < len(pattern) {
		return false
	}
	for i := range len(pattern) {
		digit := s[i] >= '0' && s[i] <= '9'
		if pattern[i] == '0' && !digit || pattern[i] != '0' && s[i] != pattern[i] {
			return false
		}
	}
	return true
}

// errorRow reads a row of --errors: "1 2026-01-02 03:04:05 +0000 ...".
func errorRow(section, line string) (fact.RASEvent, bool) {
	time, rest, ok := rowStart(line)
	event := fact.RASEvent{Count: 1, Time: time}
	if !ok {
		return event, false
	}
	switch section {
	case "memory":
		head, message, ok := strings.Cut(rest, " error(s): ")
		count, severity, spaced := strings.Cut(head, " ")
		n, err := strconv.Atoi(count)
		event.Count, event.Severity, event.Message = n, severity, message
		if what, _, found := strings.Cut(message, " location: "); found {
			_, event.Device, _ = cutLast(what, " at ")
		}
		return event, ok && spaced && err == nil
	case "aer":
		device, rest, spaced := strings.Cut(rest, " ")
		severity, message, ok := strings.Cut(rest, " error:")
		event.Device, event.Severity, event.Message = device, severity, strings.TrimSpace(message)
		return event, spaced && ok
	case vendorSection:
		message, ok := strings.CutPrefix(rest, "Error ") // "Error Info: ...", "Error Address: ..."
		event.Message = strings.TrimSpace(strings.TrimPrefix(message, "Info:"))
		event.Device, _ = value(event.Message, "module_id=")
		if event.Device == "" {
			event.Device, _ = value(event.Message, "sub_module_id=")
		}
		event.Severity, _ = value(event.Message, "err_severity=")
		return event, ok
	}
	message, ok := strings.CutPrefix(rest, "error:")
	event.Message = strings.TrimSuffix(strings.TrimSpace(message), ",")
	event.Severity, _ = value(event.Message, "severity=")
	if section == "mce" {
		event.Severity = mceSeverity(event.Message)
	}
	for _, key := range deviceKeys {
		if v, found := value(event.Message, key.is); found {
			event.Device = key.before + v + key.after
			break
		}
	}
	count, _ := value(event.Message, "error_count=")
	if n, err := strconv.Atoi(count); err == nil && n > 0 {
		event.Count = n
	}
	return event, ok
}

// deviceKeys are the fields that name what had the error, with what summaries
// print around it.
var deviceKeys = []struct{ is, before, after string }{
	{"memdev=", "", ""},
	{"dev_name=", "", ""},
	{"dev=", "", ""},
	{"mpidr=", "CPU(mpidr=", ")"},
}

// mceSeverity tells by the status register of a machine check whether the
// hardware corrected it (bit UC of IA32_MCi_STATUS, Intel SDM volume 3B).
func mceSeverity(message string) string {
	text, ok := value(message, "status=")
	status, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, 64)
	const valid, uncorrected = 1 << 63, 1 << 61
	switch {
	case !ok || err != nil || status&valid == 0:
		return ""
	case status&uncorrected != 0:
		return "Uncorrected"
	}
	return "Corrected"
}

// value returns what stands behind key up to the next comma.
func value(text, key string) (string, bool) {
	if rest, ok := strings.CutPrefix(text, key); ok {
		v, _, _ := strings.Cut(rest, ",")
		return v, true
	}
	for rest := text; ; {
		var ok bool
		if _, rest, ok = strings.Cut(rest, ", "); !ok {
			return "", false
		}
		if v, ok := strings.CutPrefix(rest, key); ok {
			v, _, _ = strings.Cut(v, ",")
			return v, true
		}
	}
}

// cutLast cuts s around the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
