package judge

import "hwcap/parse/fact"

// qatCounters compares what each engine's firmware took in and gave back:
// fw_counters of adf_fw_counters.c, cnv_errors of adf_cnv_dbgfs.c, queries_failed
// of adf_heartbeat_dbgfs.c. The sums are ours; the firmware states none.
var qatCounters = Rule{
	ID:      "qat-counters",
	Area:    Crypto,
	Sources: []string{"qat"},
	// rows is a table: engine, requests, responses.
	Keys: []string{"rows", "engines", "requestsSum", "responsesSum", "apart", "heartbeatFailed", "cnvErrors"},
	Cases: []Case{
		{Name: "answered", Verdict: OK, Confidence: Observed},
		{Name: "unused", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "apart", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "heartbeat-failed", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "compression-errors", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "denied", Verdict: Unknown},
		{Name: "incomplete", Verdict: Unknown},
		{Name: "not-captured", Verdict: Unknown},
	},
	Judge: judgeQATCounters,
}

func judgeQATCounters(m *fact.Machine) []Finding {
	var findings []Finding
	seen := map[string]bool{}
	for i := range m.QAT {
		q := &m.QAT[i]
		if d := m.Device(q.Address); d != nil && d.DriverKnown && d.Driver == "" {
			continue // without a driver there is nothing to count
		}
		seen[q.Address] = true
		findings = append(findings, countersOf(m, q))
	}
	for _, s := range qatStates(m) {
		driver, _ := s.driver()
		if !s.virtual && s.d.Driver != "" && s.d.Driver == driver && !seen[s.d.Address] {
			findings = append(findings, countersOf(m, &fact.QAT{Address: s.d.Address}))
		}
	}
	return findings
}

func countersOf(m *fact.Machine, q *fact.QAT) Finding {
	f := found("", q.Address)
	rows := []map[string]any{}
	var requests, responses int64
	apart := 0
	engines, _ := q.Counters.Get()
	for _, e := range engines {
		rows = append(rows, map[string]any{"engine": e.Engine, "requests": e.Requests, "responses": e.Responses})
		requests += e.Requests
		responses += e.Responses
		role := "engine"
		if e.Requests != e.Responses {
			role = "apart"
			apart++
		}
		f.cite(role, e.At)
	}
	failed, beats := q.HeartbeatFailed.Get()
	if failed > 0 {
		f.cite("heartbeat", q.HeartbeatFailed.At)
	}
	cnv := int64(0)
	faults, verified := q.CnvErrors.Get()
	for _, e := range faults {
		if cnv += e.Requests; e.Requests > 0 {
			f.cite("cnv", e.At)
		}
	}
	f.Values["rows"] = rows
	if len(rows) > 0 {
		f.Values["engines"], f.Values["apart"] = len(rows), apart
		f.Values["requestsSum"], f.Values["responsesSum"] = requests, responses
	}
	if beats {
		f.Values["heartbeatFailed"] = failed
	}
	if verified {
		f.Values["cnvErrors"] = cnv
	}
	switch {
	case q.Counters.State == fact.Denied, len(rows) == 0 && m.Source("qat").State == fact.Denied:
		f.Case = "denied"
		f.citeSource(m, "source", "qat")
	case len(rows) == 0:
		f.Case = "not-captured"
	case q.Counters.State != fact.Present, interrupted(m, "qat"):
		f.Case = "incomplete"
	case failed > 0:
		f.Case = "heartbeat-failed"
	case apart > 0:
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
