// Package qat reads what the drivers of Intel QuickAssist devices show in
// debugfs: the configuration, and the counters of the firmware.
//
// Sources: drivers/crypto/intel/qat/qat_common/adf_cfg.c, adf_fw_counters.c,
// adf_cnv_dbgfs.c, and the same files of the out-of-tree package, which draws
// boxes.
package qat

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

const (
	maxLine  = 4 << 10 // the longest line read; the drivers print 80 columns
	maxLines = 20_000  // read in all; a configuration has about a thousand
)

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
		raw := strings.TrimRight(in.Text(), "\r\x00")
		if text := strings.Trim(raw, " \t\x00|"); text != "" && !strings.HasPrefix(text, "+--") {
			each(text, fact.Line{File: file, Line: n, Text: raw})
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	return nil
}

// ParseConfig reads dev_cfg: "[SECTION]" lines and "key = value" lines, in their
// order. A line that is neither gives a problem.
func ParseConfig(r io.Reader, file string) ([]fact.ConfigValue, []fact.Problem, error) {
	var values []fact.ConfigValue
	var problems []fact.Problem
	section := ""
	err := lines(r, file, func(text string, at fact.Line) {
		if name, ok := strings.CutPrefix(text, "["); ok && strings.HasSuffix(name, "]") {
			section = strings.TrimSuffix(name, "]")
			return
		}
		key, value, ok := strings.Cut(text, "=")
		if !ok {
			problems = append(problems, problem(at, "is neither a section nor a value"))
			return
		}
		values = append(values, fact.ConfigValue{Section: section, Key: strings.TrimSpace(key), Value: strings.TrimSpace(value), At: at})
	})
	return values, problems, err
}

// ParseCounters reads fw_counters: requests and responses of each engine, by
// engine in the order of the text. Place is the line of the requests. An engine
// that has only one of the two is left out, with a problem: the text broke off.
func ParseCounters(r io.Reader, file string) ([]fact.EngineCount, []fact.Problem, error) {
	var counts []fact.EngineCount
	var problems []fact.Problem
	pending := map[int]fact.EngineCount{} // boxed form: requests without their responses yet
	err := lines(r, file, func(text string, at fact.Line) {
		switch {
		case strings.HasPrefix(text, "Firmware Requests"):
			if engine, n, ok := boxed(text); ok {
				pending[engine] = fact.EngineCount{Engine: engine, Requests: n, At: at}
				return
			}
		case strings.HasPrefix(text, "Firmware Responses"):
			if engine, n, ok := boxed(text); ok {
				if c, found := pending[engine]; found {
					c.Responses = n
					counts = append(counts, c)
					delete(pending, engine)
					return
				}
			}
		case strings.HasPrefix(text, "RAS Events"):
			if engine, n, ok := boxed(text); ok && len(counts) > 0 && counts[len(counts)-1].Engine == engine {
				counts[len(counts)-1].RASEvents = &n
				return
			}
		case strings.HasPrefix(text, "AE ") && strings.Contains(text, "Requests"), strings.HasPrefix(text, "FW Statistics"):
			return
		default:
			if engine, fields, ok := row(text); ok && len(fields) == 2 {
				requests, errA := strconv.ParseInt(fields[0], 10, 64)
				responses, errB := strconv.ParseInt(fields[1], 10, 64)
				if errA == nil && errB == nil {
					counts = append(counts, fact.EngineCount{Engine: engine, Requests: requests, Responses: responses, At: at})
					return
				}
			}
		}
		problems = append(problems, problem(at, "is no counter"))
	})
	for engine := range 1 << 8 {
		if c, found := pending[engine]; found {
			problems = append(problems, problem(c.At, "has no responses: the text broke off"))
		}
	}
	return counts, problems, err
}

// ParseCnvErrors reads cnv_errors: of each compression engine the number of
// compress-and-verify errors (as Requests) and the last of them (LastError, "No
// Error" included). "No engine configured for comp" gives none, and no problem.
func ParseCnvErrors(r io.Reader, file string) ([]fact.EngineCount, []fact.Problem, error) {
	var counts []fact.EngineCount
	var problems []fact.Problem
	err := lines(r, file, func(text string, at fact.Line) {
		switch {
		case strings.HasPrefix(text, "AE ") && strings.Contains(text, "Total Errors"),
			strings.Contains(text, "CNV Error Freq Statistics"),
			strings.HasPrefix(text, "No engine configured for comp"):
			return
		}
		if c, ok := cnv(text); ok {
			c.At = at
			counts = append(counts, c)
			return
		}
		problems = append(problems, problem(at, "is no counter"))
	})
	return counts, problems, err
}

// cnv reads " 0:        3   Checksum Error [2]", and the boxed
// "[AE  0]: TotalErrors:    0 : LastError: No Error [0]".
func cnv(text string) (fact.EngineCount, bool) {
	if box, ok := strings.CutPrefix(text, "[AE"); ok {
		number, rest, ok := strings.Cut(box, "]:")
		engine, err := strconv.Atoi(strings.TrimSpace(number))
		_, rest, found := strings.Cut(rest, "TotalErrors:")
		total, last, _ := strings.Cut(rest, ":")
		n, errN := strconv.ParseInt(strings.TrimSpace(total), 10, 64)
		if !ok || !found || err != nil || errN != nil {
			return fact.EngineCount{}, false
		}
		return fact.EngineCount{Engine: engine, Requests: n, LastError: errorName(strings.TrimPrefix(strings.TrimSpace(last), "LastError:"))}, true
	}
	engine, fields, ok := row(text)
	if !ok || len(fields) == 0 {
		return fact.EngineCount{}, false
	}
	n, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return fact.EngineCount{}, false
	}
	return fact.EngineCount{Engine: engine, Requests: n, LastError: errorName(strings.Join(fields[1:], " "))}, true
}

// errorName drops the number behind the name: "Checksum Error [2]".
func errorName(s string) string {
	if at := strings.LastIndexByte(s, '['); at >= 0 {
		s = s[:at]
	}
	return strings.TrimSpace(s)
}

// boxed reads "Firmware Requests [AE  0]:               83909".
func boxed(text string) (engine int, n int64, ok bool) {
	_, rest, found := strings.Cut(text, "[AE")
	number, value, closed := strings.Cut(rest, "]:")
	if !found || !closed {
		return 0, 0, false
	}
	engine, errE := strconv.Atoi(strings.TrimSpace(number))
	n, errN := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
	return engine, n, errE == nil && errN == nil && engine >= 0 && engine < 1<<8 && n >= 0
}

// row reads " 0:            83909            83909".
func row(text string) (engine int, fields []string, ok bool) {
	number, rest, found := strings.Cut(text, ":")
	engine, err := strconv.Atoi(strings.TrimSpace(number))
	return engine, strings.Fields(rest), found && err == nil && engine >= 0
}

func problem(at fact.Line, what string) fact.Problem {
	text := at.Text
	if len(text) > 80 {
		text = text[:80]
	}
	return fact.Problem{File: at.File, Line: at.Line, Text: fmt.Sprintf("%q %s", text, what)}
}
