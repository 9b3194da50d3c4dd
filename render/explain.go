package render

import (
	"fmt"
	"io"
	"strings"

	"hwcap/parse/judge"
	"hwcap/render/catalogue"
	"hwcap/render/escape"
)

// explainWords are what the pages about rules say themselves.
type explainWords struct {
	outcomes, legend, means, why, next, sources, traps, refs, values string
	known, pair, compared                                            string
}

func explainWordsOf(lang catalogue.Lang) explainWords {
	if lang == catalogue.German {
		return explainWords{
			outcomes: "Wie es ausgehen kann",
			legend:   "In den Sätzen steht ‹…› für einen Wert aus der Erfassung, unter dem Namen, den er in `report.json` trägt. […] steht nur da, wenn es zutrifft; von (… | …) trifft eines zu.",
			means:    "Bedeutung", why: "Warum offen", next: "Nächster Schritt",
			sources: "Woraus es sich ergibt", traps: "Was leicht falsch verstanden wird", refs: "Zum Nachlesen", values: "Werte in report.json",
			known: "stützt sich auf eine Wissenstabelle, nicht auf die Erfassung", pair: "nur beim Vergleich zweier Erfassungen",
			compared: "Dafür braucht es zwei Erfassungen: `hwcap diff ALT NEU`.",
		}
	}
	return explainWords{
		outcomes: "How it can come out",
		legend:   "In the sentences, ‹…› stands for a value of the capture, under the name that it has in `report.json`. […] is said only where it holds; of (… | …), one holds.",
		means:    "Meaning", why: "Why unknown", next: "Next step",
		sources: "What it is judged from", traps: "What is easily misread", refs: "To read on", values: "Values in report.json",
		known: "rests on a knowledge table, not on the capture", pair: "only where two captures are compared",
		compared: "This takes two captures: `hwcap diff OLD NEW`.",
	}
}

// Explain writes the page about a rule as Markdown: what is checked, each way in
// which it can come out and what is said then, what it is judged from, what is
// easily misread, and where to read on.
func Explain(w io.Writer, c *catalogue.Catalogue, rule judge.Rule, lang catalogue.Lang) error {
	entry, words := c.Entries[rule.ID], explainWordsOf(lang)
	about := entry.In(lang)
	area, err := c.Label(lang, "area-"+string(rule.Area))
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n`%s` · %s\n\n%s\n", about.Name, rule.ID, area, strings.TrimSpace(about.About))
	if rule.Judge == nil {
		fmt.Fprintf(&b, "\n%s\n", words.compared)
	}
	fmt.Fprintf(&b, "\n## %s\n\n%s\n", words.outcomes, words.legend)
	for _, k := range rule.Cases {
		if err := outcome(&b, c, rule, k, lang, words); err != nil {
			return err
		}
	}
	if len(rule.Sources) > 0 {
		fmt.Fprintf(&b, "\n## %s\n\n", words.sources)
		for _, s := range rule.Sources {
			fmt.Fprintf(&b, "- `%s`", s)
			if what := c.Source(s, lang); what != "" {
				fmt.Fprintf(&b, ": %s", escape.Markdown(what))
			}
			b.WriteByte('\n')
		}
	}
	section(&b, words.traps, about.Traps)
	if len(entry.Refs) > 0 {
		fmt.Fprintf(&b, "\n## %s\n\n", words.refs)
		for _, ref := range entry.Refs {
			fmt.Fprintf(&b, "- <%s>\n", ref)
		}
	}
	if len(rule.Keys) > 0 {
		fmt.Fprintf(&b, "\n## %s\n\n`%s`\n", words.values, strings.Join(rule.Keys, "`, `"))
	}
	_, err = io.WriteString(w, b.String())
	return err
}

func section(b *strings.Builder, title string, items []string) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s\n\n", title)
	for _, s := range items {
		fmt.Fprintf(b, "- %s\n", strings.TrimSpace(s))
	}
}

// outcome writes one way in which a rule can come out.
func outcome(b *strings.Builder, c *catalogue.Catalogue, rule judge.Rule, k judge.Case, lang catalogue.Lang, words explainWords) error {
	text, err := c.Pattern(rule.ID, k.Name, lang)
	if err != nil {
		return err
	}
	mark, key := string(k.Verdict), "verdict-"+string(k.Verdict)
	if k.Verdict == judge.Problem {
		mark, key = string(k.Severity), "severity-"+string(k.Severity)
	}
	word, err := c.Label(lang, key)
	if err != nil {
		return err
	}
	notes := []string{shapes[mark] + " " + word, "`" + k.Name + "`"}
	if k.Verdict == judge.Problem {
		confidence, err := c.Label(lang, "confidence-"+string(k.Confidence))
		if err != nil {
			return err
		}
		notes = append(notes, confidence)
	}
	if k.Known {
		notes = append(notes, words.known)
	}
	if k.Pair && rule.Judge != nil {
		notes = append(notes, words.pair)
	}
	fmt.Fprintf(b, "\n### %s\n\n**%s**\n", strings.Join(notes, " · "), text.Title)
	for _, part := range []struct{ title, text string }{{words.means, text.Means}, {words.why, text.Why}} {
		if part.text != "" {
			fmt.Fprintf(b, "\n%s: %s\n", part.title, part.text)
		}
	}
	for _, s := range text.Next {
		fmt.Fprintf(b, "\n%s: ", words.next)
		if s.Command != "" {
			fmt.Fprintf(b, "%s – ", escape.Code(s.Command))
		}
		fmt.Fprintf(b, "%s\n", s.Text)
	}
	return nil
}
