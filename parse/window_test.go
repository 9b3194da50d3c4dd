package parse_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"

	"hwcap/parse"
)

// xzOf makes an xz file in which each block says that it needs a window of so
// many bytes, encoded as 2 or 3 times a power of two.
func xzOf(t testing.TB, data []byte, block int64, window byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := xz.WriterConfig{BlockSize: block}.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	out := b.Bytes()
	// Of the header of a block: its size, flags, filter 0x21, size of the
	// properties, window.
	for at := 12; window > 0; {
		i := bytes.Index(out[at:], []byte{0x21, 0x01})
		if i < 0 {
			break
		}
		at += i
		for start := at - 2; start > at-30 && start >= 12; start-- {
			size := (int(out[start]) + 1) * 4
			if start%4 != 0 || start+size > len(out) || size > 40 || start+size < at+3 {
				continue
			}
			sum := binary.LittleEndian.Uint32(out[start+size-4:])
			if sum == crc32.ChecksumIEEE(out[start:start+size-4]) {
				out[at+2] = window
				binary.LittleEndian.PutUint32(out[start+size-4:], crc32.ChecksumIEEE(out[start:start+size-4]))
				break
			}
		}
		at += 3
	}
	return out
}

func TestXZWindow(t *testing.T) {
	const kib64, mib64, mib96, gib4 = 8, 28, 29, 40
	plain := tarOf(t, good, entry{name: "hwcap-host/attach/x", data: strings.Repeat("0123456789abcdef", 20_000)},
		entry{name: "hwcap-host/proc/version", data: "Linux version 6.1.0 x\n"})
	one := xzOf(t, plain, 0, 0)
	for name, tc := range map[string]struct {
		data []byte
		want error
	}{
		"as it is made":                  {one, nil},
		"as large as xz -9 has it":       {xzOf(t, plain, 0, mib64), nil},
		"larger":                         {xzOf(t, plain, 0, mib96), parse.ErrTooLarge},
		"largest":                        {xzOf(t, plain, 0, gib4), parse.ErrTooLarge},
		"several blocks":                 {xzOf(t, plain, 10_000, kib64), nil},
		"several blocks of a large one":  {xzOf(t, plain, 10_000, gib4), parse.ErrTooLarge},
		"many small blocks":              {xzOf(t, plain, 10_000, mib64), parse.ErrTooLarge},
		"padding behind":                 {append(bytes.Clone(one), 0, 0, 0, 0, 0, 0, 0, 0), nil},
		"several streams":                {bytes.Join([][]byte{xzOf(t, plain[:5000], 0, 0), xzOf(t, plain[5000:], 7000, kib64)}, nil), nil},
		"several streams, padding":       {bytes.Join([][]byte{xzOf(t, plain[:5000], 0, 0), xzOf(t, plain[5000:], 0, 0)}, make([]byte, 8)), nil},
		"second stream with a large one": {bytes.Join([][]byte{xzOf(t, plain[:100_000], 0, 0), xzOf(t, plain[100_000:], 0, gib4)}, nil), parse.ErrTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := open(tc.data, parse.Limits{})
			switch {
			case tc.want == nil && err == nil:
				if m.Capture.CutOff || m.Platform.Cmdline.V != "quiet" || !m.Platform.Version.Known() || len(m.Problems) > 0 {
					t.Errorf("cut off %v, problems %v", m.Capture.CutOff, m.Problems)
				}
			case tc.want != nil && err == nil: // what came before
				if last := m.Problems[len(m.Problems)-1]; !m.Capture.CutOff || !strings.Contains(last.Text, "window") {
					t.Errorf("cut off %v, problems %v", m.Capture.CutOff, m.Problems)
				}
			case !errors.Is(err, tc.want) || !strings.Contains(err.Error(), "window"):
				t.Errorf("error %v, want %v", err, tc.want)
			}
		})
	}
}

// TestXZProgram reads what the program xz writes, with each of its checks.
func TestXZProgram(t *testing.T) {
	if _, err := exec.LookPath("xz"); err != nil {
		t.Skip("no program xz")
	}
	plain := tarOf(t, good, entry{name: "hwcap-host/attach/x", data: strings.Repeat("0123456789abcdef", 20_000)})
	for _, options := range []string{"-6", "-9e", "-0 -C none", "-C crc32", "-C sha256", "-T2 --block-size=50000", "--lzma2=dict=100MiB"} {
		cmd := exec.Command("xz", append(strings.Fields(options), "-c")...)
		cmd.Stdin = bytes.NewReader(plain)
		data, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		m, err := open(data, parse.Limits{})
		if strings.Contains(options, "dict") {
			if !errors.Is(err, parse.ErrTooLarge) {
				t.Errorf("xz %s: %v", options, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("xz %s: %v", options, err)
			continue
		}
		if m.Capture.CutOff || m.Platform.Cmdline.V != "quiet" || len(m.Problems) > 0 {
			t.Errorf("xz %s: cut off %v, problems %v", options, m.Capture.CutOff, m.Problems)
		}
	}
}

// FuzzXZ holds that an xz file that is whole opens, and that what is not never
// takes more than its window.
func FuzzXZ(f *testing.F) {
	plain := tarOf(f, good)
	f.Add(xzOf(f, plain, 0, 0), 12)
	f.Add(xzOf(f, plain, 300, 40), 40)
	f.Fuzz(func(t *testing.T, data []byte, cut int) {
		data = append([]byte("\xfd7zXZ\x00"), data[min(6, len(data)):]...)
		limits := parse.Limits{Members: 1000, Member: 1 << 20, Total: 4 << 20, RatioFrom: 1 << 20}
		m, err := parse.Read(io.MultiReader(bytes.NewReader(data[:min(max(cut, 0), len(data))]), bytes.NewReader(data[min(max(cut, 0), len(data)):])), "x.xz", parse.Options{Limits: limits})
		whole, wholeErr := open(data, limits)
		if (m == nil) != (whole == nil) || (err == nil) != (wholeErr == nil) {
			t.Errorf("in two pieces: %v, in one: %v", err, wholeErr)
		}
	})
}
