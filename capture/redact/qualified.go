package redact

import "bytes"

// worldWideName reads wwn-0x5000... as udev names links.
func worldWideName(t *text, from, to int) {
	if !bytes.HasPrefix(t.line[to:], []byte("-0x")) && !bytes.HasPrefix(t.line[to:], []byte(".0x")) {
		return
	}
	end := to + 3
	for end < len(t.line) && isHex(t.line[end]) {
		end++
	}
	t.foundHexID(to+3, end, WWN)
}

// qualifiedName reads a name of NVMe (nqn.2014-08.org.nvmexpress:uuid:..., NVM
// Express Base Specification 2.0 section 4.5) or iSCSI (RFC 3720 section
// 3.2.6.3). Behind the authority stands what the maker likes: parts with a
// digit are replaced.
func qualifiedName(t *text, from, to int) {
	s := t.line[from:min(len(t.line), from+maxValue)]
	if len(s) < 8 || s[3] != '.' || classes[s[4]]&digitBit == 0 {
		return
	}
	end := bytes.IndexFunc(s, func(c rune) bool { // neither has anything else in it
		return c <= ' ' || c >= 0x7f || bytes.ContainsRune([]byte(",;\"'()<>[]{}"), c)
	})
	if end >= 0 {
		s = s[:end]
	}
	colon := bytes.IndexByte(s, ':')
	if colon < 0 || !isVolume(s[:colon]) { // a date and a domain, of the same characters
		return
	}
	authority := s[:colon]
	end = from + len(s)
	t.targetHost(from, from+colon)
	t.keep(from, from+colon)
	for i := from + colon + 1; i < end; {
		next := i
		for next < end && t.line[next] != ':' {
			next++
		}
		t.qualifiedPart(i, next, bytes.HasSuffix(authority, []byte("nvmexpress")))
		i = next + 1
	}
}

func (t *text) qualifiedPart(from, to int, express bool) {
	if to-from >= uuidLen && isUUID(t.line[from:to]) {
		t.foundUUID(from)
		return
	}
	if t.ownForm(from, to) {
		return
	}
	// The Linux target's form without a UUID: two vendor ids before the serial number.
	if express && to-from > 12 && isAllHex(t.line[from:from+8]) {
		from += 8
	}
	value := t.line[from:to]
	if lettersOnly(value) || len(value) < 4 {
		return
	}
	if t.learning() && len(value) < 8 { // a model, likely
		t.keep(from, to)
		return
	}
	t.foundSerial(from, to, NQN)
}

// targetHost reads the host in iqn.2003-01.org.linux-iscsi.HOST.x8664, as
// targetcli names targets.
func (t *text) targetHost(from, to int) {
	const before = ".linux-iscsi."
	at := bytes.Index(t.line[from:to], []byte(before))
	if at < 0 {
		return
	}
	at += from + len(before)
	if dot := bytes.LastIndexByte(t.line[at:to], '.'); dot > 0 {
		t.foundHost(at, at+dot)
	}
}
