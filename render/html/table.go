package html

import (
	"html"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// narrow is how long the cells of a column may be, in characters, that is not
// broken: "nicht vorhanden" is one state and takes one line.
const narrow = 20

// table writes a table. Its caption, for who cannot see where it stands, is the
// heading above; the first cell of a row is the row's head.
func (p *page) table(t *extast.Table) {
	caption := p.doc.Title
	if p.next > 0 {
		caption = p.heads[p.next-1].plain
	}
	caption = html.EscapeString(caption)
	p.writef("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"%s\">\n<table>\n<caption>%[1]s</caption>\n", caption)
	broad := p.broad(t)
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		head := row.Kind() == extast.KindTableHeader
		if head {
			p.out.WriteString("<thead>\n")
		}
		p.out.WriteString("<tr>")
		column := 0
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			p.cell(cell.(*extast.TableCell), head, column == 0, broad[column])
			column++
		}
		p.out.WriteString("</tr>\n")
		if head {
			p.out.WriteString("</thead>\n<tbody>\n")
		}
	}
	p.out.WriteString("</tbody>\n</table>\n</div>\n")
}

// broad says of each column whether it has cells, below its head, that are not
// narrow.
func (p *page) broad(t *extast.Table) []bool {
	broad := make([]bool, len(t.Alignments))
	for row := t.FirstChild().NextSibling(); row != nil; row = row.NextSibling() {
		column := 0
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			broad[column] = broad[column] || utf8.RuneCountInString(p.plain(cell)) > narrow
			column++
		}
	}
	return broad
}

func (p *page) cell(c *extast.TableCell, head, first, broad bool) {
	tag, attr := "td", ""
	switch {
	case head:
		tag, attr = "th", ` scope="col"`
	case first:
		tag, attr = "th", ` scope="row"`
	}
	switch {
	case c.Alignment == extast.AlignRight:
		attr += ` class="number"`
	case !head && !broad:
		attr += ` class="narrow"`
	}
	p.writef("<%s%s>%s</%[1]s>", tag, attr, p.inline(ast.Node(c)))
}
