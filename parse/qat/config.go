package qat

import (
	"io"
	"strings"

	"hwcap/parse/fact"
)

// ParseConfig reads dev_cfg: "[SECTION]" lines and "key = value" lines, in their
// order. A line that is neither gives a problem.
func ParseConfig(r io.Reader, file string) ([]fact.ConfigValue, []fact.Problem, error) {
	var c config
	problems, err := read(r, file, &c)
	return c.values, problems, err
}

type config struct {
	section string
	values  []fact.ConfigValue
}

func (c *config) line(text string, at fact.Line) bool {
	if name, ok := bracketed(text); ok {
		c.section = name
		return true
	}
	key, value, ok := strings.Cut(text, "=")
	if ok {
		c.values = append(c.values, fact.ConfigValue{Section: c.section, Key: strings.TrimSpace(key), Value: strings.TrimSpace(value), At: at})
	}
	return ok
}

// bracketed takes the name out of "[GENERAL]".
func bracketed(text string) (string, bool) {
	name, ok := strings.CutPrefix(text, "[")
	name, closed := strings.CutSuffix(name, "]")
	return name, ok && closed
}

// ParsePower reads pm_status of Gen 4 and later: "----- PM Info -----" lines,
// which name a section, and "key: value" lines.
func ParsePower(r io.Reader, file string) ([]fact.ConfigValue, []fact.Problem, error) {
	var p power
	problems, err := read(r, file, &p)
	return p.values, problems, err
}

type power struct {
	section string
	values  []fact.ConfigValue
}

func (p *power) line(text string, at fact.Line) bool {
	if name := ruled(text); name != "" {
		p.section = name
		return true
	}
	key, value, ok := strings.Cut(text, ": ")
	ok = ok && !strings.Contains(key, " ")
	if ok {
		p.values = append(p.values, fact.ConfigValue{Section: p.section, Key: key, Value: strings.TrimSpace(value), At: at})
	}
	return ok
}

// ruled takes the name out of "----------- PM Fuse info ---------".
func ruled(text string) string {
	if !strings.HasPrefix(text, "-----") || !strings.HasSuffix(text, "-----") {
		return ""
	}
	return strings.TrimSpace(strings.Trim(text, "-"))
}

// versions reads the box of /proc/icp_*/version.
type versions struct{ firmware, driver fact.Val[string] }

func (v *versions) line(text string, at fact.Line) bool {
	key, value, ok := strings.Cut(text, ":")
	value = strings.TrimSpace(value)
	switch {
	case strings.HasPrefix(text, versionsHeading):
		return true
	case !ok || value == "":
		return false
	case key == "Firmware Version":
		v.firmware = fact.Of(value, at)
	case key == "Driver Version":
		v.driver = fact.Of(value, at)
	}
	return true
}

const versionsHeading = "Hardware and Software versions for device"
