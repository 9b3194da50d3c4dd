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
					if _, err := io.CopyBuffer(&got, onlyReader{&wholeLines{r: b, m: &member{}}}, make([]byte, chunk)); err != nil {
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

// TestWholeLinesLookOnce holds that bytes without a line end are looked at
// once and then passed on, however small the pieces.
func TestWholeLinesLookOnce(t *testing.T) {
	const size = 64
	w := &wholeLines{r: bufio.NewReaderSize(strings.NewReader(strings.Repeat("\x00", 3*size)), size), m: &member{}}
	for i := range 3 * size {
		if n, err := w.Read(make([]byte, 1)); n != 1 || err != nil {
			t.Fatalf("byte %d: %d, %v", i, n, err)
		}
		if want := size - 1 - i%size; w.whole != want {
			t.Fatalf("after byte %d: %d bytes are known, want %d", i, w.whole, want)
		}
	}
}

// TestBinaryMembersHaveNoLines holds that a binary member that breaks off is
// read up to there, and its reader told.
func TestBinaryMembersHaveNoLines(t *testing.T) {
	for name, want := range map[string]bool{
		"netlink/crypto.pcap": true, "proc/config.gz": true, "sys/bus/pci/devices/0000:c5:00.0/config": true,
		"sys/firmware/acpi/tables/HEST": true, "proc/crypto": false, "etc/config": false,
	} {
		if isBinary(name) != want {
			t.Errorf("%s: binary is %v", name, !want)
		}
	}
	m := &member{r: io.MultiReader(strings.NewReader("\x01\n\x02"), iotest.ErrReader(io.ErrUnexpectedEOF))}
	got, err := io.ReadAll(untilBreak{m, m})
	if string(got) != "\x01\n\x02" || err != io.ErrUnexpectedEOF {
		t.Errorf("got %q, error %v", got, err)
	}
}
