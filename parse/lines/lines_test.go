package lines_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/lines"
)

const most = 20

// read shows each line as its number, its text, and "..." where it is cut.
func read(t *testing.T, r io.Reader) ([]string, error) {
	t.Helper()
	var got []string
	in := lines.New(r, "a.txt", most)
	for in.Next() {
		at := in.At()
		if at.File != "a.txt" || at.Line != in.Number() || at.Text != string(in.Bytes()) {
			t.Errorf("line %d, %q, has the place %+v", in.Number(), in.Bytes(), at)
		}
		s := fmt.Sprintf("%d %s", in.Number(), in.Bytes())
		if in.Cut() {
			s += "..."
		}
		got = append(got, s)
	}
	if in.Next() {
		t.Error("there is a line behind the last")
	}
	return got, in.Err()
}

func TestReader(t *testing.T) {
	long := strings.Repeat("x", most)
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"no text":                     {"", nil},
		"one line":                    {"a\n", []string{"1 a"}},
		"without an end":              {"a\nb", []string{"1 a", "2 b"}},
		"empty lines":                 {"\n\na\n\n", []string{"1 ", "2 ", "3 a", "4 "}},
		"CR LF":                       {"a\r\n\r\nb\r", []string{"1 a", "2 ", "3 b"}},
		"as long as is kept":          {long + "\nb\n", []string{"1 " + long, "2 b"}},
		"the last, as long":           {long, []string{"1 " + long}},
		"one byte longer":             {long + "y\nb\n", []string{"1 " + long + "...", "2 b"}},
		"the last, one byte longer":   {long + "y", []string{"1 " + long + "..."}},
		"longer than several buffers": {strings.Repeat(long, 9) + "\nb", []string{"1 " + long + "...", "2 b"}},
	} {
		t.Run(name, func(t *testing.T) {
			for kind, r := range map[string]io.Reader{
				"plain":           strings.NewReader(c.text),
				"one byte a read": iotest.OneByteReader(strings.NewReader(c.text)),
				"a large buffer":  bufio.NewReaderSize(strings.NewReader(c.text), 4096),
			} {
				got, err := read(t, r)
				if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
					t.Errorf("%s: error %v, -want +got:\n%s", kind, err, diff)
				}
			}
		})
	}
}

func TestBrokenStream(t *testing.T) {
	broken := errors.New("broken")
	for name, text := range map[string]string{
		"inside a line":          "a\nb",
		"behind a line":          "a\nb\n",
		"inside a line too long": "a\nb" + strings.Repeat("x", 3*most),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := read(t, io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)))
			if len(got) != 2 || !strings.HasPrefix(got[1], "2 b") {
				t.Errorf("lines %q, want a and b", got)
			}
			if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "read a.txt: ") {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestBufferIsUsed(t *testing.T) {
	text := strings.NewReader("")
	buf := bufio.NewReaderSize(nil, most+1)
	allocated := testing.AllocsPerRun(100, func() {
		text.Reset("a\nb\n")
		buf.Reset(text)
		for in := lines.New(buf, "a.txt", most); in.Next(); {
		}
	})
	if allocated > 1 { // the Reader
		t.Errorf("%v allocations", allocated)
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("a\nb\r\n\nc"))
	f.Add(bytes.Repeat([]byte("0123456789"), 9))
	f.Fuzz(func(t *testing.T, b []byte) {
		var want []string
		for line := range bytes.Lines(b) {
			line = bytes.TrimSuffix(line, []byte("\n"))
			s := fmt.Sprintf("%d %s", len(want)+1, bytes.TrimRight(line[:min(len(line), most)], "\r"))
			if len(line) > most {
				s += "..."
			}
			want = append(want, s)
		}
		got, err := read(t, bytes.NewReader(b))
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("error %v, -want +got:\n%s", err, diff)
		}
	})
}

func BenchmarkReader(b *testing.B) {
	text := strings.Repeat("PCIe Bus Error\n", 10_000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		for in := lines.New(strings.NewReader(text), "a.txt", 4<<10); in.Next(); {
		}
	}
}
