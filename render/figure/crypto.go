package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/parse/kcrypto"
)

// The measures of the crypto selection, in millimetres.
const (
	barLeft   = 66.0
	barWidth  = 50.0 // of the highest priority
	barHeight = 2.8
	barStep   = 4.6
	mostBars  = 6 // of one algorithm
	mostPages = 3
)

// contender is one implementation of an algorithm.
type contender struct {
	driver   string
	priority int // written without grouping, as /proc/crypto has it
	offload  bool
	refused  bool // for block storage
	untested bool
	built    bool // no entry of the list: what the kernel would build, with at least this priority
}

// choice is an algorithm and who offers it, the highest priority first.
type choice struct {
	name, winner string
	all          []contender
	block        string // what block storage gets
	blockState   string // "driver", "none", "unknown"; "" where it asks for no such type
}

// CryptoSelection draws, for each algorithm that an accelerator offers and each
// other one that a finding is about, the priorities of its implementations, who
// wins, and who is refused to block storage because it allocates memory. It
// draws nothing where the kernel's list is not whole. The findings must be those
// of the report. lang is "de" or "en".
func CryptoSelection(m *fact.Machine, findings []judge.Finding, lang string) []*Scene {
	choices := choicesOf(m, findings)
	if len(choices) == 0 {
		return nil
	}
	most := 1
	for _, c := range choices {
		for _, k := range c.all {
			most = max(most, k.priority)
		}
	}
	var scenes []*Scene
	for first := 0; first < len(choices) && len(scenes) < mostPages; {
		s := newSheet(m, lang)
		s.heading(s.word("Wer welchen Algorithmus rechnet: Prioritäten im Kernel", "Who computes which algorithm: priorities in the kernel"))
		var words []string
		for ; first < len(choices) && s.y+choices[first].height() < treeMost-18; first++ {
			s.choice(choices[first], most)
			words = append(words, s.tell(choices[first]))
		}
		s.y += 0.5
		if n := len(choices) - first; n > 0 && len(scenes) == mostPages-1 {
			s.note(fmt.Sprintf(s.word("Und %s.", "And %s."), s.count(n, s.word("weiterer Algorithmus", "more algorithm"), s.word("weitere Algorithmen", "more algorithms"))))
		}
		s.note(s.word("Die höchste Priorität gewinnt. Schraffiert: ein Beschleuniger; grau: die CPU. ✗: von Blockspeicher (dm-crypt) abgelehnt, weil der Treiber Speicher anfordert.",
			"The highest priority wins. Hatched: an accelerator; grey: the CPU. ✗: refused by block storage (dm-crypt), because the driver allocates memory."))
		scenes = append(scenes, s.end(s.Title+". "+strings.Join(words, "; ")+"."))
	}
	return scenes
}

// choicesOf gathers the algorithms of interest from the findings.
func choicesOf(m *fact.Machine, findings []judge.Finding) []choice {
	var out []choice
	seen := map[string]bool{}
	offload := map[string]bool{} // drivers, and the modules that they are of
	var rows []map[string]any
	for _, f := range findings {
		switch {
		case f.ID != "crypto-selection":
		case f.Verdict == judge.Unknown:
			return nil
		case f.Verdict == judge.Problem:
			r, _ := f.Values["rows"].([]map[string]any)
			rows = append(rows, r...)
		}
	}
	for _, r := range rows {
		// Of winner and rival, one is the best of the accelerators.
		side := map[bool]string{true: "winner", false: "rival"}[r["winnerOffload"] == true]
		if driver, _ := r[side].(string); driver != "" {
			offload[driver] = true
		}
	}
	for _, a := range m.Crypto.Algorithms {
		if offload[a.Driver] && a.Module != "" {
			offload["module "+a.Module] = true
		}
	}
	add := func(name, family string, built int) {
		key := name + " " + family
		if c, ok := choiceOf(m, name, family, offload); ok && !seen[key] {
			seen[key] = true
			if built > 0 {
				c.all = append(c.all, contender{priority: built, built: true})
			}
			c.sort()
			out = append(out, c)
		}
	}
	for _, r := range rows {
		name, _ := r["name"].(string)
		family, _ := r["type"].(string)
		built, _ := r["builtPriorityMin"].(int)
		add(name, family, built)
	}
	if len(out) == 0 {
		return nil // no accelerator: the processor has no rival
	}
	for _, f := range findings {
		if f.Area == judge.Crypto && f.Verdict == judge.Problem && f.ID != "crypto-selection" {
			for _, name := range f.Subjects {
				if !slices.ContainsFunc(rows, func(r map[string]any) bool { return r["name"] == name }) {
					add(name, "", 0)
				}
			}
		}
	}
	return out
}

