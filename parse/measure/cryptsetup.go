package measure

import (
	"bytes"
	"io"
	"strings"

	"hwcap/parse/fact"
)

// ParseCryptsetup reads cryptsetup benchmark of any version, in any language:
// rows are known by their shape. A cipher's row gives two measurements, a key
// derivation's one.
//
// Source: action_benchmark of src/cryptsetup.c. The ciphers run in the kernel
// (AF_ALG) on 64 KiB a request and over elapsed time (cipher_check.c of its
// lib/crypto_backend), which the text does not say and the facts neither.
func ParseCryptsetup(r io.Reader, file string) (*Result, error) {
	p := cryptsetup{book: newBook(file)}
	err := p.read(r, p.line)
	return &p.Result, err
}

const cryptsetupTool = "cryptsetup benchmark"

type cryptsetup struct {
	book
	version string
}

func (p *cryptsetup) line(text string, at fact.Line) reading {
	fields := strings.Fields(text)
	switch {
	case p.cipher(fields, at), p.derivation(fields, at):
		return known
	case fields[0] == "cryptsetup" && len(fields) > 1 && decimalStart(fields[1]): // of --version
		p.version = fields[1]
		return known
	case isCryptsetupHeading(text), strings.Contains(text, cryptsetupTool):
		return ignored
	}
	for _, trouble := range cryptsetupTroubles {
		if strings.HasPrefix(text, trouble) {
			p.problem(at, "says cryptsetup")
			return known
		}
	}
	return unknown
}

// cryptsetupTroubles are the beginnings of its messages where it cannot
// measure.
var cryptsetupTroubles = []string{
	"Required kernel crypto interface not available.",
	"Ensure you have algif_skcipher kernel module loaded.",
	"No known cipher specification pattern detected.",
	"Result of benchmark is not reliable.",
	"Benchmark interrupted.",
	"Cipher ", // "Cipher aes-xts (with 256 bits key) is not available."
}

// cipher reads "aes-xts        256b      2734.6 MiB/s      2732.8 MiB/s", or
// "N/A" for both rates.
func (p *cryptsetup) cipher(fields []string, at fact.Line) bool {
	if !isCipherRow(fields) {
		return false
	}
	bits, _ := leading(fields[1])
	m := fact.Measurement{Tool: cryptsetupTool, Version: p.version, What: fields[0], KeyBits: bits, From: at}
	for i, operation := range []string{"encrypt", "decrypt"} {
		m.Operation = operation
		m.BytesPerSecond = fact.Missing[float64](fact.Absent, at)
		if len(fields) == 6 {
			rate, _ := decimal(fields[2+2*i])
			m.BytesPerSecond = fact.Of(rate*(1<<20), at)
		}
		p.add(m)
	}
	return true
}

func isCipherRow(fields []string) bool {
	if len(fields) != 4 && len(fields) != 6 {
		return false
	}
	bits, rest := leading(fields[1])
	if bits == 0 || rest != "b" || !strings.Contains(fields[0], "-") {
		return false
	}
	if len(fields) == 4 {
		return fields[2] == fields[3] // "N/A", or what a language has for it
	}
	_, okE := decimal(fields[2])
	_, okD := decimal(fields[4])
	return okE && okD && fields[3] == "MiB/s" && fields[5] == "MiB/s"
}

// derivation reads "PBKDF2-sha256 4088015 iterations per second for 256-bit
// key", before version 1.7 without the key, and "argon2id 5 iterations, 1048576
// memory, 4 parallel threads (CPUs) for 256-bit key (requested 2000 ms time)".
// Of another language only the numbers and their order are the same.
func (p *cryptsetup) derivation(fields []string, at fact.Line) bool {
	if !isDerivation(fields) {
		return false
	}
	m := fact.Measurement{Tool: cryptsetupTool, Version: p.version, What: fields[0], Operation: "derive", From: at}
	hard := strings.HasPrefix(fields[0], "argon2")
	var numbers []int64
	for _, f := range fields[1:] {
		f = strings.Trim(f, "(),")
		if n, ok := whole(f); ok {
			numbers = append(numbers, n)
		} else if bits, rest := leading(f); bits > 0 && strings.HasPrefix(rest, "-") {
			m.KeyBits = bits
		}
	}
	switch {
	case !hard && len(numbers) == 0:
		m.PerSecond = fact.Missing[float64](fact.Absent, at)
	case !hard:
		m.PerSecond = fact.Of(float64(numbers[0]), at)
	case len(numbers) < 3:
		m.Iterations = fact.Missing[int64](fact.Absent, at)
	default:
		m.Iterations = fact.Of(numbers[0], at)
		m.Memory = fact.Of(numbers[1]<<10, at)
		m.Threads = int(min(numbers[2], 1<<20))
		if len(numbers) > 3 {
			m.Seconds = float64(numbers[3]) / 1000
		}
	}
	p.add(m)
	return true
}

// isDerivation reports whether fields are the row of a key derivation function:
// its name, and a number or "N/A".
func isDerivation(fields []string) bool {
	if len(fields) < 2 || !strings.HasPrefix(fields[0], "PBKDF2-") && !strings.HasPrefix(fields[0], "argon2") {
		return false
	}
	_, ok := whole(fields[1])
	return ok && len(fields) > 3 || !ok && len(fields) == 2
}

// isCryptsetupHeading matches the sentence before the rows and the heading of
// the ciphers, "# Algorithm | Key | Encryption | Decryption".
func isCryptsetupHeading(text string) bool {
	return strings.HasPrefix(text, "# Tests are approximate using memory only") ||
		strings.HasPrefix(text, "#") && strings.Count(text, "|") == 3
}

// IsCryptsetup reports whether a line is one of cryptsetup benchmark alone.
func IsCryptsetup(line []byte) bool {
	line = bytes.TrimLeft(line, " \t>")
	if len(line) == 0 || len(line) > 200 {
		return false
	}
	if line[0] == '#' {
		return isCryptsetupHeading(string(line))
	}
	if !bytes.Contains(line, []byte("MiB/s")) && !bytes.HasPrefix(line, []byte("PBKDF2-")) && !bytes.HasPrefix(line, []byte("argon2")) && !bytes.Contains(line, []byte("N/A")) {
		return false
	}
	fields := strings.Fields(string(line))
	return isCipherRow(fields) || isDerivation(fields)
}

// decimalStart reports whether s begins with a digit.
func decimalStart(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }
