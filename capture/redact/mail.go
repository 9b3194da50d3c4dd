package redact

import "bytes"

// authorship are words before the address of who wrote a program, which the
// kernel prints as well.
var authorship = [][]byte{[]byte("opyright"), []byte("(c)"), []byte("(C)"), []byte("initialised"), []byte("aintain"), []byte("uthor"),
	[]byte("inux version")}

// postal are what stands before an address in a log that speaks of mail, of a
// login or of a certificate.
var postal = [][]byte{[]byte("=<"), []byte("="), []byte(" to "), []byte(" from "), []byte(" for "), []byte(" user "), []byte("mailto:")}

// mail reads the address of e-mail whose @ is at line[at]. In the log of a kernel
// something must announce it, for that is full of "name@something".
func (t *text) mail(at, end int) {
	from := at
	for from > 0 && at-from < 64 && isLocalPart(t.line[from-1]) {
		from--
	}
	to := at + 1
	for to < end && to-at < maxValue && (isPart(t.line[to]) || t.line[to] == '-' || t.line[to] == '.') {
		to++
	}
	to = at + 1 + len(bytes.TrimRight(t.line[at+1:to], ".-"))
	if from < at && t.isMail(from, at, to) && t.covered(from) == from && t.covered(at+1) == at+1 {
		t.onlyHere(from, at, "user", User)
		t.onlyHere(at+1, to, "dom", Domain)
	}
}

// isLocalPart reports whether c may stand before the @ (RFC 5322 section 3.2.3,
// what is in use of it).
func isLocalPart(c byte) bool { return isPart(c) || joins(c) || c == '.' || c == '+' }

// isMail reports whether line[from:to], with the @ at at, is the address of
// somebody: not of those who build or discuss kernels, and no unit of systemd.
func (t *text) isMail(from, at, to int) bool {
	domain := t.line[at+1 : to]
	dot := bytes.LastIndexByte(domain, '.')
	if dot <= 0 || len(domain)-dot < 3 || !lettersOnly(domain[dot+1:]) || unitTypes[string(domain[dot+1:])] {
		return false
	}
	if isBuilder(t.line[from:at], domain) || bytes.HasPrefix(domain, []byte("lists.")) {
		return false
	}
	before := t.line[max(0, from-96):from]
	for _, word := range authorship {
		if bytes.Contains(before, word) {
			return false
		}
	}
	if t.rules.has(labels) {
		return true
	}
	for _, word := range postal {
		if bytes.HasSuffix(before, word) {
			return true
		}
	}
	return false
}

// unitTypes are what the names of units end in, as in getty@tty1.service.
var unitTypes = set("service", "socket", "device", "mount", "automount", "swap", "target", "path", "timer", "slice", "scope")

// onlyHere has a name that is not sought elsewhere: many use the mail of one
// provider, and the time of one pool.
func (t *text) onlyHere(from, to int, kind string, class Class) {
	if t.learning() {
		t.keep(from, to)
		return
	}
	t.foundName(from, to, kind, class)
}
