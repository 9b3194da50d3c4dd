package html

import (
	"html"

	"hwcap/render/figure"
)

// contents writes the list of chapters and findings, and the filter by
// severity, where the Markdown has the mark for them.
func (p *page) contents() {
	p.out.WriteString("<div class=\"side\">\n")
	p.filter()
	p.writef("<nav aria-labelledby=\"contents\">\n<h2 id=\"contents\">%s</h2>\n<ol>\n", p.words.Contents)
	for i := 0; i < len(p.heads); {
		chapter := p.heads[i]
		class := ""
		if chapter.within {
			class = ` class="findings"`
		}
		p.writef(`<li%s><a href="#%s">%s</a>`, class, chapter.id, html.EscapeString(chapter.plain))
		parts := 0
		for i++; i < len(p.heads) && p.heads[i].level == 3; i++ {
			part := p.heads[i]
			if parts++; parts == 1 {
				p.out.WriteString("\n<ol>\n")
			}
			if part.class == figure.None {
				p.writef(`<li><a href="#%s">%s</a></li>`+"\n", part.id, part.title)
			} else {
				p.writef(`<li class="%s"><a href="#%s">%s</a></li>`+"\n", part.class, part.id, part.title)
			}
		}
		if parts > 0 {
			p.out.WriteString("</ol>")
		}
		p.out.WriteString("</li>\n")
	}
	p.out.WriteString("</ol>\n</nav>\n</div>\n")
}

// filter writes a check box for each severity that there is, worst first. The
// style sheet does the rest.
func (p *page) filter() {
	var count [figure.Critical + 1]int
	var word [figure.Critical + 1]string
	kinds := 0
	for _, h := range p.heads {
		if h.class != figure.None {
			if count[h.class]++; count[h.class] == 1 {
				word[h.class] = h.word
				kinds++
			}
		}
	}
	if kinds < 2 {
		return
	}
	p.writef("<fieldset class=\"filter\">\n<legend>%s</legend>\n", p.words.Filter)
	for _, c := range []figure.Class{figure.Critical, figure.Warning, figure.Notice, figure.Info, figure.OK, figure.Unknown} {
		if count[c] > 0 {
			p.writef(`<label><input type="checkbox" id="show-%s" autocomplete="off" checked> <span class="badge %[1]s"><span aria-hidden="true">%s</span> %s</span> <span class="count">%d</span></label>`+"\n", c, c.Shape(), html.EscapeString(word[c]), count[c])
		}
	}
	p.out.WriteString("</fieldset>\n")
}
