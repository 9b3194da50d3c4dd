package measure

import (
	"bytes"
	"io"
	"strings"

	"hwcap/parse/fact"
)

// ParseIperf3 reads what iperf3 prints for people, client or server, of any
// version. Of each run the summary becomes measurements, one a side that
// counted; with parallel streams that of their sum, and Threads says of how
// many. Where there is no summary, since the text broke off, the intervals stand
// for it.
//
// Source: src/iperf_locale.c and iperf_print_results of src/iperf_api.c. Bits
// are counted in thousands, bytes in 1024s (unit_snprintf of src/units.c).
func ParseIperf3(r io.Reader, file string) (*Result, error) {
	p := iperf3{book: newBook(file)}
	err := p.read(r, p.line)
	p.finish()
	return &p.Result, err
}

const iperf3Tool = "iperf3"

type iperf3 struct {
	book
	test
}

// test is one run of iperf3.
type test struct {
	version  string
	protocol string
	client   bool
	server   bool
	reverse  bool
	remote   bool // what follows is the other side's report
	streams  int  // as announced
	block    int
	ruled    bool // the last line was a rule
	summary  bool // the table at hand is the summary

	ids  map[string]bool // streams
	ends []row           // rows of the summary
	ways []row           // of the intervals
}

// row is one line of a table.
type row struct {
	sum bool
	fact.Measurement
}

func (p *iperf3) line(text string, at fact.Line) reading {
	ruled := p.ruled
	p.ruled = false
	if strings.HasPrefix(text, "- - - -") {
		p.ruled = true
		return ignored
	}
	if text == "Server output:" { // of --get-server-output, to the end of the run
		p.remote = true
		return ignored
	}
	if strings.HasPrefix(text, "iperf Done") || isIperf3Command(text) {
		p.finish()
		return ignored
	}
	if p.remote && !strings.HasPrefix(text, "Connecting to host ") {
		return ignored
	}
	if text[0] == '[' {
		return p.table(text, ruled, at)
	}
	for _, h := range iperf3Heads {
		if rest, ok := strings.CutPrefix(text, h.prefix); ok {
			return h.read(p, rest, at)
		}
	}
	return unknown
}

// isIperf3Command matches what was typed behind a prompt.
func isIperf3Command(text string) bool {
	before, _, ok := strings.Cut(text, "iperf3 -")
	return ok && (before == "" || strings.ContainsAny(before, "#$"))
}

// iperf3Heads are the lines that are known by how they begin.
var iperf3Heads = []struct {
	prefix string
	read   func(p *iperf3, rest string, at fact.Line) reading
}{
	{"Connecting to host ", func(p *iperf3, _ string, _ fact.Line) reading {
		p.begin()
		p.client = true
		return known
	}},
	{"Accepted connection from ", func(p *iperf3, _ string, _ fact.Line) reading {
		p.begin()
		p.server = true
		return known
	}},
	{"Server listening on ", func(p *iperf3, _ string, _ fact.Line) reading {
		p.finish()
		p.server = true
		return known
	}},
	{"Reverse mode, remote host ", func(p *iperf3, _ string, _ fact.Line) reading {
		p.reverse = true
		return known
	}},
	{"Starting Test: protocol: ", (*iperf3).startLine},
	{"iperf3: error", (*iperf3).errorLine},
	{"iperf3: interrupt", (*iperf3).errorLine},
	{"iperf3: the client has terminated", (*iperf3).errorLine},
	{"iperf ", func(p *iperf3, rest string, _ fact.Line) reading { // "iperf 3.12 (cJSON 1.7.15)"
		version, _, _ := strings.Cut(rest, " ")
		if !decimalStart(version) {
			return unknown
		}
		p.begin()
		p.version = version
		return known
	}},
	{"-----", skip},
	{"Test Complete. Summary Results:", skip},
	{"CPU Utilization: ", skip}, // of the benchmark itself
	{"snd_tcp_congestion ", skip},
	{"rcv_tcp_congestion ", skip},
	{"Time: ", skip},    // of day
	{"Cookie: ", skip},  // a random name of the run
	{"TCP MSS: ", skip}, // segment size
	{"Linux ", skip},    // uname of -V
	{"Target Bitrate", skip},
	{"Control connection MSS", skip},
}

