package judge_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render/catalogue"
)

// A scene is a machine and what a rule must say of it: "subject subject=case",
// several parted by "; ".
type scene struct {
	name string
	m    *fact.Machine
	want string
}

// rule returns the rule of that id.
func rule(t *testing.T, id string) judge.Rule {
	t.Helper()
	for _, r := range judge.Rules {
		if r.ID == id {
			return r
		}
	}
	t.Fatalf("no rule %s", id)
	return judge.Rule{}
}

// judged applies one rule and completes what it says from its table.
func judged(t *testing.T, id string, m *fact.Machine) []judge.Finding {
	t.Helper()
	r := rule(t, id)
	all := r.Judge(m)
	for i := range all {
		at := slices.IndexFunc(r.Cases, func(c judge.Case) bool { return c.Name == all[i].Case })
		if at < 0 {
			t.Fatalf("undeclared case %q", all[i].Case)
		}
		all[i].ID, all[i].Verdict, all[i].Severity = id, r.Cases[at].Verdict, r.Cases[at].Severity
	}
	return all
}

func outcomes(all []judge.Finding) string {
	var parts []string
	for _, f := range all {
		parts = append(parts, strings.Join(f.Subjects, " ")+"="+f.Case)
	}
	return strings.Join(parts, "; ")
}

// check holds a rule to its scenes, and to what every rule owes: keys as
// declared, evidence for what it claims, each case shown once, wording that
// expands, and verdicts that losing a source cannot make firmer.
func check(t *testing.T, id string, scenes []scene) {
	t.Helper()
	texts, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	r := rule(t, id)
	reached, given := map[string]bool{}, map[string]bool{}
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			all := judged(t, id, s.m)
			if got := outcomes(all); got != s.want {
				t.Fatalf("got  %s\nwant %s", got, s.want)
			}
			for _, f := range all {
				reached[f.Case] = true
				for k := range f.Values {
					if given[k] = true; !slices.Contains(r.Keys, k) {
						t.Errorf("case %s: the value %s is not declared", f.Case, k)
					}
				}
				if f.Verdict == judge.Problem && len(f.Evidence) == 0 {
					t.Errorf("case %s: no evidence", f.Case)
				}
				expand(t, texts, s.m, f)
			}
			knockOut(t, id, s.m, all)
		})
	}
	for _, c := range r.Cases {
		if !reached[c.Name] {
			t.Errorf("case %s: no scene shows it", c.Name)
		}
	}
	for _, k := range r.Keys {
		if !given[k] {
			t.Errorf("value %s: no scene gives it", k)
		}
	}
}

// expand makes sure that the wording of a finding can be written.
func expand(t *testing.T, texts *catalogue.Catalogue, m *fact.Machine, f judge.Finding) {
	t.Helper()
	for _, lang := range catalogue.Langs {
		text, err := texts.NewWriter(m, lang, catalogue.Markdown).Expand(f)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		all := strings.Join(append(append([]string{text.Title, text.Seen, text.Means, text.Why}, text.NotProven...), text.Rivals...), "\n")
		for _, s := range text.Next {
			all += "\n" + s.Text
		}
		for _, bad := range []string{"<no value>", "<nil>", "map[", "{{", "  ", " .", " ,", ";;"} {
			if strings.Contains(strings.ReplaceAll(all, "\n\n", "\n"), bad) {
				t.Errorf("%s, case %s: %q in\n%s", lang, f.Case, bad, all)
			}
		}
		if f.Verdict == judge.Unknown && text.Why == "" {
			t.Errorf("%s, case %s: no reason", lang, f.Case)
		}
	}
}

