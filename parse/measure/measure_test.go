package measure

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"hwcap/parse/fact"
)

// parsers are all of the package, with a small text of each.
var parsers = []struct {
	name, text string
	parse      func(io.Reader, string) (*Result, error)
	is         func([]byte) bool
}{
	{"cryptsetup", "# Tests are approximate using memory only (no storage IO).\nPBKDF2-sha256    4000000 iterations per second for 256-bit key\n" +
		"argon2id      5 iterations, 1048576 memory, 4 parallel threads (CPUs) for 256-bit key (requested 2000 ms time)\n" +
		"#     Algorithm |       Key |      Encryption |      Decryption\n        aes-xts        256b      2000.5 MiB/s      1999.5 MiB/s\n", ParseCryptsetup, IsCryptsetup},
	{"openssl", "Doing AES-128-CBC for 3s on 16 size blocks: 300 AES-128-CBC's in 3.00s\nversion: 3.0.1\n" +
		"type             16 bytes     64 bytes\nAES-128-CBC     426867.91k   684793.15k\n" +
		"                  sign    verify    sign/s verify/s\nrsa 2048 bits 0.000900s 0.000027s   1111.0  37169.0\n", ParseOpenSSL, IsOpenSSL},
	{"openssl -mr", "+DT:AES-128-CBC:3:16\n+R:300:AES-128-CBC:3.0\n+DTP:2048:private:rsa:10\n+R1:1111:2048:10.00\n+H:16:64\n+F:25:AES-128-CBC:1600.00:2000.00\n", ParseOpenSSL, IsOpenSSL},
	{"iperf3", "Connecting to host 192.0.2.1, port 5201\n[ ID] Interval           Transfer     Bitrate         Retr  Cwnd\n" +
		"[  5]   0.00-1.00   sec   112 MBytes   940 Mbits/sec    0    400 KBytes       \n- - - - - - - - - - - - - - - - - - - - - - - - -\n" +
		"[ ID] Interval           Transfer     Bitrate         Retr\n[  5]   0.00-10.00  sec  1.10 GBytes   941 Mbits/sec    0             sender\n\niperf Done.\n", ParseIperf3, IsIperf3},
	{"iperf3 -J", "{\n\t\"start\":\t{\n\t\t\"version\":\t\"iperf 3.12\",\n\t\t\"connecting_to\":\t{\"host\":\"192.0.2.1\",\"port\":5201},\n" +
		"\t\t\"test_start\":\t{\"protocol\":\"TCP\",\"num_streams\":1,\"blksize\":131072,\"reverse\":0}\n\t},\n\t\"intervals\":\t[{\"sum\":{\"bits_per_second\":1}}],\n" +
		"\t\"end\":\t{\n\t\t\"sum_sent\":\t{\n\t\t\t\"seconds\":\t10,\n\t\t\t\"bits_per_second\":\t8000000,\n\t\t\t\"retransmits\":\t3\n\t\t}\n\t}\n}\n", ParseIperf3JSON, IsIperf3JSON},
	{"notes", "| implementation | block | MiB/s | us/op |\n| --- | --- | --- | --- |\n| xts-aes-vaes-avx2 | 4 / 16 KiB | 1 / 2 | 3.4 / 5.8 |\n| qat_aes_xts | 16 KiB | 0.5 | |\n", ParseNotes, IsNotes},
}

// brief is a measurement as the tests compare them.
func brief(m fact.Measurement) string {
	var b strings.Builder
	word := func(format string, args ...any) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, format, args...)
	}
	val := func(name string, v fact.Val[int64]) {
		if !v.IsZero() {
			word("%s=%s", name, number(float64(v.V), v.State))
		}
	}
	word("L%d", m.From.Line)
	for _, s := range []string{m.Version, strings.ReplaceAll(m.What, " ", "_"), m.Operation, m.Side, m.Clock, m.Engine} {
		if s != "" {
			word("%s", s)
		}
	}
	for _, n := range []struct {
		name string
		n    int
	}{{"bits", m.KeyBits}, {"block", m.Block}, {"x", m.Threads}, {"jobs", m.Jobs}} {
		if n.n != 0 {
			word("%s=%d", n.name, n.n)
		}
	}
	if m.Seconds != 0 {
		word("in=%g", m.Seconds)
	}
	if v := m.BytesPerSecond; !v.IsZero() {
		word("%sB/s", number(v.V, v.State))
	}
	if v := m.PerSecond; !v.IsZero() {
		word("%s/s", number(v.V, v.State))
	}
	val("iterations", m.Iterations)
	val("memory", m.Memory)
	val("retransmits", m.Retransmits)
	val("lost", m.Lost)
	val("datagrams", m.Datagrams)
	return b.String()
}

