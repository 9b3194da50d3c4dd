package redact

import "bytes"

// hidden stands for every key and password.
const hidden = "redacted-by-hwcap"

// hide replaces a secret by something that depends on nothing of it.
func (t *text) hide(from, to int, with []byte) {
	if t.learning() {
		t.keep(from, to)
		return
	}
	t.put(from, to, Secret, with)
}

func asSecret(t *text, from, to int) {
	if s := t.line[from:to]; string(s) == hidden || bytes.HasPrefix(s, []byte("/")) || string(s) == "none" || isNumber(s) {
		t.keep(from, to)
		return
	}
	if to == from+maxValue { // however long it is
		for to < len(t.line) && t.line[to] != ' ' && t.line[to] != '\t' {
			to++
		}
	}
	t.hide(from, to, []byte(hidden))
}

// isNumber reports whether a value is too short a number for a secret: pass=2,
// token=0x12.
func isNumber(s []byte) bool {
	digits, hexadecimal := bytes.CutPrefix(s, []byte("0x"))
	return len(digits) <= 2 && (hexadecimal && isAllHex(digits) || len(bytes.Trim(digits, "0123456789")) == 0)
}

// credentials hides what stands between :// and @.
func (t *text) credentials(end int) {
	for at := 0; ; {
		i := bytes.Index(t.line[at:end], []byte("://"))
		if i < 0 {
			return
		}
		at += i + 3
		s := t.line[at:end]
		if end := bytes.IndexAny(s, "/ \t\"'<>"); end >= 0 {
			s = s[:end]
		}
		if end := bytes.LastIndexByte(s, '@'); end > 0 && string(s[:end]) != hidden {
			t.hide(at, at+end, []byte(hidden))
		}
	}
}

// iscsiTarget hides the names and passwords in
// netroot=iscsi:user:password[:user:password]@server:... (dracut.cmdline(7)).
func iscsiTarget(t *text, from, to int) {
	s := t.line[to:min(len(t.line), to+maxValue)]
	if end := bytes.IndexAny(s, " \t\""); end >= 0 {
		s = s[:end]
	}
	if at := bytes.IndexByte(s, '@'); at > 1 && s[0] == ':' && string(s[1:at]) != hidden {
		t.hide(to+1, to+at, []byte(hidden))
	}
}

func init() {
	const any = labels | logs
	for _, word := range []string{"PASSWORD", "PASSWD", "PASSPHRASE", "PASS", "PSK", "SECRET", "TOKEN", "APIKEY", "CRYPTKEY",
		"ROOTPW", "PRIVATEKEY", "PRESHAREDKEY"} {
		on(word, label("", "=", any, asSecret))
	}
	for _, word := range []string{"PASSWORD", "PASSPHRASE", "SECRET"} {
		on(word, label("", ":", any, asSecret))
	}
	on("KEY", label("", "=", command, asSecret),
		label("PRIVATE", ":=", any, asSecret), label("API", ":=", any, asSecret), label("AUTH", ":=", any, asSecret),
		label("LUKS", "=", any, asSecret))
	on("TOKEN", label("", ":", labels, asSecret))
	on("STRING", label("COMMUNITY", ":", labels, asSecret)) // of SNMP
	on("COOKIE", label("", ":=", labels, asSecret))         // of iperf3: host name and time
	on("ISCSI", iscsiTarget)
}
