package kcrypto

import (
	"slices"
	"strconv"

	"hwcap/parse/fact"
)

// Merge joins what /proc/crypto and the netlink dump say, in the order of
// /proc/crypto, which has the full names: entries are the same where name and
// driver agree as far as netlink's 63 bytes go. Flags, flag names and the frame
// come from netlink; async too, which /proc/crypto prints for some types only.
// What only netlink has (registered between the two readings, or /proc/crypto is
// missing) stands at the place where netlink has it.
func Merge(proc, netlink []fact.Algorithm) []fact.Algorithm {
	if len(proc) == 0 {
		return netlink
	}
	type key struct{ name, driver string }
	waiting := map[key][]int{} // several with one cut name: in order
	for i, a := range netlink {
		k := key{cut(a.Name), cut(a.Driver)}
		waiting[k] = append(waiting[k], i)
	}
	out := make([]fact.Algorithm, 0, len(proc))
	used := make([]bool, len(netlink))
	place := make([]int, len(netlink)) // index in out behind which an unmatched one belongs
	for _, a := range proc {
		k := key{cut(a.Name), cut(a.Driver)}
		if list := waiting[k]; len(list) > 0 {
			n := netlink[list[0]]
			waiting[k] = list[1:]
			used[list[0]] = true
			a.Conflicts = conflicts(&a, &n)
			a.Flags, a.FlagNames, a.Frame, a.Async = n.Flags, n.FlagNames, n.Frame, n.Async
			place[list[0]] = len(out)
		}
		out = append(out, a)
	}
	// Put the others behind their neighbour in the dump.
	at := -1
	behind := map[int][]fact.Algorithm{}
	some := false
	for i, n := range netlink {
		if used[i] {
			at = place[i]
			continue
		}
		behind[at] = append(behind[at], n)
		some = true
	}
	if !some {
		return out
	}
	all := behind[-1]
	for i, a := range out {
		all = append(append(all, a), behind[i]...)
	}
	return all
}

// conflicts returns what the dump says otherwise of an implementation. It was
// taken a moment later: a test may have ended in between, or a priority have been
// changed (crypto_update_alg in crypto/crypto_user.c). Types that were renamed
// are printed by their old name in one place, and are not compared.
func conflicts(proc, dump *fact.Algorithm) []fact.Reading {
	var out []fact.Reading
	differ := func(field, a, b string) {
		if a != "" && b != "" && a != b {
			out = append(out, fact.Reading{Field: field, Value: b, At: dump.Frame})
		}
	}
	differ("priority", strconv.Itoa(proc.Priority), strconv.Itoa(dump.Priority))
	differ("selftest", proc.SelfTest, dump.SelfTest)
	if !slices.Contains(oldTypes, proc.Type) && !slices.Contains(oldTypes, dump.Type) {
		differ("type", proc.Type, dump.Type)
	}
	return out
}

// cut shortens a name as netlink does (CRYPTO_MAX_NAME with its final zero).
func cut(s string) string {
	if len(s) >= nameSize {
		return s[:nameSize-1]
	}
	return s
}

// Caller is how a user of the kernel's crypto asks for an algorithm.
type Caller struct {
	// Types are the types that it takes, "skcipher"; none for any. What one look-up
	// finds together goes by the name of today's interface, see families.
	Types []string
	// Refuse are bits of cra_flags that must be clear, the mask of
	// crypto_alloc_*: AllocatesMemory for dm-crypt.
	Refuse uint32
	// Synchronous: takes no asynchronous implementation, as AF_ALG users of
	// older interfaces and most in-kernel hash users do.
	Synchronous bool
}

// Choice is what the kernel would take.
type Choice struct {
	// Winner is the index of the one taken, -1 for none.
	Winner int
	// Open are indexes of implementations of higher or equal rank of which the
	// list does not tell whether the caller refuses them (/proc/crypto without
	// the netlink dump): the choice is certain only without any.
	Open []int
}

