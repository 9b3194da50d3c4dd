package klog

import (
	"strings"

	"hwcap/parse/fact"
)

// trouble: lockups, crashes, firmware bugs, and gaps in the log itself.
func trouble() []row {
	return []row{
		is("nmi-serr", w("NMI: PCI system error (SERR) for reason {reason%} on CPU {cpu#}"), w("NMI: PCI system error (SERR)")),
		is("nmi-iock", w("NMI: IOCK error (debug interrupt?) for reason {reason%} on CPU {cpu#}")),
		is("nmi-unknown", w("NMI received for unknown reason {reason%}")),
		is("lockup",
			w("BUG: soft lockup - CPU#{cpu#} stuck for {seconds#}s! [{task}]", "kind=soft"),
			w("Watchdog detected hard LOCKUP on cpu {cpu#}", "kind=hard"),
			w("detected stall", "kind=rcu"),
			w("BUG: workqueue lockup - pool {pool}", "kind=workqueue")),
		is("hung-task", w("^INFO: task {task} blocked for more than {seconds#} seconds")),
		is("oops",
			w("^BUG: unable to handle {text}", "kind=bug"),
			w("^BUG: KASAN: {text}", "kind=kasan"),
			w("^kernel BUG at {text}", "kind=bug"),
			w("^BUG: kernel {text}", "kind=bug"),
			w("^BUG: Bad {text}", "kind=bug"),
			w("^Oops: {text}", "kind=oops"),
			w("^Internal error: {text}", "kind=oops"),
			w("^invalid opcode: {text}", "kind=oops"),
			w("^divide error: {text}", "kind=oops"),
			w("general protection fault{text}", "kind=gpf"),
			w("^Kernel panic - not syncing: {text}", "kind=panic"),
			w("Unable to handle kernel {text}", "kind=bug")),
		is("kernel-warning", w("^WARNING: CPU: {cpu#} PID: {pid#} at {place@}"), w("^WARNING: {place@} at {symbol@}, CPU#{cpu#}")),
		is("firmware-bug",
			w("[Firmware Bug]: {text}", "level=bug"),
			w("[Firmware Warn]: {text}", "level=warn"),
			w("[Firmware Info]: {text}", "level=info")),
		is("acpi-error",
			w("^ACPI BIOS Error (bug): {text}", "level=firmware"),
			w("^ACPI BIOS Warning (bug): {text}", "level=firmware"),
			w("^ACPI Error{text}", "level=error"),
			w("^ACPI Exception{text}", "level=error"),
			w("^ACPI Warning{text}", "level=warning")),
		is("callbacks-suppressed", w("{function}: {count#} callbacks suppressed")),
		is("lost-messages",
			w("** {count#} printk messages dropped"),
			w("Missed {count#} kernel messages")),
	}
}

// workqueue adds what a hung worker was doing to the note on it: "Workqueue:
// kcryptd/253:0 kcryptd_crypt [dm_crypt]" (kernel/workqueue.c
// print_worker_info).
func workqueue(p *parser, h *hit) bool {
	text, ok := strings.CutPrefix(h.body, "Workqueue: ")
	if !ok || p.last < 0 {
		return false
	}
	n := &p.notes[p.last]
	if n.Kind != "hung-task" && n.Kind != "lockup" && n.Kind != "oops" || n.Fields["workqueue"] != "" {
		return false
	}
	n.Fields["workqueue"] = text
	return true
}

// tainted adds to the note on a crash or lockup the flags of the kernel then, as
// letters (kernel/panic.c print_tainted). Others do not say it, nor does the
// kernel that is not tainted.
func tainted(p *parser, h *hit) bool {
	_, text, ok := strings.Cut(h.body, "Tainted: ")
	if !ok || p.last < 0 {
		return false
	}
	n := &p.notes[p.last]
	if n.Kind != "hung-task" && n.Kind != "lockup" && n.Kind != "oops" && n.Kind != "kernel-warning" || n.Fields["tainted"] != "" {
		return false
	}
	flags := ""
	for word := range strings.FieldsSeq(text) {
		if strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" { // the release, or what each flag means
			break
		}
		flags += word
	}
	if flags != "" {
		n.Fields["tainted"] = flags
	}
	return flags != ""
}

