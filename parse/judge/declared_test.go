package judge

import (
	"flag"
	"fmt"
	"os"
	"sync"
	"testing"

	"hwcap/parse/fact"
)

// produced are the cases that the tests of this package made the rules give,
// as "rule/case". What strangers' captures give is not counted: they are not
// always there.
var produced = struct {
	sync.Mutex
	cases map[string]bool
	off   bool
}{cases: map[string]bool{}}

// ofTwo reports whether it takes two captures to make r give c. What compares
// is tested as a whole, on pairs of captures.
func ofTwo(r Rule, c Case) bool { return r.Judge == nil || c.Pair }

// watch keeps what r gives in produced.
func watch(r Rule) Rule {
	judge := r.Judge
	if judge == nil { // it takes two captures
		return r
	}
	r.Judge = func(m *fact.Machine) []Finding {
		findings := judge(m)
		for _, f := range findings {
			gave(r, f)
		}
		return findings
	}
	return r
}

// gave notes that a test made r give f.
func gave(r Rule, f Finding) {
	produced.Lock()
	defer produced.Unlock()
	if !produced.off {
		produced.cases[r.ID+"/"+f.Case] = true
	}
}

// unwatched runs f without keeping what the rules give.
func unwatched(f func()) {
	set := func(off bool) {
		produced.Lock()
		defer produced.Unlock()
		produced.off = off
	}
	set(true)
	defer set(false)
	f()
}

// TestMain fails where a rule declares a case that no test made it give, once
// the whole package ran.
func TestMain(m *testing.M) {
	flag.Parse()
	for _, rules := range [][]Rule{Rules, rateRules} {
		for i := range rules {
			rules[i] = watch(rules[i])
		}
	}
	code := m.Run()
	if code == 0 && wholeRun() {
		for _, missing := range undemonstrated() {
			fmt.Printf("FAIL: %s: declared, but no test makes the rule give it\n", missing)
			code = 1
		}
	}
	os.Exit(code)
}

// wholeRun reports whether go test was asked for all tests.
func wholeRun() bool {
	for _, name := range []string{"test.run", "test.skip", "test.list", "test.fuzz"} {
		if flag.Lookup(name).Value.String() != "" {
			return false
		}
	}
	return true
}

func undemonstrated() []string {
	var missing []string
	for _, r := range Rules {
		for _, c := range r.Cases {
			if name := r.ID + "/" + c.Name; !produced.cases[name] && !ofTwo(r, c) {
				missing = append(missing, name)
			}
		}
	}
	return missing
}
