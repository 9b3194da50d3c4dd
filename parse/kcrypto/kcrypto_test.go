package kcrypto

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hwcap/parse/fact"
)

var noPlaces = cmpopts.IgnoreTypes(fact.Line{})

const qatXTS = `name         : xts(aes)
driver       : qat_aes_xts
module       : intel_qat
priority     : 100
refcnt       : 1
selftest     : passed
internal     : no
type         : skcipher
async        : yes
blocksize    : 16
min keysize  : 32
max keysize  : 64
ivsize       : 16
chunksize    : 16
walksize     : 16
statesize    : 0

`

func TestProc(t *testing.T) {
	yes, no := true, false
	xts := fact.Algorithm{Name: "xts(aes)", Driver: "qat_aes_xts", Module: "intel_qat", Priority: 100, RefCount: 1, SelfTest: "passed", Type: "skcipher", Async: &yes,
		Attributes: map[string]int{"blocksize": 16, "min keysize": 32, "max keysize": 64, "ivsize": 16, "chunksize": 16, "walksize": 16, "statesize": 0}}
	tests := map[string]struct {
		text     string
		want     []fact.Algorithm
		problems int
		unread   fact.Unread
	}{
		"one block": {text: qatXTS, want: []fact.Algorithm{xts}, unread: fact.Unread{File: "proc/crypto", Of: 17, Ignored: 1}},
		"a larval, and a module built in": {
			text:   "name : zstd\ndriver : zstd-generic\nmodule : kernel\npriority : -1\nrefcnt : 2\nselftest : unknown\ninternal : yes\nfips : no\ntype : larval\nflags : 0x1a\n\n",
			want:   []fact.Algorithm{{Name: "zstd", Driver: "zstd-generic", Module: "kernel", Priority: -1, RefCount: 2, SelfTest: "unknown", Internal: true, Type: "larval", FIPS: &no}},
			unread: fact.Unread{File: "proc/crypto", Of: 11, Ignored: 2},
		},
		"the larval of a look-up": {
			text:   "name : ctr(xyz)\ndriver : \nmodule : kernel\npriority : -1\nrefcnt : 2\nselftest : unknown\ninternal : no\ntype : larval\nflags : 0x15\n\n",
			want:   []fact.Algorithm{{Name: "ctr(xyz)", Module: "kernel", Priority: -1, RefCount: 2, SelfTest: "unknown", Type: "larval"}},
			unread: fact.Unread{File: "proc/crypto", Of: 10, Ignored: 2},
		},
		"2.6.32": {
			text: "name         : cbc(aes)\ndriver       : cbc-aes-padlock\nmodule       : padlock_aes\npriority     : 400\nrefcnt       : 1\nselftest     : passed\ntype         : blkcipher\n" +
				"blocksize    : 16\nmin keysize  : 16\nmax keysize  : 32\nivsize       : 16\ngeniv        : <default>\n\n" +
				"name         : stdrng\ndriver       : krng\nmodule       : kernel\npriority     : 200\nrefcnt       : 2\nselftest     : passed\ntype         : rng\nseedsize     : 0\n\n",
			want: []fact.Algorithm{
				{Name: "cbc(aes)", Driver: "cbc-aes-padlock", Module: "padlock_aes", Priority: 400, RefCount: 1, SelfTest: "passed", Type: "blkcipher",
					Attributes: map[string]int{"blocksize": 16, "min keysize": 16, "max keysize": 32, "ivsize": 16}},
				{Name: "stdrng", Driver: "krng", Module: "kernel", Priority: 200, RefCount: 2, SelfTest: "passed", Type: "rng", Attributes: map[string]int{"seedsize": 0}},
			},
			unread: fact.Unread{File: "proc/crypto", Of: 22, Ignored: 3},
		},
		"inside a console log": {
			text:   "# cat /proc/crypto\r\nname : rsa\r\ndriver : qat-rsa\r\npriority : 1000\r\n\r\n# uptime\r\nload: 1\r\n",
			want:   []fact.Algorithm{{Name: "rsa", Driver: "qat-rsa", Priority: 1000}},
			unread: fact.Unread{File: "proc/crypto", Of: 7, Lines: 3, Ignored: 1},
		},
		"cut off inside a block": {
			text: qatXTS + "name : ctr(aes)\ndriver : qat_aes_ctr\n", want: []fact.Algorithm{xts}, problems: 1,
			unread: fact.Unread{File: "proc/crypto", Of: 19, Ignored: 1},
		},
		"shortened in a mail": {
			text: qatXTS + "[...]\n", want: []fact.Algorithm{xts}, problems: 1, unread: fact.Unread{File: "proc/crypto", Of: 18, Ignored: 2},
		},
		"a number that is none": {
			text: "name : a\ndriver : b\npriority : many\nblocksize : 16\n\n" +
				"name : c\ndriver : d\npriority : 100\nblocksize :\nmin keysize : 99999999999999999999\n",
			want: []fact.Algorithm{{Name: "c", Driver: "d", Priority: 100}}, problems: 4,
			unread: fact.Unread{File: "proc/crypto", Of: 10, Ignored: 1},
		},
		"nothing": {unread: fact.Unread{File: "proc/crypto"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, problems, unread, err := ParseProc(strings.NewReader(test.text), "proc/crypto")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got, noPlaces, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("algorithms (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.unread, unread); diff != "" {
				t.Errorf("unread (-want +got):\n%s", diff)
			}
			if len(problems) != test.problems {
				t.Errorf("%d problems, want %d: %v", len(problems), test.problems, problems)
			}
		})
	}
}

