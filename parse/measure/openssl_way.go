package measure

import (
	"strings"

	"hwcap/parse/fact"
)

// What openssl speed writes on the way, for machines (-mr), and the options
// that a prompt shows.

// machineLine reads a line of -mr. Rates of blocks are in bytes a second. Those
// of keys, "+F2:" and above, are not taken: they are seconds an operation before
// 1.1.1 and operations a second since, and the text does not tell which; the
// lines "+R<n>" have count and seconds.
func (p *openssl) machineLine(text string, at fact.Line) reading {
	fields := strings.Split(text, ":")
	switch key := fields[0]; {
	case key == "+H":
		p.sizes = nil
		p.columns(fields[1:])
	case key == "+F" && len(fields) > 3:
		p.machine = true
		if len(fields)-3 > len(p.sizes) {
			p.problem(at, "has more figures than the text names block sizes")
			return known
		}
		p.row = &wrapped{name: fields[2], at: at}
		p.figures(fields[3:], at)
		p.row = nil
	case key == "+DT" && len(fields) == 4: // +DT:AES-256-CBC:3:16
		p.start()
		p.machine = true
		block, _ := leading(fields[3])
		p.subject = subject{what: fields[1], block: block}
	case key == "+DTP" && len(fields) == 5: // +DTP:2048:private:rsa:10
		p.start()
		p.machine = true
		bits, _ := leading(fields[1])
		p.subject = subject{what: fields[3], operation: keyOperation(fields[2]), bits: bits}
	case key == "+DTP" && len(fields) == 4: // +DTP:ML-KEM-768:encaps:10
		p.start()
		p.machine = true
		p.subject = subject{what: fields[1], operation: keyOperation(fields[2])}
	case strings.HasPrefix(key, "+R") && len(fields) > 2:
		p.way(p.subject, fields[1], fields[len(fields)-1], at)
	case strings.HasPrefix(key, "+F"):
		p.machine = true
		return ignored
	default:
		return unknown
	}
	return known
}

// way notes a result on the way: so many operations in so many seconds.
func (p *openssl) way(s subject, count, time string, at fact.Line) {
	if s.what == "" {
		return
	}
	m := fact.Measurement{What: s.what, KeyBits: s.bits, Operation: s.operation, Block: s.block, From: at}
	rate := fact.Missing[float64](fact.Failed, at)
	n, okN := whole(count)
	t, okT := decimal(time)
	if okN && okT && n > 0 && t > 0 {
		rate, m.Seconds = fact.Of(float64(n)/t, at), t
	}
	if s.block == 0 {
		m.PerSecond = rate
		put(&p.keys.way, m)
		return
	}
	rate.V *= float64(s.block)
	m.BytesPerSecond = rate
	put(&p.blocks.way, m)
}

// keyOperation names what -mr and the lines "Doing ..." call an operation.
func keyOperation(s string) string {
	switch s {
	case "private", "signs":
		return "sign"
	case "public":
		return "verify"
	case "":
		return "derive"
	case "encaps":
		return "encapsulate"
	case "decaps":
		return "decapsulate"
	}
	return s
}

// doingLine reads "Doing AES-256-CBC for 3s on 16 size blocks: 26412452
// AES-256-CBC's in 2.99s" and "Doing 2048 bits private rsa's for 10s: 1111 2048
// bits private RSA's in 10.00s", which since 3.1 say "ops".
func (p *openssl) doingLine(text string, at fact.Line) reading {
	p.start()
	p.doing = true
	what, result, ok := strings.Cut(text[len("Doing "):], ": ")
	if !ok {
		return ignored // the result is on a line of its own
	}
	what, tail, _ := strings.Cut(what, " for ")
	count, rest, _ := strings.Cut(result, " ")
	_, time, ok := cutLast(strings.TrimSpace(rest), " in ")
	if !ok {
		return ignored
	}
	time = strings.TrimSuffix(time, "s")
	what = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(what), " ops"), "'s")
	if _, size, ok := strings.Cut(tail, " on "); ok {
		block, _ := leading(size)
		p.way(subject{what: what, block: block}, count, time, at)
		return known
	}
	name, bits := keyName(strings.Fields(what))
	fields := strings.Fields(name)
	s := subject{bits: bits, operation: "derive"}
	switch {
	case len(fields) == 1:
		s.what = fields[0]
	case len(fields) == 2 && bits > 0: // "private rsa"
		s.operation, s.what = keyOperation(fields[0]), fields[1]
	case len(fields) == 2: // "ML-KEM-768 encaps"
		s.what, s.operation = fields[0], keyOperation(fields[1])
	default:
		return ignored
	}
	p.way(s, count, time, at)
	return known
}

// cutLast cuts s around the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// options are those of a command line that bear on the figures.
type options struct {
	given     bool
	elapsed   bool
	multi     int
	jobs      int
	engine    string
	operation string
	evp       string // the cipher or digest of -evp
}

// opensslCommand finds what follows "openssl speed" in a line that was typed:
// behind a prompt, or with options. People also write about it.
func opensslCommand(text string) (string, bool) {
	before, after, ok := strings.Cut(text, "openssl speed")
	if !ok || strings.Contains(before, `"`) {
		return "", false
	}
	prompt := strings.ContainsAny(before, "#$")
	return after, prompt && (after == "" || after[0] == ' ') || strings.HasPrefix(after, " -")
}

func readOptions(command string) options {
	o := options{given: true}
	fields := strings.Fields(command)
	for i, f := range fields {
		next := ""
		if i+1 < len(fields) {
			next = fields[i+1]
		}
		n, _ := leading(next)
		name, ok := strings.CutPrefix(f, "-")
		if !ok {
			continue
		}
		switch strings.TrimPrefix(name, "-") {
		case "elapsed":
			o.elapsed = true
		case "decrypt":
			o.operation = "decrypt"
		case "multi":
			o.multi = n
		case "async_jobs":
			o.jobs = n
		case "engine", "provider":
			o.engine = next
		case "evp":
			o.evp = next
		}
	}
	return o
}
