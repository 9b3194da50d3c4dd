package measure

import (
	"bytes"
	"io"
	"strings"

	"hwcap/parse/fact"
)

// ParseOpenSSL reads openssl speed of 0.9.8 to 3.x, for people and for machines
// (-mr), both with or without what it writes to standard error. Each figure of
// a table becomes a measurement, in the order of the text.
//
// The clock is known where the text shows it: the warning of -elapsed, the
// options behind a prompt, -multi, whose processes always take elapsed time, or
// the lines "Doing ..." without the warning. A figure of zero or "inf" is what
// is left of a failed or unmeasurable run, and has no value: an engine that
// computes elsewhere takes no processor time.
//
// Source: apps/speed.c.
func ParseOpenSSL(r io.Reader, file string) (*Result, error) {
	p := openssl{book: newBook(file)}
	err := p.read(r, p.line)
	p.finish()
	return &p.Result, err
}

const opensslTool = "openssl speed"

// openssl reads a text; run is the one under way.
type openssl struct {
	book
	run
}

// run is one call of openssl speed.
type run struct {
	version string
	options options
	warned  bool // of -elapsed
	doing   bool // lines "Doing ..." came: standard error is in the text
	machine bool // -mr
	forked  int  // processes of -multi
	engine  string

	sizes   []int    // columns of the table by block size
	rates   []string // operations of the table of keys
	row     *wrapped // a row with fewer figures than columns
	blocks  figures  // of ciphers, digests and the like
	keys    figures  // of public-key algorithms
	subject subject  // of the last "+DT", "+DTP"
}

// figures are those of a table, and those that were printed on the way.
type figures struct{ table, way []fact.Measurement }

// put adds to one of them what will be kept.
func put(list *[]fact.Measurement, m fact.Measurement) {
	if len(*list) <= maxKept {
		*list = append(*list, m)
	}
}

// final returns the table's, else those on the way.
func (f *figures) final() []fact.Measurement {
	if len(f.table) > 0 {
		return f.table
	}
	return f.way
}

// subject is what the next result of -mr is about.
type subject struct {
	what, operation string
	bits, block     int
}

// wrapped is a row of which a mailer may have put the end on the next line.
type wrapped struct {
	name string
	n    int // figures so far
	at   fact.Line
}

// line reads one line. Order matters: a row of a table can begin with any name.
func (p *openssl) line(text string, at fact.Line) reading {
	fields := strings.Fields(text)
	if p.row != nil {
		if p.rest(fields, at) {
			return known
		}
		p.problem(p.row.at, "has fewer figures than the table has columns")
		p.row = nil
	}
	if command, ok := opensslCommand(text); ok {
		p.finish()
		p.options = readOptions(command)
		return known
	}
	switch {
	case fields[0] == "type" && strings.Contains(text, " bytes"):
		p.rates, p.sizes = nil, nil
		p.columns(fields[1:])
		return known
	case fields[0] == "bytes" && p.sizes != nil: // the end of a wrapped heading
		p.columns(fields)
		return known
	case text[0] == '+':
		return p.machineLine(text, at)
	}
	for _, h := range opensslHeads {
		if strings.HasPrefix(text, h.prefix) {
			return h.read(p, text, at)
		}
	}
	if rates, ok := keyColumns(fields); ok {
		p.rates, p.sizes = rates, nil
		return known
	}
	if p.keyRow(fields, at) || p.blockRow(fields, at) {
		return known
	}
	return unknown
}

// opensslHeads are the lines that are known by how they begin.
var opensslHeads = []struct {
	prefix string
	read   func(p *openssl, text string, at fact.Line) reading
}{
	{"Doing ", (*openssl).doingLine},
	{"You have chosen to measure elapsed time", func(p *openssl, _ string, _ fact.Line) reading {
		p.start()
		p.warned = true
		return known
	}},
	{`Engine "`, (*openssl).engineLine},
	{`engine "`, (*openssl).engineLine},
	{"Forked child ", func(p *openssl, text string, _ fact.Line) reading {
		n, _ := leading(text[len("Forked child "):])
		if n == 0 {
			p.start()
		}
		p.forked = max(p.forked, n+1)
		return known
	}},
	// What one of several processes reports; the sum follows.
	{"Got: +H:", func(p *openssl, text string, at fact.Line) reading {
		sizes, _, _ := strings.Cut(text[len("Got: "):], " ")
		return p.machineLine(sizes, at)
	}},
	{"Got: ", ignore},
	{"version: ", (*openssl).versionLine},
	{"OpenSSL ", (*openssl).versionLine},
	{"LibreSSL ", (*openssl).versionLine},
	{"built on:", ignore},                     // when the library was built
	{"options:", ignore},                      // how its ciphers are written
	{"compiler:", ignore},                     // and built
	{"CPUINFO:", ignore},                      // a mask of CPU features, which cpuinfo tells by name
	{"The 'numbers' are in 1000s of", ignore}, // the unit of the table
	{"To get the most accurate results", ignore},
	{"program when this computer is idle", ignore},
	{"real", timeLine},
	{"user", timeLine},
	{"sys", timeLine},
}