// dpcReason adds to a containment event what the kernel up to 6.8 prints on a
// line of its own (drivers/pci/pcie/dpc.c dpc_process_error).
func dpcReason(p *parser, h *hit) bool {
	text, ok := strings.CutPrefix(h.body, "DPC: ")
	if !ok { // up to 4.19: "DPC unmasked uncorrectable error detected, remove downstream devices"
		text, ok = strings.CutPrefix(h.body, "DPC ")
		text = strings.TrimSuffix(text, ", remove downstream devices")
	}
	reason, detected := strings.CutSuffix(text, " detected")
	if !ok || !detected || strings.Contains(text, "containment event") {
		return false
	}
	for i := len(p.notes) - 1; i >= 0 && i > len(p.notes)-8; i-- {
		if n := &p.notes[i]; n.Kind == "dpc-event" && n.Device == h.device && n.Fields["reason"] == "" {
			n.Fields["reason"] = reason
			return true
		}
	}
	return true
}

// osc reads what firmware and kernel settled about a root bridge
// (drivers/acpi/pci_root.c negotiate_os_control). Fields: what, list, reason.
// What concerns CXL carries "cxl-" before it: those lists are separate.
var oscForms = []pattern{
	newPattern("^_OSC: OS supports [{list}]", "what=supports"),
	newPattern("^_OSC: platform does not support [{list}]", "what=not-supported"),
	newPattern("^_OSC: OS now controls [{list}]", "what=controls"),
	newPattern("^_OSC: OS assumes control of [{list}]", "what=assumes"),
	newPattern("^_OSC: OS requested [{list}]", "what=requested"),
	newPattern("^_OSC: platform willing to grant [{list}]", "what=willing"),
	newPattern("^_OSC: platform retains control of PCIe features ({reason})", "what=retains"),
	newPattern("^_OSC: not requesting OS control; OS requires [{list}]", "what=not-requesting", "reason=os-requires"),
	newPattern("^_OSC: not requesting control; platform does not support [{list}]", "what=not-requesting", "reason=platform-lacks"),
	newPattern("^_OSC: CXL platform does not support [{list}]", "what=cxl-not-supported"),
	newPattern("^_OSC failed ({reason}); disabling ASPM", "what=failed", "aspm=disabled"),
	newPattern("^_OSC failed ({reason})", "what=failed"),
}

func osc(p *parser, h *hit) bool {
	if !isACPI(h.device) {
		return false
	}
	if p.bridge >= 0 {
		// The first message on a host bridge after the line that names its
		// buses tells which ACPI device it is.
		if n := &p.notes[p.bridge]; n.Device == "" {
			n.Device = h.device
		}
		p.bridge = -1
	}
	for _, form := range oscForms {
		if fields, ok := form.match(h.body); ok {
			if strings.HasPrefix(fields["list"], "CXL") && !strings.HasPrefix(fields["what"], "cxl-") {
				fields["what"] = "cxl-" + fields["what"]
			}
			n := h.note("osc")
			n.Fields = fields
			p.add(h, n)
			return true
		}
	}
	return false
}

// rootBridge reads "ACPI: PCI Root Bridge [PC07] (domain 0000 [bus c2-c9])".
// Fields: name, domain, bus-first, bus-last. The line does not name the ACPI
// device; see osc.
var rootBridges = []pattern{
	newPattern("^ACPI: PCI Root Bridge [{name}] (domain {domain%} [bus {bus-first%}-{bus-last%}])"),
	newPattern("^ACPI: PCI Root Bridge [{name}] (domain {domain%} [bus {bus-first%}])"),
	newPattern("^ACPI: PCI Root Bridge [{name}] (domain {domain%}, bus {bus-first%})"),
}

func rootBridge(p *parser, h *hit) bool {
	for _, form := range rootBridges {
		if fields, ok := form.match(h.body); ok {
			if fields["bus-last"] == "" {
				fields["bus-last"] = fields["bus-first"]
			}
			n := fact.Note{Kind: "root-bridge", Fields: fields}
			p.bridge = p.add(h, n)
			return true
		}
	}
	return false
}
