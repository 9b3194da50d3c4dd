package qat

import (
	"io"
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

// Counts are what fw_counters hold.
type Counts struct {
	Engines []fact.EngineCount // by engine in the order of the text; their place is the line of the requests
	Silent  []fact.EngineCount // engines that did not answer; they have no counts
}

// ParseCounters reads fw_counters: requests and responses of each engine. An
// engine that has only one of the two is left out, with a problem: the text
// broke off.
func ParseCounters(r io.Reader, file string) (Counts, []fact.Problem, error) {
	var c counters
	problems, err := read(r, file, &c)
	return c.Counts, append(problems, c.unanswered()...), err
}

type counters struct {
	Counts
	pending map[int]fact.EngineCount // boxed form: requests without their responses yet
}

const maxEngines = 1 << 8

func (c *counters) line(text string, at fact.Line) bool {
	if isCountersHeading(text) {
		return true
	}
	if what, _, ok := strings.Cut(text, "[AE"); ok {
		return c.boxed(strings.ToLower(strings.TrimSpace(what)), text, at)
	}
	engine, fields, ok := row(text)
	if !ok || len(fields) != 2 || len(c.Engines) > maxEngines {
		return false
	}
	requests, errA := strconv.ParseInt(fields[0], 10, 64)
	responses, errB := strconv.ParseInt(fields[1], 10, 64)
	if errA != nil || errB != nil {
		return false
	}
	c.Engines = append(c.Engines, fact.EngineCount{Engine: engine, Requests: requests, Responses: responses, At: at})
	return true
}

// boxed reads "Firmware Requests [AE  0]:               83909", whose number is
// "No Response" where the engine gave none.
func (c *counters) boxed(what, text string, at fact.Line) bool {
	engine, n, silent, ok := boxed(text)
	if !ok || len(c.Engines)+len(c.Silent) > maxEngines {
		return false
	}
	switch what {
	case "firmware requests":
		if silent {
			c.Silent = append(c.Silent, fact.EngineCount{Engine: engine, At: at})
			return true
		}
		if c.pending == nil {
			c.pending = map[int]fact.EngineCount{}
		}
		c.pending[engine] = fact.EngineCount{Engine: engine, Requests: n, At: at}
		return true
	case "firmware responses":
		if silent {
			return true
		}
		e, found := c.pending[engine]
		if found {
			e.Responses = n
			c.Engines = append(c.Engines, e)
			delete(c.pending, engine)
		}
		return found
	case "ras events":
		if silent {
			return true
		}
		last := len(c.Engines) - 1
		if last < 0 || c.Engines[last].Engine != engine {
			return false
		}
		c.Engines[last].RASEvents = &n
		return true
	}
	return false
}

// unanswered are the engines whose responses did not come.
func (c *counters) unanswered() []fact.Problem {
	var problems []fact.Problem
	for engine := range maxEngines {
		if e, found := c.pending[engine]; found {
			problems = append(problems, problem(e.At, "has no responses: the text broke off"))
		}
	}
	return problems
}

func isCountersHeading(text string) bool {
	return strings.HasPrefix(text, "AE ") && strings.Contains(text, "Requests") || strings.HasPrefix(text, "FW Statistics for Qat Device") ||
		strings.HasPrefix(text, "Statistics for Qat Device")
}

// boxed takes engine and number out of a row of a box.
func boxed(text string) (engine int, n int64, silent, ok bool) {
	_, rest, found := strings.Cut(text, "[AE")
	number, value, closed := strings.Cut(rest, "]:")
	value = strings.TrimSpace(value)
	engine, err := strconv.Atoi(strings.TrimSpace(number))
	if !found || !closed || err != nil || engine < 0 || engine >= maxEngines {
		return 0, 0, false, false
	}
	if value == "No Response" {
		return engine, 0, true, true
	}
	n, err = strconv.ParseInt(value, 10, 64)
	return engine, n, false, err == nil && n >= 0
}

// row reads " 0:            83909            83909".
func row(text string) (engine int, fields []string, ok bool) {
	number, rest, found := strings.Cut(text, ":")
	engine, err := strconv.Atoi(strings.TrimSpace(number))
	return engine, strings.Fields(rest), found && err == nil && engine >= 0 && engine < maxEngines
}

// ParseCnvErrors reads cnv_errors: of each compression engine the number of
// compress-and-verify errors (as Requests) and the last of them (LastError, "No
// Error" included). "No engine configured for comp" gives none, and no problem.
func ParseCnvErrors(r io.Reader, file string) ([]fact.EngineCount, []fact.Problem, error) {
	var c cnvErrors
	problems, err := read(r, file, &c)
	return c.counts, problems, err
}

type cnvErrors struct{ counts []fact.EngineCount }

func (c *cnvErrors) line(text string, at fact.Line) bool {
	if isCnvHeading(text) {
		return true
	}
	count, ok := cnv(text)
	if ok = ok && len(c.counts) <= maxEngines; ok {
		count.At = at
		c.counts = append(c.counts, count)
	}
	return ok
}

func isCnvHeading(text string) bool {
	return strings.HasPrefix(text, "AE ") && strings.Contains(text, "Total Errors") ||
		strings.HasPrefix(text, "CNV Error Freq Statistics") || strings.HasPrefix(text, "No engine configured for comp")
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