// choiceOf gathers what one look-up of name sees; family "" is any type.
func choiceOf(m *fact.Machine, name, family string, offload map[string]bool) (choice, bool) {
	var caller kcrypto.Caller
	if family != "" {
		caller.Types = []string{family}
	}
	c := choice{name: name}
	var algs []fact.Algorithm
	for _, a := range m.Crypto.Algorithms {
		// The type alone decides whether a look-up covers an entry at all.
		covers := kcrypto.Winner([]fact.Algorithm{{Name: a.Name, Driver: a.Driver, Type: a.Type}}, name, caller).Winner >= 0
		if a.Name != name || a.Internal || !covers {
			continue
		}
		algs = append(algs, a)
		cra, known := a.Flags.Get()
		c.all = append(c.all, contender{
			driver: a.Driver, priority: a.Priority, untested: a.SelfTest == "unknown",
			offload: offload[a.Driver] || offload["module "+a.Module] || wraps(a.Driver, offload),
			refused: known && cra&kcrypto.AllocatesMemory != 0 && stored(a.Type),
		})
	}
	if len(algs) == 0 {
		return c, false
	}
	if w := kcrypto.Winner(algs, name, caller).Winner; w >= 0 {
		c.winner = algs[w].Driver
	}
	if stored(algs[0].Type) {
		caller.Refuse = kcrypto.AllocatesMemory
		switch w := kcrypto.Winner(algs, name, caller); {
		case len(w.Open) > 0:
			c.blockState = "unknown"
		case w.Winner < 0:
			c.blockState = "none"
		default:
			c.block, c.blockState = algs[w.Winner].Driver, "driver"
		}
	}
	return c, true
}

// wraps reports whether driver is an instance of a template around one of the
// drivers, "pkcs1(qat-rsa,sha512)".
func wraps(driver string, drivers map[string]bool) bool {
	_, inner, ok := strings.Cut(driver, "(")
	return ok && slices.ContainsFunc(strings.FieldsFunc(inner, func(r rune) bool { return strings.ContainsRune("(,)", r) }),
		func(name string) bool { return drivers[name] })
}

// stored reports whether dm-crypt or dm-integrity ask for such a type.
func stored(kind string) bool {
	return slices.Contains([]string{"skcipher", "lskcipher", "blkcipher", "ablkcipher", "aead", "ahash", "shash"}, kind)
}

func (c *choice) sort() {
	slices.SortStableFunc(c.all, func(a, b contender) int { return cmp.Compare(b.priority, a.priority) })
}

// shown are the implementations that have a bar: the winner, what an
// accelerator offers and the one that the kernel would build are always among
// them.
func (c *choice) shown() []contender {
	if len(c.all) <= mostBars {
		return c.all
	}
	var out []contender
	rest := mostBars
	must := func(k contender) bool { return k.driver == c.winner || k.offload || k.built }
	for _, k := range c.all {
		if must(k) {
			rest--
		}
	}
	for _, k := range c.all {
		switch {
		case len(out) == mostBars:
		case must(k):
			out = append(out, k)
		case rest > 0:
			rest--
			out = append(out, k)
		}
	}
	return out
}

func (c *choice) height() float64 {
	h := 5 + barStep*float64(len(c.shown())) + 2.5
	if len(c.all) > mostBars {
		h += 3.5
	}
	return h
}

