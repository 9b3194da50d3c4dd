package pdf

import (
	"fmt"

	"hwcap/render/figure"
	"hwcap/render/typeface"
)

// Layout lays doc out into pages with final positions.
func Layout(doc Document) *List {
	list := &List{Pages: paginate(build(doc))}
	list.resolve()
	for i := range list.Pages {
		list.Pages[i].Ops = append(frame(doc, i+1, len(list.Pages)), list.Pages[i].Ops...)
	}
	return list
}

// frame draws what every page has: the running head and the page number. The
// first page carries the title itself.
func frame(doc Document, page, pages int) []Op {
	st := smallStyle
	right := left + textWidth
	ops := []Op{
		headText(doc.RunningHead, left, textWidth*0.6),
		Rule{left, headLine + 2.2, right, headLine + 2.2, 0.15, figure.Hairline, Solid},
	}
	if page > 1 {
		title := headText(doc.Title, left, textWidth*0.38)
		title.X = right - title.Face.Width(title.S, title.Size)
		ops = append(ops, title)
	}
	number := fmt.Sprintf(speak(doc.Lang).page, page, pages)
	return append(ops, Text{right - typeface.Sans.Width(number, st.size), footLine, typeface.Sans, st.size, st.class, number})
}

// headText is one line for the running head, cut to width.
func headText(s string, x, width float64) Text {
	l := figure.Label{Text: s, Size: smallStyle.size, Class: smallStyle.class}.Fit(width)
	return Text{x, headLine, l.Face(), l.Size, l.Class, l.Text}
}
