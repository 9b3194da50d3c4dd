package judge

import (
	"hwcap/parse/fact"
	"hwcap/parse/kcrypto"
)

// family joins the types that one lookup accepts: a caller who asks for an
// skcipher also gets an lskcipher, and so on (the maskset of crypto/skcipher.c,
// crypto/acompress.c, crypto/ahash.c).
func family(kind string) string {
	switch kind {
	case "lskcipher", "blkcipher", "ablkcipher", "givcipher":
		return "skcipher"
	case "scomp":
		return "acomp"
	case "shash":
		return "ahash"
	}
	return kind
}

// Callers of the kernel's crypto, as far as they see different lists.
var (
	anyCaller    = kcrypto.Caller{}
	synchronous  = kcrypto.Caller{Synchronous: true}
	blockStorage = kcrypto.Caller{Refuse: kcrypto.AllocatesMemory} // dm-crypt, dm-integrity
)

// contest is one algorithm: all implementations that one look-up sees, in the
// kernel's order.
type contest struct {
	name, family string
	all          []fact.Algorithm
}

// contests sorts the kernel's list by algorithm, in the order in which names
// first stand there.
func contests(m *fact.Machine) []*contest {
	var all []*contest
	index := map[[2]string]*contest{}
	for _, a := range m.Crypto.Algorithms {
		if a.Internal || a.Type == "larval" {
			continue
		}
		key := [2]string{a.Name, family(a.Type)}
		if index[key] == nil {
			index[key] = &contest{name: a.Name, family: key[1]}
			all = append(all, index[key])
		}
		index[key].all = append(index[key].all, a)
	}
	return all
}

// winner returns what a caller gets: nil where no registered implementation
// suits it. known is false where that hangs on flags that were not read.
func (c *contest) winner(caller kcrypto.Caller) (winner *fact.Algorithm, known bool) {
	choice := kcrypto.Winner(c.all, c.name, caller)
	if len(choice.Open) > 0 {
		return nil, false
	}
	if choice.Winner < 0 {
		return nil, true
	}
	return &c.all[choice.Winner], true
}

// first returns what a caller without wishes gets, or nil.
func (c *contest) first() *fact.Algorithm {
	w, _ := c.winner(anyCaller)
	return w
}

// only narrows the contest to the implementations for which ok holds.
func (c *contest) only(ok func(*fact.Algorithm) bool) *contest {
	some := &contest{name: c.name, family: c.family}
	for i := range c.all {
		if ok(&c.all[i]) {
			some.all = append(some.all, c.all[i])
		}
	}
	return some
}

// offload and processor are the two sides of a contest.
func (c *contest) offload() *contest {
	return c.only(func(a *fact.Algorithm) bool { return offloadOf(a) != nil })
}

func (c *contest) processor() *contest {
	return c.only(func(a *fact.Algorithm) bool { return offloadOf(a) == nil })
}

// listComplete reports whether the kernel's list of algorithms was read to its
// end: only then does a winner win, and is what is missing truly not there.
// /proc/crypto and the netlink dump each hold the whole list.
func listComplete(m *fact.Machine) bool {
	whole := func(state fact.State, source, file string) bool {
		if state != fact.Present || interrupted(m, source) {
			return false
		}
		for _, p := range m.Problems {
			if p.File == file {
				return false
			}
		}
		return true
	}
	return whole(m.Crypto.Proc, "proc-crypto", "proc/crypto") ||
		whole(m.Crypto.Netlink, "netlink-crypto", "netlink/crypto.pcap")
}

// algorithmLines returns the lines that show an implementation and its
// priority.
func algorithmLines(a *fact.Algorithm) []fact.Line {
	if a.From.IsZero() {
		return []fact.Line{a.Frame}
	}
	return []fact.Line{a.DriverAt, a.PriorityAt}
}
