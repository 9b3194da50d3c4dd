package lspci

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
)

// A damage is what a mailer, a forum, a terminal or a tool does to a listing.
type damage struct {
	situation string
	apply     func(string) string
}

// stages are the damages in the order in which a text suffers them, one of each
// stage at most.
var stages = [][]damage{
	{ // indentation, by editors, web forms and copying from a terminal
		{"tabs as 8 columns", expanded},
		{"tabs as 4 spaces", replaced("\t", "    ")},
		{"tabs as 2 spaces", replaced("\t", "  ")},
		{"tabs as 1 space", replaced("\t", " ")},
		{"all indented by 4", func(s string) string { return perLine(s, func(l string) string { return "    " + l }) }},
		{"no indentation", func(s string) string { return perLine(s, func(l string) string { return strings.TrimLeft(l, " \t") }) }},
		{"single blanks", func(s string) string {
			return perLine(s, func(l string) string { return strings.Join(strings.Fields(l), " ") })
		}},
	},
	{ // line length
		{"wrapped at 65 columns", wrapped(65, "")},
		{"wrapped at 72 columns", wrapped(72, "")},
		{"wrapped at 76 columns", wrapped(76, "")},
		{"wrapped at 80 columns", wrapped(80, "")},
		{"format=flowed", wrapped(72, " ")},
		{"broken by a terminal of 80 columns", broken(80)},
		{"a blank line behind each line", replaced("\n", "\n\n")},
	},
	{ // what stands before each line
		{"cat -n", numbered("%6d\t%s")},
		{"grep -n", numbered("%d:%s")},
		{"ts", numbered("Nov  9 17:55:%02[1]d %[2]s")},
		{"log of a CI system", numbered("2026-11-30T17:55:01.%07[1]dZ %[2]s")},
		{"colours of grep", func(s string) string {
			return strings.NewReplacer("LnkSta:", "\x1b[01;31m\x1b[KLnkSta:\x1b[m\x1b[K", "Bridge", "\x1b[1mBridge\x1b[0m", "0000:", "\x1b[32m0000:\x1b[0m").Replace(s)
		}},
	},
	{ // quotes
		{"quoted", func(s string) string { return perLine(s, func(l string) string { return "> " + l }) }},
		{"quoted twice", func(s string) string { return perLine(s, func(l string) string { return ">> " + l }) }},
		{"quoted thrice, with blanks", func(s string) string { return perLine(s, func(l string) string { return "> > > " + l }) }},
		{"quoted without a blank", func(s string) string { return perLine(s, func(l string) string { return ">" + l }) }},
	},
	{ // characters
		{"HTML entities", replaced("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;", "  ", "&nbsp; ")},
		{"HTML entities, twice", replaced("<", "&amp;lt;", ">", "&amp;gt;")},
		{"HTML entities, as numbers", replaced("<", "&#60;", ">", "&#x3e;", "  ", "&#160; ")},
		{"no-break spaces", replaced("  ", "\u00a0 ")},
		{"no-break spaces of ISO 8859-1", replaced("  ", "\xa0 ")},
		{"other blanks", replaced("  ", "\u2003\u202f", ": ", ":\u2009", "LnkSta", "\u200bLnkSta")},
		{"quoted-printable", quotedPrintable},
	},
	{ // line ends
		{"line ends of Windows", replaced("\n", "\r\n")},
		{"line ends of a serial console", replaced("\n", "\r\r\n")},
		{"byte order mark", func(s string) string { return "\ufeff" + s }},
		{"no blank lines", func(s string) string { return strings.ReplaceAll(s, "\n\n", "\n") + "\n" }},
		{"lines filled up to 100 columns", func(s string) string { return perLine(s, func(l string) string { return fmt.Sprintf("%-100s", l) }) }},
	},
}

func perLine(text string, f func(string) string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := range lines {
		lines[i] = f(lines[i])
	}
	return strings.Join(lines, "\n") + "\n"
}

func replaced(pairs ...string) func(string) string { return strings.NewReplacer(pairs...).Replace }

// expanded replaces tabs by as many blanks as a terminal leaves free.
func expanded(text string) string {
	return perLine(text, func(l string) string {
		var b strings.Builder
		for _, c := range l {
			if c != '\t' {
				b.WriteRune(c)
				continue
			}
			for b.WriteByte(' '); b.Len()%8 > 0; {
				b.WriteByte(' ')
			}
		}
		return b.String()
	})
}

