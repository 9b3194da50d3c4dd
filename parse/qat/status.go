package qat

import (
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

// status reads adf_ctl status and qat_service status.
type status struct {
	devices  []fact.QAT
	promised int // devices that the heading names, 0 without
	at       fact.Line
}

func (s *status) line(text string, at fact.Line) bool {
	if rest, ok := strings.CutPrefix(text, "There is "); ok {
		number, rest, _ := strings.Cut(rest, " ")
		n, err := strconv.Atoi(number)
		if err != nil || !strings.HasPrefix(rest, "QAT acceleration device") {
			return false
		}
		s.promised, s.at = n, at
		return true
	}
	if strings.HasPrefix(text, "Checking status of ") {
		return true
	}
	d, ok := statusRow(text)
	if ok {
		d.Status.At, d.Folder = at, at.File
		s.devices = append(s.devices, d)
	}
	return ok
}

// statusRow reads "qat_dev0 - type: c6xx,  inst_id: 0,  node_id: 1,  bsf:
// 0000:84:00.0,  #accel: 5 #engines: 10 state: up". Older packages leave the
// domain out.
func statusRow(text string) (fact.QAT, bool) {
	name, rest, ok := strings.Cut(text, " - ")
	number, isDevice := strings.CutPrefix(name, "qat_dev")
	n, err := strconv.Atoi(number)
	if !ok || !isDevice || err != nil {
		return fact.QAT{}, false
	}
	s := &fact.QATStatus{Number: n}
	d := fact.QAT{Status: s}
	fields := strings.Fields(rest)
	for i := 0; i+1 < len(fields); i += 2 {
		value := strings.TrimSuffix(fields[i+1], ",")
		v, err := strconv.Atoi(value)
		switch fields[i] {
		case "type:":
			s.Type, err = value, nil
		case "bsf:":
			d.Address, err = Address(value), nil
		case "state:":
			s.State, err = value, nil
		case "inst_id:":
			s.Instance = v
		case "node_id:":
			s.Node = v
		case "#accel:":
			s.Accels = v
		case "#engines:":
			s.Engines = v
		}
		if err != nil {
			return fact.QAT{}, false
		}
	}
	return d, s.Type != "" && d.Address != "" && s.State != ""
}

func isStatus(text string) bool {
	return strings.HasPrefix(text, "Checking status of all devices") || strings.HasPrefix(text, "qat_dev") && strings.Contains(text, " - type: ") ||
		strings.HasPrefix(text, "There is ") && strings.Contains(text, "QAT acceleration device(s)")
}
