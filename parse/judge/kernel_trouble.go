package judge

import (
	"slices"
	"strings"

	"hwcap/parse/fact"
)

var kernelTrouble = Rule{
	ID: "kernel-trouble", Area: Errors,
	Sources: []string{"dmesg", "kmsg", "journal-k", "proc-tainted"},
	Keys:    []string{"kinds", "texts", "tasks", "workqueues", "guest", "flags", "tainted", "missing"},
	Cases: []Case{
		{Name: "serr", Verdict: Problem, Severity: Critical, Confidence: Observed},
		{Name: "crash", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "lockup", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "hung", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "warned", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "nmi", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "tainted", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "none", Verdict: OK, Confidence: Observed},
		{Name: "unread", Verdict: Unknown, Confidence: Observed},
	},
	Judge: judgeTrouble,
}

// troubles says which messages make which case, and which flag of the taint
// mask they leave behind (Documentation/admin-guide/tainted-kernels.rst).
var troubles = []struct {
	name, kind, flag string
}{
	{"serr", "nmi-serr", ""},
	{"crash", "oops", "D"},
	{"lockup", "lockup", "L"},
	{"hung", "hung-task", ""},
	{"warned", "kernel-warning", "W"},
	{"nmi", "nmi-iock", ""},
	{"nmi", "nmi-unknown", ""},
}

// troubleFlags are the taint flags that stay from trouble.
var troubleFlags = []string{"M", "D", "W", "L"}

// judgeTrouble names what went wrong in the kernel itself: a finding for each
// kind. The taint mask adds what the log does not hold (any more).
func judgeTrouble(m *fact.Machine) []Finding {
	var out []Finding
	explained, toldElsewhere := []string{}, false
	for _, t := range troubles {
		notes := m.Log.Of(t.kind)
		if len(notes) == 0 {
			continue
		}
		notes, told := withoutSelfTests(m, notes)
		if t.kind == "oops" {
			notes = crashes(notes)
		}
		toldElsewhere = toldElsewhere || told
		explained = append(explained, t.flag)
		for _, n := range notes { // the flags that were set before it
			for _, letter := range n.Fields["tainted"] {
				if t.kind != "kernel-warning" && letter == 'W' {
					continue // a warning is another matter than what came after it
				}
				explained = append(explained, string(letter))
			}
		}
		if len(notes) > 0 {
			out = append(out, troubleFinding(m, t.name, notes))
		}
	}
	mask, known := m.Platform.Tainted.Get()
	var flags []string
	for _, letter := range taintFlags(mask) {
		if slices.Contains(troubleFlags, letter) && !slices.Contains(explained, letter) {
			flags = append(flags, letter)
		}
	}
	if len(flags) > 0 {
		f := found("tainted", Machine)
		f.Values["flags"], f.Values["tainted"] = flags, strings.TrimSpace(mask)
		f.cite("tainted", m.Platform.Tainted.At)
		out = append(out, f)
	}
	if len(out) > 0 || toldElsewhere || !hasManifest(m) {
		return out
	}
	f := found("none", Machine)
	missing := []string{}
	if !logFromBoot(m) {
		missing = append(missing, logSource(m).Name)
	}
	if !known {
		missing = append(missing, "proc-tainted")
	}
	f.Values["missing"] = missing
	if len(missing) > 0 {
		f.Case = "unread"
		f.citeSource(m, "missing", missing...)
	} else {
		f.cite("first", m.Log.FromBoot.At)
		f.cite("tainted", m.Platform.Tainted.At)
	}
	return []Finding{f}
}

// withoutSelfTests leaves out the warnings about ciphers that failed their self-test
// (alg_test in crypto/testmgr.c) where the log names the ciphers too: that is
// what crypto-selftest is about.
func withoutSelfTests(m *fact.Machine, notes []fact.Note) (left []fact.Note, told bool) {
	if len(m.Log.Of("alg-selftest-failed")) == 0 {
		return notes, false
	}
	for _, n := range notes {
		if n.Kind != "kernel-warning" || !strings.HasPrefix(n.Fields["place"], "crypto/testmgr.c:") {
			left = append(left, n)
		}
	}
	return left, len(left) < len(notes)
}

// crashes leaves one message of each crash. The kernel prints several in a row:
// what went wrong ("BUG: unable to handle page fault"), the oops with its number
// ("Oops: 0000 [#1]"), and the panic that it ends in (die, oops_end and panic).
func crashes(notes []fact.Note) []fact.Note {
	var first []fact.Note
	for i, n := range notes {
		if kind := n.Fields["kind"]; i == 0 || kind != "oops" && kind != "panic" || !closeBehind(notes[i-1], n) {
			first = append(first, n)
		}
	}
	return first
}

// closeBehind reports whether n came within a second of the message before, or,
// where they have no times, within a few lines.
func closeBehind(before, n fact.Note) bool {
	if before.Time != nil && n.Time != nil {
		return n.Boot == before.Boot && *n.Time-*before.Time < 1
	}
	const lines = 8
	return n.At.File == before.At.File && n.At.Line-before.At.Line < lines
}

// troubleFinding sums up the messages of one kind.
func troubleFinding(m *fact.Machine, name string, notes []fact.Note) Finding {
	f := found(name, Machine)
	texts, tasks, workqueues, kinds := []string{}, []string{}, []string{}, []string{}
	add := func(list *[]string, s string) {
		const few = 4
		if s = strings.TrimSpace(s); s != "" && len(*list) < few && !slices.Contains(*list, s) {
			*list = append(*list, s)
		}
	}
	for i, n := range notes {
		f.Count += n.Times()
		add(&texts, n.Fields["text"])
		add(&texts, n.Fields["place"])
		add(&tasks, n.Fields["task"])
		add(&workqueues, n.Fields["workqueue"])
		add(&kinds, n.Fields["kind"])
		const few = 3
		if i < few {
			f.cite("message", n.At)
		}
	}
	if last := notes[len(notes)-1].At; len(notes) > 3 {
		f.cite("last", last)
	}
	f.Values["texts"], f.Values["tasks"], f.Values["workqueues"], f.Values["kinds"] = texts, tasks, workqueues, kinds
	f.Values["guest"] = isGuest(m)
	return f
}