func ignore(*openssl, string, fact.Line) reading { return ignored }

// timeLine reads "real 0m18.081s", the shell's time around the run.
func timeLine(_ *openssl, text string, _ fact.Line) reading {
	if fields := strings.Fields(text); len(fields) == 2 && strings.Contains(fields[1], "m") && strings.HasSuffix(fields[1], "s") {
		return ignored
	}
	return unknown
}

// start begins a run where the one before has its table.
func (p *openssl) start() {
	if len(p.blocks.table)+len(p.keys.table) > 0 {
		p.finish()
	}
}

// finish adds the figures of the run, with what is known of how they were
// taken, and begins another.
func (p *openssl) finish() {
	var threads int
	switch {
	case p.forked > 0:
		threads = p.forked
	case p.options.multi > 0:
		threads = p.options.multi
	}
	// On the way each of several processes has its own figures.
	if threads > 0 {
		p.blocks.way, p.keys.way = nil, nil
	}
	for _, list := range [][]fact.Measurement{p.blocks.final(), p.keys.final()} {
		for i := range list {
			m := &list[i]
			m.Tool, m.Version, m.Clock, m.Threads = opensslTool, p.version, p.clock(), threads
			m.Engine, m.Jobs = p.engine, p.options.jobs
			if m.Engine == "" {
				m.Engine = p.options.engine
			}
			if m.Operation == "" {
				m.Operation = p.options.operation
			}
			// With -multi 1.1.1 knows the cipher of -evp in its children only.
			if m.What == "evp" && p.options.evp != "" {
				m.What = p.options.evp
			}
		}
		p.add(list...)
	}
	p.run = run{}
}

// clock tells what time the rates are over, as far as the text shows it.
func (p *openssl) clock() string {
	switch {
	case p.warned, p.forked > 0, p.options.elapsed, p.options.multi > 0:
		return fact.ElapsedTime
	case p.doing, p.options.given && !p.machine:
		return fact.CPUTime
	}
	return ""
}

func (p *openssl) versionLine(text string, _ fact.Line) reading {
	name, rest, _ := strings.Cut(text, " ")
	fields := strings.Fields(rest)
	if len(fields) == 0 || !decimalStart(fields[0]) {
		return unknown
	}
	p.start()
	if p.version = fields[0]; name == "LibreSSL" {
		p.version = name + " " + fields[0]
	}
	return known
}

// engineLine reads `engine "afalg" set.`.
func (p *openssl) engineLine(text string, _ fact.Line) reading {
	name, ok := strings.CutSuffix(text[len(`engine "`):], `" set.`)
	if !ok {
		return unknown
	}
	p.start()
	p.engine = name
	return known
}

// columns reads the block sizes of a table's heading.
func (p *openssl) columns(fields []string) {
	for _, f := range fields {
		if n, ok := whole(f); ok && n > 0 && n < 1<<31 && len(p.sizes) < 64 {
			p.sizes = append(p.sizes, int(n))
		}
	}
}

// blockRow reads "AES-256-CBC     426867.91k   684793.15k ...": the name, which
// may hold blanks, and a figure a block size.
func (p *openssl) blockRow(fields []string, at fact.Line) bool {
	first := len(fields)
	for first > 0 && isRate(fields[first-1]) {
		first--
	}
	if first == 0 || first == len(fields) || len(p.sizes) == 0 || len(fields)-first > len(p.sizes) {
		return false
	}
	p.row = &wrapped{name: strings.Join(fields[:first], " "), at: at}
	p.figures(fields[first:], at)
	return true
}

// rest reads the end of a wrapped row.
func (p *openssl) rest(fields []string, at fact.Line) bool {
	for _, f := range fields {
		if !isRate(f) {
			return false
		}
	}
	if len(fields) > len(p.sizes)-p.row.n {
		return false
	}
	p.figures(fields, at)
	return true
}

func (p *openssl) figures(fields []string, at fact.Line) {
	for _, f := range fields {
		rate := fact.Missing[float64](fact.Failed, at)
		digits, thousands := strings.CutSuffix(f, "k")
		if v, ok := decimal(digits); ok && v > 0 && (thousands || v <= 10_000) { // more is printed in thousands
			if thousands {
				v *= 1000
			}
			rate = fact.Of(v, at)
		}
		put(&p.blocks.table, fact.Measurement{What: p.row.name, Block: p.sizes[p.row.n], BytesPerSecond: rate, From: at})
		p.row.n++
	}
	if p.row.n == len(p.sizes) {
		p.row = nil
	}
}

