package catalogue

import (
	"fmt"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"
)

// Pattern returns the wording of a rule's case before there is a finding: what
// a value of the capture would fill in stands as ‹key›, what holds only
// sometimes as [so], and what is one of several as (this | that). Of the forms
// for one thing and for many, it takes the one for one. Texts that call for
// nothing come out as they are written.
func (c *Catalogue) Pattern(id, name string, lang Lang) (Text, error) {
	pair, ok := c.Entries[id].Cases[name]
	if !ok {
		return Text{}, fmt.Errorf("catalogue: no text for rule %s, case %s", id, name)
	}
	source := pair.in(lang)
	p := pattern{catalogue: c, lang: lang}
	text := Text{
		Title: p.of(source.Title), Seen: p.of(source.Seen), Means: p.of(source.Means), Why: p.of(source.Why),
		NotProven: p.each(source.NotProven), Rivals: p.each(source.Rivals),
	}
	for _, s := range source.Next {
		if t := p.of(s.Text); t != "" {
			text.Next = append(text.Next, Step{Command: p.of(s.Command), Text: t})
		}
	}
	if p.err != nil {
		return Text{}, fmt.Errorf("catalogue: %s, case %s: %w", id, name, p.err)
	}
	return text, nil
}

// pattern reads templates of the wording without values.
type pattern struct {
	catalogue *Catalogue
	lang      Lang
	dot       []string // the key that the dot is, innermost last
	err       error    // the first
}

func (p *pattern) each(sources []string) []string {
	var out []string
	for _, s := range sources {
		if s = p.of(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func (p *pattern) of(source string) string {
	t, err := template.New("text").Funcs((&Writer{catalogue: p.catalogue}).funcs()).Parse(source)
	if err != nil {
		if p.err == nil {
			p.err = err
		}
		return ""
	}
	if t.Tree == nil {
		return ""
	}
	return tidyPattern(p.list(t.Root))
}

// tidyPattern takes away the spaces that what is left out leaves behind.
func tidyPattern(s string) string {
	s = withoutTables(s)
	for strings.Contains(s, "  ") {
		s = strings.ReplaceAll(s, "  ", " ")
	}
	for _, stop := range []string{".", ",", ";", ":", "\n"} {
		s = strings.ReplaceAll(s, " "+stop, stop)
	}
	for strings.Contains(s, "\n\n\n") {
		s = strings.ReplaceAll(s, "\n\n\n", "\n\n")
	}
	return strings.TrimSpace(strings.ReplaceAll(s, "][", "] ["))
}

// withoutTables drops the lines of tables, which hold values and nothing else.
func withoutTables(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		if !strings.HasPrefix(line, "|") {
			b.WriteString(line)
		}
	}
	return b.String()
}

func (p *pattern) list(l *parse.ListNode) string {
	if l == nil {
		return ""
	}
	var b strings.Builder
	for _, n := range l.Nodes {
		switch n := n.(type) {
		case *parse.TextNode:
			b.Write(n.Text)
		case *parse.ActionNode:
			if len(n.Pipe.Decl) == 0 {
				b.WriteString(p.value(n.Pipe))
			}
		case *parse.IfNode:
			b.WriteString(p.choice(n))
		case *parse.WithNode:
			b.WriteString(choose([]string{p.inside(n.Pipe, n.List), p.list(n.ElseList)}))
		case *parse.RangeNode: // once for all
			b.WriteString(p.inside(n.Pipe, n.List))
		}
	}
	return b.String()
}

// inside is a part in which the dot is the value of pipe.
func (p *pattern) inside(pipe *parse.PipeNode, l *parse.ListNode) string {
	p.dot = append(p.dot, p.key(pipe))
	defer func() { p.dot = p.dot[:len(p.dot)-1] }()
	return p.list(l)
}

// choice writes what an "if" may give, those of its "else if" with it.
func (p *pattern) choice(n *parse.IfNode) string {
	var ways []string
	for {
		condition := n.Pipe.String()
		if !isMany(condition) {
			ways = append(ways, p.list(n.List))
		}
		if isOne(condition) {
			return choose(ways)
		}
		if n.ElseList == nil && !isMany(condition) {
			return choose(append(ways, ""))
		}
		next := (*parse.IfNode)(nil)
		if n.ElseList != nil && len(n.ElseList.Nodes) == 1 {
			next, _ = n.ElseList.Nodes[0].(*parse.IfNode)
		}
		if next == nil {
			return choose(append(ways, p.list(n.ElseList)))
		}
		n = next
	}
}

// longestWay is up to where alternatives are written into one sentence, in
// bytes. Longer ones are whole sentences: each stands as one that holds
// sometimes.
const longestWay = 100

// choose writes that one of several holds; an empty one is none. The white space
// around them is left outside.
func choose(ways []string) string {
	var texts []string
	before, after, all, short := "", "", true, true
	for _, w := range ways {
		w = withoutTables(w)
		text := strings.TrimSpace(w)
		if text == "" {
			all = false
			continue
		}
		at := strings.Index(w, text)
		before, after = max(before, w[:at]), max(after, w[at+len(text):])
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
			short = short && len(text) <= longestWay && !strings.Contains(text, "\n")
		}
	}
	switch {
	case len(texts) == 0:
		return ""
	case len(texts) == 1 && all:
		return before + texts[0] + after
	case !short:
		for i, text := range texts {
			texts[i] = bracketed(text)
		}
		return before + strings.Join(texts, " ") + after
	case all:
		return before + "(" + strings.Join(texts, " | ") + ")" + after
	}
	return before + bracketed(strings.Join(texts, " | ")) + after
}

// bracketed brackets each line of s, behind the marker of a list.
func bracketed(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		marker := ""
		if rest, ok := strings.CutPrefix(line, "- "); ok {
			marker, line = "- ", rest
		}
		if line != "" {
			lines[i] = marker + "[" + line + "]"
		}
	}
	return strings.Join(lines, "\n")
}

