package main

import "testing"

func TestAsText(t *testing.T) {
	markdown := "# Sticky bits\n\n`id` · Errors\n\n### ● info · `link`\n\n**The device ‹subject› has bits set.**\n\nA `bit` stays set. \\[x\\]\n\n- one item that is long\n- <https://docs.kernel.org/x>\n"
	for name, tc := range map[string]struct {
		width int
		bold  bool
		want  string
	}{
		"plain": {78, false, "Sticky bits\n\nid · Errors\n\n● info · link\n\nThe device ‹subject› has bits set.\n\nA bit stays set. [x]\n\n- one item that is long\n- https://docs.kernel.org/x\n"},
		"bold and narrow": {16, true, "\x1b[1mSticky bits\x1b[0m\n\nid · Errors\n\n\x1b[1m● info · link\x1b[0m\n\n\x1b[1mThe device\n‹subject› has\nbits set.\x1b[0m\n\n" +
			"A bit stays set.\n[x]\n\n- one item that\n  is long\n-\n  https://docs.kernel.org/x\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := asText(markdown, tc.width, tc.bold); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}
