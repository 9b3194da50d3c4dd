package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"hwcap/capture"
	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render"
	"hwcap/render/escape"
)

func newInspectCmd() *cobra.Command {
	var (
		lang     string
		keyFiles []string
	)
	cmd := &cobra.Command{
		Use: text("inspect ERFASSUNG", "inspect CAPTURE"),
		Short: text("Zeigt, was in einer Erfassung ist, was fehlt und warum",
			"Shows what a capture holds, what is missing and why"),
		Example: "  hwcap inspect sample:workstation",
		Args:    oneCapture,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch lang {
			case "de", "en":
				german = lang == "de"
			case "":
			default:
				return usageError(fmt.Errorf(text("unbekannte Sprache %q", "unknown language %q"), lang), "--lang de, --lang en")
			}
			m, err := openCapture(args[0], keyFiles...)
			if err != nil {
				return err
			}
			if err := inspect(os.Stdout, m); err != nil {
				return err
			}
			return cutOff(m)
		},
	}
	cmd.Flags().StringVar(&lang, "lang", "", text("Sprache: de, en (sonst wie die Umgebung)", "language: de, en (default: that of the environment)"))
	identityFlag(cmd, &keyFiles)
	return cmd
}

// inspect writes what m holds and lacks.
func inspect(w io.Writer, m *fact.Machine) error {
	b := bufio.NewWriter(w)
	inspectHead(b, m)
	var held, missing []fact.Source
	for _, s := range m.Sources {
		switch s.State {
		case fact.Present, fact.Empty, fact.Truncated:
			held = append(held, s)
		default:
			missing = append(missing, s)
		}
	}
	inspectHeld(b, held)
	inspectMissing(b, missing)
	inspectRoot(b, m)
	inspectProblems(b, m)
	return b.Flush()
}

// cellWidth is how long the text of an aligned cell may be: one long name
// would push all rows apart.
const cellWidth = 60

// middle shortens s to cellWidth characters, in its middle: names and paths
// differ at both ends.
func middle(s string) string {
	r := []rune(s)
	if len(r) <= cellWidth {
		return s
	}
	const half = cellWidth / 2
	return string(r[:half-1]) + "…" + string(r[len(r)-half:])
}

// columns aligns rows of cells; the last of each is free. Empty rows write
// nothing.
func columns(w io.Writer, indent string, rows [][]string) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for len(row) > 1 && row[len(row)-1] == "" {
			row = row[:len(row)-1]
		}
		for i := range row {
			if row[i] = escape.Plain(row[i]); i < len(row)-1 {
				row[i] = middle(row[i])
			}
		}
		fmt.Fprintln(t, indent+strings.Join(row, "\t"))
	}
	t.Flush()
}

func inspectHead(w io.Writer, m *fact.Machine) {
	c := m.Capture
	var rows [][]string
	add := func(label, value string) {
		if value != "" {
			rows = append(rows, []string{label, value})
		}
	}
	add(text("Erfassung", "capture"), c.ID)
	add(text("Art", "kind"), formatName(c.Format))
	add(text("Rechner", "host"), c.Host)
	add(text("Kernel", "kernel"), c.Kernel)
	add(text("Architektur", "architecture"), c.Arch)
	add(text("Container", "container"), c.Container)
	add(text("erfasst am", "captured on"), strings.Replace(strings.TrimSuffix(c.Start, "Z"), "T", " ", 1)+utc(c.Start))
	add(text("erfasst als", "captured as"), userName(m))
	add(text("Programm", "program"), c.Tool)
	add(text("nachgebaut", "rebuilt"), c.Rebuilt)
	if c.Redacted {
		add(text("Identitäten", "identities"), text("durch Pseudonyme ersetzt", "replaced by pseudonyms"))
	}
	add(text("gelesen", "read"), counts(m))
	columns(w, "", rows)
}

func utc(time string) string {
	if strings.HasSuffix(time, "Z") {
		return " UTC"
	}
	return ""
}

// userName says as whom m was captured, and whether its contents alone say so.
func userName(m *fact.Machine) string {
	seen := text(" (dem Inhalt nach)", " (as its contents show)")
	switch rights := judge.RightsOf(m); {
	case m.Capture.UID == nil && rights == judge.AsRoot:
		return "root" + seen
	case m.Capture.UID == nil && rights == judge.AsUser:
		return text("gewöhnlicher Benutzer", "ordinary user") + seen
	case m.Capture.UID == nil:
		return ""
	case rights == judge.AsRoot:
		return "root"
	}
	return fmt.Sprintf(text("gewöhnlicher Benutzer (UID %d)", "ordinary user (uid %d)"), *m.Capture.UID)
}

// formatName says what was opened.
func formatName(format string) string {
	switch format {
	case "capture":
		return text("Erfassung von hwcap", "capture of hwcap")
	case "archive":
		return text("Archiv ohne Manifest", "archive without a manifest")
	case "folder":
		return text("Ordner ohne Manifest", "folder without a manifest")
	case "loose texts":
		return text("einzelne Texte", "loose texts")
	case "kernel log":
		return text("Kernel-Log", "kernel log")
	}
	return format
}

// counts sums up the facts.
func counts(m *fact.Machine) string {
	var parts []string
	for _, c := range []struct {
		n      int
		de, en string
	}{
		{len(m.PCI), "PCI-Funktionen", "PCI functions"},
		{len(m.Log.Notes), "erkannte Kernelmeldungen", "kernel messages recognised"},
		{len(m.Crypto.Algorithms), "Krypto-Implementierungen", "crypto implementations"},
		{len(m.IOMMU.Groups), "IOMMU-Gruppen", "IOMMU groups"},
	} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, text(c.de, c.en)))
		}
	}
	return strings.Join(parts, ", ")
}

