// Package qat reads what the drivers of Intel QuickAssist devices show of them:
// in debugfs the configuration, the counters of the firmware, telemetry and
// power management, and what adf_ctl prints.
//
// Sources: in drivers/crypto/intel/qat/qat_common of the kernel adf_cfg.c,
// adf_fw_counters.c, adf_cnv_dbgfs.c, adf_tl_debugfs.c, adf_gen4_pm_debugfs.c
// and adf_gen6_pm_dbgfs.c; of the out-of-tree package the same files, which draw
// boxes, adf_ver_dbg.c, and adf_ctl.cpp. What the package's versions 1.5 and 1.6
// show in /proc/icp_* has the form of those boxes.
package qat

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"hwcap/parse/fact"
	"hwcap/parse/lines"
)

const (
	maxLine     = 4 << 10 // bytes of a line that are read; the drivers print 80 columns
	maxLines    = 20_000  // read of a file; a configuration has about a thousand
	maxProblems = 100
)

// format reads the lines of one file; line reports whether it knows the line.
type format interface {
	line(text string, at fact.Line) bool
}

// read hands f the lines of r that hold more than blanks and box borders. Lines
// that it does not know become problems. A text longer than any device prints is
// an error.
func read(r io.Reader, file string, f format) ([]fact.Problem, error) {
	var problems []fact.Problem
	in := lines.New(r, file, maxLine)
	for in.Next() {
		if in.Number() > maxLines {
			return problems, fmt.Errorf("read %s: more than %d lines", file, maxLines)
		}
		text, at := bare(in.At())
		if text != "" && !f.line(text, at) && len(problems) < maxProblems {
			problems = append(problems, problem(at, "is no line of this file"))
		}
	}
	return problems, in.Err()
}

// bare drops what surrounds the text of a line, and the NUL that some of these
// files end with; "" for a line without a text.
func bare(at fact.Line) (string, fact.Line) {
	at.Text = strings.TrimRight(at.Text, "\r\x00")
	text := strings.TrimFunc(at.Text, func(c rune) bool { return unicode.IsSpace(c) || c == '|' || c == 0 })
	if strings.HasPrefix(text, "+--") {
		text = ""
	}
	return text, at
}

func problem(at fact.Line, what string) fact.Problem {
	text := at.Text
	if len(text) > 80 {
		text = text[:80]
	}
	return fact.Problem{File: at.File, Line: at.Line, Text: fmt.Sprintf("%q %s", text, what)}
}

// Address returns the PCI address that s ends in, behind an underscore or on
// its own: the name of a debugfs folder, "qat_c6xx_0000:3d:00.0". Older drivers
// leave the domain out. "" if there is none.
func Address(s string) string {
	s = s[strings.LastIndexByte(s, '_')+1:]
	if len(s) == len("3d:00.0") {
		s = "0000:" + s
	}
	const form = "hhhh:hh:hh.h"
	if len(s) != len(form) {
		return ""
	}
	for i, c := range []byte(s) {
		hex := c >= '0' && c <= '9' || c >= 'a' && c <= 'f'
		if form[i] == 'h' && !hex || form[i] != 'h' && c != form[i] {
			return ""
		}
	}
	return s
}
