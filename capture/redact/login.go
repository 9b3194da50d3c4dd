package redact

import (
	"bytes"
	"net/netip"
)

// userEnd returns where the name of a user ends that begins at from, of the
// characters that useradd(8) allows and dots.
func (t *text) userEnd(from int) int {
	end := from
	for end < len(t.line) && end-from < 64 && (isPart(t.line[end]) || joins(t.line[end]) || t.line[end] == '.') {
		end++
	}
	for end > from && t.line[end-1] == '.' {
		end--
	}
	return end
}

// message returns where the message of a program begins whose name ends at to:
// "name: " or "name[pid]: ".
func (t *text) message(to int) (at int, ok bool) {
	at = to
	if at < len(t.line) && t.line[at] == '[' {
		for at++; at < len(t.line) && classes[t.line[at]] == digitBit; at++ {
		}
		if at == len(t.line) || t.line[at] != ']' {
			return 0, false
		}
		at++
	}
	return at + 2, bytes.HasPrefix(t.line[at:], []byte(": "))
}

// peer reports whether the address of another machine stands at line[at:],
// maybe behind "from".
func (t *text) peer(at int) bool {
	s := bytes.TrimPrefix(t.line[at:], []byte(" from"))
	if len(s) < 3 || s[0] != ' ' || !isHex(s[1]) && s[1] != ':' {
		return false
	}
	s = s[1:min(len(s), 64)]
	if end := bytes.IndexAny(s, " ,;"); end >= 0 {
		s = s[:end]
	}
	_, err := netip.ParseAddr(string(s))
	return err == nil
}

// ofUser reads "session opened for user alice" and "Session 2 of User alice.",
// and of sshd "Invalid user alice from 192.0.2.1". Where no session is spoken
// of, "for user space" is about memory.
func ofUser(t *text, from, to int) {
	if to+1 >= len(t.line) || t.line[to] != ' ' {
		return
	}
	before, end := t.line[max(0, from-64):from], t.userEnd(to+1)
	switch {
	case t.rules.has(logs) && t.peer(end):
	case !bytes.HasSuffix(before, []byte("for ")) && !bytes.HasSuffix(before, []byte("of ")):
		return
	case vocabulary[string(bytes.ToLower(t.line[to+1:end]))] && !bytes.Contains(before, []byte("ession ")):
		return
	}
	t.foundName(to+1, end, "user", User)
}

// forUser reads "Accepted publickey for alice from 192.0.2.1" of sshd.
func forUser(t *text, from, to int) {
	if !t.rules.has(logs) || to == len(t.line) || t.line[to] != ' ' {
		return
	}
	if end := t.userEnd(to + 1); t.peer(end) && bytes.HasPrefix(t.line[end:], []byte(" from")) {
		t.foundName(to+1, end, "user", User)
	}
}

// byUser reads "session opened for user root by alice(uid=1000)" of pam_unix(8)
// and "LOGIN ON tty1 BY alice" of login(1).
func byUser(t *text, from, to int) {
	if !t.rules.has(logs) || to == len(t.line) || t.line[to] != ' ' {
		return
	}
	end := t.userEnd(to + 1)
	if bytes.HasPrefix(t.line[end:], []byte("(uid=")) || bytes.Contains(t.line[max(0, from-32):from], []byte("LOGIN ON ")) {
		t.foundName(to+1, end, "user", User)
	}
}

// cronUser reads "CRON[1]: (alice) CMD (...)".
func cronUser(t *text, from, to int) {
	at, ok := t.message(to)
	if !ok || !t.rules.has(logs) || !bytes.HasPrefix(t.line[at:], []byte("(")) {
		return
	}
	if end := t.userEnd(at + 1); bytes.HasPrefix(t.line[end:], []byte(") ")) {
		t.foundName(at+1, end, "user", User)
	}
}

// suUser reads "su[1]: (to root) alice on pts/3", and "FAILED SU" before that.
func suUser(t *text, from, to int) {
	at, ok := t.message(to)
	if !ok || !t.rules.has(logs) {
		return
	}
	if bytes.HasPrefix(t.line[at:], []byte("FAILED SU ")) {
		at += len("FAILED SU ")
	}
	if !bytes.HasPrefix(t.line[at:], []byte("(to ")) {
		return
	}
	at += len("(to ")
	end := t.userEnd(at)
	if !bytes.HasPrefix(t.line[end:], []byte(") ")) {
		return
	}
	t.foundName(at, end, "user", User)
	t.foundName(end+2, t.userEnd(end+2), "user", User)
}

