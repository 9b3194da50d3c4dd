// Package dmsetup reads dmsetup table: which mappings there are, and of those
// that encrypt the cipher and its options, never the key.
//
// Source: crypt_status of drivers/md/dm-crypt.c, "<cipher> <key> <iv offset>
// <device> <start> [<n> <option>...]". dmsetup prints zeros for a key unless it
// is asked with --showkeys. Other targets have keys as well (integrity), so that
// nothing of their parameters is kept, not even in problems.
package dmsetup

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/lines"
)

const (
	maxLine     = 4 << 10 // bytes of a line that are read; a table of crypt has 300
	maxKept     = 20_000  // mappings
	maxProblems = 100
)

// Result is what one text says.
type Result struct {
	Mappings []fact.Mapping
	Problems []fact.Problem
	Unread   fact.Unread
	full     bool
}

// Parse reads the text of dmsetup table, with the names of the mappings or, of a
// single one, without. The text of a place has the key cut out, and of another
// target than crypt all its parameters.
func Parse(r io.Reader, file string) (*Result, error) {
	res := &Result{Unread: fact.Unread{File: file}}
	in := lines.New(r, file, maxLine)
	for in.Next() {
		res.line(strings.TrimSpace(string(in.Bytes())), in.Cut(), fact.Line{File: file, Line: in.Number()})
	}
	return res, in.Err()
}

func (r *Result) line(text string, cut bool, at fact.Line) {
	r.Unread.Of++
	if text == "" || text == "No devices found" {
		r.Unread.Ignored++
		return
	}
	name, fields, ok := split(text)
	if !ok {
		r.Unread.Lines++
		return
	}
	m := fact.Mapping{Name: name, Target: fields[2], From: at}
	parameters := fields[3:]
	fields = fields[:3]
	if m.Target == "crypt" {
		if cut || !crypt(&m, parameters) {
			r.problem(at, "a mapping of crypt whose parameters are not in the kernel's order")
		} else {
			parameters[1] = "-"
			fields = append(fields, parameters...)
		}
	}
	m.From.Text = strings.Join(fields, " ")
	if name != "" {
		m.From.Text = name + ": " + m.From.Text
	}
	switch {
	case len(r.Mappings) < maxKept:
		r.Mappings = append(r.Mappings, m)
	case !r.full:
		r.full = true
		r.problem(at, fmt.Sprintf("more than %d mappings; the rest is not kept", maxKept))
	}
}

func (r *Result) problem(at fact.Line, text string) {
	if len(r.Problems) < maxProblems {
		r.Problems = append(r.Problems, fact.Problem{File: at.File, Line: at.Line, Text: text})
	}
}

// split cuts "luks-root: 0 41943040 crypt ..." into the name and the fields
// from the start sector on.
func split(text string) (name string, fields []string, ok bool) {
	if before, after, named := strings.Cut(text, ": "); named && !strings.Contains(before, " ") {
		name, text = before, after
	}
	fields = strings.Fields(text)
	if len(fields) < 3 || !number(fields[0]) || !number(fields[1]) || !isTarget(fields[2]) {
		return "", nil, false
	}
	return name, fields, true
}

// crypt reads the parameters of a mapping that encrypts. False where they are
// not what the kernel prints: a key can then stand in any place.
func crypt(m *fact.Mapping, parameters []string) bool {
	if len(parameters) < 5 || !isCipher(parameters[0]) || !isKey(parameters[1]) || !number(parameters[2]) ||
		!isDevice(parameters[3]) || !number(parameters[4]) {
		return false
	}
	var flags []string
	sector := 0
	if options := parameters[5:]; len(options) > 0 {
		if options[0] != strconv.Itoa(len(options)-1) {
			return false
		}
		for _, o := range options[1:] {
			name, value, _ := strings.Cut(o, ":")
			if !known[name] {
				return false
			}
			if n, err := strconv.ParseUint(value, 10, 31); err == nil && name == "sector_size" {
				sector = int(n)
				continue
			}
			flags = append(flags, o)
		}
	}
	m.Cipher, m.Device, m.SectorSize, m.Flags = parameters[0], parameters[3], sector, flags
	m.KeyBits, m.KeyPlace = key(parameters[1])
	return true
}

// known are the options of crypt (crypt_ctr_optional, crypt_status).
var known = map[string]bool{
	"allow_discards": true, "same_cpu_crypt": true, "high_priority": true, "submit_from_crypt_cpus": true,
	"no_read_workqueue": true, "no_write_workqueue": true, "iv_large_sectors": true,
	"integrity": true, "integrity_key_size": true, "sector_size": true,
}

// isCipher matches "aes-xts-plain64", "capi:xts(aes)-plain64", "aes:64-cbc-lmk"
// and "cipher_null-ecb". What has digits and the letters a to f alone can be a
// key.
func isCipher(s string) bool {
	return len(s) <= 128 && s[0] >= 'a' && s[0] <= 'z' && strings.ContainsRune(s, '-') && !isHex(s)
}

// isKey matches two digits a byte, ":64:logon:NAME" and "-".
func isKey(s string) bool { return s == "-" || s[0] == ':' || len(s)%2 == 0 && isHex(s) }

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdefABCDEF") == "" }

// isDevice matches "8:2" and a path below /dev.
func isDevice(s string) bool {
	major, minor, ok := strings.Cut(s, ":")
	return ok && number(major) && number(minor) || strings.HasPrefix(s, "/dev/")
}

// key tells length and place of a key: ":64:logon:cryptsetup:..." is in the
// keyring, "-" is none, else two digits a byte.
func key(s string) (bits int, place string) {
	if rest, ok := strings.CutPrefix(s, ":"); ok {
		size, _, _ := strings.Cut(rest, ":")
		n, err := strconv.ParseUint(size, 10, 16)
		if err != nil {
			return 0, "keyring"
		}
		return int(n) * 8, "keyring"
	}
	if s == "-" {
		return 0, ""
	}
	return len(s) * 4, "table"
}

func number(s string) bool {
	_, err := strconv.ParseUint(s, 10, 64)
	return err == nil && s[0] != '+'
}

// isTarget reports whether s can be the name of a target: "crypt", "thin-pool".
func isTarget(s string) bool {
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return s[0] >= 'a' && s[0] <= 'z' && len(s) <= 32
}

// Looks reports whether a line is one of dmsetup table: a mapping with its
// name, of a target that the kernel has.
func Looks(line []byte) bool {
	if len(line) > maxLine || !bytes.Contains(line, []byte(": 0 ")) {
		return false
	}
	name, fields, ok := split(string(line))
	return ok && name != "" && len(fields) > 3 && targets[fields[2]]
}

// targets are those of drivers/md.
var targets = map[string]bool{
	"crypt": true, "linear": true, "striped": true, "integrity": true, "verity": true, "raid": true, "mirror": true,
	"snapshot": true, "snapshot-origin": true, "thin": true, "thin-pool": true, "cache": true, "writecache": true,
	"era": true, "multipath": true, "delay": true, "flakey": true, "zoned": true, "clone": true, "vdo": true,
}
