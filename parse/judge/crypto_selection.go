package judge

import (
	"fmt"
	"slices"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/kcrypto"
)

// cryptoSelection tells which implementation the kernel gives to whom, for each
// algorithm that some accelerator offers. Algorithms that come out the same way
// are one finding.
var cryptoSelection = Rule{
	ID:      "crypto-selection",
	Area:    Crypto,
	Sources: []string{"proc-crypto", "netlink-crypto"},
	// rows is a table, in the order of the subjects: name, type, winner,
	// winnerPriority, winnerOffload, rival and rivalPriority (the best of the
	// other side; "" and no priority without one), others (how many more),
	// sync, syncState, block, blockState. A state is "driver" (then sync or
	// block names it), "none", "unknown", or "n/a" for block where no block
	// storage asks for such a type. builtPriorityMin is what the kernel would at
	// least give an instance of authenc built on the processor, where its cipher
	// is known; builds sums that up: cipher, driver, priorityMin, overtakes, names. callers sums up sync and block of all rows: "same",
	// each gets the winner; "none", no registered one suits them; else "". template
	// is what all names begin with, "authenc" or "".
	Keys: []string{"rows", "accelerators", "implementations", "algorithms", "bulk", "built", "builds", "callers", "template"},
	Cases: []Case{
		{Name: "cpu-wins", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "offload-wins", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "offload-only-entry", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "offload-untested", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "no-offload", Verdict: OK, Confidence: Derived},
		{Name: "list-incomplete", Verdict: Unknown},
		{Name: "not-captured", Verdict: Unknown},
	},
	Judge: judgeCryptoSelection,
}

// outcome names the case of one algorithm.
func (c *contest) outcome() string {
	offload, processor := c.offload().first(), c.processor().first()
	switch {
	case offload == nil: // registered, but no look-up may return it
		return "offload-untested"
	case processor == nil:
		return "offload-only-entry"
	case offloadOf(c.first()) == nil:
		return "cpu-wins"
	}
	return "offload-wins"
}

func judgeCryptoSelection(m *fact.Machine) []Finding {
	var offered []*contest
	names := map[string]bool{}
	all := contests(m)
	for _, c := range all {
		names[c.name] = true
		if len(c.offload().all) > 0 {
			offered = append(offered, c)
		}
	}
	start := func(name string, subjects ...string) Finding {
		f := found(name, subjects...)
		f.Values = map[string]any{
			"rows": []map[string]any{}, "accelerators": []string{}, "bulk": []string{}, "built": []string{},
			"builds": []map[string]any{}, "callers": "", "template": "",
			"implementations": len(m.Crypto.Algorithms), "algorithms": len(names),
		}
		if name == "no-offload" || name == "list-incomplete" { // what the whole list says
			f.citeSource(m, "list", "proc-crypto", "netlink-crypto")
		}
		return f
	}
	switch {
	case len(m.Crypto.Algorithms) == 0:
		return []Finding{start("not-captured", Machine)}
	case len(offered) == 0 && !listComplete(m):
		return []Finding{start("list-incomplete", Machine)}
	case len(offered) == 0:
		f := start("no-offload", Machine)
		f.cite("first", algorithmLines(&m.Crypto.Algorithms[0])...)
		return []Finding{f}
	case !listComplete(m):
		f := start("list-incomplete")
		for _, c := range offered {
			f.Subjects = append(f.Subjects, c.name)
			f.add(c)
		}
		f.Values["rows"] = []map[string]any{} // no winner is certain
		return []Finding{f}
	}
	var findings []Finding
	for _, outcome := range []string{"cpu-wins", "offload-wins", "offload-only-entry", "offload-untested"} {
		f := start(outcome)
		for _, c := range offered {
			if c.outcome() == outcome {
				f.Subjects = append(f.Subjects, c.name)
				f.add(c)
				if outcome == "offload-only-entry" {
					f.addBuilt(all, c.name)
				}
			}
		}
		if len(f.Subjects) > 0 {
			f.Values["callers"] = callersOf(f.Values["rows"].([]map[string]any))
			f.Values["template"] = templateOf(f.Subjects)
			findings = append(findings, f)
		}
	}
	return findings
}