// wrapped breaks lines at blanks, as mailers do that count a tab as one column.
func wrapped(width int, end string) func(string) string {
	return func(text string) string {
		return perLine(text, func(l string) string {
			var out strings.Builder
			for len(l) > width {
				indent := len(l) - len(strings.TrimLeft(l, " \t"))
				i := strings.LastIndexByte(l[:width+1], ' ')
				if i <= indent {
					if i = indent + strings.IndexByte(l[indent:], ' '); i < indent {
						break
					}
				}
				out.WriteString(l[:i] + end + "\n")
				l = strings.TrimLeft(l[i:], " ")
			}
			return out.String() + l
		})
	}
}

// broken breaks lines at a column, as terminals do.
func broken(width int) func(string) string {
	return func(text string) string {
		return perLine(expanded(text), func(l string) string {
			var out strings.Builder
			l = strings.TrimSuffix(l, "\n")
			for len(l) > width {
				out.WriteString(l[:width] + "\n")
				l = l[width:]
			}
			return out.String() + l
		})
	}
}

func numbered(format string) func(string) string {
	return func(text string) string {
		n := 0
		return perLine(text, func(l string) string { n++; return fmt.Sprintf(format, n, l) })
	}
}

func quotedPrintable(text string) string {
	return perLine(text, func(l string) string {
		var out strings.Builder
		column := 0
		for i := range len(l) {
			piece := l[i : i+1]
			if b := l[i]; b == '=' || b >= 0x80 || b == ' ' && i == len(l)-1 {
				piece = fmt.Sprintf("=%02X", b)
			}
			if column+len(piece) > 75 {
				out.WriteString("=\n")
				column = 0
			}
			out.WriteString(piece)
			column += len(piece)
		}
		return out.String()
	})
}

// lossy are pairs that leave no sign of where a word ended: a terminal's line may
// end behind a word or in it, which only the blank at its end tells.
var lossy = map[string]string{
	"quoted without a blank":         "broken by a terminal of 80 columns",
	"lines filled up to 100 columns": "broken by a terminal of 80 columns",
}

// damages returns the sets of damages to test: each, and each with one of every
// later stage.
func damages() []damage {
	var all []damage
	for i, stage := range stages {
		for _, d := range stage {
			all = append(all, d)
			for _, later := range stages[i+1:] {
				for _, e := range later {
					if lossy[d.situation] == e.situation || lossy[e.situation] == d.situation {
						continue
					}
					all = append(all, damage{d.situation + ", " + e.situation, func(s string) string { return e.apply(d.apply(s)) }})
				}
			}
		}
	}
	return all
}

// TestDamage: no damage changes a fact.
func TestDamage(t *testing.T) {
	plain := string(machine(1))
	checkDamage(t, plain, damages())
}

// bare returns the devices without the places of facts, and with single blanks
// in names: two do not survive everything.
func bare(devices []fact.Device) []fact.Device {
	strip(reflect.ValueOf(devices))
	return devices
}

func strip(v reflect.Value) {
	if _, ok := v.Interface().([]fact.Line); ok || v.Type() == reflect.TypeFor[fact.Line]() {
		v.SetZero()
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			strip(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			strip(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			strip(v.Field(i))
		}
	case reflect.String:
		v.SetString(strings.Join(strings.Fields(v.String()), " "))
	}
}

func checkDamage(t *testing.T, plain string, all []damage) {
	t.Helper()
	want := bare(parse(t, plain).Devices)
	for _, d := range all {
		got := parse(t, d.apply(plain))
		if got := bare(got.Devices); !reflect.DeepEqual(want, got) {
			t.Errorf("%s (-plain +got):\n%s", d.situation, cmp.Diff(want, got))
		}
		if got.Unread.Lines > 0 {
			t.Errorf("%s: %d of %d lines unread", d.situation, got.Unread.Lines, got.Unread.Of)
		}
	}
}

// TestCorpusDamage does the same with what eight versions of lspci print.
func TestCorpusDamage(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(corpus(t), "lspci-versions", "*", "*"))
	all := damages()
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var some []damage
		for j := i % 20; j < len(all); j += 20 {
			some = append(some, all[j])
		}
		t.Run(strings.Join(strings.Split(filepath.ToSlash(file), "/")[len(strings.Split(filepath.ToSlash(file), "/"))-2:], " "), func(t *testing.T) {
			checkDamage(t, string(text), some)
		})
	}
}