func TestProcPlaces(t *testing.T) {
	got, _, _, err := ParseProc(strings.NewReader("\n"+qatXTS), "proc/crypto")
	if err != nil {
		t.Fatal(err)
	}
	if want := (fact.Line{File: "proc/crypto", Line: 2, Text: "name         : xts(aes)"}); got[0].From != want {
		t.Errorf("name at %+v, want %+v", got[0].From, want)
	}
	if want := (fact.Line{File: "proc/crypto", Line: 3, Text: "driver       : qat_aes_xts"}); got[0].DriverAt != want {
		t.Errorf("driver at %+v, want %+v", got[0].DriverAt, want)
	}
	if want := (fact.Line{File: "proc/crypto", Line: 5, Text: "priority     : 100"}); got[0].PriorityAt != want {
		t.Errorf("priority at %+v, want %+v", got[0].PriorityAt, want)
	}
}

func TestLooks(t *testing.T) {
	for text, want := range map[string]bool{
		qatXTS: true, "": false, "name : x\nage : 3\n": false, "processor : 0\nmodel name : x\n": false,
		"driver       : qat_aes_cbc\nmodule       : intel_qat\n": false,
	} {
		if got := Looks([]byte(text)); got != want {
			t.Errorf("Looks(%.20q) = %v, want %v", text, got, want)
		}
	}
}

// alg is short for an entry of the list.
func alg(name, driver string, priority int, flags uint32) fact.Algorithm {
	a := fact.Algorithm{Name: name, Driver: driver, Priority: priority, SelfTest: "passed", Type: "skcipher"}
	if flags != 0 {
		a.Flags, a.FlagNames = fact.Of(flags, fact.Line{}), flagNames(flags, "skcipher", withCopies)
	}
	return a
}