// Winner picks the implementation that a look-up of name takes among algs, which
// are in the kernel's order (crypto/api.c __crypto_alg_lookup): the strictly
// higher priority wins and the first listed wins ties; a driver name matches at
// once. Internal, larval, dead, dying and untested entries, and those that the
// caller refuses, do not count. A winner that FIPS mode disallows is refused
// only then, so that nobody wins (crypto_alg_lookup). A template that nobody has
// asked for yet is not in the list: then the kernel builds it, which this does
// not foresee.
func Winner(algs []fact.Algorithm, name string, caller Caller) Choice {
	c := Choice{Winner: -1}
	best := -2
	var open []int
	for i, a := range algs {
		exact := a.Driver == name
		if !exact && a.Name != name || !usable(a) || !caller.takes(a.Type) {
			continue
		}
		refuses, known := caller.refuses(a)
		switch {
		case !known:
			open = append(open, i)
		case refuses:
		case exact || a.Priority > best:
			c.Winner, best = i, a.Priority
		}
		if exact && c.Winner == i {
			break
		}
	}
	c.Open = outranking(algs, open, best, c.Winner, name)
	if c.Winner >= 0 && disallowed(algs[c.Winner]) {
		c.Winner = -1
	}
	return c
}

// disallowed reports whether FIPS mode keeps the entry for the inside of others.
func disallowed(a fact.Algorithm) bool {
	if cra, known := a.Flags.Get(); known {
		return cra&fipsInternal != 0
	}
	return a.FIPS != nil && !*a.FIPS
}

// outranking keeps of the open entries those that would win.
func outranking(algs []fact.Algorithm, open []int, best, winner int, name string) []int {
	var out []int
	for _, i := range open {
		if p := algs[i].Priority; p > best || p == best && i < winner || algs[i].Driver == name {
			out = append(out, i)
		}
	}
	return out
}

// usable reports whether a look-up sees the entry at all.
func usable(a fact.Algorithm) bool {
	if cra, known := a.Flags.Get(); known {
		return cra&(internal|larval|dead|dying) == 0 && cra&tested != 0
	}
	return !a.Internal && a.Type != "larval" && a.SelfTest != "unknown"
}

// families are the types that a look-up takes beside its own, since their
// numbers differ only in bits that its mask leaves out: CRYPTO_ALG_TYPE_*_MASK,
// maskset in crypto/skcipher.c, acompress.c and ahash.c. Those of block ciphers
// before 5.5 are all found as CRYPTO_ALG_TYPE_BLKCIPHER.
var families = map[string]string{
	"lskcipher": "skcipher", "blkcipher": "skcipher", "ablkcipher": "skcipher", "givcipher": "skcipher",
	"scomp": "acomp",
	"shash": "ahash", "hash": "ahash", "digest": "ahash",
	"nivaead": "aead",
}

// takes reports whether the caller's look-up covers the type.
func (c Caller) takes(kind string) bool {
	if len(c.Types) == 0 {
		return true
	}
	for _, t := range c.Types {
		if t == kind || t == families[kind] {
			return true
		}
	}
	return false
}

// refuses reports whether the caller refuses a, and whether that can be told.
func (c Caller) refuses(a fact.Algorithm) (refuses, known bool) {
	mask := c.Refuse
	if c.Synchronous {
		mask |= async
	}
	if mask == 0 {
		return false, true
	}
	if cra, ok := a.Flags.Get(); ok {
		return cra&mask != 0, true
	}
	if mask&async != 0 {
		sync := a.Async != nil && !*a.Async || synchronous[a.Type]
		switch {
		case a.Async != nil && *a.Async:
			return true, true
		case sync && mask == async:
			return false, true
		}
	}
	return false, false
}

// synchronous are the types whose interface has no asynchronous form, so that
// /proc/crypto prints no "async" for them.
var synchronous = map[string]bool{
	"shash": true, "scomp": true, "lskcipher": true, "blkcipher": true, "cipher": true, "compression": true,
	"hash": true, "digest": true,
}