// isRate matches "426867.91k", "9876.54" (bytes a second below 10000) and what
// printf makes of a division by zero.
func isRate(s string) bool {
	s = strings.TrimSuffix(s, "k")
	if s == "inf" || s == "nan" || s == "-nan" {
		return true
	}
	_, ok := decimal(s)
	return ok && strings.ContainsAny(s, ".,")
}

// operations are what the columns of rates are about; the columns of seconds
// before them hold the same, rounded.
var operations = map[string]string{
	"sign/s": "sign", "verify/s": "verify", "encr./s": "encrypt", "decr./s": "decrypt", "op/s": "derive",
	"keygens/s": "keygen", "encaps/s": "encapsulate", "decaps/s": "decapsulate",
}

// seconds are the other columns.
var seconds = map[string]bool{
	"sign": true, "signs": true, "verify": true, "encrypt": true, "decrypt": true, "op": true,
	"keygen": true, "encaps": true, "decaps": true,
}

// keyColumns reads "sign    verify    sign/s verify/s".
func keyColumns(fields []string) (rates []string, ok bool) {
	for _, f := range fields {
		if operation := operations[f]; operation != "" {
			rates = append(rates, operation)
		} else if !seconds[f] {
			return nil, false
		}
	}
	return rates, 2*len(rates) == len(fields)
}

// keyRow reads "rsa 2048 bits 0.000900s 0.000027s 1111.0 37169.0", " 256 bits
// ecdsa (nistp256) ...", "2048 bits ffdh ..." and "ML-KEM-768 ...": as many
// times as rates.
func (p *openssl) keyRow(fields []string, at fact.Line) bool {
	end := len(fields)
	n := 0
	for end > 0 && isRate(fields[end-1]) {
		end--
		n++
	}
	first := end - n
	if n == 0 || first < 1 {
		return false
	}
	for _, f := range fields[first:end] {
		if f, ok := strings.CutSuffix(f, "s"); !ok || !isRate(f) {
			return false
		}
	}
	rates := p.rates
	if len(rates) != n { // the heading is missing
		switch n {
		case 1:
			rates = []string{"derive"}
		case 2:
			rates = []string{"sign", "verify"}
		default:
			p.problem(at, "has no heading that tells its columns")
			return true
		}
	}
	m := fact.Measurement{From: at}
	m.What, m.KeyBits = keyName(fields[:first])
	for i, operation := range rates {
		m.Operation, m.PerSecond = operation, fact.Missing[float64](fact.Failed, at)
		if v, ok := decimal(fields[end+i]); ok && v > 0 {
			m.PerSecond = fact.Of(v, at)
		}
		put(&p.keys.table, m)
	}
	return true
}

// keyName takes "2048 bits" out of a name.
func keyName(fields []string) (name string, bits int) {
	var rest []string
	for i := 0; i < len(fields); i++ {
		if n, ok := whole(fields[i]); ok && n < 1<<20 && i+1 < len(fields) && (fields[i+1] == "bits" || fields[i+1] == "bit") {
			bits = int(n)
			i++
			continue
		}
		rest = append(rest, fields[i])
	}
	return strings.Join(rest, " "), bits
}

// IsOpenSSL reports whether a line is one that openssl speed alone prints.
func IsOpenSSL(line []byte) bool {
	line = bytes.TrimLeft(line, " \t>")
	if len(line) < 4 || len(line) > maxLine {
		return false
	}
	switch line[0] {
	case '+':
		return bytes.HasPrefix(line, []byte("+H:")) || bytes.HasPrefix(line, []byte("+F:")) || bytes.HasPrefix(line, []byte("+DT"))
	case 'D':
		return bytes.HasPrefix(line, []byte("Doing ")) && (bytes.Contains(line, []byte(" size blocks: ")) || bytes.Contains(line, []byte(" bit")) && bytes.Contains(line, []byte("s: ")))
	case 'T':
		return bytes.HasPrefix(line, []byte("The 'numbers' are in 1000s of"))
	case 'Y':
		return bytes.HasPrefix(line, []byte("You have chosen to measure elapsed time"))
	case 'G':
		return bytes.HasPrefix(line, []byte("Got: +"))
	case 'F':
		return bytes.HasPrefix(line, []byte("Forked child "))
	case 'C':
		return bytes.HasPrefix(line, []byte("CPUINFO: "))
	case 't':
		return bytes.HasPrefix(line, []byte("type  ")) && bytes.Contains(line, []byte(" bytes"))
	case 'E', 'e':
		return bytes.HasSuffix(line, []byte(`" set.`)) && bytes.HasPrefix(line[1:], []byte(`ngine "`))
	case 's', 'o', 'k':
		_, ok := keyColumns(strings.Fields(string(line[:min(len(line), 200)])))
		return ok
	case 'r', 'd':
		return (bytes.HasPrefix(line, []byte("rsa ")) || bytes.HasPrefix(line, []byte("dsa "))) && bytes.Contains(line, []byte(" bits "))
	}
	return false
}
