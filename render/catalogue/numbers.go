package catalogue

import (
	"fmt"
	"strings"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

// nbsp keeps a number and its unit on one line.
const nbsp = "\u00a0"

// Numbers writes numbers, units and dates in the form of a language.
type Numbers struct{ Lang Lang }

var printers = map[Lang]*message.Printer{
	German:  message.NewPrinter(language.German),
	English: message.NewPrinter(language.English),
}

// Num writes x with the given number of decimals (none: an integer), grouped:
// 1.340.416 in German, 1,340,416 in English.
func (n Numbers) Num(x float64, digits ...int) string {
	d := 0
	if len(digits) > 0 {
		d = digits[0]
	}
	return printers[n.Lang].Sprint(number.Decimal(x, number.Scale(d)))
}

// upTo writes x with at most d decimals.
func (n Numbers) upTo(x float64, d int) string {
	return printers[n.Lang].Sprint(number.Decimal(x, number.MaxFractionDigits(d)))
}

// generations are the PCI Express generations by speed in GT/s (PCIe Base
// Specification 7.5.3.6, Supported Link Speeds).
var generations = map[float64]int{2.5: 1, 5: 2, 8: 3, 16: 4, 32: 5, 64: 6, 128: 7}

// GTs writes a link speed: "16 GT/s (Gen 4)".
func (n Numbers) GTs(x float64) string {
	s := n.upTo(x, 1) + nbsp + "GT/s"
	if gen, ok := generations[x]; ok {
		s += fmt.Sprintf(" (Gen%s%d)", nbsp, gen)
	}
	return s
}

// GBs writes a data rate in GB/s: one decimal, two below 1.
func (n Numbers) GBs(x float64) string {
	d := 1
	if x < 1 {
		d = 2
	}
	return n.upTo(x, d) + nbsp + "GB/s"
}

// Size writes a number of bytes in the binary unit that fits.
func (n Numbers) Size(bytes int64) string {
	units := []string{"", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	x, i := float64(bytes), 0
	for x >= 1024 && i < len(units)-1 {
		x /= 1024
		i++
	}
	if i == 0 {
		unit := n.word("Byte", "bytes")
		if bytes == 1 {
			unit = n.word("Byte", "byte")
		}
		return n.Num(x) + nbsp + unit
	}
	return n.upTo(x, 1) + nbsp + units[i]
}

// spans are the units of a duration, largest first.
var spans = []struct {
	seconds                  float64
	one, many, oneEn, manyEn string
}{
	{86400, "Tag", "Tage", "day", "days"},
	{3600, "Stunde", "Stunden", "hour", "hours"},
	{60, "Minute", "Minuten", "minute", "minutes"},
	{1, "Sekunde", "Sekunden", "second", "seconds"},
}

// Duration writes seconds in the largest unit of which there are at least two,
// rounded: 16 minutes, 36 hours, 9 days.
func (n Numbers) Duration(seconds float64) string {
	for i, u := range spans {
		last := i == len(spans)-1
		if seconds < 2*u.seconds && !last {
			continue
		}
		x := seconds / u.seconds
		if last && x != float64(int64(x)) && x < 10 {
			return n.upTo(x, 1) + nbsp + n.word(u.many, u.manyEn)
		}
		rounded := float64(int64(x + 0.5))
		if rounded == 1 {
			return n.Num(rounded) + nbsp + n.word(u.one, u.oneEn)
		}
		return n.Num(rounded) + nbsp + n.word(u.many, u.manyEn)
	}
	return ""
}

func (n Numbers) word(de, en string) string {
	if n.Lang == German {
		return de
	}
	return en
}

var months = map[Lang][]string{
	German:  strings.Fields("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
	English: strings.Fields("January February March April May June July August September October November December"),
}

// Date writes the day of an ISO 8601 time ("2026-08-03", with or without a
// time of day behind it) or of a firmware date ("08/03/2026", SMBIOS 7.1);
// anything else comes back as it is.
func (n Numbers) Date(s string) string {
	if len(s) < 10 {
		return s
	}
	t, err := time.Parse("2006-01-02", s[:10])
	if err != nil {
		t, err = time.Parse("01/02/2006", s)
	}
	if err != nil {
		return s
	}
	month := months[n.Lang][t.Month()-1]
	if n.Lang == German {
		return fmt.Sprintf("%d.%s%s%s%d", t.Day(), nbsp, month, nbsp, t.Year())
	}
	return fmt.Sprintf("%d%s%s%s%d", t.Day(), nbsp, month, nbsp, t.Year())
}

// DateTime writes an RFC 3339 time to the minute, in UTC.
func (n Numbers) DateTime(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return s
	}
	t = t.UTC()
	return n.Date(t.Format(time.RFC3339)) + ", " + t.Format("15:04") + nbsp + "UTC"
}

// Few is List for a sentence: of a long list it gives the first ones and how
// many there are, "a, b, … (insgesamt 149)".
func (n Numbers) Few(items []string) string {
	const most, shown = 12, 8
	if len(items) <= most {
		return n.List(items)
	}
	all := n.Num(float64(len(items)))
	return strings.Join(items[:shown], ", ") + ", … (" + n.word("insgesamt\u00a0"+all, all+"\u00a0in all") + ")"
}

// List joins items: "a, b und c".
func (n Numbers) List(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return strings.Join(items[:last], ", ") + " " + n.word("und", "and") + " " + items[last]
}
