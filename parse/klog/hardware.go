package klog

import (
	"strings"

	"hwcap/parse/fact"
)

const (
	hardwareError = "[Hardware Error]: "
	maxReport     = 16 // lines kept of one report
)

// record is a CPER record while its lines come in. The kernel prints it line by
// line behind "{1}[Hardware Error]: ", the number telling records apart, and
// what BERT kept of the boot before without a number (drivers/acpi/apei/ghes.c,
// bert.c, drivers/firmware/efi/cper.c).
type record struct {
	number string
	note   fact.Note
	lines  []fact.Line
	uncor  bits
	cor    bits
}

// bits are a status register and its mask.
type bits struct{ status, mask uint32 }

var cperForms = []struct {
	pattern
	field string // the field that hole {v} fills
}{
	{newPattern("^Hardware error from APEI Generic Hardware Error Source: {v#}"), "source"},
	{newPattern("^event severity: {v@}"), "severity"},
	{newPattern("^section_type: {v}"), "section"},
	{newPattern("^section type: {v}"), "section"},
	{newPattern("^port_type: {n#}, {v}"), "port"},
	{newPattern("^error_type: {n#}, {v}"), "error"},
	{newPattern("^Error Structure Type: {v}"), "error"},
	{newPattern("^Firmware Error Record Type: {v}"), "error"},
	{newPattern("^processor_type: {n#}, {v}"), "processor"},
	{newPattern("^agent_type: {n#}, {v}"), "agent"},
	{newPattern("^error_status: {v} ("), "status"},
	{newPattern("^node:{n#} {v}"), "place"},
	{newPattern("^card:{v}"), "place"},
	{newPattern("^DIMM location: {v}"), "location"},
	{newPattern("^physical_address: {v%}"), "address"},
	{newPattern("^device_id: {v@}"), "device"},
}

var (
	cperUncor = newPattern("aer_uncor_status: {status%}, aer_uncor_mask: {mask%}")
	cperCor   = newPattern("aer_cor_status: {status%}, aer_cor_mask: {mask%}")
	cperError = newPattern("^Error {n#}, type: {severity@}")
	bertTotal = newPattern("^BERT: Total records found: {count#}")
)

// hardware collects hardware error records into one note each, kind
// hardware-error, and notes what BERT says, kind bert (kind=previous-boot,
// kind=total count). Fields of hardware-error: from (ghes, bert), source,
// severity (corrected, recoverable, fatal, info), section, port, processor,
// agent, error, status, location (the DIMM's name), place (its card, module,
// rank, ...), address; Device where the record names a function.
func hardware(p *parser, h *hit) bool {
	if text, ok := strings.CutPrefix(h.body, "BERT: "); ok {
		p.closeRecord()
		switch fields, total := bertTotal.match(h.body); {
		case total:
			p.add(h, h.note("bert", "kind", "total", "count", fields["count"]))
		case strings.HasPrefix(text, "Error records from previous boot"):
			p.add(h, h.note("bert", "kind", "previous-boot"))
			p.record = &record{note: h.note("hardware-error", "from", "bert")}
		default:
			p.add(h, h.note("bert", "kind", "other", "text", text))
		}
		return true
	}
	before, text, ok := strings.Cut(h.text, hardwareError)
	if !ok {
		return false
	}
	number := strings.TrimSuffix(strings.TrimPrefix(before, "{"), "}")
	switch numbered := number != before; {
	case !numbered && (before != "" || p.record == nil || p.record.note.Fields["from"] != "bert"):
		return false // "mce: [Hardware Error]", the decoder of AMD, the TPM
	case !numbered:
		// a line of BERT
	case p.record == nil || p.record.number != number:
		p.closeRecord()
		p.record = &record{number: number, note: h.note("hardware-error", "from", "ghes")}
	}
	p.record.line(p, h, strings.TrimSpace(text))
	return true
}

// line adds one line to the record.
func (r *record) line(p *parser, h *hit, text string) {
	if fields, ok := cperError.match(text); ok {
		if r.note.Fields["section"] != "" {
			// A second error of the same record.
			next := &record{number: r.number, note: fact.Note{Kind: r.note.Kind, Fields: map[string]string{"from": r.note.Fields["from"]}}}
			for _, keep := range []string{"source", "severity"} {
				if v := r.note.Fields[keep]; v != "" {
					next.note.Fields[keep] = v
				}
			}
			p.closeRecord()
			p.record, r = next, next
		}
		if fields["severity"] != "" {
			r.note.Fields["severity"] = fields["severity"]
		}
	}
	if len(r.lines) == 0 {
		r.note.Time, r.note.Clock, r.note.Boot, r.note.At = h.seconds(), string(h.clock), p.boot, p.at(h.message)
	}
	if len(r.lines) < maxReport {
		r.lines = append(r.lines, p.at(h.message))
	}
	if fields, ok := cperUncor.match(text); ok {
		r.uncor = bits{hex32(fields["status"]), hex32(fields["mask"])}
	} else if fields, ok := cperCor.match(text); ok {
		r.cor = bits{hex32(fields["status"]), hex32(fields["mask"])}
	}
	for _, form := range cperForms {
		fields, ok := form.match(text)
		if !ok {
			continue
		}
		switch v := fields["v"]; {
		case form.field != "device":
			r.note.Fields[form.field] = v
		case isBDF(v): // the other "device_id:" is a PCI id
			r.note.Device = v
		}
		return
	}
}

// closeRecord keeps the record's note, and for a PCIe section with a device an
// error report.
func (p *parser) closeRecord() {
	r := p.record
	p.record = nil
	if r == nil || len(r.lines) == 0 {
		return
	}
	if !p.flooded(r.note) {
		p.keep(r.note)
	}
	if r.note.Fields["section"] != "PCIe error" || r.note.Device == "" {
		return
	}
	severity := map[string]string{"corrected": corrected, "recoverable": nonfatal, "fatal": fatal}[r.note.Fields["severity"]]
	if severity == "" {
		return
	}
	e := &report{device: r.note.Device, severity: severity, firmware: true, time: r.note.Time, clock: r.note.Clock, lines: r.lines}
	b := r.uncor
	if severity == corrected {
		b = r.cor
	}
	e.addStatus(severity, b)
	boot := r.note.Boot
	if r.note.Fields["from"] == "bert" {
		boot-- // BERT tells of the boot before
		p.aer.count(e, boot)
		return
	}
	// The kernel may decode the same report once more, behind the device's
	// name: it stays open for those lines.
	p.aer.start(e, boot)
}
