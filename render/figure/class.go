package figure

import "fmt"

// Class is what a colour means. The PDF and the figures share the palette; all
// colours of text keep a contrast of at least 4.5 to 1 on white (WCAG 2.2,
// 1.4.3) and differ in grey by the shape or word that stands with them.
type Class uint8

// The classes.
const (
	None     Class = iota // not drawn
	Ink                   // text
	Muted                 // secondary text
	Hairline              // rules and borders
	Panel                 // background of evidence and boxes
	Paper                 // white
	Accent                // headings and links
	OK
	Unknown
	Info
	Notice
	Warning
	Critical
)

var names = [...]string{"none", "ink", "muted", "hairline", "panel", "paper", "accent", "ok", "unknown", "info", "notice", "warning", "critical"}

// String returns the name of the class.
func (c Class) String() string { return names[c] }

// RGB is a colour.
type RGB struct{ R, G, B uint8 }

// String returns the colour as #rrggbb.
func (c RGB) String() string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

var palette = [...]RGB{
	None:     {},
	Ink:      {0x1b, 0x21, 0x28},
	Muted:    {0x5a, 0x65, 0x70},
	Hairline: {0xc4, 0xcb, 0xd3},
	Panel:    {0xf4, 0xf6, 0xf8},
	Paper:    {0xff, 0xff, 0xff},
	Accent:   {0x0f, 0x4c, 0x81},
	OK:       {0x2a, 0x72, 0x3c},
	Unknown:  {0x6a, 0x4c, 0x93},
	Info:     {0x4a, 0x5d, 0x70},
	Notice:   {0x1f, 0x5f, 0xa8},
	Warning:  {0xa8, 0x53, 0x00},
	Critical: {0xb0, 0x14, 0x1c},
}

// RGB returns the colour of the class.
func (c Class) RGB() RGB { return palette[c] }

// shapes are the signs of verdicts and severities. Each differs in outline from
// the others, so that it says the same in grey.
var shapes = [...]struct {
	class Class
	rune  rune
}{
	{Critical, '■'},
	{Warning, '▲'},
	{Notice, '◆'},
	{Info, '●'},
	{OK, '✓'},
	{Unknown, '?'},
}

// ShapeClass returns the class that the shape r stands for, None if it is none.
func ShapeClass(r rune) Class {
	for _, s := range shapes {
		if s.rune == r {
			return s.class
		}
	}
	return None
}

// Shape returns the sign of a verdict or severity.
func (c Class) Shape() string {
	for _, s := range shapes {
		if s.class == c {
			return string(s.rune)
		}
	}
	return ""
}