// isOne and isMany know the conditions that choose between singular and plural,
// as the wording writes them.
func isOne(condition string) bool {
	return strings.HasPrefix(condition, "eq ") && strings.HasSuffix(condition, " 1")
}

func isMany(condition string) bool {
	return condition == ".others" ||
		strings.HasPrefix(condition, "gt ") && strings.HasSuffix(condition, " 1") || strings.HasPrefix(condition, "and (gt (len ") ||
		strings.HasPrefix(condition, "eq ") && strings.HasSuffix(condition, " 2") || // "both" for "all"
		strings.HasPrefix(condition, "$") && !strings.Contains(condition, ".") // the comma between the entries of a list
}

// value writes what a pipeline prints.
func (p *pattern) value(pipe *parse.PipeNode) string {
	command := pipe.Cmds[0].Args
	name := ""
	if f, ok := command[0].(*parse.IdentifierNode); ok {
		name = f.Ident
	}
	switch name {
	case "cite":
		return ""
	case "kind", "Kind":
		form := "bare"
		if s, isString := command[len(command)-1].(*parse.StringNode); isString {
			form = s.Text
		}
		word, ok := p.catalogue.kinds[len(p.catalogue.kinds)-1].form(p.lang, form) // the row for everything
		if !ok {
			return ""
		}
		if name == "Kind" {
			return upperFirst(word)
		}
		return word
	case "plural":
		many, _ := command[len(command)-1].(*parse.StringNode)
		if many == nil {
			return placeholder(p.key(pipe))
		}
		return placeholder(p.key(pipe)) + "\u00a0" + many.Text
	case "code", "joincode":
		if fixed, ok := command[1].(*parse.StringNode); ok {
			return "`" + fixed.Text + "`"
		}
		return "`" + placeholder(p.key(pipe)) + "`"
	}
	return placeholder(p.key(pipe))
}

// placeholder stands for the value of a key. Citations have none.
func placeholder(key string) string {
	if key == "" {
		return ""
	}
	return "‹" + key + "›"
}

// key returns the key of the first value that n names, with those it lies in.
func (p *pattern) key(n parse.Node) string {
	switch n := n.(type) {
	case *parse.PipeNode:
		for _, c := range n.Cmds {
			for _, a := range c.Args {
				if k := p.key(a); k != "" {
					return k
				}
			}
		}
	case *parse.FieldNode:
		return n.Ident[len(n.Ident)-1]
	case *parse.VariableNode:
		if len(n.Ident) > 1 {
			return n.Ident[len(n.Ident)-1]
		}
		if len(p.dot) > 0 {
			return p.dot[len(p.dot)-1]
		}
		return strings.TrimPrefix(n.Ident[0], "$")
	case *parse.DotNode:
		if len(p.dot) > 0 {
			return p.dot[len(p.dot)-1]
		}
	case *parse.ChainNode:
		return n.Field[len(n.Field)-1]
	}
	return ""
}
