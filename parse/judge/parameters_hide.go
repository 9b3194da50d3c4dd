package judge

import (
	"slices"
	"strings"

	"hwcap/parse/fact"
)

var parametersThatHide = Rule{
	ID: "parameters-that-hide", Area: Platform,
	Sources: []string{"proc-cmdline", "dmesg", "kmsg"},
	Keys:    []string{"parameters", "words", "effects"},
	Cases: []Case{
		{Name: "hides", Verdict: Problem, Severity: Info, Confidence: Observed, Known: true},
		{Name: "claims", Verdict: Problem, Severity: Info, Confidence: Observed, Known: true},
		{Name: "none", Verdict: OK, Confidence: Observed},
		{Name: "unread", Verdict: Unknown, Confidence: Observed},
	},
	Judge: judgeParameters,
}

// judgeParameters names each word of the kernel command line that hides errors,
// and each that claims or gives up isolation.
func judgeParameters(m *fact.Machine) []Finding {
	line := bootLine(m)
	text, ok := line.Get()
	if !ok {
		if !hasManifest(m) {
			return nil
		}
		f := found("unread", Machine)
		f.citeSource(m, "source", "proc-cmdline")
		return []Finding{f}
	}
	var out []Finding
	for _, part := range []struct {
		name    string
		effects []effect
	}{
		{"hides", []effect{hidesPCIe, hidesMemory, hidesKernel}},
		{"claims", []effect{claimsApart, lowersGuards}},
	} {
		if f, ok := parameterFinding(part.name, text, part.effects); ok {
			f.cite("cmdline", line.At)
			out = append(out, f)
		}
	}
	if len(out) == 0 {
		name := "none"
		if line.State != fact.Present { // the word may stand behind the cut
			name = "unread"
		}
		f := found(name, Machine)
		f.cite("cmdline", line.At)
		f.citeSource(m, "source", "proc-cmdline")
		return []Finding{f}
	}
	return out
}

func parameterFinding(name, cmdline string, effects []effect) (f Finding, ok bool) {
	f = found(name, Machine)
	rows, words, kinds := []map[string]any{}, []string{}, []string{}
	for _, e := range bootEffects {
		word, set := e.word(cmdline)
		if !set || !slices.Contains(effects, e.Effect) {
			continue
		}
		rows = append(rows, map[string]any{"word": word, "effect": string(e.Effect), "de": e.De, "en": e.En})
		words = append(words, word)
		if !slices.Contains(kinds, string(e.Effect)) {
			kinds = append(kinds, string(e.Effect))
		}
	}
	f.Count = len(rows)
	f.Values["parameters"], f.Values["words"], f.Values["effects"] = rows, words, kinds
	return f, len(rows) > 0
}

// word returns the word of the command line that has the effect. In names, a
// dash and an underscore are the same (kernel/params.c, parameq); of a module's
// switch, y and on are 1.
func (e bootEffect) word(cmdline string) (word string, ok bool) {
	for w := range strings.FieldsSeq(cmdline) {
		if w == "--" { // what follows is for the init program
			break
		}
		w = strings.Trim(w, `"`)
		name, value, _ := strings.Cut(w, "=")
		if strings.ReplaceAll(name, "-", "_") == e.Name && e.sets(value) {
			word, ok = w, true
		}
	}
	return word, ok
}

func (e bootEffect) sets(value string) bool {
	switch e.Value {
	case "*":
		return true
	case "":
		return value == "" || isOn(value)
	case "1":
		return value == "" || isOn(value)
	}
	for option := range strings.SplitSeq(value, ",") {
		option, _, _ = strings.Cut(option, "=") // pci=disable_acs_redir=0000:00:1c.0
		if option == e.Value {
			return true
		}
	}
	return false
}

func isOn(value string) bool {
	return slices.Contains([]string{"1", "y", "Y", "on", "true"}, value)
}