// losses are the ways in which a capture can lack a source.
var losses = map[string]step{
	"no log": func(m *fact.Machine) { m.Log = fact.Log{State: fact.Denied} },
	"log without its start": func(m *fact.Machine) {
		m.Log.FromBoot = fact.Of(false, fact.Line{})
		m.Log.Notes = nil
	},
	"no groups": func(m *fact.Machine) {
		m.IOMMU.Groups, m.IOMMU.State = nil, ""
		source("iommu-groups", fact.NotAsked)(m)
	},
	"groups denied": func(m *fact.Machine) {
		m.IOMMU.Groups, m.IOMMU.State = nil, fact.Denied
		source("iommu-groups", fact.Denied)(m)
	},
	"groups cut": func(m *fact.Machine) {
		m.IOMMU.Groups = m.IOMMU.Groups[:len(m.IOMMU.Groups)/2]
		m.IOMMU.State = fact.Truncated
		source("iommu-groups", fact.Truncated)(m)
	},
	"no units":   func(m *fact.Machine) { m.IOMMU.Units, m.IOMMU.UnitsState = nil, "" },
	"no tables":  func(m *fact.Machine) { delete(m.Lists, "sys/firmware/acpi/tables") },
	"no cmdline": func(m *fact.Machine) { m.Platform.Cmdline = fact.Val[string]{} },
	"no version": func(m *fact.Machine) { m.Platform.Version, m.Platform.Kernel = fact.Val[string]{}, fact.Val[string]{} },
	"no cpuinfo": func(m *fact.Machine) {
		m.Platform.CPUFlags = fact.Val[[]string]{}
		if h := m.Platform.Hypervisor; h.State == fact.Absent || h.V == "hypervisor" {
			m.Platform.Hypervisor = fact.Val[string]{}
		}
	},
	"no netlink": func(m *fact.Machine) {
		m.Crypto.Netlink = ""
		for i := range m.Crypto.Algorithms {
			a := &m.Crypto.Algorithms[i]
			a.Flags, a.Frame = fact.Val[uint32]{}, fact.Line{}
		}
	},
	"no /proc/crypto": func(m *fact.Machine) {
		m.Crypto.Proc = fact.Denied
		source("proc-crypto", fact.Denied)(m)
		if m.Crypto.Netlink == "" {
			m.Crypto.Algorithms = nil
		}
		for i := range m.Crypto.Algorithms {
			a := &m.Crypto.Algorithms[i]
			a.From, a.DriverAt, a.PriorityAt = fact.Line{}, fact.Line{}, fact.Line{}
		}
	},
	"/proc/crypto cut": func(m *fact.Machine) {
		m.Crypto.Proc = fact.Truncated
		source("proc-crypto", fact.Truncated)(m)
		if m.Crypto.Netlink == "" {
			m.Crypto.Algorithms = m.Crypto.Algorithms[:len(m.Crypto.Algorithms)/2]
		}
	},
	"no debugfs": func(m *fact.Machine) { m.QAT = nil; source("qat", fact.Denied)(m) },
	"counters cut": func(m *fact.Machine) {
		source("qat", fact.Truncated)(m)
		for i := range m.QAT {
			if c := &m.QAT[i].Counters; len(c.V) > 0 {
				c.State, c.V = fact.Truncated, c.V[:1]
			}
		}
	},
	"no counters of errors": func(m *fact.Machine) {
		for i := range m.QAT {
			m.QAT[i].NonFatal, m.QAT[i].Fatal, m.QAT[i].Correctable = fact.Val[int64]{}, fact.Val[int64]{}, fact.Val[int64]{}
		}
	},
	"no sensors":      func(m *fact.Machine) { m.Sensors = nil; source("hwmon", fact.NotAsked)(m) },
	"sensors denied":  func(m *fact.Machine) { m.Sensors = nil; source("hwmon", fact.Denied)(m) },
	"no figures":      func(m *fact.Machine) { m.Measurements = nil },
	"no fips_enabled": func(m *fact.Machine) { m.Crypto.FIPS = fact.Val[string]{} },
	"no config":       func(m *fact.Machine) { m.Crypto.Config = nil },
	"no dmsetup":      func(m *fact.Machine) { m.Mappings = nil },
	"no zswap":        func(m *fact.Machine) { clear(m.Settings) },
	"lspci cut": func(m *fact.Machine) {
		m.PCI = m.PCI[:(len(m.PCI)+1)/2]
		source("lspci-vvv", fact.Truncated)(m)
	},
	"no PCI devices": func(m *fact.Machine) { m.PCI = nil },
}

// knockOut takes sources away one by one: no finding may appear, and no verdict
// may turn to ok.
func knockOut(t *testing.T, id string, m *fact.Machine, before []judge.Finding) {
	t.Helper()
	had := map[string]judge.Verdict{}
	for _, f := range before {
		for _, s := range f.Subjects {
			had[s] = f.Verdict
		}
	}
	for name, lose := range losses {
		poorer := clone(m)
		lose(poorer)
		for _, f := range judged(t, id, poorer) {
			for _, s := range f.Subjects {
				if f.Verdict != judge.Unknown && f.Verdict != had[s] {
					t.Errorf("%s: %s turned from %q to %q (%s)", name, s, had[s], f.Verdict, f.Case)
				}
			}
		}
	}
}

// clone copies what the losses change.
func clone(m *fact.Machine) *fact.Machine {
	c := *m
	c.Sources = slices.Clone(m.Sources)
	c.PCI = slices.Clone(m.PCI)
	c.QAT = slices.Clone(m.QAT)
	c.Crypto.Algorithms = slices.Clone(m.Crypto.Algorithms)
	c.IOMMU.Groups = slices.Clone(m.IOMMU.Groups)
	c.Log.Notes = slices.Clone(m.Log.Notes)
	c.Settings = maps.Clone(m.Settings)
	c.Lists = maps.Clone(m.Lists)
	return &c
}
