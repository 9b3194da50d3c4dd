package qat

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/lines"
)

// Loose is what a text says that holds the output of several commands.
type Loose struct {
	Devices  []fact.QAT // in the order of the text; without an address where the text tells none
	Problems []fact.Problem
	Unread   fact.Unread
}

// maxDevices bounds a text; a server has eight, with virtual functions 150.
const maxDevices = 1000

// ParseLoose reads files of debugfs that were copied out of their folders, and
// adf_ctl status, one after the other. A line that names a folder, the prompt
// before cat or "==> /sys/kernel/debug/qat_c6xx_0000:3d:00.0/fw_counters <==",
// tells whose the next file is. Without such a line each file that is there again
// is that of another device.
func ParseLoose(r io.Reader, file string) (*Loose, error) {
	l := loose{Loose: Loose{Unread: fact.Unread{File: file}}, file: file}
	in := lines.New(r, file, maxLine)
	for in.Next() {
		l.next(in.At())
	}
	l.end()
	return &l.Loose, in.Err()
}

type loose struct {
	Loose
	file   string
	device *fact.QAT // that the text named last
	format format
	kept   int // lines that gave facts
}

// headings tell which file begins. Those of a file that has none are known by
// the line that names the file.
var headings = []struct {
	is  func(text string) bool
	new func() format
}{
	{isCountersHeading, func() format { return &counters{} }},
	{isCnvHeading, func() format { return &cnvErrors{} }},
	{isTelemetryHeading, func() format { return &telemetry{file: "device_data"} }},
	{isConfigHeading, func() format { return &config{} }},
	{isPowerHeading, func() format { return &power{} }},
	{isStatus, func() format { return &status{} }},
	{func(text string) bool { return strings.HasPrefix(text, versionsHeading) }, func() format { return &versions{} }},
}

// ofRow returns the format that a row of a box is of, nil for none.
func ofRow(text string) format {
	switch {
	case strings.HasPrefix(text, "Firmware Re") && strings.Contains(text, "[AE "):
		return &counters{}
	case strings.HasPrefix(text, "[AE ") && strings.Contains(text, "TotalErrors:"):
		return &cnvErrors{}
	}
	return nil
}

// isConfigHeading matches the section that a configuration begins with.
func isConfigHeading(text string) bool { return text == "[GENERAL]" }

func isPowerHeading(text string) bool { return strings.HasPrefix(ruled(text), "PM Fuse info") }

func (l *loose) next(at fact.Line) {
	l.Unread.Of++
	text, at := bare(at)
	text = strings.TrimSpace(strings.TrimLeft(text, "> "))
	if text == "" {
		l.Unread.Ignored++
		return
	}
	if folder, name, ok := folderIn(text); ok {
		l.Unread.Ignored++
		l.end()
		l.device = &fact.QAT{Address: Address(folder), Folder: l.file}
		if rp := path.Base(name); strings.HasPrefix(rp, "rp_") || rp == "device_data" {
			l.format = &telemetry{file: rp}
		}
		return
	}
	for _, h := range headings {
		if _, same := l.format.(*status); same && isStatus(text) {
			break // its rows look like headings
		}
		if h.is(text) {
			if t, ok := l.format.(*telemetry); !ok || len(t.metrics) > 0 || !isTelemetryHeading(text) {
				l.endFile()
				l.format = h.new()
			}
			break
		}
	}
	if l.format == nil { // the heading went to another text
		l.format = ofRow(text)
	}
	switch {
	case l.format == nil || !l.format.line(text, at):
		l.Unread.Lines++
	default:
		if l.kept++; l.kept > maxLines {
			l.format = nil
			if l.kept == maxLines+1 {
				l.problem(problem(at, "and what follows is more than any machine shows"))
			}
		}
	}
}

func (l *loose) problem(p ...fact.Problem) {
	l.Problems = append(l.Problems, p[:min(len(p), maxProblems-len(l.Problems))]...)
}

