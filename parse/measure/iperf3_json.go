package measure

import (
	"bytes"
	"io"
	"strings"

	"hwcap/parse/fact"
)

// ParseIperf3JSON reads iperf3 -J and --json-stream: one object or several one
// after the other, each a run. What it says of a run is what [ParseIperf3] reads
// of the text; intervals are not kept. A run that broke off or ended with an
// error gives a problem, and what its summary holds nevertheless.
//
// Source: iperf_json_start and iperf_json_finish of src/iperf_api.c.
func ParseIperf3JSON(r io.Reader, file string) (*Result, error) {
	p := iperf3JSON{book: newBook(file)}
	lines, inside, err := scanJSON(r, file, p.value, p.object)
	if inside || len(p.values) > 0 {
		p.event = ""
		p.object()
		p.Problems = append(p.Problems, fact.Problem{File: file, Line: lines, Text: "the JSON of iperf3 ends in the middle of a run"})
	}
	p.Unread.Of = lines
	return &p.Result, err
}

// iperf3JSON reads a text; values are those of the object at hand.
type iperf3JSON struct {
	book
	event  string // of --json-stream
	values map[string]jsonValue
}

// jsonValue is a number, string or literal, without quotes.
type jsonValue struct {
	text string
	at   fact.Line
}

// maxValues is how many values of an object are kept; a run has about 150.
const maxValues = 2000

func (p *iperf3JSON) value(path string, v jsonValue) {
	if path == "event" {
		if v.text == "start" {
			p.event = ""
			p.object() // of a run that has no end
		}
		p.event = v.text
		return
	}
	if p.event != "" { // {"event":"end","data":{...}}
		rest, ok := cutPath(path, "data")
		if !ok {
			return
		}
		path = p.event
		if rest != "" {
			path += "." + rest
		}
	}
	if p.values == nil {
		p.values = map[string]jsonValue{}
	}
	if len(p.values) < maxValues {
		p.values[path] = v
	}
}

// cutPath drops the first name of a path.
func cutPath(path, first string) (rest string, ok bool) {
	if path == first {
		return "", true
	}
	if len(path) > len(first) && path[:len(first)] == first && path[len(first)] == '.' {
		return path[len(first)+1:], true
	}
	return "", false
}

// object ends an object. A run of --json-stream has several, the last of them
// an "end".
func (p *iperf3JSON) object() {
	event := p.event
	p.event = ""
	if event != "" && event != "end" || len(p.values) == 0 {
		return
	}
	if e := p.values["error"]; e.text != "" {
		p.problem(fact.Line{File: e.at.File, Line: e.at.Line, Text: e.text}, "says iperf3")
	}
	client, server := p.has("start.connecting_to.host"), p.has("start.accepted_connection.host")
	reverse := p.values["start.test_start.reverse"].text == "1"
	for _, sum := range sums {
		if sum.other != "" && p.has("end."+sum.other+".bits_per_second") {
			continue
		}
		key := "end." + sum.name + "."
		rate := p.values[key+"bits_per_second"]
		bits, ok := jsonNumber(rate.text)
		if !ok {
			continue
		}
		m := fact.Measurement{
			Tool: iperf3Tool, Clock: fact.ElapsedTime, Side: sum.side, From: rate.at,
			What:           p.values["start.test_start.protocol"].text,
			BytesPerSecond: fact.Of(bits/8, rate.at),
			Retransmits:    p.count(key + "retransmits"),
			Lost:           p.count(key + "lost_packets"),
			Datagrams:      p.count(key + "packets"),
			Block:          int(p.count("start.test_start.blksize").V),
			Threads:        int(p.count("start.test_start.num_streams").V),
		}
		if version, ok := strings.CutPrefix(p.values["start.version"].text, "iperf "); ok {
			m.Version = version
		}
		m.Seconds, _ = jsonNumber(p.values[key+"seconds"].text)
		if client || server {
			m.Operation = "receive"
			if (client != reverse) != sum.back {
				m.Operation = "send"
			}
		}
		p.add(m)
	}
	p.values = nil
}

// sums are the summaries of a run: whose count, and whether it is of the way
// back (--bidir). That of UDP was one for both sides first: it is taken where
// the other is not there.
var sums = []struct {
	name, side, other string
	back              bool
}{
	{"sum_sent", "sender", "", false},
	{"sum_received", "receiver", "", false},
	{"sum_sent_bidir_reverse", "sender", "", true},
	{"sum_received_bidir_reverse", "receiver", "", true},
	{"sum", "", "sum_sent", false},
}

func (p *iperf3JSON) has(path string) bool { return p.values[path].text != "" }

// count reads a counter; without it the summary does not speak of it.
func (p *iperf3JSON) count(path string) fact.Val[int64] {
	v, ok := p.values[path]
	if !ok {
		return fact.Val[int64]{}
	}
	n, ok := whole(v.text)
	if !ok || n >= 1<<31 {
		return fact.Missing[int64](fact.Failed, v.at)
	}
	return fact.Of(n, v.at)
}

// IsIperf3JSON reports whether a line is one of iperf3 -J alone.
func IsIperf3JSON(line []byte) bool {
	line = bytes.TrimLeft(line, " \t>{")
	if len(line) < 8 || line[0] != '"' {
		return false
	}
	key, value, ok := bytes.Cut(line[1:min(len(line), 256)], []byte(`"`))
	value = bytes.TrimLeft(value, ": \t")
	if !ok || len(value) == 0 {
		return false
	}
	switch string(key) {
	case "start":
		return value[0] == '{'
	case "intervals":
		return value[0] == '['
	case "version":
		return bytes.HasPrefix(value, []byte(`"iperf 3`))
	case "event":
		return bytes.HasPrefix(value, []byte(`"start"`))
	case "bits_per_second", "test_start", "sum_sent", "sum_received", "cpu_utilization_percent", "tcp_mss_default":
		return true
	}
	return false
}
