package html

import (
	"html"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// table writes a table. Its caption, for who cannot see where it stands, is the
// heading above; the first cell of a row is the row's head.
func (p *page) table(t *extast.Table) {
	caption := p.doc.Title
	if p.next > 0 {
		caption = p.heads[p.next-1].plain
	}
	caption = html.EscapeString(caption)
	p.writef("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"%s\">\n<table>\n<caption>%[1]s</caption>\n", caption)
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		head := row.Kind() == extast.KindTableHeader
		if head {
			p.out.WriteString("<thead>\n")
		}
		p.out.WriteString("<tr>")
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			p.cell(cell.(*extast.TableCell), head, cell == row.FirstChild())
		}
		p.out.WriteString("</tr>\n")
		if head {
			p.out.WriteString("</thead>\n<tbody>\n")
		}
	}
	p.out.WriteString("</tbody>\n</table>\n</div>\n")
}

func (p *page) cell(c *extast.TableCell, head, first bool) {
	tag, attr := "td", ""
	switch {
	case head:
		tag, attr = "th", ` scope="col"`
	case first:
		tag, attr = "th", ` scope="row"`
	}
	if c.Alignment == extast.AlignRight {
		attr += ` class="number"`
	}
	p.writef("<%s%s>%s</%[1]s>", tag, attr, p.inline(ast.Node(c)))
}
