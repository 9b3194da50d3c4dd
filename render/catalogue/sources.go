package catalogue

import "strings"

// Source says in a few words what the source of that name holds, "" for one
// that is not in the table (an attachment).
func (c *Catalogue) Source(name string, lang Lang) string { return c.sources[name].in(lang) }

// Reason writes in lang why a source is not whole. why is the manifest's, in
// English; what the table does not know stays as it is.
func (c *Catalogue) Reason(why string, lang Lang) string {
	if lang != German {
		return why
	}
	begin, german := longest(c.reasons.Begin, why, strings.HasPrefix)
	rest := why[len(begin):]
	end, germanEnd := longest(c.reasons.End, rest, strings.HasSuffix)
	return german + rest[:len(rest)-len(end)] + germanEnd
}

// longest returns the longest key that fits s, and its value.
func longest(table map[string]string, s string, fits func(s, key string) bool) (key, value string) {
	for k, v := range table {
		if len(k) > len(key) && fits(s, k) {
			key, value = k, v
		}
	}
	return key, value
}
