package sysfs

import (
	"strings"

	"hwcap/parse/fact"
)

// Source: Documentation/ABI/testing/sysfs-devices-edac and
// drivers/edac/edac_mc_sysfs.c. Counters are since the driver was loaded, or
// since reset_counters was written.

const edacFolder = "sys/devices/system/edac/mc"

// controller gathers one EDAC memory controller and its modules.
type controller struct {
	fact.Controller
	dimms map[string]*dimm
	rows  map[string]*csrow
}

// dimm is the folder of a module (dimm3) or a rank (rank3).
type dimm struct {
	fact.DIMMCount
	ce, ue fact.Val[int64]
}

// csrow is the folder of a chip-select row, which old kernels have alone: it
// counts corrected errors for each channel, and uncorrected ones for all.
type csrow struct {
	ce, ue   fact.Val[int64]
	channels map[string]*channel // by "ch0"
}

type channel struct {
	label string
	ce    fact.Val[int64]
}

// mc returns the controller of a folder mc0, mc1, ...; the folder mc holds
// others beside them (power).
func (t *Tree) mc(f *file) *controller {
	name := f.key[0]
	if !strings.HasPrefix(name, "mc") {
		return nil
	}
	c := t.edac[name]
	if c == nil {
		c = &controller{Controller: fact.Controller{ID: name}, dimms: map[string]*dimm{}, rows: map[string]*csrow{}}
		t.edac[name] = c
	}
	return c
}

func edacName(t *Tree, f *file) {
	if c := t.mc(f); c != nil {
		c.Name = t.value(f).V
	}
}

func edacCount(of func(*fact.Controller) *fact.Val[int64]) handler {
	return func(t *Tree, f *file) {
		if c := t.mc(f); c != nil {
			*of(&c.Controller) = number[int64](t, f)
		}
	}
}

// scrubRate reads bytes a second; 0 is off, and -1, of old kernels, that the
// driver does not know.
func scrubRate(t *Tree, f *file) {
	edacCount(func(c *fact.Controller) *fact.Val[int64] { return &c.ScrubRate })(t, f)
	if c := t.mc(f); c != nil && c.ScrubRate.V < 0 {
		c.ScrubRate = fact.Missing[int64](fact.Absent, c.ScrubRate.At)
	}
}

func (t *Tree) dimm(f *file) *dimm {
	c := t.mc(f)
	if c == nil {
		return nil
	}
	d := c.dimms[f.key[1]]
	if d == nil {
		d = &dimm{}
		d.Label = f.key[0] + "/" + f.key[1] // until its label is read
		c.dimms[f.key[1]] = d
	}
	return d
}

func dimmText(of func(*fact.DIMMCount) *string) handler {
	return func(t *Tree, f *file) {
		if d := t.dimm(f); d != nil {
			if v := t.value(f); v.Known() {
				*of(&d.DIMMCount) = v.V
			}
		}
	}
}

func dimmCount(of func(*dimm) *fact.Val[int64]) handler {
	return func(t *Tree, f *file) {
		if d := t.dimm(f); d != nil {
			*of(d) = number[int64](t, f)
		}
	}
}

// dimmSize reads MiB.
func dimmSize(t *Tree, f *file) {
	if d := t.dimm(f); d != nil {
		d.SizeMiB = number[int64](t, f).V
	}
}

// csrowFile reads a file of a chip-select row: ce_count, ue_count,
// ch0_ce_count, ch0_dimm_label.
func csrowFile(t *Tree, f *file) {
	c := t.mc(f)
	name := f.key[1]
	if c == nil || !strings.HasPrefix(name, "csrow") {
		return
	}
	row := c.rows[name]
	if row == nil {
		row = &csrow{channels: map[string]*channel{}}
		c.rows[name] = row
	}
	id, what, _ := strings.Cut(f.key[2], "_")
	switch what {
	case "count":
		switch id {
		case "ce":
			row.ce = number[int64](t, f)
		case "ue":
			row.ue = number[int64](t, f)
		}
		return
	case "ce_count", "dimm_label":
	default:
		return
	}
	ch := row.channels[id]
	if ch == nil {
		ch = &channel{label: c.ID + "/" + name + "/" + id}
		row.channels[id] = ch
	}
	if what == "ce_count" {
		ch.ce = number[int64](t, f)
	} else if v := t.value(f); v.Known() {
		ch.label = v.V
	}
}

// controllers joins the memory controllers, by number.
func (t *Tree) controllers() {
	var all []fact.Controller
	for _, name := range sorted(t.edac, natural) {
		c := t.edac[name]
		for _, id := range sorted(c.dimms, natural) {
			if d := c.dimms[id]; d.ce.Known() && d.ue.Known() {
				d.Corrected, d.Uncorrected, d.At, d.UncorrectedAt = d.ce.V, d.ue.V, d.ce.At, d.ue.At
				c.DIMMs = append(c.DIMMs, d.DIMMCount)
			}
		}
		if len(c.DIMMs) == 0 {
			for _, id := range sorted(c.rows, natural) {
				c.DIMMs = append(c.DIMMs, c.rows[id].modules(c.ID+"/"+id)...)
			}
		}
		all = append(all, c.Controller)
	}
	list, listed := t.m.Lists[edacFolder]
	at := fact.Line{File: edacFolder + "/.list"}
	if !listed && len(all) > 0 { // a text of counters, or a copy without listings
		for _, v := range []fact.Val[int64]{all[0].CE, all[0].UE} {
			if !v.At.IsZero() {
				at = v.At
				break
			}
		}
	}
	switch {
	case len(all) > 0:
		t.m.RAS.EDAC = fact.Of(all, at)
	case listed && list.State != fact.Truncated: // no driver has registered a controller
		t.m.RAS.EDAC = fact.Missing[[]fact.Controller](fact.Empty, at)
	}
}

// modules returns the counts of a row by channel. Where it has uncorrected
// errors, whose channel is not known, the row is one.
func (r *csrow) modules(name string) (all []fact.DIMMCount) {
	if !r.ue.Known() {
		return nil
	}
	labels := []string{}
	for _, id := range sorted(r.channels, natural) {
		ch := r.channels[id]
		labels = append(labels, ch.label)
		if r.ue.V == 0 && ch.ce.Known() {
			all = append(all, fact.DIMMCount{Label: ch.label, Corrected: ch.ce.V, At: ch.ce.At, UncorrectedAt: r.ue.At})
		}
	}
	if len(all) > 0 || !r.ce.Known() {
		return all
	}
	if len(labels) > 0 {
		name = strings.Join(labels, ", ")
	}
	return []fact.DIMMCount{{Label: name, Corrected: r.ce.V, Uncorrected: r.ue.V, At: r.ce.At, UncorrectedAt: r.ue.At}}
}
