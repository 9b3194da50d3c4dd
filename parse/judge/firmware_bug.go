package judge

import (
	"slices"
	"strings"

	"hwcap/parse/fact"
)

var firmwareBug = Rule{
	ID: "firmware-bug", Area: Platform,
	Sources: []string{"dmesg", "kmsg", "journal-k"},
	Keys:    []string{"messages", "distinctCount", "shownCount", "aspmBIOS", "aspmUnsupported", "logState"},
	Cases: []Case{
		{Name: "reported", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "fadt", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "none", Verdict: OK, Confidence: Observed},
		{Name: "unread", Verdict: Unknown, Confidence: Observed},
	},
	Judge: judgeFirmware,
}

// complaint is one message about the firmware, and how often it came.
type complaint struct {
	text  string
	count int
	at    fact.Line
}

// judgeFirmware counts what the kernel complains of about the firmware, and
// says what it means.
func judgeFirmware(m *fact.Machine) []Finding {
	all := complaints(m)
	fadt := m.Log.Of("fadt-aspm")
	if len(all) == 0 && len(fadt) == 0 {
		return logSilence(m, "none", "unread")
	}
	f := found("reported", Machine)
	rows := []map[string]any{}
	for _, c := range all {
		f.Count += c.count
		const few = 8
		if len(rows) == few {
			continue
		}
		known, _ := explainFirmware(c.text)
		rows = append(rows, map[string]any{"text": c.text, "count": c.count, "de": known.De, "en": known.En})
		f.cite("message", c.at)
	}
	f.Values["messages"], f.Values["shownCount"], f.Values["distinctCount"] = rows, len(rows), len(all)
	f.Values["aspmBIOS"], f.Values["aspmUnsupported"] = false, false
	for i, n := range fadt {
		if n.Fields["what"] == "bios" {
			f.Values["aspmBIOS"] = true
		} else {
			f.Values["aspmUnsupported"] = true
		}
		if i == 0 { // the others say the same of further root bridges
			f.cite("fadt", n.At)
		}
	}
	if len(all) == 0 {
		f.Case = "fadt"
	}
	f.Values["logState"] = string(m.Log.State)
	return []Finding{f}
}

// complaints returns the kernel's messages about the firmware, each once, the
// most frequent first. A number in one (of a processor, an address) does not
// make it another message.
func complaints(m *fact.Machine) []complaint {
	var all []complaint
	at := map[string]int{}
	for _, n := range m.Log.Of("firmware-bug", "acpi-error") {
		if level := n.Fields["level"]; level == "info" || n.Kind == "acpi-error" && level != "firmware" {
			continue // the kernel's own, or not a fault
		}
		text := strings.TrimSpace(n.Fields["text"])
		key := strings.Map(dropDigits, text)
		i, seen := at[key]
		if !seen {
			i, at[key] = len(all), len(all)
			all = append(all, complaint{text: text, at: n.At})
		}
		all[i].count += n.Times()
	}
	slices.SortStableFunc(all, func(a, b complaint) int { return b.count - a.count })
	return all
}

// dropDigits removes decimal and hexadecimal digits.
func dropDigits(r rune) rune {
	if '0' <= r && r <= '9' || 'a' <= r && r <= 'f' {
		return -1
	}
	return r
}

// logSilence judges that the log of this boot has no message of a kind: ok where
// it is there from its start, else unknown. A log opened on its own says
// nothing where it has none.
func logSilence(m *fact.Machine, ok, unread string) []Finding {
	if !hasManifest(m) {
		return nil
	}
	name := unread
	if logFromBoot(m) {
		name = ok
	}
	f := found(name, Machine)
	f.Values["logState"] = string(m.Log.State)
	if name == ok {
		f.cite("first", m.Log.FromBoot.At)
	} else {
		f.cite("source", logSource(m).At)
	}
	return []Finding{f}
}