func number(v float64, s fact.State) string {
	if s != fact.Present {
		return string(s)
	}
	return fmt.Sprintf("%.0f", v)
}

type scene struct {
	text     string
	want     []string
	problems int
	unread   int
}

func check(t *testing.T, parse func(io.Reader, string) (*Result, error), scenes map[string]scene) {
	t.Helper()
	for name, s := range scenes {
		t.Run(name, func(t *testing.T) {
			res, err := parse(strings.NewReader(s.text), "attach/x")
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range res.Measurements {
				got = append(got, brief(m))
			}
			if g, w := strings.Join(got, "\n"), strings.Join(s.want, "\n"); g != w {
				t.Errorf("got\n%s\nwant\n%s", g, w)
			}
			if len(res.Problems) != s.problems || res.Unread.Lines != s.unread {
				t.Errorf("%d problems, want %d: %v; %d unread, want %d", len(res.Problems), s.problems, res.Problems, res.Unread.Lines, s.unread)
			}
		})
	}
}

// TestRecognised holds that every line that gives a fact in the small texts, or
// the first of them, would name its kind, and no other.
func TestRecognised(t *testing.T) {
	for _, p := range parsers {
		own := 0
		for line := range strings.Lines(p.text) {
			for _, other := range parsers {
				if other.is([]byte(strings.TrimRight(line, "\n"))) {
					if !strings.HasPrefix(other.name, strings.Fields(p.name)[0]) {
						t.Errorf("%q of %s passes for %s", line, p.name, other.name)
					} else if other.name == p.name {
						own++
					}
				}
			}
		}
		if own == 0 {
			t.Errorf("no line of %s is known", p.name)
		}
	}
	for _, line := range []string{"", " ", "aes-xts 256b", "cat /etc/hosts", "[    0.000000] Linux version 6.1.0", "00:1f.0 ISA bridge: x",
		"name         : xts(aes)", "{", `"version": "2.0"`, "sign here", "type  of card", "Doing well: yes", "some 12b N/A x", "| implementation | block |", "the implementation reaches 100 MiB/s"} {
		for _, p := range parsers {
			if p.is([]byte(line)) {
				t.Errorf("%q passes for %s", line, p.name)
			}
		}
	}
}

// TestMemory: a long text costs what is kept of it, whatever its lines.
func TestMemory(t *testing.T) {
	for _, p := range parsers {
		for name, block := range map[string]string{
			"the same again": p.text,
			"one line":       strings.ReplaceAll(strings.ReplaceAll(p.text, "\n", " "), "\t", " "),
			"brackets":       strings.Repeat(`{"a":[`, 100),
			"quotes":         strings.Repeat(`"`, 999),
		} {
			t.Run(p.name+", "+name, func(t *testing.T) {
				res, err := p.parse(&repeat{block: []byte(block), left: 8 << 20}, "f")
				if err != nil {
					t.Fatal(err)
				}
				if n := len(res.Measurements); n > maxKept || len(res.Problems) > maxProblems+1 {
					t.Errorf("%d measurements and %d problems are kept", n, len(res.Problems))
				}
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				if m.HeapAlloc > 64<<20 {
					t.Errorf("%d MiB of heap", m.HeapAlloc>>20)
				}
				runtime.KeepAlive(res)
			})
		}
	}
}

// repeat reads block until so many bytes are gone.
type repeat struct {
	block, rest []byte
	left        int
}

