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
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"

	"hwcap/parse/fact"
)

const (
	maxLine     = 4 << 10 // the longest line read; the drivers print 80 columns
	maxLines    = 20_000  // read of a file; a configuration has about a thousand
	maxProblems = 100
)

// format reads the lines of one file; line reports whether it knows the line.
type format interface {
	line(text string, at fact.Line) bool
}

// read hands the lines of r to f. Lines that it does not know become problems.
func read(r io.Reader, file string, f format) ([]fact.Problem, error) {
	var problems []fact.Problem
	err := lines(r, file, func(text string, at fact.Line) {
		if !f.line(text, at) && len(problems) < maxProblems {
			problems = append(problems, problem(at, "is no line of this file"))
		}
	})
	return problems, err
}

// lines calls each for every line of r that holds more than blanks and box
// borders, with NUL bytes dropped: some of these files end with one. A text
// longer than any device prints is an error.
func lines(r io.Reader, file string, each func(text string, at fact.Line)) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	for n := 1; in.Scan(); n++ {
		if n > maxLines {
			return fmt.Errorf("read %s: more than %d lines", file, maxLines)
		}
		if text, at := bare(in.Text(), file, n); text != "" {
			each(text, at)
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	return nil
}

// bare drops what surrounds the text of a line; "" for a line without.
func bare(line, file string, n int) (string, fact.Line) {
	raw := strings.TrimRight(line, "\r\n\x00")
	text := strings.TrimFunc(raw, func(c rune) bool { return unicode.IsSpace(c) || c == '|' || c == 0 })
	if strings.HasPrefix(text, "+--") {
		text = ""
	}
	return text, fact.Line{File: file, Line: n, Text: raw}
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