func inspectHeld(w io.Writer, held []fact.Source) {
	if len(held) == 0 {
		return
	}
	fmt.Fprintf(w, text("\nWas darin ist (%d):\n", "\nWhat is in it (%d):\n"), len(held))
	var rows [][]string
	for _, s := range held {
		note := ""
		if s.State != fact.Present {
			note = stateName(s.State)
			if s.Why != "" {
				note += ": " + s.Why
			}
		}
		rows = append(rows, []string{s.Name, s.Path, sizeOf(s), note})
	}
	columns(w, "  ", rows)
}

func sizeOf(s fact.Source) string {
	if s.Bytes == 0 {
		return ""
	}
	return byteSize(s.Bytes)
}

func inspectMissing(w io.Writer, missing []fact.Source) {
	if len(missing) == 0 {
		return
	}
	fmt.Fprintf(w, text("\nWas fehlt, und warum (%d):\n", "\nWhat is missing, and why (%d):\n"), len(missing))
	var rows [][]string
	for _, s := range missing {
		rows = append(rows, []string{s.Name, stateName(s.State), s.Why})
	}
	columns(w, "  ", rows)
}

// stateName is a state of the capture format in words.
func stateName(s fact.State) string {
	switch s {
	case fact.Empty:
		return text("leer", "empty")
	case fact.Absent:
		return text("gibt es dort nicht", "not there")
	case fact.Denied:
		return text("verweigert", "denied")
	case fact.TimedOut:
		return text("Zeit abgelaufen", "timed out")
	case fact.Failed:
		return text("gescheitert", "failed")
	case fact.Truncated:
		return text("abgeschnitten", "cut short")
	case fact.Redacted:
		return text("geschwärzt", "redacted")
	case fact.NotAsked:
		return text("nicht gefragt", "not asked")
	}
	return string(s)
}

// inspectRoot says what a capture made as root would hold that m lacks.
func inspectRoot(w io.Writer, m *fact.Machine) {
	rights := judge.RightsOf(m)
	if m.Capture.Format != "capture" && rights == judge.RightsUnknown {
		fmt.Fprintln(w, text("\nMit welchen Rechten das entstand, steht nicht darin; auch nicht, ob etwas fehlt, weil niemand danach gefragt hat.",
			"\nIt does not say with which rights it was made, nor whether something is missing because nobody asked for it."))
	}
	if rights != judge.AsUser {
		return
	}
	var rows [][]string
	for _, s := range capture.Sources() {
		state := m.Source(s.Name).State
		// Without a manifest, that a source is there in part is not on record.
		part := s.More && m.Capture.UID != nil && (state == fact.Present || state == fact.Truncated)
		hidden := s.Name == "lspci-vvv" && judge.DeniedCapabilities(m) > 0
		if s.Root != "" && (state == fact.Denied || part || hidden) {
			rows = append(rows, []string{s.Name, text(rootAddsGerman[s.Name], s.Root)})
		}
	}
	if len(rows) == 0 {
		return
	}
	fmt.Fprintln(w, text("\nWas root (sudo hwcap collect) zusätzlich brächte:", "\nWhat root (sudo hwcap collect) would add:"))
	columns(w, "  ", rows)
}

// rootAddsGerman is capture.Source.Root in German.
var rootAddsGerman = map[string]string{
	"lspci-vvv":       "die Capabilities aller Geräte",
	"dmesg":           "das Kernel-Log",
	"kmsg":            "das Kernel-Log mit seinen laufenden Nummern",
	"journal-k":       "das Journal dieses Starts",
	"journal-k-1":     "das Journal des Starts davor",
	"proc-iomem":      "die Adressen der Speicherbelegung",
	"pci":             "den Konfigurationsraum über die ersten 64 Byte hinaus",
	"acpi-hest":       "die Tabelle der Fehlerquellen der Firmware",
	"acpi-dmar":       "die Tabelle der Firmware zum DMA-Remapping",
	"dmidecode":       "Steckplätze und Speichermodule",
	"qat":             "die Zähler der QAT-Geräte",
	"zswap-debug":     "die Zähler von zswap",
	"ras-summary":     "die Fehler, die rasdaemon gezählt hat",
	"ras-errors":      "die Fehler, die rasdaemon aufgezeichnet hat",
	"ras-error-count": "die Speicherfehler nach den Namen der Module",
	"ras-layout":      "die Anordnung der Speichermodule",
	"nvme-list":       "die Liste der NVMe-Laufwerke",
	"nvme-smart-log":  "den Zustand der NVMe-Laufwerke",
	"dmsetup":         "die Tabellen des Device Mapper, ohne Schlüssel",
}

// shownProblems is how many are listed; facts has them all.
const shownProblems = 20

func inspectProblems(w io.Writer, m *fact.Machine) {
	problems := render.Noticed(m)
	if len(problems) == 0 {
		return
	}
	fmt.Fprintf(w, text("\nWas beim Lesen auffiel, in den Worten des Programms (%d):\n", "\nWhat was noticed while reading (%d):\n"), len(problems))
	var rows [][]string
	for _, p := range problems[:min(len(problems), shownProblems)] {
		place := cmp.Or(p.File, text("insgesamt", "all in all"))
		if p.Line > 0 {
			place += ":" + strconv.Itoa(p.Line)
		}
		rows = append(rows, []string{place, p.Text})
	}
	columns(w, "  ", rows)
	if len(problems) > shownProblems {
		fmt.Fprintln(w, text("  … (hwcap facts zeigt alle)", "  … (hwcap facts shows all)"))
	}
}
