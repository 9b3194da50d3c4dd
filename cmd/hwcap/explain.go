package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"hwcap/parse/judge"
	"hwcap/render"
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
				return listRules(os.Stdout, c, l, format)
			}
			for _, r := range judge.Rules {
				if r.ID == args[0] {
					return explain(os.Stdout, c, r, l, format)
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

// listRules prints one line a rule; as Markdown, under the names of the areas.
func listRules(w io.Writer, c *catalogue.Catalogue, lang catalogue.Lang, format string) error {
	if format == "text" {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, r := range judge.Rules {
			fmt.Fprintf(t, "%s\t%s\n", r.ID, c.Entries[r.ID].In(lang).Name)
		}
		return t.Flush()
	}
	var b strings.Builder
	for _, area := range judge.Areas {
		title, err := c.Label(lang, "area-"+string(area))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "\n## %s\n\n", title)
		for _, r := range judge.Rules {
			if r.Area == area {
				fmt.Fprintf(&b, "- `%s`: %s\n", r.ID, c.Entries[r.ID].In(lang).Name)
			}
		}
	}
	_, err := io.WriteString(w, strings.TrimPrefix(b.String(), "\n"))
	return err
}

// explain prints the page about a rule, as Markdown or for reading in a
// terminal.
func explain(w *os.File, c *catalogue.Catalogue, r judge.Rule, lang catalogue.Lang, format string) error {
	var page bytes.Buffer
	if err := render.Explain(&page, c, r, lang); err != nil {
		return err
	}
	if format == "md" {
		_, err := w.Write(page.Bytes())
		return err
	}
	width, bold := 78, false
	if columns, _, err := term.GetSize(int(w.Fd())); err == nil && columns > 0 {
		width, bold = min(columns-1, 88), os.Getenv("TERM") != "dumb"
	}
	_, err := io.WriteString(w, asText(page.String(), width, bold))
	return err
}