// add appends the row of an algorithm, and cites its winner and its rival under
// the roles "winner0", "rival0", "winner1", ...
func (f *Finding) add(c *contest) {
	rows := f.Values["rows"].([]map[string]any)
	winner := c.first()
	winsOffload := winner != nil && offloadOf(winner) != nil
	rival := c.rival(winsOffload)
	row := map[string]any{
		"name": c.name, "type": c.family, "winner": "", "winnerOffload": winsOffload, "rival": "",
		"others": len(c.all),
	}
	for _, a := range []*fact.Algorithm{winner, rival} {
		if a != nil {
			row["others"] = row["others"].(int) - 1
		}
	}
	if winner != nil {
		row["winner"], row["winnerPriority"] = winner.Driver, winner.Priority
		f.cite(fmt.Sprintf("winner%d", len(rows)), algorithmLines(winner)...)
	}
	if rival != nil {
		row["rival"], row["rivalPriority"] = rival.Driver, rival.Priority
		f.cite(fmt.Sprintf("rival%d", len(rows)), algorithmLines(rival)...)
	}
	row["sync"], row["syncState"] = c.outcomeFor(synchronous)
	row["block"], row["blockState"] = "", "n/a"
	if c.family == "skcipher" || c.family == "aead" || c.family == "ahash" {
		row["block"], row["blockState"] = c.outcomeFor(blockStorage)
		if winsOffload && c.family != "ahash" {
			f.appendName("bulk", c.name)
		}
	}
	if strings.Contains(c.name, "(") { // a template's name: the kernel can build an instance
		f.appendName("built", c.name)
	}
	for _, a := range c.offload().all {
		f.appendName("accelerators", offloadOf(&a).name)
	}
	f.Values["rows"] = append(rows, row)
}

// addBuilt says in the last row what an instance of authenc would weigh that
// the kernel builds for name from the best parts: ten times the cipher's
// priority plus the hash's (crypto_authenc_create in crypto/authenc.c). It is of
// interest where the best cipher is the processor's.
func (f *Finding) addBuilt(all []*contest, name string) {
	parts, ok := strings.CutPrefix(name, "authenc(")
	if !ok {
		return
	}
	cipher := strings.TrimSuffix(parts[strings.LastIndex(parts, ",")+1:], ")")
	for _, c := range all {
		if w := c.first(); c.name == cipher && c.family == "skcipher" && w != nil && offloadOf(w) == nil {
			rows := f.Values["rows"].([]map[string]any)
			row := rows[len(rows)-1]
			row["builtPriorityMin"] = 10 * w.Priority
			f.addBuild(w, row)
		}
	}
}

// addBuild sums up the last row under its cipher. Rows with one cipher and one
// outcome are one entry.
func (f *Finding) addBuild(cipher *fact.Algorithm, row map[string]any) {
	builds := f.Values["builds"].([]map[string]any)
	overtakes := 10*cipher.Priority > row["winnerPriority"].(int)
	cited := false
	for _, b := range builds {
		if b["cipher"] == cipher.Name && b["overtakes"] == overtakes {
			b["names"] = append(b["names"].([]string), row["name"].(string))
			return
		}
		cited = cited || b["cipher"] == cipher.Name
	}
	f.Values["builds"] = append(builds, map[string]any{
		"cipher": cipher.Name, "driver": cipher.Driver, "priorityMin": 10 * cipher.Priority, "overtakes": overtakes, "names": []string{row["name"].(string)},
	})
	if !cited {
		f.cite("cipher "+cipher.Name, algorithmLines(cipher)...)
	}
}

// callersOf sums up what the callers with wishes get, see Keys.
func callersOf(rows []map[string]any) string {
	same, none := true, true
	for _, r := range rows {
		asks := r["blockState"] != "n/a"
		same = same && r["syncState"] == "driver" && r["sync"] == r["winner"] && (!asks || r["block"] == r["winner"])
		none = none && r["syncState"] == "none" && (!asks || r["blockState"] == "none")
	}
	switch {
	case same:
		return "same"
	case none:
		return "none"
	}
	return ""
}

// templateOf is the template from which all the names are built, or "".
func templateOf(names []string) string {
	template, _, ok := strings.Cut(names[0], "(")
	for _, n := range names {
		ok = ok && strings.HasPrefix(n, template+"(")
	}
	if !ok {
		return ""
	}
	return template
}

// rival is the best of the other side; where no look-up may return any of it,
// the first of them.
func (c *contest) rival(winsOffload bool) *fact.Algorithm {
	other := c.offload()
	if winsOffload {
		other = c.processor()
	}
	if a := other.first(); a != nil {
		return a
	}
	if len(other.all) > 0 {
		return &other.all[0]
	}
	return nil
}

// outcomeFor returns the driver that a caller gets, and the state of the answer.
func (c *contest) outcomeFor(caller kcrypto.Caller) (driver, state string) {
	switch w, known := c.winner(caller); {
	case !known:
		return "", "unknown"
	case w == nil:
		return "", "none"
	default:
		return w.Driver, "driver"
	}
}

// appendName adds a name to the list of names under key, once.
func (f *Finding) appendName(key, name string) {
	names := f.Values[key].([]string)
	if !slices.Contains(names, name) {
		f.Values[key] = append(names, name)
	}
}
