package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"hwcap/parse/judge"
	"hwcap/render/catalogue"
)

func newExplainCmd() *cobra.Command {
	var list bool
	var lang, format string
	cmd := &cobra.Command{
		Use: text("explain BEFUND | --list", "explain ID | --list"),
		Short: text("Erklärt einen Befund: was geprüft wird, woraus, und wie es ausgehen kann",
			"Explains a finding: what is checked, from what, and how it can come out"),
		Example: "  hwcap explain osc-aer-denied\n  hwcap explain --list",
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case list:
				return nothingElse(cmd, args)
			case len(args) != 1:
				return usageError(errors.New(text("es fehlt der Name eines Befunds", "the name of a finding is missing")),
					text("„hwcap explain --list“ nennt alle", "hwcap explain --list names them all"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			l := catalogue.Lang(lang)
			if !slices.Contains(catalogue.Langs, l) {
				return usageError(fmt.Errorf(text("unbekannte Sprache %q", "unknown language %q"), lang), "--lang de, --lang en")
			}
			if format != "text" && format != "md" {
				return usageError(fmt.Errorf(text("unbekanntes Format %q", "unknown format %q"), format), "--format text, --format md")
			}
			c, err := catalogue.Load()
			if err != nil {
				return err
			}
			if list {
				return listRules(os.Stdout, c, l)
			}
			for _, r := range judge.Rules {
				if r.ID == args[0] {
					return explain(os.Stdout, c, r, l, format == "md")
				}
			}
			return withHint(fmt.Errorf(text("kein Befund heißt %q", "no finding is called %q"), args[0]),
				text("„hwcap explain --list“ nennt alle", "hwcap explain --list names them all"))
		},
	}
	def := "en"
	if german {
		def = "de"
	}
	cmd.Flags().BoolVar(&list, "list", false, text("alle Befunde auflisten", "list all findings"))
	cmd.Flags().StringVar(&lang, "lang", def, text("Sprache: de, en", "language: de, en"))
	cmd.Flags().StringVar(&format, "format", "text", text("Format: text, md", "format: text, md"))
	return cmd
}

// listRules prints one line a rule.
func listRules(w io.Writer, c *catalogue.Catalogue, lang catalogue.Lang) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range judge.Rules {
		fmt.Fprintf(t, "%s\t%s\n", r.ID, c.Entries[r.ID].In(lang).Name)
	}
	return t.Flush()
}

// explainWords are the headings of a page, by language.
var explainWords = map[catalogue.Lang]struct{ outcomes, known, sources, values, traps, refs string }{
	catalogue.German:  {"Wie es ausgehen kann", "stützt sich auf eine Wissenstabelle", "Quellen", "Werte in report.json", "Fallen", "Zum Nachlesen"},
	catalogue.English: {"How it can come out", "rests on a knowledge table", "Sources", "Values in report.json", "Traps", "To read on"},
}

// explain prints the page of one rule, as Markdown or as plain text.
func explain(w io.Writer, c *catalogue.Catalogue, r judge.Rule, lang catalogue.Lang, markdown bool) error {
	entry, words := c.Entries[r.ID], explainWords[lang]
	about := entry.In(lang)
	var b strings.Builder
	heading := func(s string) {
		if markdown {
			fmt.Fprintf(&b, "\n## %s\n\n", s)
		} else {
			fmt.Fprintf(&b, "\n%s\n", s)
		}
	}
	body := func(s string) string {
		if markdown {
			return s
		}
		return strings.ReplaceAll(s, "`", "")
	}
	if markdown {
		fmt.Fprintf(&b, "# %s\n\n`%s`\n\n%s\n", about.Name, r.ID, about.About)
	} else {
		fmt.Fprintf(&b, "%s (%s)\n\n%s\n", about.Name, r.ID, wrapText(body(about.About), 76, ""))
	}
	heading(words.outcomes)
	for _, cs := range r.Cases {
		key := "verdict-" + string(cs.Verdict)
		if cs.Verdict == judge.Problem {
			key = "severity-" + string(cs.Severity)
		}
		label, err := c.Label(lang, key)
		if err != nil {
			return err
		}
		if cs.Known {
			label += ", " + words.known
		}
		fmt.Fprintf(&b, "- %s: %s\n", cs.Name, label)
	}
	heading(words.sources)
	fmt.Fprintln(&b, wrapText(strings.Join(r.Sources, ", "), 76, ""))
	if len(r.Keys) > 0 {
		heading(words.values)
		fmt.Fprintln(&b, wrapText(strings.Join(r.Keys, ", "), 76, ""))
	}
	if len(about.Traps) > 0 {
		heading(words.traps)
		for _, t := range about.Traps {
			fmt.Fprintf(&b, "- %s\n", wrapText(body(t), 74, "  "))
		}
	}
	if len(entry.Refs) > 0 {
		heading(words.refs)
		for _, ref := range entry.Refs {
			fmt.Fprintf(&b, "- <%s>\n", ref)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// wrapText breaks s into lines of at most width characters; lines after the
// first begin with indent. Paragraphs stay apart.
func wrapText(s string, width int, indent string) string {
	var out []string
	for _, paragraph := range strings.Split(s, "\n\n") {
		var lines []string
		line := ""
		for _, word := range strings.Fields(paragraph) {
			switch {
			case line == "":
				line = word
			case len([]rune(line))+1+len([]rune(word)) > width:
				lines = append(lines, line)
				line = word
			default:
				line += " " + word
			}
		}
		out = append(out, strings.Join(append(lines, line), "\n"+indent))
	}
	return strings.Join(out, "\n\n"+indent)
}
