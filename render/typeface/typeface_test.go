package typeface

import (
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestClean(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"printable ASCII stays", "LnkSta: Speed 16GT/s", "LnkSta: Speed 16GT/s"},
		{"umlauts and signs stay", "Größe ≥ 16 µs → „ok“", "Größe ≥ 16 µs → „ok“"},
		{"no-break space stays", "16\u00a0GT/s", "16\u00a0GT/s"},
		{"tab", "a\tb", "a    b"},
		{"line ends", "a\r\nb\u2028c", "a b c"},
		{"C0 and C1", "a\x00\x1b[31mb\u0085c\x7f", "a[31mbc"},
		{"truncated sequence", "a\xe2", "a\uFFFD"},
		{"lone surrogate bytes", "a\xed\xa0\x80b", "a\uFFFD\uFFFD\uFFFDb"},
		{"direction override", "a\u202egnp.exe\u2066", "agnp.exe"},
		{"zero width and soft hyphen", "a\u200bb\u00adc\ufeffd", "abcd"},
		{"known pictographs", "✅ ❌ 🔴", "✓ ✗ ●"},
		{"variation selector", "⚠\ufe0f", "⚠"},
		{"unknown pictograph", "a😀b", "a<U+1F600>b"},
		{"no face has Han", "漢字 NVMe", "<U+6F22><U+5B57> NVMe"},
		{"Hebrew, Arabic, Greek, Cyrillic", "עברית عربي Ωμέγα Жук", "עברית عربي Ωμέγα Жук"},
		{"private use", "\ue000", "<U+E000>"},
		{"noncharacters", "\uFFFE\uFFFF", "<U+FFFE><U+FFFF>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, Clean(c.in)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"plain", "a\xe2\x82", "\u202e😀\t\x00", strings.Repeat("\xff", 40), "\xf4\x8f\xbf\xbf"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Clean(s)
		if !utf8.ValidString(got) {
			t.Fatalf("invalid UTF-8: %q", got)
		}
		for _, r := range got {
			if r > Missing || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && dropped(r) {
				t.Fatalf("%U survived in %q", r, got)
			}
		}
		if again := Clean(got); again != got {
			t.Fatalf("not idempotent: %q, then %q", got, again)
		}
		if Sans.Width(got, 10) < 0 {
			t.Fatalf("negative width: %q", got)
		}
	})
}

func TestEveryFaceDraws(t *testing.T) {
	const needed = "ABCxyz019 äöüÄÖÜß„“‚‘–—…•µ²≥≤≈→↳×·│☐☑✓✗▲■◆●⚠\u00a0\uFFFD"
	for f := range Faces() {
		for _, r := range needed {
			if !f.Draws(r) {
				t.Errorf("%v draws no %q", f, r)
			}
		}
	}
}

func TestRunsFallBackRuneByRune(t *testing.T) {
	type run struct {
		Face Face
		Text string
	}
	var got []run
	for f, s := range SansBold.Runs("▲ Warnung 漢") {
		got = append(got, run{f, s})
	}
	want := []run{{Fallback, "▲"}, {SansBold, " Warnung \uFFFD"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestMonoIsMono(t *testing.T) {
	want := Mono.Width("0", 8)
	for _, r := range "iW.:/äµ" {
		if got := Mono.Width(string(r), 8); got != want {
			t.Errorf("%q is %.4f mm wide, 0 is %.4f mm", r, got, want)
		}
	}
}

func TestWidthAddsUp(t *testing.T) {
	s := "Der Link läuft mit 8 GT/s"
	var sum float64
	for f, run := range Sans.Runs(s) {
		sum += f.Width(run, 10)
	}
	if diff := sum - Sans.Width(s, 10); diff > 1e-9 || diff < -1e-9 {
		t.Errorf("the runs are %.6f mm wide, the whole %.6f mm", sum, Sans.Width(s, 10))
	}
}

func TestMeasuringAtOnce(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for r := rune(0x20); r < 0x2800; r++ {
				MonoBold.RuneWidth(r, 10)
			}
		})
	}
	wg.Wait()
}

func TestTTFIsACopy(t *testing.T) {
	a := Sans.TTF()
	a[0] ^= 0xFF
	if Sans.TTF()[0] == a[0] {
		t.Error("writing into TTF changed the embedded font")
	}
}

func BenchmarkWidth(b *testing.B) {
	s := strings.Repeat("pcieport 0000:c2:05.0: AER: Correctable error ▲ ", 100)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Sans.Width(s, 10)
	}
}