// sudoUser reads "sudo[1]:    alice : TTY=pts/0 ; ...".
func sudoUser(t *text, from, to int) {
	at, ok := t.message(to)
	if !ok || !t.rules.has(logs) {
		return
	}
	at = t.blanks(at)
	if end := t.userEnd(at); bytes.HasPrefix(t.line[end:], []byte(" : ")) {
		t.foundName(at, end, "user", User)
	}
}

// sliceUser reads "Created slice User Slice of alice" of systemd-logind; newer
// ones say "of UID 1000".
func sliceUser(t *text, from, to int) {
	if !t.follows(from, "USER") || !bytes.HasPrefix(t.line[to:], []byte(" of ")) {
		return
	}
	at := to + len(" of ")
	if end := t.userEnd(at); string(t.line[at:end]) != "UID" {
		t.foundName(at, end, "user", User)
	}
}

// asUser takes the name of a user. "logname= uid=0" has none.
func asUser(t *text, from, to int) {
	if bytes.IndexByte(t.line[from:to], '=') < 0 {
		t.foundName(from, to, "user", User)
	}
}

// keyOwner reads ALICE@HOST behind a key or its fingerprint, where it is the
// comment of the key.
func (t *text) keyOwner(at int) {
	if at >= len(t.line) || t.line[at] != ' ' {
		return
	}
	end := t.userEnd(at + 1)
	if end == at+1 || end == len(t.line) || t.line[end] != '@' {
		return
	}
	t.foundName(at+1, end, "user", User)
	t.foundHost(end+1, t.userEnd(end+1))
}

// isBase64 reports whether c is a digit of base 64 (RFC 4648 section 4).
func isBase64(c byte) bool { return alphabetOf[c] != "" || c == '+' || c == '/' }

// fingerprint reads SHA256:... as ssh-keygen(1) writes it: 32 octets in base 64
// without padding.
func fingerprint(t *text, from, to int) {
	const size = 43
	end := to + 1 + size
	if end > len(t.line) || t.line[to] != ':' || end < len(t.line) && isBase64(t.line[end]) {
		return
	}
	for _, c := range t.line[to+1 : end] {
		if !isBase64(c) {
			return
		}
	}
	t.foundSerial(to+1, end, Secret)
	t.keyOwner(end)
}

// oldFingerprint reads MD5:12:34:..., 16 octets.
func oldFingerprint(t *text, from, to int) {
	const size = 16*3 - 1
	if to+1+size > len(t.line) || t.line[to] != ':' || pairsOf(t.line[to+1:], ':', 17) != 16 {
		return
	}
	t.foundHexID(to+1, to+1+size, Secret)
	t.keyOwner(to + 1 + size)
}

// publicKey reads "ssh-ed25519 AAAA... alice@host", as cloud-init writes the
// keys of a machine to its console. AAAA are the first octets of the length of
// the name of the algorithm (RFC 4253 section 6.6).
func publicKey(t *text, from, to int) {
	if !bytes.HasPrefix(t.line[to:], []byte(" AAAA")) {
		return
	}
	end := to + 1
	for end < len(t.line) && (isBase64(t.line[end]) || t.line[end] == '=') {
		end++
	}
	if end-to > 40 {
		t.hide(to+1, end, []byte(hidden))
		t.keyOwner(end)
	}
}

func init() {
	const any = labels | logs
	on("USER", ofUser, label("", "=", any, asUser), label("SUDO", "=", any, asUser), label("UNIX", ":", logs, asUser),
		between(": name=", ",", logs, asUser),        // useradd(8): "new user: name=alice,"
		between(" '", "' password", logs, asUser),    // usermod(8)
		between(" '", "' information", logs, asUser), // chfn(1)
	)
	on("GROUP", between(": name=", ",", logs, asUser))
	on("ADD", between(" '", "' to ", logs, asUser))
	on("FOR", forUser, between(" '", "' changed by ", logs, asUser))
	on("BY", byUser)
	on("SLICE", sliceUser)
	for _, word := range []string{"CRON", "CROND", "CRONTAB"} {
		on(word, cronUser)
	}
	on("SU", suUser)
	on("SUDO", sudoUser)
	for _, word := range []string{"USERNAME", "LOGNAME", "RUSER"} {
		on(word, label("", ":=", any, asUser))
	}
	on("RHOST", label("", "=", any, asHost))
	on("SHA256", fingerprint)
	on("MD5", oldFingerprint)
	for _, word := range []string{"ED25519", "RSA", "DSS", "NISTP256", "NISTP384", "NISTP521"} {
		on(word, publicKey)
	}
}
