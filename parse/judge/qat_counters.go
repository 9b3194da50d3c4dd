package judge

import (
	"slices"
	"strconv"

	"hwcap/parse/diff"
	"hwcap/parse/fact"
)

// qatCounters compares what each engine's firmware took in and gave back:
// fw_counters of adf_fw_counters.c, cnv_errors of adf_cnv_dbgfs.c, queries_failed
// of adf_heartbeat_dbgfs.c. The sums are ours; the firmware states none.
var qatCounters = Rule{
	ID:      "qat-counters",
	Area:    Crypto,
	Sources: []string{"qat", "dmesg", "kmsg", "journal-k"},
	// rows is a table: engine, requests, responses. apart is how many engines
	// differ, staysApart how many did so in an earlier reading too; silent are the
	// engines that gave no answer when asked for their counters; faults counts the
	// log's lines on a device that failed while it ran (see qat-device).
	Keys: []string{"rows", "engines", "requestsSum", "responsesSum", "apart", "staysApart", "readings", "silent", "faults", "heartbeatFailed", "cnvErrors"},
	Cases: []Case{
		{Name: "answered", Verdict: OK, Confidence: Observed},
		{Name: "unused", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "apart", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "apart-log", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "apart-still", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "silent", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "heartbeat-failed", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "compression-errors", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "denied", Verdict: Unknown},
		{Name: "incomplete", Verdict: Unknown},
		{Name: "not-captured", Verdict: Unknown},
	},
	Judge:   judgeQATCounters,
	Compare: compareQATCounters,
}

func judgeQATCounters(m *fact.Machine) []Finding {
	var findings []Finding
	faults := map[string][]fact.Note{}
	for _, s := range qatStates(m) {
		faults[s.d.Address] = s.faults
	}
	seen := map[string]bool{}
	for i := range m.QAT {
		q := &m.QAT[i]
		if d := m.Device(q.Address); d != nil && d.DriverKnown && d.Driver == "" || seen[q.Address] {
			continue // without a driver there is nothing to count
		}
		seen[q.Address] = true
		findings = append(findings, countersOf(m, readingsOf(m, q), faults[q.Address]))
	}
	for _, s := range qatStates(m) {
		driver, _ := s.driver()
		if !s.virtual && s.d.Driver != "" && s.d.Driver == driver && !seen[s.d.Address] {
			findings = append(findings, countersOf(m, []*fact.QAT{{Address: s.d.Address}}, s.faults))
		}
	}
	return findings
}

// readingsOf returns the readings of one device's counters in the order in which
// they were taken. One whose address no source gives has one.
func readingsOf(m *fact.Machine, first *fact.QAT) []*fact.QAT {
	all := []*fact.QAT{first}
	for i := range m.QAT {
		if q := &m.QAT[i]; q != first && q.Address == first.Address && q.Address != "" && q.Counters.Known() {
			all = append(all, q)
		}
	}
	return all
}

// compareQATCounters takes the counters of two captures for two readings, if
// they are of one boot. A count that is smaller than before is that of a device
// that was started again.
func compareQATCounters(p *diff.Pair) []Finding {
	if p.Boot != diff.OneBoot || p.Reversed || interrupted(p.Old, "qat") || interrupted(p.New, "qat") {
		return nil
	}
	var out []Finding
	for _, m := range p.Devices {
		was, is := lastReading(p.Old, m.Old.Address), lastReading(p.New, m.New.Address)
		if was == nil || is == nil || slices.ContainsFunc(was.Counters.V, func(e fact.EngineCount) bool {
			return slices.ContainsFunc(is.Counters.V, func(now fact.EngineCount) bool { return now.Engine == e.Engine && now.Requests < e.Requests })
		}) {
			continue
		}
		f := countersOf(p.New, []*fact.QAT{was, is}, nil)
		if f.Case != "apart-still" {
			continue
		}
		for i := range f.Evidence {
			if f.Evidence[i].Role == "before" {
				f.Evidence[i].Capture = Old
			}
		}
		f.Subjects = []string{m.New.Address}
		out = append(out, f)
	}
	return out
}

// lastReading returns the last complete reading of a device's counters, or nil.
func lastReading(m *fact.Machine, address string) *fact.QAT {
	for i := len(m.QAT) - 1; i >= 0; i-- {
		if q := &m.QAT[i]; q.Address == address && q.Counters.State == fact.Present {
			return q
		}
	}
	return nil
}

func countersOf(m *fact.Machine, readings []*fact.QAT, faults []fact.Note) Finding {
	q := readings[len(readings)-1]
	f := found("", q.Address)
	rows := []map[string]any{}
	var requests, responses int64
	apart := []int{}
	engines, _ := q.Counters.Get()
	for _, e := range engines {
		rows = append(rows, map[string]any{"engine": e.Engine, "requests": e.Requests, "responses": e.Responses})
		requests += e.Requests
		responses += e.Responses
		role := "engine"
		if e.Requests != e.Responses {
			role = "apart"
			apart = append(apart, e.Engine)
		}
		f.cite(role, e.At)
	}
	stays := f.stayApart(readings[:len(readings)-1], apart)
	silent := []string{}
	for _, e := range q.Silent {
		silent = append(silent, strconv.Itoa(e.Engine))
		f.cite("silent", e.At)
	}
	failed, beats := q.HeartbeatFailed.Get()
	if failed > 0 {
		f.cite("heartbeat", q.HeartbeatFailed.At)
	}
	cnv := int64(0)
	wrong, verified := q.CnvErrors.Get()
	for _, e := range wrong {
		if cnv += e.Requests; e.Requests > 0 {
			f.cite("cnv", e.At)
		}
	}
	f.citeNotes("fault", faults)
	f.Values["rows"], f.Values["silent"], f.Values["faults"], f.Values["readings"] = rows, silent, len(faults), len(readings)
	if len(rows) > 0 {
		f.Values["engines"], f.Values["apart"], f.Values["staysApart"] = len(rows), len(apart), stays
		f.Values["requestsSum"], f.Values["responsesSum"] = requests, responses
	}
	if beats {
		f.Values["heartbeatFailed"] = failed
	}
	if verified {
		f.Values["cnvErrors"] = cnv
	}
	switch {
	case len(silent) > 0:
		f.Case = "silent"
	case q.Counters.State == fact.Denied, len(rows) == 0 && m.Source("qat").State == fact.Denied:
		f.Case = "denied"
		f.citeSource(m, "source", "qat")
	case len(rows) == 0:
		f.Case = "not-captured"
	case q.Counters.State != fact.Present, interrupted(m, "qat"):
		f.Case = "incomplete"
	case failed > 0:
		f.Case = "heartbeat-failed"
	case stays > 0:
		f.Case = "apart-still"
	case len(apart) > 0 && len(faults) > 0:
		f.Case = "apart-log"
	case len(apart) > 0:
		f.Case = "apart"
	case cnv > 0:
		f.Case = "compression-errors"
	case requests == 0:
		f.Case = "unused"
	default:
		f.Case = "answered"
	}
	return f
}

// stayApart counts the engines that differ now and did in every earlier
// reading.
func (f *Finding) stayApart(earlier []*fact.QAT, apart []int) int {
	if len(earlier) == 0 {
		return 0
	}
	stays := 0
	for _, engine := range apart {
		times := 0
		for _, q := range earlier {
			engines, _ := q.Counters.Get()
			for _, e := range engines {
				if e.Engine == engine && e.Requests != e.Responses {
					times++
					f.cite("before", e.At)
				}
			}
		}
		if times == len(earlier) {
			stays++
		}
	}
	return stays
}
