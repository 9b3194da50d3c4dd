package judge

import (
	"slices"
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

// qatInstances tells what each QuickAssist device is set up to offer: the
// services of cfg_services (adf_sysfs.c) and the instances of the section KERNEL
// of dev_cfg (adf_cfg.c), which are queues between kernel and device. A device
// offers only what it is set up for, so that one without compression is no
// broken one.
var qatInstances = Rule{
	ID:      "qat-instances",
	Area:    Crypto,
	Sources: []string{"qat", "pci"},
	// rows is a table, in the order of the subjects: device, services (as
	// configured, "" where nothing says), cipher and compress (instances that the
	// kernel gets; -1 where nothing says), symConcurrent and asymConcurrent
	// (requests at once an instance, 0 where nothing says), heartbeatMs, ringPairs.
	Keys: []string{"rows", "services", "cipherSum", "compressSum", "same", "lacksCompression", "lacksCipher"},
	Cases: []Case{
		{Name: "offers", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "nothing", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "denied", Verdict: Unknown},
		{Name: "incomplete", Verdict: Unknown},
		{Name: "not-captured", Verdict: Unknown},
	},
	Judge: judgeQATInstances,
}

func judgeQATInstances(m *fact.Machine) []Finding {
	byCase := map[string]*Finding{}
	order := []string{}
	add := func(address, name string, row map[string]any, lines []fact.Line) {
		f := byCase[name]
		if f == nil {
			f = &Finding{Case: name, Values: map[string]any{"rows": []map[string]any{}}}
			byCase[name] = f
			order = append(order, name)
		}
		f.Subjects = append(f.Subjects, address)
		f.Values["rows"] = append(f.Values["rows"].([]map[string]any), row)
		f.cite("config", lines...)
	}
	seen := map[string]bool{}
	for i := range m.QAT {
		q := &m.QAT[i]
		if q.Address == "" || seen[q.Address] {
			continue
		}
		if d := m.Device(q.Address); d != nil && d.DriverKnown && d.Driver == "" {
			continue
		}
		seen[q.Address] = true
		row, lines := instancesOf(q)
		add(q.Address, instancesCase(m, q, row), row, lines)
	}
	for _, s := range qatStates(m) {
		driver, _ := s.driver()
		if driver != "" && s.d.Driver == driver && !seen[s.d.Address] {
			q := &fact.QAT{Address: s.d.Address}
			row, _ := instancesOf(q)
			add(s.d.Address, instancesCase(m, q, row), row, nil)
		}
	}
	var findings []Finding
	for _, name := range order {
		f := byCase[name]
		f.sumInstances()
		if name == "denied" {
			f.citeSource(m, "source", "qat")
		}
		findings = append(findings, *f)
	}
	return findings
}

func instancesCase(m *fact.Machine, q *fact.QAT, row map[string]any) string {
	cipher, compress, services := row["cipher"].(int), row["compress"].(int), row["services"].(string)
	switch {
	case cipher > 0 || compress > 0:
		return "offers"
	case cipher == 0 && compress == 0 && q.ConfigState == fact.Present && !interrupted(m, "qat"):
		return "nothing"
	case cipher < 0 && services != "" && q.ConfigState == "":
		return "offers" // what the device offers; how many instances the kernel gets is not told
	case q.ConfigState == fact.Denied, q.ConfigState == "" && m.Source("qat").State == fact.Denied:
		return "denied"
	case q.ConfigState != "" || interrupted(m, "qat"):
		return "incomplete"
	}
	return "not-captured"
}

// instancesOf reads a device's row and the lines that it rests on.
func instancesOf(q *fact.QAT) (map[string]any, []fact.Line) {
	row := map[string]any{
		"device": q.Address, "services": strings.TrimSpace(q.Services.V), "cipher": -1, "compress": -1,
		"symConcurrent": 0, "asymConcurrent": 0, "heartbeatMs": 0, "ringPairs": 0,
	}
	lines := []fact.Line{q.Services.At}
	number := func(key string, v fact.ConfigValue) {
		if n, err := strconv.Atoi(v.Value); err == nil {
			row[key] = n
			lines = append(lines, v.At)
		}
	}
	for _, v := range q.Config {
		switch {
		case v.Key == "ServicesEnabled" && row["services"] == "":
			row["services"] = v.Value
			lines = append(lines, v.At)
		case v.Section == "KERNEL" && v.Key == "NumberCyInstances":
			number("cipher", v)
		case v.Section == "KERNEL" && v.Key == "NumberDcInstances":
			number("compress", v)
		case v.Key == "Cy0NumConcurrentSymRequests":
			number("symConcurrent", v)
		case v.Key == "Cy0NumConcurrentAsymRequests":
			number("asymConcurrent", v)
		case v.Key == "HeartbeatTimer":
			number("heartbeatMs", v)
		}
	}
	if n, ok := q.RingPairs.Get(); ok {
		row["ringPairs"] = int(n)
		lines = append(lines, q.RingPairs.At)
	}
	return row, lines
}

// sumInstances adds up the rows, and says what no device offers.
func (f *Finding) sumInstances() {
	rows := f.Values["rows"].([]map[string]any)
	services := []string{}
	cipher, compress := 0, 0
	same, told := true, true
	lacksCipher, lacksCompression := true, true
	for _, r := range rows {
		s := r["services"].(string)
		if s != "" && !slices.Contains(services, s) {
			services = append(services, s)
		}
		told = told && s != ""
		same = same && s == rows[0]["services"] && r["cipher"] == rows[0]["cipher"] && r["compress"] == rows[0]["compress"]
		cipher += max(0, r["cipher"].(int))
		compress += max(0, r["compress"].(int))
		for token := range strings.SplitSeq(s, ";") {
			lacksCipher = lacksCipher && token != "sym" && token != "asym" && token != "cy"
			lacksCompression = lacksCompression && token != "dc" && token != "dcc"
		}
	}
	f.Values["services"], f.Values["same"] = services, same
	f.Values["cipherSum"], f.Values["compressSum"] = cipher, compress
	f.Values["lacksCipher"] = told && lacksCipher && cipher == 0
	f.Values["lacksCompression"] = told && lacksCompression && compress == 0
}
