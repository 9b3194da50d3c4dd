package catalogue

import (
	"strings"

	"hwcap/parse/fact"
)

// kind names what a device is, by its class code or its PCI Express type. The
// German forms carry their article, since a sentence needs the case.
type kind struct {
	Class string `toml:"class"` // prefix of the class code: "0108", "03"
	Type  string `toml:"type"`  // PCI Express type: "root-port"
	De    struct {
		Nom  string `toml:"nom"`
		Gen  string `toml:"gen"`
		Dat  string `toml:"dat"`
		Acc  string `toml:"acc"`
		Bare string `toml:"bare"`
		Many string `toml:"many"`
	} `toml:"de"`
	En struct {
		The  string `toml:"the"`
		Bare string `toml:"bare"`
		Many string `toml:"many"`
	} `toml:"en"`
}

// kindOf finds the row for a device: the PCI Express type first, then the
// longest class prefix. The last row of the table fits everything.
func (c *Catalogue) kindOf(d *fact.Device) kind {
	best := c.kinds[len(c.kinds)-1]
	if d == nil {
		return best
	}
	for _, k := range c.kinds {
		switch {
		case k.Type != "" && d.Express != nil && k.Type == d.Express.Type:
			return k
		case k.Class != "" && strings.HasPrefix(d.Class, k.Class) && len(k.Class) > len(best.Class):
			best = k
		}
	}
	return best
}

// form returns the words in lang; form is nom, gen, dat, acc, bare or many.
func (k kind) form(lang Lang, form string) (string, bool) {
	if lang == English {
		switch form {
		case "bare":
			return k.En.Bare, true
		case "many":
			return k.En.Many, true
		}
		return k.En.The, true
	}
	s, ok := map[string]string{"nom": k.De.Nom, "gen": k.De.Gen, "dat": k.De.Dat, "acc": k.De.Acc, "bare": k.De.Bare, "many": k.De.Many}[form]
	return s, ok
}