func skip(*iperf3, string, fact.Line) reading { return ignored }

// begin starts a run where the one before has figures. Lines that tell of it
// can stand in any order.
func (p *iperf3) begin() {
	if len(p.ends)+len(p.ways) > 0 {
		p.finish()
	}
}

// startLine reads "TCP, 16 streams, 131072 byte blocks, omitting 0 seconds, 10
// second test, tos 0".
func (p *iperf3) startLine(rest string, _ fact.Line) reading {
	for i, part := range strings.Split(rest, ", ") {
		n, unit := leading(part)
		switch {
		case i == 0:
			p.protocol = part
		case unit == " streams":
			p.streams = n
		case unit == " byte blocks":
			p.block = n
		}
	}
	return known
}

func (p *iperf3) errorLine(_ string, at fact.Line) reading {
	p.problem(at, "says iperf3")
	return known
}

// table reads a line that begins with the number of a stream: a heading, a row,
// or a message about it.
func (p *iperf3) table(text string, ruled bool, at fact.Line) reading {
	id, rest, ok := strings.Cut(text[1:], "]")
	if !ok {
		return unknown
	}
	id = strings.TrimSpace(id)
	role := ""
	if tagged, ok := strings.CutPrefix(rest, "["); ok { // "[TX-C]" of --bidir
		role, rest, _ = strings.Cut(tagged, "]")
	}
	fields := strings.Fields(rest)
	switch {
	case id == "ID":
		p.summary = p.summary || ruled
		switch {
		case strings.Contains(rest, "Datagrams"):
			p.protocol = "UDP"
		case strings.Contains(rest, "Retr"):
			p.protocol = "TCP"
		}
		return known
	case len(fields) > 5 && fields[1] == "sec":
		return p.row(id, role, fields, at)
	case len(fields) > 0 && (fields[0] == "local" || fields[0] == "Sent" || fields[0] == "(sender" || fields[0] == "(receiver"),
		strings.Contains(rest, "received out-of-order"):
		return ignored // addresses, and what the summary says too
	}
	return unknown
}

// row reads "0.00-10.00 sec 1.10 GBytes 941 Mbits/sec 0 sender", with what
// stands between rate and side: retransmits and window of a sender over TCP,
// "0.030 ms 0/159 (0%)" over UDP.
func (p *iperf3) row(id, role string, fields []string, at fact.Line) reading {
	from, to, ok := strings.Cut(fields[0], "-")
	begin, okB := decimal(from)
	end, okE := decimal(to)
	rate, okR := bitrate(fields[4], fields[5])
	if !ok || !okB || !okE || !okR || end < begin {
		return unknown
	}
	m := fact.Measurement{What: p.protocol, Seconds: end - begin, BytesPerSecond: fact.Of(rate, at), From: at}
	tail := fields[6:]
	if n := len(tail); n > 0 {
		switch tail[n-1] {
		case "sender", "receiver":
			m.Side = tail[n-1]
			tail = tail[:n-1]
		case "(omitted)": // warming up
			return ignored
		}
	}
	for i, f := range tail {
		lost, all, ok := strings.Cut(f, "/")
		if ok {
			if n, ok := whole(lost); ok {
				m.Lost = fact.Of(n, at)
			}
			if n, ok := whole(all); ok {
				m.Datagrams = fact.Of(n, at)
			}
		} else if n, ok := whole(f); ok && i == 0 {
			if p.protocol == "UDP" {
				m.Datagrams = fact.Of(n, at)
			} else {
				m.Retransmits = fact.Of(n, at)
			}
		}
	}
	m.Operation = p.operation(role, m.Side)
	r := row{sum: id == "SUM", Measurement: m}
	if p.ids == nil {
		p.ids = map[string]bool{}
	}
	if !r.sum && len(p.ids) < maxKept {
		p.ids[id+role] = true
	}
	list := &p.ways
	if m.Side != "" || p.summary {
		list = &p.ends
	}
	if len(*list) <= maxKept {
		*list = append(*list, r)
	}
	return known
}

