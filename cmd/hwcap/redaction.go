package main

import (
	"archive/tar"
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"hwcap/capture"
	"hwcap/capture/redact"
)

// mailLimit is the size from which mail servers begin to refuse.
const mailLimit = 10_000_000 // bytes

// reportEnding is that of the file that says what was replaced.
const reportEnding = ".redaction.txt"

// announce says on w what was written where.
func (d *delivered) announce(w io.Writer) {
	file := cmp.Or(d.file, text("Standardausgabe", "standard output"))
	fmt.Fprintf(w, "%s: %s; %s\n", oneLine(file), byteSize(d.size), d.sum())
}

// writeReport writes what was replaced, by place, into a file beside the
// capture, and names it on w. Beside a stream there is no file.
func (d *delivered) writeReport(private string, w io.Writer) error {
	if d.file == "" {
		return nil
	}
	name := reportName(d.file)
	_, err := capture.WriteWhole(private, func(w io.Writer) (string, error) { return name, d.list(w) })
	if err != nil {
		return withHint(fmt.Errorf(text("was ersetzt wurde, lässt sich nicht schreiben: %w", "cannot write what was replaced: %w"), err),
			text("die Erfassung selbst ist geschrieben: ", "the capture itself is written: ")+oneLine(d.file))
	}
	fmt.Fprintf(w, text("Was wo ersetzt wurde, ohne die Werte: %s\n", "what was replaced where, without the values: %s\n"), oneLine(name))
	return nil
}

// reportName is the name of a capture without its endings, and that of reports.
func reportName(file string) string {
	dir, name := filepath.Split(file)
	for _, ending := range []string{sealedEnding, ".tar.gz", ".tgz", ".tar.zst", ".tar", ".txt"} {
		name = strings.TrimSuffix(name, ending)
	}
	return dir + name + reportEnding
}

// classes counts the replacements of each class, the most frequent first.
func (d *delivered) classes() (names []redact.Class, count map[redact.Class]int) {
	count = map[redact.Class]int{}
	for _, r := range d.Replacements {
		count[r.Class] += r.Count
	}
	names = slices.SortedFunc(maps.Keys(count), func(a, b redact.Class) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	return names, count
}

// classNames are words for the classes whose own name does not say it, in German
// for all that are not the same.
var classNames = map[redact.Class]struct{ de, en string }{
	redact.PCIeSerial:    {de: "Seriennummer (PCIe)"},
	redact.DIMMSerial:    {de: "Seriennummer (Speicher)"},
	redact.DriveSerial:   {de: "Seriennummer (Laufwerk)"},
	redact.USBSerial:     {de: "Seriennummer (USB)"},
	redact.DMISerial:     {de: "Seriennummer (DMI)"},
	redact.Serial:        {de: "Seriennummer"},
	redact.AssetTag:      {de: "Inventarnummer"},
	redact.MachineID:     {de: "Rechner-ID"},
	redact.Host:          {de: "Rechner"},
	redact.Domain:        {de: "Domäne"},
	redact.User:          {de: "Benutzer"},
	redact.Path:          {de: "Ordner des Benutzers"},
	redact.LUKS:          {de: "Volume"},
	redact.VG:            {de: "Volume-Gruppe"},
	redact.Pool:          {de: "Pool"},
	redact.Secret:        {de: "Geheimnis"},
	redact.ProductKey:    {de: "Produktschlüssel"},
	redact.DroppedLine:   {"gestrichene Zeile", "dropped line"},
	redact.DroppedMember: {"geleerte Datei", "emptied file"},
}

// className is a class in the user's language.
func className(c redact.Class) string {
	own := classNames[c]
	return cmp.Or(text(own.de, own.en), string(c))
}

// sum is the counts by class in one line.
func (d *delivered) sum() string {
	names, count := d.classes()
	var parts []string
	for _, c := range names {
		parts = append(parts, fmt.Sprintf("%s %d", className(c), count[c]))
	}
	if len(parts) == 0 {
		return text("nichts ersetzt", "nothing replaced")
	}
	return text("ersetzt: ", "replaced: ") + strings.Join(parts, ", ")
}

// list writes what was replaced, by class and by place.
func (d *delivered) list(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, text("Was hwcap in %s ersetzt hat. Die Werte stehen nicht hier.\n", "What hwcap replaced in %s. The values are not in here.\n"), oneLine(filepath.Base(d.file)))
	if d.KeyID != "" {
		fmt.Fprintf(b, text("Schlüssel der Pseudonyme: %s\n", "key of the pseudonyms: %s\n"), d.KeyID)
	}
	fmt.Fprintln(b)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	names, count := d.classes()
	for _, c := range names {
		fmt.Fprintf(t, "%s\t%d\n", className(c), count[c])
	}
	fmt.Fprintln(t)
	for _, r := range d.Replacements {
		fmt.Fprintf(t, "%s\t%s\t%d\n", place(r), className(r.Class), r.Count)
	}
	t.Flush()
	if count[redact.DroppedMember] > 0 {
		fmt.Fprintln(b, text("\nGeleert sind Archive, Dokumente, Bilder und Datenbanken: in sie reicht keine Regel hinein.",
			"\nEmptied are archives, documents, pictures and databases: no rule reaches what is in them."))
	}
	if len(d.Dropped) > 0 {
		fmt.Fprintln(b, text("\nNicht übernommen:", "\nNot taken over:"))
		for _, name := range d.Dropped {
			fmt.Fprintln(b, oneLine(name))
		}
	}
	return b.Flush()
}

