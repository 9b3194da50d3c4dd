package redact

import (
	"bytes"
	"slices"
)

// Beginnings of secret keys that stand on one line: the one that pseudonyms are
// made with, and that of age (age-encryption.org/v1).
var secretKeys = [][]byte{[]byte("hwcap-redact-key-1:"), []byte("AGE-SECRET-KEY-")}

// Lines around a block of PEM (RFC 7468).
const (
	pemBegin = "-----BEGIN "
	pemEnd   = "-----END "
)

// IsKey reports whether a file that begins with head is one of secret keys: of
// hwcap, age, ssh or whatever else writes them as PEM. Nobody
// wants that in a capture.
func IsKey(head []byte) bool {
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '#' {
			continue
		}
		return beginsKey(line) || slices.ContainsFunc(secretKeys, func(key []byte) bool { return bytes.HasPrefix(line, key) })
	}
	return false
}

// beginsKey reports whether a block of PEM with a private key begins in a line.
func beginsKey(line []byte) bool {
	_, label, ok := bytes.Cut(line, []byte(pemBegin))
	return ok && bytes.Contains(label, []byte("PRIVATE KEY"))
}

// privateKey hides a secret key whose name has the word line[from:to] in it, and
// the block of PEM that begins there.
func privateKey(t *text, from, to int) {
	for _, key := range secretKeys {
		start := bytes.LastIndex(t.line[:min(len(t.line), to+len(key))], key)
		if start < 0 || start > from {
			continue
		}
		end := start + len(key)
		for end < len(t.line) && classes[t.line[end]] != 0 {
			end++
		}
		t.hide(start, end, []byte(hidden))
	}
	if start := bytes.Index(t.line, []byte(pemBegin)); start >= 0 && start < from && beginsKey(t.line) {
		t.hide(start, len(t.line), []byte(hidden))
		t.inKey = !bytes.Contains(t.line, []byte(pemEnd))
	}
}

// keyBlock hides a line within a block of PEM with a private key, to its end,
// and tells whether it is one.
func (t *text) keyBlock() bool {
	if !t.inKey {
		return false
	}
	t.inKey = !bytes.Contains(t.line, []byte(pemEnd))
	t.hide(0, len(t.line), []byte(hidden))
	return true
}

func init() { on("KEY", privateKey) }
