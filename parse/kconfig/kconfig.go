// Package kconfig reads the configuration that a kernel was built with, as
// /proc/config.gz has it unpacked and distributions keep it in
// /boot/config-<release>. Of its thousands of options it keeps those that tell
// how the kernel does crypto.
//
// Source: conf_write in scripts/kconfig/confdata.c. An option that is off stands
// there as a comment, "# CONFIG_X is not set"; one that cannot be chosen on this
// kernel does not stand there at all.
package kconfig

import (
	"bytes"
	"io"
	"slices"

	"hwcap/parse/fact"
	"hwcap/parse/lines"
)

// maxLine is how many bytes of a line are read; the longest are lists of
// firmware files and the command line that is built in.
const maxLine = 8 << 10

// kept are the options that are facts, without CONFIG_.
var kept = []string{
	"CRYPTO",
	"CRYPTO_SELFTESTS",             // from 6.16
	"CRYPTO_MANAGER_DISABLE_TESTS", // before
	"CRYPTO_AES_NI_INTEL",
	"CRYPTO_AES_ARM64_CE_BLK",
	"CRYPTO_DEV_PADLOCK_AES",
}

// Result is what one text says.
type Result struct {
	// Options are those that are kept, by name without CONFIG_: "y", "m", or "n"
	// for one that is not set. Of one that stands there twice the last counts.
	Options map[string]fact.Val[string]
	Release string // of the heading, "6.12.1"; "" without one
	Unread  fact.Unread
}

// Parse reads a configuration; file names it in places. It ends early only with
// an error of r, and has what came before.
func Parse(r io.Reader, file string) (*Result, error) {
	res := &Result{Options: map[string]fact.Val[string]{}, Unread: fact.Unread{File: file}}
	in := lines.New(r, file, maxLine)
	for in.Next() {
		res.Unread.Of++
		name, value, ok := setting(in.Bytes())
		switch {
		case ok && slices.Contains(kept, string(name)) && tristate(value):
			res.Options[string(name)] = fact.Of(string(value), in.At())
		case ok || len(bytes.TrimSpace(in.Bytes())) == 0:
			res.Unread.Ignored++
		case in.Bytes()[0] == '#':
			res.Unread.Ignored++
			if release, ok := heading(in.Bytes()); ok && res.Release == "" {
				res.Release = release
			}
		default:
			res.Unread.Lines++
		}
	}
	return res, in.Err()
}

// Looks reports whether a line is one that only a configuration has.
func Looks(line []byte) bool {
	if _, _, ok := setting(line); ok {
		return true
	}
	_, ok := heading(line)
	return ok
}

var (
	prefix  = []byte("CONFIG_")
	comment = []byte("# ")
	notSet  = []byte(" is not set")
	off     = []byte("n")
	title   = []byte(" Kernel Configuration")
)

// setting takes "CONFIG_X=m" or "# CONFIG_X is not set" apart.
func setting(line []byte) (name, value []byte, ok bool) {
	if rest, commented := bytes.CutPrefix(line, comment); commented {
		name, ok = bytes.CutPrefix(rest, prefix)
		if ok {
			name, ok = bytes.CutSuffix(name, notSet)
		}
		return name, off, ok && isName(name)
	}
	rest, ok := bytes.CutPrefix(line, prefix)
	if !ok {
		return nil, nil, false
	}
	name, value, ok = bytes.Cut(rest, []byte("="))
	return name, value, ok && isName(name)
}

func isName(name []byte) bool {
	for _, c := range name {
		if c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return len(name) > 0
}

func tristate(value []byte) bool {
	return len(value) == 1 && (value[0] == 'y' || value[0] == 'm' || value[0] == 'n')
}

// heading takes the release out of "# Linux/x86 6.12.1 Kernel Configuration".
func heading(line []byte) (release string, ok bool) {
	rest, ok := bytes.CutSuffix(line, title)
	if !ok || !bytes.HasPrefix(rest, []byte("# Linux")) {
		return "", false
	}
	return string(rest[bytes.LastIndexByte(rest, ' ')+1:]), true
}
