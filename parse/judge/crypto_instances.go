package judge

import (
	"strings"

	"hwcap/parse/fact"
)

// cryptoInstances looks at instances that a template built upon an accelerator,
// like pkcs1(qat-rsa,sha512): they show that someone asked for one after the
// accelerator had come up, and no more.
var cryptoInstances = Rule{
	ID:      "crypto-registered-not-used",
	Area:    Crypto,
	Sources: []string{"proc-crypto", "netlink-crypto", "qat"},
	// instances is a table: name, driver, priority, part (the accelerator's driver), refcnt.
	Keys: []string{"instances", "requestsSum", "counted"},
	Cases: []Case{
		{Name: "instance", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "list-incomplete", Verdict: Unknown},
	},
	Judge: judgeCryptoInstances,
}

func judgeCryptoInstances(m *fact.Machine) []Finding {
	parts := map[string]bool{} // drivers of accelerators
	for i := range m.Crypto.Algorithms {
		if a := &m.Crypto.Algorithms[i]; offloadOf(a) != nil {
			parts[a.Driver] = true
		}
	}
	f := found("instance")
	instances := []map[string]any{}
	for _, c := range contests(m) {
		w := c.first()
		if w == nil {
			continue
		}
		for _, part := range ingredients(w.Driver) {
			if !parts[part] {
				continue
			}
			f.Subjects = append(f.Subjects, c.name)
			f.cite("instance", algorithmLines(w)...)
			instances = append(instances, map[string]any{
				"name": c.name, "driver": w.Driver, "priority": w.Priority, "part": part, "refcnt": w.RefCount,
			})
			break
		}
	}
	if len(instances) == 0 {
		return nil
	}
	if !listComplete(m) {
		f.Case = "list-incomplete"
	}
	sum, counted := int64(0), false
	for _, q := range m.QAT {
		if engines, ok := q.Counters.Get(); ok && q.Counters.State == fact.Present {
			counted = true
			for _, e := range engines {
				sum += e.Requests
				f.cite("counter", e.At)
			}
		}
	}
	f.Values["instances"], f.Values["counted"] = instances, counted
	if counted {
		f.Values["requestsSum"] = sum
	}
	return []Finding{f}
}

// ingredients returns the drivers that the driver name of an instance names:
// "pkcs1(qat-rsa,sha512)" has qat-rsa and sha512. A name without brackets has
// none.
func ingredients(driver string) []string {
	_, inner, ok := strings.Cut(driver, "(")
	if !ok {
		return nil
	}
	return strings.FieldsFunc(inner, func(r rune) bool { return r == '(' || r == ')' || r == ',' })
}