func TestWinner(t *testing.T) {
	const cpu, card = 0x405, 0x10585
	list := []fact.Algorithm{
		alg("xts(aes)", "qat_aes_xts", 4001, card),
		alg("xts(aes)", "xts-aes-vaes-avx2", 600, cpu),
		alg("xts(aes)", "xts-aes-other", 600, cpu),
		alg("xts(aes)", "__xts-aes-aesni", 9000, cpu|0x2000),
		alg("xts(aes)", "xts-new", 9000, 0x5),
		alg("xts(aes)", "xts-larval", 9000, cpu|0x10),
	}
	proc := []fact.Algorithm{alg("xts(aes)", "qat_aes_xts", 4001, 0), alg("xts(aes)", "xts-aes-vaes-avx2", 600, 0)}
	no := false
	sync := append([]fact.Algorithm(nil), proc...)
	sync[1].Async = &no
	tests := map[string]struct {
		algs   []fact.Algorithm
		name   string
		caller Caller
		want   Choice
	}{
		"the highest priority, nothing refused":              {list, "xts(aes)", Caller{}, Choice{Winner: 0}},
		"block storage refuses what allocates memory":        {list, "xts(aes)", Caller{Refuse: AllocatesMemory}, Choice{Winner: 1}},
		"a synchronous caller, the first listed of equals":   {list, "xts(aes)", Caller{Synchronous: true}, Choice{Winner: 1}},
		"a driver name matches at once":                      {list, "xts-aes-other", Caller{}, Choice{Winner: 2}},
		"a driver name that is refused":                      {list, "qat_aes_xts", Caller{Refuse: AllocatesMemory}, Choice{Winner: -1}},
		"an internal one by its driver name":                 {list, "__xts-aes-aesni", Caller{}, Choice{Winner: -1}},
		"another type":                                       {list, "xts(aes)", Caller{Types: []string{"aead"}}, Choice{Winner: -1}},
		"not registered":                                     {list, "gcm(aes)", Caller{}, Choice{Winner: -1}},
		"no flags known: who may refuse is open":             {proc, "xts(aes)", Caller{Refuse: AllocatesMemory}, Choice{Winner: -1, Open: []int{0, 1}}},
		"no flags known, nothing refused":                    {proc, "xts(aes)", Caller{}, Choice{Winner: 0}},
		"no flags known, one is synchronous by /proc/crypto": {sync, "xts(aes)", Caller{Synchronous: true}, Choice{Winner: 1, Open: []int{0}}},
		"the pair of skcipher and lskcipher":                 {[]fact.Algorithm{{Name: "a", Driver: "d", SelfTest: "passed", Type: "lskcipher"}}, "a", Caller{Types: []string{"skcipher"}}, Choice{Winner: 0}},
		"untested in /proc/crypto":                           {[]fact.Algorithm{{Name: "a", Driver: "d", SelfTest: "unknown"}}, "a", Caller{}, Choice{Winner: -1}},
		"one whose module goes":                              {[]fact.Algorithm{alg("a", "old", 9, cpu|0x20), alg("a", "older", 8, cpu|0x40), alg("a", "new", 1, cpu)}, "a", Caller{}, Choice{Winner: 2}},
		"FIPS mode refuses the best, and does not look on":   {[]fact.Algorithm{alg("a", "best", 9, cpu|0x20000), alg("a", "next", 1, cpu)}, "a", Caller{}, Choice{Winner: -1}},
		"FIPS mode as /proc/crypto tells it":                 {[]fact.Algorithm{{Name: "a", Driver: "d", SelfTest: "passed", FIPS: &no}}, "a", Caller{}, Choice{Winner: -1}},
		"an skcipher where it was called ablkcipher":         {[]fact.Algorithm{{Name: "a", Driver: "d", SelfTest: "passed", Type: "ablkcipher"}}, "a", Caller{Types: []string{"skcipher"}}, Choice{Winner: 0}},
		"an instance of a template is one like the others":   {[]fact.Algorithm{alg("a(b)", "a(b-card)", 9, cpu|0x800), alg("a(b)", "a-b-cpu", 8, cpu)}, "a(b)", Caller{}, Choice{Winner: 0}},
		"no selftest line, as in old kernels":                {[]fact.Algorithm{{Name: "a", Driver: "d"}}, "a", Caller{}, Choice{Winner: 0}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Winner(test.algs, test.name, test.caller)); diff != "" {
				t.Errorf("choice (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFlagNames(t *testing.T) {
	for _, test := range []struct {
		flags uint32
		kind  string
		want  string
	}{
		{0x00010585, "skcipher", "ASYNC NEED_FALLBACK TESTED ALLOCATES_MEMORY"},
		{0x00000406, "akcipher", "TESTED"},
		{0x0004040a, "acomp", "TESTED REQ_VIRT"},
		{0x00004405, "skcipher", "TESTED SKCIPHER_REQSIZE_LARGE"},
		{0x0000440e, "shash", "TESTED OPTIONAL_KEY"},
		{0x0f04040f, "ahash", "TESTED REQ_VIRT BLOCK_ONLY FINAL_NONZERO FINUP_MAX NO_EXPORT_CORE"},
		{0x01000001, "cipher", "0x01000000"},
		{0xf0000000, "ahash", "0x10000000 0x20000000 0x40000000 0x80000000"},
		{0x000ea863, "aead", "DEAD DYING INSTANCE INTERNAL NOLOAD FIPS_INTERNAL REQ_VIRT NO_FALLBACK"},
	} {
		if got := strings.Join(flagNames(test.flags, test.kind, withCopies), " "); got != test.want {
			t.Errorf("flags %#x of %s are %q, want %q", test.flags, test.kind, got, test.want)
		}
	}
}

func TestMerge(t *testing.T) {
	long := "authenc(hmac(sha256),rfc3686(ctr(aes)))-with-a-name-beyond-the-limit-of-netlink"
	proc := []fact.Algorithm{alg(long, "d1", 10, 0), alg("xts(aes)", "qat_aes_xts", 100, 0), alg("rsa", "rsa-generic", 100, 0)}
	dump := []fact.Algorithm{alg("new", "just-registered", 5, 0x405), alg(long[:63], "d1", 10, 0x10483), alg("xts(aes)", "qat_aes_xts", 100, 0x10585), alg("late", "between", 1, 0x405)}
	got := Merge(proc, dump)
	var names []string
	for _, a := range got {
		names = append(names, a.Driver)
	}
	if diff := cmp.Diff([]string{"just-registered", "d1", "qat_aes_xts", "between", "rsa-generic"}, names); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if got[1].Name != long || got[1].Flags.V != 0x10483 {
		t.Errorf("the long name: %+v", got[1])
	}
	if got[4].Flags.Known() {
		t.Errorf("flags of what netlink does not have: %+v", got[4].Flags)
	}
	if len(Merge(nil, dump)) != len(dump) || len(Merge(proc, nil)) != len(proc) {
		t.Error("with one source only, its list counts")
	}
}

func TestMergeConflicts(t *testing.T) {
	dump := func(change func(*fact.Algorithm)) fact.Algorithm {
		a := alg("xts(aes)", "d", 100, 0x405)
		a.Frame = fact.Line{File: "netlink/crypto.pcap", Frame: 2}
		change(&a)
		return a
	}
	for name, test := range map[string]struct {
		change func(*fact.Algorithm)
		want   []fact.Reading
	}{
		"alike":                   {func(*fact.Algorithm) {}, nil},
		"another priority":        {func(a *fact.Algorithm) { a.Priority = 4001 }, []fact.Reading{{Field: "priority", Value: "4001"}}},
		"not tested yet":          {func(a *fact.Algorithm) { a.SelfTest = "unknown" }, []fact.Reading{{Field: "selftest", Value: "unknown"}}},
		"another type":            {func(a *fact.Algorithm) { a.Type = "aead" }, []fact.Reading{{Field: "type", Value: "aead"}}},
		"no type in the dump":     {func(a *fact.Algorithm) { a.Type = "" }, nil},
		"its type by an old name": {func(a *fact.Algorithm) { a.Type = "ablkcipher" }, nil},
	} {
		got := Merge([]fact.Algorithm{alg("xts(aes)", "d", 100, 0)}, []fact.Algorithm{dump(test.change)})[0]
		if diff := cmp.Diff(test.want, got.Conflicts, noPlaces); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		for _, r := range got.Conflicts {
			if r.At.Frame != 2 {
				t.Errorf("%s: %+v names no frame", name, r)
			}
		}
	}
}

func FuzzProc(f *testing.F) {
	f.Add([]byte(qatXTS))
	f.Add([]byte("name : a\ndriver : b\npriority : 1\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		algs, _, unread, _ := ParseProc(bytes.NewReader(b), "f")
		if unread.Lines+unread.Ignored > unread.Of {
			t.Errorf("unread %+v", unread)
		}
		Winner(algs, "xts(aes)", Caller{Synchronous: true, Refuse: AllocatesMemory})
	})
}

func BenchmarkProc(b *testing.B) {
	text := strings.Repeat(qatXTS, 200)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		ParseProc(strings.NewReader(text), "f")
	}
}

// TestCorpus reads dumps from real machines; the numbers are those of the
// corpus' index. In what begins and ends with a block, less than one line of a
// hundred may give no fact; around the blocks of others stands what other
// commands printed.
func TestCorpus(t *testing.T) {
	corpus := os.Getenv("HWCAP_CORPUS")
	if corpus == "" {
		t.Skip("no corpus: HWCAP_CORPUS is not set")
	}
	for name, want := range map[string]int{
		"proc-crypto-odroidc2/crypto_odroidc2.txt": 60, "proc-crypto-v3s/v3s-crypto.txt": 25,
		"proc-crypto-sparc/proc-crypto-before.txt": 40, "proc-crypto-sparc/proc-crypto-after-patch.txt": 62,
		"proc-crypto-cesa/proc-crypto.txt": 14, "proc-crypto-cesa/proc-crypto-grep.txt": 0,
		"proc-crypto-hisi-zip/proc-crypto-part.txt": 2, "qat-c3000-truenas-bound/proc-crypto-grep-qat.txt": 0,
		"proc-crypto-generic-only/proc_crypto": 22, "proc-crypto-qinglin-minimal/proc_crypto": 6,
	} {
		b, err := os.ReadFile(filepath.Join(corpus, name))
		if err != nil {
			t.Fatal(err)
		}
		algs, problems, unread, err := ParseProc(bytes.NewReader(b), name)
		if err != nil || len(problems) > strings.Count(string(b), "\n[...]") || len(algs) != want {
			t.Errorf("%s: %d algorithms, want %d; %v %v", name, len(algs), want, problems, err)
		}
		first, last := 0, 0 // lines of the first name and the last priority
		if len(algs) > 0 {
			first = algs[0].From.Line
			last = algs[len(algs)-1].PriorityAt.Line
		}
		inside := unreadBetween(b, first, last)
		t.Logf("%-50s %5d lines, %3d algorithms, unread %4d in all, %2d from line %d to line %d", name, unread.Of, len(algs), unread.Lines, inside, first, last)
		if inside*100 >= max(last-first, 1) {
			t.Errorf("%s: %d of %d lines between its blocks are unread", name, inside, last-first)
		}
	}
}

// unreadBetween counts the lines from first to last that give no fact. The
// prompts of a shell never reach the parser (package parse, sections).
func unreadBetween(text []byte, first, last int) int {
	lines := slices.DeleteFunc(bytes.SplitAfter(text, []byte("\n"))[max(first-1, 0):last], func(line []byte) bool {
		return bytes.HasPrefix(line, []byte("# "))
	})
	_, _, unread, _ := ParseProc(bytes.NewReader(bytes.Join(lines, nil)), "f")
	return unread.Lines
}