// choice draws one algorithm.
func (s *sheet) choice(c choice, most int) {
	s.add(Line{rootLeft, s.y, treeWidth - rootLeft, s.y, 0.1, Hairline, false})
	name := Label{X: rootLeft, Y: s.y + 4, Text: c.name, Size: 8, Mono: true, Bold: true, Class: Ink}.Fit(98)
	s.add(name)
	if text := s.storage(c); text != "" {
		l := Label{X: treeWidth - rootLeft, Y: s.y + 4, Text: text, Size: smallest, Class: Muted, Anchor: End}
		s.add(l.Fit(treeWidth - rootLeft - name.X - name.Room() - 3))
	}
	s.y += 5
	until := s.provisional(c)
	for _, k := range c.shown() {
		wins := k.driver == c.winner && !k.built
		base := s.y + 3.1
		driver := Label{X: rootLeft + 3, Y: base, Text: k.driver, Size: smallest, Mono: true, Bold: wins, Class: Ink}
		if k.built {
			driver.Text, driver.Mono, driver.Class = s.word("bei Bedarf vom Kernel gebaut", "built by the kernel on demand"), false, Muted
		}
		s.add(driver.Fit(barLeft - rootLeft - 5))
		bar := Rect{X: barLeft, Y: s.y + 0.7, W: max(0.6, barWidth*float64(max(0, k.priority))/float64(most)), H: barHeight, Fill: Hairline, Border: Muted, Stroke: 0.2, Dashed: k.built}
		switch {
		case k.built:
			bar.Fill = Paper
		case k.offload:
			bar.Fill, bar.Border = Paper, Accent
		}
		if wins {
			bar.Stroke = 0.5
		}
		s.add(bar)
		if k.offload {
			s.hatch(bar.X, bar.Y, bar.W, bar.H, 1, Accent)
		}
		number := strconv.Itoa(k.priority)
		if k.built {
			number = "≥ " + number
		}
		n := Label{X: bar.X + bar.W + 1.2, Y: base, Text: number, Size: body, Bold: wins, Class: Ink}
		s.add(n)
		x := n.X + n.Room() + 1.5
		mark := Label{X: x, Y: base, Text: strings.Join(s.marks(k, wins, until), " · "), Size: smallest, Bold: wins, Class: Ink}
		if mark.Text != "" {
			s.add(mark.Fit(treeWidth - rootLeft - x))
		}
		s.y += barStep
	}
	if n := len(c.all) - len(c.shown()); n > 0 {
		s.add(Label{X: rootLeft + 3, Y: s.y + 2.6, Text: fmt.Sprintf(s.word("und %d weitere", "and %d more"), n), Size: smallest, Class: Muted})
		s.y += 3.5
	}
	s.y += 2.5
}

// marks are the words beside a bar.
func (s *sheet) marks(k contender, wins bool, until string) (out []string) {
	if wins {
		out = append(out, s.word("✓ gewinnt", "✓ wins")+until)
	}
	if k.refused {
		out = append(out, s.word("✗ Blockspeicher", "✗ block storage"))
	}
	if k.untested {
		out = append(out, s.word("nicht getestet", "not tested"))
	}
	return out
}

// provisional limits the word of the winner where the kernel would build
// something stronger.
func (s *sheet) provisional(c choice) string {
	i := slices.IndexFunc(c.all, func(k contender) bool { return k.built })
	if i < 0 || slices.ContainsFunc(c.all, func(k contender) bool { return k.driver == c.winner && k.priority > c.all[i].priority }) {
		return ""
	}
	return s.word(" bis dahin", " until then")
}

// storage says what block storage gets, where that is not the winner.
func (s *sheet) storage(c choice) string {
	switch {
	case c.blockState == "unknown":
		return s.word("Blockspeicher: nicht zu erkennen", "block storage: cannot be told")
	case c.blockState == "none":
		return s.word("Blockspeicher: keine davon", "block storage: none of these")
	case c.blockState == "driver" && c.block != c.winner:
		return s.word("Blockspeicher bekommt ", "block storage gets ") + c.block
	}
	return ""
}

// tell says in words what the bars of an algorithm show.
func (s *sheet) tell(c choice) string {
	var parts []string
	for _, k := range c.shown() {
		text := k.driver + " " + strconv.Itoa(k.priority)
		if k.built {
			text = s.word("bei Bedarf gebaut mindestens ", "built on demand at least ") + strconv.Itoa(k.priority)
		}
		if marks := s.marks(k, k.driver == c.winner && !k.built, s.provisional(c)); len(marks) > 0 {
			text += " (" + strings.Join(marks, ", ") + ")"
		}
		parts = append(parts, text)
	}
	if n := len(c.all) - len(c.shown()); n > 0 {
		parts = append(parts, fmt.Sprintf(s.word("und %d weitere", "and %d more"), n))
	}
	if text := s.storage(c); text != "" {
		parts = append(parts, text)
	}
	return c.name + ": " + strings.Join(parts, ", ")
}
