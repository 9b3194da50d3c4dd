package figure

import (
	"strings"
	"testing"

	"hwcap/render/typeface"
)

// check holds what every scene keeps: it is worded, its labels are legible,
// stay inside the drawing and the box that they begin in, and do not overlap,
// whichever of the faces draws them.
func check(t *testing.T, name string, s *Scene) {
	t.Helper()
	if s.Title == "" || s.Desc == "" {
		t.Errorf("%s: no words: %q, %q", name, s.Title, s.Desc)
	}
	if s.Width != treeWidth || s.Height <= 0 || s.Height > treeMost {
		t.Errorf("%s is %.1f x %.1f mm", name, s.Width, s.Height)
	}
	const slack = 0.01
	type area struct {
		left, right, top, bottom float64
		text                     string
	}
	var seen []area
	for _, item := range s.Items {
		l, ok := item.(Label)
		if !ok {
			continue
		}
		if l.Size < smallest {
			t.Errorf("%s: %q is set in %.1f pt", name, l.Text, l.Size)
		}
		if typeface.Clean(l.Text) == "" {
			continue
		}
		left := l.X
		switch l.Anchor {
		case Middle:
			left -= l.Room() / 2
		case End:
			left -= l.Room()
		}
		a := area{left, left + l.Room(), l.Y - 0.72*l.Size*pt, l.Y + 0.1*l.Size*pt, l.Text}
		if a.left < -slack || a.right > s.Width+slack || a.top < -slack || l.Y > s.Height {
			t.Errorf("%s: %q sticks out: %.1f to %.1f at %.1f of %.1f", name, l.Text, a.left, a.right, l.Y, s.Height)
		}
		for _, b := range seen {
			if a.left < b.right-slack && b.left < a.right-slack && a.top < b.bottom-slack && b.top < a.bottom-slack {
				t.Errorf("%s: %q and %q overlap", name, a.text, b.text)
			}
		}
		seen = append(seen, a)
		for _, other := range s.Items {
			r, ok := other.(Rect)
			if !ok || r.Border == None || l.X < r.X || l.X > r.X+r.W || l.Y < r.Y || l.Y > r.Y+r.H {
				continue
			}
			if a.left < r.X || a.right > r.X+r.W {
				t.Errorf("%s: %q leaves its box", name, l.Text)
			}
		}
	}
}

func TestFit(t *testing.T) {
	l := Label{Text: "Intel Corporation Ethernet Controller X710", Size: 7.5}
	cut := l.Fit(30)
	if cut.Room() > 30 || !strings.HasSuffix(cut.Text, "…") {
		t.Errorf("%q takes %.1f mm", cut.Text, cut.Room())
	}
	if got := l.Fit(200); got.Text != l.Text {
		t.Errorf("cut %q although it fits", got.Text)
	}
	if got := l.Fit(0); got.Text != "…" {
		t.Errorf("no room at all gives %q", got.Text)
	}
}

func TestWrap(t *testing.T) {
	l := Label{Y: 1, Text: "Intel Corporation Ethernet Controller X710 for 10GbE SFP+", Size: 7.5}
	for name, tc := range map[string]struct {
		label Label
		width float64
		want  []string
	}{
		"at a space":      {l, 50, []string{"Intel Corporation Ethernet Controller", "X710 for 10GbE SFP+"}},
		"cut in the last": {l, 40, []string{"Intel Corporation Ethernet", "Controller X710 for 10GbE…"}},
		"in one":          {l, 200, []string{l.Text}},
		"no space":        {Label{Text: strings.Repeat("x", 50), Size: 7.5}, 30, []string{"xxxxxxxxxxxxxxxxxxx", "xxxxxxxxxxxxxxxxx…"}},
		"no room":         {l, 0, []string{"…"}},
		"no such glyphs":  {Label{Text: strings.Repeat("深", 5), Size: 7.5}, 30, []string{"<U+6DF1>", "<U+6DF1>…"}},
		"nothing":         {Label{Size: 7.5}, 30, []string{""}},
	} {
		var got []string
		for _, line := range tc.label.Wrap(tc.width, 3, 2) {
			got = append(got, line.Text)
		}
		if strings.Join(got, "|") != strings.Join(tc.want, "|") {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
}