func (r *repeat) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, io.EOF
	}
	if len(r.rest) == 0 {
		r.rest = r.block
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	r.left -= n
	return n, nil
}

func FuzzMeasure(f *testing.F) {
	for _, p := range parsers {
		f.Add([]byte(p.text))
	}
	f.Add([]byte("Engine \"qatengine\" set.\nForked child 0\nGot: +H:16 from 0\nAES-128-GCM 1.0k\n"))
	f.Add([]byte(`{"event":"start","data":{"version":"iperf 3.17"}}` + "\n" + `{"event":"end","data":{"sum_sent":{"bits_per_second":8}}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		lines := bytes.Count(b, []byte("\n")) + 1
		for _, p := range parsers {
			res, err := p.parse(bytes.NewReader(b), "f")
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range res.Measurements {
				if m.Tool == "" || m.From.Line < 1 || m.From.Line > lines {
					t.Errorf("%s: %+v has no place", p.name, m)
				}
				for _, v := range []fact.Val[float64]{m.BytesPerSecond, m.PerSecond} {
					if v.Known() && (math.IsNaN(v.V) || math.IsInf(v.V, 0) || v.V < 0) {
						t.Errorf("%s: %+v is no rate", p.name, m)
					}
				}
				if m.BytesPerSecond.IsZero() && m.PerSecond.IsZero() && m.Iterations.IsZero() {
					t.Errorf("%s: %+v has no figure", p.name, m)
				}
			}
			if u := res.Unread; u.Lines+u.Ignored > u.Of || u.Of > lines {
				t.Errorf("%s: %+v of %d lines", p.name, u, lines)
			}
			for line := range bytes.Lines(b) {
				p.is(line)
			}
		}
	})
}

func BenchmarkMeasure(b *testing.B) {
	for _, p := range parsers {
		text := bytes.Repeat([]byte(p.text), 1+(64<<10)/len(p.text))
		b.Run(p.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				p.parse(bytes.NewReader(text), "f")
			}
		})
	}
}

// BenchmarkDoubled shows by its MB/s, which stay the same, that time grows with
// the length of texts that are made to take long.
func BenchmarkDoubled(b *testing.B) {
	hostile := map[string]string{
		"half rows":     "type 16 bytes 64 bytes\nx 1.0k\n",
		"one long line": "x 1.0k ",
		"deep":          `{"a":`,
		"open string":   `"\\`,
		"cells":         "implementation | MiB/s |\na | 1 / 2 / 3 |\n",
		"streams":       "[%d] 0.00-1.00 sec 1 MBytes 1 Mbits/sec\n",
	}
	for _, p := range parsers {
		for name, block := range hostile {
			for _, size := range []int{1 << 18, 1 << 19, 1 << 20} {
				text := []byte(strings.Repeat(block, size/len(block)))
				b.Run(fmt.Sprintf("%s/%s/%dKiB", p.name, name, size>>10), func(b *testing.B) {
					b.SetBytes(int64(len(text)))
					for b.Loop() {
						p.parse(bytes.NewReader(text), "f")
					}
				})
			}
		}
	}
}

// TestCorpus reads what people published: of each text, how many figures, and
// that no line of a benchmark is left.
func TestCorpus(t *testing.T) {
	corpus := os.Getenv("HWCAP_CORPUS")
	if corpus == "" {
		t.Skip("no corpus: HWCAP_CORPUS is not set")
	}
	for pattern, parse := range map[string]func(io.Reader, string) (*Result, error){
		"cryptsetup-bench-*/*": ParseCryptsetup, "openssl-speed-*/*": ParseOpenSSL,
	} {
		files, err := filepath.Glob(filepath.Join(corpus, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("no %s: %v", pattern, err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			res, err := parse(bytes.NewReader(text), name)
			if err != nil || len(res.Measurements) < 6 || len(res.Problems) > 0 {
				t.Errorf("%s: %d figures, %v %v", name, len(res.Measurements), res.Problems, err)
			}
			u := res.Unread
			t.Logf("%s: %d figures, %d of %d lines unread, %d ignored", filepath.Base(name), len(res.Measurements), u.Lines, u.Of, u.Ignored)
		}
	}
}
