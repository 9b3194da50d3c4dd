package parse

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestWholeLinesKeepEveryByte holds that a member comes through unchanged,
// however its bytes arrive and wherever they meet the end of the buffer.
func TestWholeLinesKeepEveryByte(t *testing.T) {
	const size = 64
	for situation, data := range map[string]string{
		"text":                     strings.Repeat("a line of text\n", 40),
		"text without a final end": strings.Repeat("a line of text\n", 40) + "the last",
		"a line beyond the buffer": "short\n" + strings.Repeat("0123456789", 3*size) + "\nshort\n",
		"binary":                   strings.Repeat("\x00\x0a\xff\x01\x02\x03\x04", 3*size) + "\x05\x06",
		"binary without any line":  strings.Repeat("\x00\xff\x01\x02\x03", 3*size),
		"a long last line":         "short\n" + "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ",
		"nothing":                  "",
	} {
		for arrival, slow := range map[string]func(io.Reader) io.Reader{
			"at once":     func(r io.Reader) io.Reader { return r },
			"byte-wise":   iotest.OneByteReader,
			"half-wise":   iotest.HalfReader,
			"with an end": iotest.DataErrReader,
		} {
			t.Run(situation+", "+arrival, func(t *testing.T) {
				b := bufio.NewReaderSize(slow(strings.NewReader(data)), size)
				for _, chunk := range []int{1, 16, 24, size, 1000} {
					b.Reset(slow(strings.NewReader(data)))
					var got bytes.Buffer
					if _, err := io.CopyBuffer(&got, onlyReader{&wholeLines{b, &member{}}}, make([]byte, chunk)); err != nil {
						t.Fatal(err)
					}
					if got.String() != data {
						t.Fatalf("read in pieces of %d bytes: got %q, want %q", chunk, got.String(), data)
					}
				}
			})
		}
	}
}

type onlyReader struct{ io.Reader }
