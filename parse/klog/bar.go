package klog

import (
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

var barLiterals = []string{": assigned", "failed to assign", "can't assign;", "no space for [", ": releasing", "can't claim", "not claimed", "not assigned", "old value restored", ": reassigned", "bogus alignment", ": error updating"}

// bar is one resource of a device; only its last state counts, because the
// kernel tries again after a failure.
type bar struct{ device, name, space string }

// The wordings, first those since 6.8 (drivers/pci/setup-res.c, pci_resource_name),
// then the older ones. {r} is a resource as %pR prints it.
var barForms = []pattern{
	newPattern("^{bar} [{r}]: assigned$", "kind=bar-assigned"),
	newPattern("^{bar} [{r}]: old value restored", "kind=bar-assigned", "what=restored"),
	newPattern("^{bar} [{r}]: can't assign; no space", "kind=bar-failed", "what=no-space"),
	newPattern("^{bar} [{r}]: can't assign; bogus alignment", "kind=bar-failed", "what=alignment"),
	newPattern("^{bar} [{r}]: failed to assign", "kind=bar-failed", "what=failed"),
	newPattern("^{bar} [{r}]: releasing", "kind=bar-released"),
	newPattern("^{bar} [{r}]: can't claim; {reason}", "kind=bar-failed", "what=claim"),
	newPattern("^{bar} [{r}]: not claimed; can't enable device", "kind=bar-failed", "what=not-claimed"),
	newPattern("^{bar} [{r}]: not assigned; can't enable device", "kind=bar-failed", "what=not-assigned"),
	newPattern("^{bar} [{r}]: error updating {reason}", "kind=bar-failed", "what=update"),
	newPattern("^BAR {n#}: assigned [{r}]", "kind=bar-assigned"),
	newPattern("^BAR {n#}: reassigned [{r}]", "kind=bar-assigned"),
	newPattern("^BAR {n#}: [{r}] has bogus alignment", "kind=bar-failed", "what=alignment"),
	newPattern("^BAR {n#}: no space for [{r}]", "kind=bar-failed", "what=no-space"),
	newPattern("^BAR {n#}: failed to assign [{r}]", "kind=bar-failed", "what=failed"),
	newPattern("^BAR {n#}: can't assign [{r}]", "kind=bar-failed", "what=failed"),
	newPattern("^BAR {n#}: releasing [{r}]", "kind=bar-released"),
	newPattern("^can't claim BAR {n#} [{r}]: {reason}", "kind=bar-failed", "what=claim"),
	newPattern("^can't enable device: BAR {n#} [{r}] not claimed", "kind=bar-failed", "what=not-claimed"),
	newPattern("^can't enable device: BAR {n#} [{r}] not assigned", "kind=bar-failed", "what=not-assigned"),
}

// takeBAR notes the last state of each resource, as kind bar-assigned,
// bar-failed or bar-released. Fields: bar ("BAR 0", "VF BAR 0", "ROM", "bridge
// window"), resource, space (io, mem, pref), what (no-space, failed, alignment,
// claim, not-claimed, not-assigned, update, restored), reason, failures (how many
// messages of this boot said that no place was found; left out where one did and
// it is the last).
func takeBAR(p *parser, h *hit) bool {
	if !isBDF(h.device) {
		return false
	}
	for _, form := range barForms {
		fields, ok := form.match(h.body)
		if !ok {
			continue
		}
		n := h.note(fields["kind"], "resource", "["+fields["r"]+"]", "space", space(fields["r"]), "what", fields["what"], "reason", fields["reason"])
		n.Fields["bar"] = fields["bar"]
		if number, old := fields["n"]; old {
			n.Fields["bar"] = resourceName(number)
		}
		key := bar{h.device, n.Fields["bar"], ""}
		if key.name == "bridge window" {
			key.space = n.Fields["space"] // a bridge has three of that name
		}
		p.setBAR(key, h, n)
		return true
	}
	return false
}

// setBAR replaces what was known of the resource.
func (p *parser) setBAR(key bar, h *hit, n fact.Note) {
	i, known := p.bars[key]
	failures := 0
	if known {
		failures = barFailures(p.notes[i])
	}
	if unassigned(n) {
		failures += max(1, h.repeated)
	}
	if failures != barFailures(n) {
		n.Fields["failures"] = strconv.Itoa(failures)
	}
	if !known {
		if i = p.add(h, n); i >= 0 {
			p.bars[key] = i
		}
		return
	}
	old := &p.notes[i]
	if p.bytes += len(h.raw) - len(old.At.Text); p.bytes > maxBytes {
		p.dropped++
		return
	}
	if n.Fields["what"] == "failed" && unassigned(*old) {
		n.Fields["what"] = old.Fields["what"] // "failed to assign" follows the reason
	}
	n.Time, n.Clock, n.Boot, n.At = h.seconds(), string(h.clock), p.boot, p.at(h.message)
	*old = n
}

// barFailures returns how many messages said of a resource that no place was
// found for it.
func barFailures(n fact.Note) int {
	if more, err := strconv.Atoi(n.Fields["failures"]); err == nil {
		return more
	}
	if unassigned(n) {
		return 1
	}
	return 0
}

// unassigned reports whether a message says that no place was found, unlike one
// that the firmware's place was not taken.
func unassigned(n fact.Note) bool {
	switch n.Fields["what"] {
	case "no-space", "failed", "alignment":
		return n.Kind == "bar-failed"
	}
	return false
}

// resourceName names the resource of an old message as new kernels do
// (drivers/pci/pci.c pci_resource_name). The numbers are those of a kernel with
// CONFIG_PCI_IOV, as all distributions have it.
func resourceName(number string) string {
	n, err := strconv.Atoi(number)
	switch {
	case err != nil || n < 6:
		return "BAR " + number
	case n == 6:
		return "ROM"
	case n < 13:
		return "VF BAR " + strconv.Itoa(n-7)
	}
	return "bridge window"
}

// space returns io, mem or pref of a resource without its brackets.
func space(r string) string {
	switch {
	case strings.HasPrefix(r, "io"):
		return "io"
	case strings.Contains(r, " pref"):
		return "pref"
	}
	return "mem"
}