// endFile adds the file at hand to its device.
func (l *loose) endFile() {
	f := l.format
	l.format = nil
	d := l.device
	if d == nil {
		d = &fact.QAT{Folder: l.file}
	}
	again := false // the device has this file already
	var set func(*fact.QAT)
	at := fact.Line{File: l.file}
	switch f := f.(type) {
	case nil:
		return
	case *status:
		if f.promised > 0 && f.promised != len(f.devices) {
			l.problem(problem(f.at, fmt.Sprintf("is followed by %d", len(f.devices))))
		}
		l.Devices = append(l.Devices, f.devices[:min(len(f.devices), maxDevices-len(l.Devices))]...)
		return
	case *counters:
		l.problem(f.unanswered()...)
		if len(f.Engines)+len(f.Silent) == 0 {
			return
		}
		again = !d.Counters.IsZero()
		set = func(d *fact.QAT) { SetCounters(d, f.Counts, at) }
	case *cnvErrors:
		again = !d.CnvErrors.IsZero()
		set = func(d *fact.QAT) { d.CnvErrors = fact.Of(f.counts, at) }
		if len(f.counts) == 0 {
			return
		}
	case *telemetry:
		for _, m := range d.Telemetry {
			again = again || len(f.metrics) > 0 && m.File == f.file
		}
		set = func(d *fact.QAT) { d.Telemetry = append(d.Telemetry, f.metrics...) }
	case *config:
		if len(f.values) == 0 {
			return
		}
		again = d.ConfigState != ""
		set = func(d *fact.QAT) { d.Config, d.ConfigState = f.values, fact.Present }
	case *power:
		again = len(d.Power) > 0
		set = func(d *fact.QAT) { d.Power = f.values }
	case *versions:
		again = !d.Firmware.IsZero()
		set = func(d *fact.QAT) { d.Firmware, d.Package = f.firmware, f.driver }
	}
	if again {
		l.end()
		d = &fact.QAT{Folder: l.file}
	}
	set(d)
	l.device = d
}

// end adds the device at hand, if the text says anything of it.
func (l *loose) end() {
	l.endFile()
	d := l.device
	l.device = nil
	if d == nil || len(l.Devices) >= maxDevices ||
		d.Counters.IsZero() && d.CnvErrors.IsZero() && d.ConfigState == "" && len(d.Telemetry)+len(d.Power) == 0 && d.Firmware.IsZero() && d.Package.IsZero() {
		return
	}
	if d.Address != "" {
		for i := range l.Devices {
			if l.Devices[i].Address == d.Address {
				Merge(&l.Devices[i], d)
				return
			}
		}
	}
	l.Devices = append(l.Devices, *d)
}

// folderIn finds the folder of a device in a line, and what is named below it:
// "# cat /sys/kernel/debug/qat_dh895xcc_09\:00.0/fw_counters". Those of
// /proc/icp_dh895xcc_dev0 have no address.
func folderIn(text string) (folder, name string, ok bool) {
	for _, root := range []string{"debug/qat_", "/proc/icp_"} {
		_, rest, found := strings.Cut(text, root)
		if !found {
			continue
		}
		rest = strings.ReplaceAll(strings.Trim(rest, "\"' "), `\`, "")
		rest, _, _ = strings.Cut(rest, " ")
		folder, name, ok = strings.Cut(rest, "/")
		return folder, name, ok
	}
	return "", "", false
}

// IsLoose reports whether a line is one with which a file of a QAT device, or
// adf_ctl status, begins.
func IsLoose(line []byte) bool {
	if len(line) == 0 || len(line) > 200 {
		return false
	}
	line = bytes.Trim(line, " \t>|\r\x00")
	if len(line) == 0 {
		return false
	}
	switch line[0] {
	case 'A', 'F', 'S', 'C', 'N', 's', '[', '-', 'q', 'T', 'H': // of the headings
	default:
		return false
	}
	text := string(line)
	for _, h := range headings {
		if h.is(text) {
			return true
		}
	}
	return ofRow(text) != nil
}