// operation tells whether this machine sent or received, "" where the text does
// not show on which side it was printed.
func (p *iperf3) operation(role, side string) string {
	sends := false
	switch {
	case role != "": // "TX-C", "RX-S"
		sends = strings.HasPrefix(role, "TX")
	case p.client:
		sends = !p.reverse
	case p.server && side != "":
		sends = side == "sender"
	default:
		return ""
	}
	if sends {
		return "send"
	}
	return "receive"
}

// bitrate returns bytes a second.
func bitrate(number, unit string) (float64, bool) {
	v, ok := decimal(number)
	scale, known := rateUnits[unit]
	return v * scale, ok && known
}

var rateUnits = map[string]float64{
	"bits/sec": 1. / 8, "Kbits/sec": 1e3 / 8, "Mbits/sec": 1e6 / 8, "Gbits/sec": 1e9 / 8, "Tbits/sec": 1e12 / 8,
	"Bytes/sec": 1, "KBytes/sec": 1 << 10, "MBytes/sec": 1 << 20, "GBytes/sec": 1 << 30, "TBytes/sec": 1 << 40,
}

// finish adds the figures of the run and begins another.
func (p *iperf3) finish() {
	list := p.ends
	if len(list) == 0 {
		list = p.ways
	}
	summed := map[string]bool{} // operations that have a sum
	for _, r := range list {
		if r.sum {
			summed[r.Operation+r.Side] = true
		}
	}
	// With --bidir a stream each way is there twice over.
	threads := max(p.streams, 1)
	if n := len(p.ids); p.streams == 0 && n > 0 && len(summed) > 0 {
		threads = n
		if bothWays(list) {
			threads = n / 2
		}
	}
	for _, r := range list {
		if !r.sum && summed[r.Operation+r.Side] {
			continue
		}
		m := r.Measurement
		m.Tool, m.Version, m.Block, m.Clock, m.Threads = iperf3Tool, p.version, p.block, fact.ElapsedTime, threads
		p.add(m)
	}
	p.test = test{version: p.version}
}

// bothWays reports whether a run sent and received at once.
func bothWays(list []row) bool {
	for _, r := range list {
		if r.Operation != list[0].Operation {
			return true
		}
	}
	return false
}

// IsIperf3 reports whether a line is one that iperf3 alone prints.
func IsIperf3(line []byte) bool {
	line = bytes.TrimLeft(line, " \t>")
	if len(line) < 4 || len(line) > 512 {
		return false
	}
	switch line[0] {
	case '[':
		return bytes.Contains(line, []byte("/sec")) && bytes.Contains(line, []byte(" sec ")) || bytes.HasPrefix(line, []byte("[ ID]")) && bytes.Contains(line, []byte("Interval"))
	case 'C':
		return bytes.HasPrefix(line, []byte("Connecting to host ")) && bytes.Contains(line, []byte(", port "))
	case 'A':
		return bytes.HasPrefix(line, []byte("Accepted connection from ")) && bytes.Contains(line, []byte(", port "))
	case 'S':
		return bytes.HasPrefix(line, []byte("Starting Test: protocol: "))
	case 'R':
		return bytes.HasPrefix(line, []byte("Reverse mode, remote host "))
	case 'i':
		return bytes.HasPrefix(line, []byte("iperf3: ")) || bytes.HasPrefix(line, []byte("iperf Done")) || bytes.HasPrefix(line, []byte("iperf 3."))
	}
	return false
}