// place is where something was replaced: file:line, file:line-line, or the
// frame or offset of a binary file.
func place(r redact.Replacement) string {
	file := oneLine(r.File)
	switch {
	case r.Last > r.Line:
		return fmt.Sprintf("%s:%d-%d", file, r.Line, r.Last)
	case r.Line > 0:
		return fmt.Sprintf("%s:%d", file, r.Line)
	case r.Frame > 0:
		return fmt.Sprintf("%s frame %d", file, r.Frame)
	}
	return fmt.Sprintf("%s offset %d", file, r.Offset)
}

// hintLarge says which groups of sources make a capture too large for mail.
func hintLarge(w io.Writer, in *input) {
	m, err := in.manifest()
	if err != nil { // a bundle of another tool has none
		fmt.Fprintln(w, text("Hinweis: über 10 MB; viele Mailserver nehmen das nicht an", "note: over 10 MB, which many mail servers refuse"))
		return
	}
	hintLargeManifest(w, m)
}

func hintLargeManifest(w io.Writer, m *capture.Manifest) {
	fmt.Fprintf(w, text("Hinweis: über 10 MB; viele Mailserver nehmen das nicht an. Am meisten brauchen, ausgepackt: %s\n",
		"note: over 10 MB, which many mail servers refuse. Most of it, unpacked: %s\n"), strings.Join(largestGroups(m), ", "))
}

// largestGroups names what could be left out by --skip, and its size.
func largestGroups(m *capture.Manifest) []string {
	groups := map[string][]string{}
	for _, s := range capture.Sources() {
		groups[s.Name] = s.Groups
	}
	size := map[string]int64{}
	for _, rec := range m.Sources {
		names := groups[rec.Name]
		switch first, _, _ := strings.Cut(rec.Path, "/"); {
		case rec.Kind == capture.Attach:
			names = []string{"--attach " + strings.TrimPrefix(rec.Name, "attach-")}
		case len(names) == 0:
			names = []string{first}
		}
		for _, name := range names {
			size[name] += rec.Bytes
		}
	}
	const most = 3
	names := slices.SortedFunc(maps.Keys(size), func(a, b string) int {
		return cmp.Or(cmp.Compare(size[b], size[a]), cmp.Compare(a, b))
	})
	var said []string
	for _, name := range names[:min(len(names), most)] {
		option := "--skip " + name
		if strings.HasPrefix(name, "--attach ") {
			option = name
		}
		said = append(said, fmt.Sprintf("%s (%s)", byteSize(size[name]), option))
	}
	return said
}

// errNoManifest is the error of a capture without one.
var errNoManifest = errors.New("no manifest")

// manifest reads that of the capture.
func (in *input) manifest() (*capture.Manifest, error) {
	if in.text {
		return nil, errNoManifest
	}
	src, err := in.open()
	if err != nil {
		return nil, err
	}
	defer src.Close()
	for t := tar.NewReader(src); ; {
		h, err := t.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil, errNoManifest
		case err != nil:
			return nil, err
		case filepath.Base(h.Name) == "manifest.json" && strings.Count(h.Name, "/") == 1:
			m := &capture.Manifest{}
			return m, json.NewDecoder(io.LimitReader(t, keyFileLimit)).Decode(m)
		}
	}
}
