package pciconfig_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// installed is the lspci of this machine.
type installed struct{ tool, version string }

func installedLspci(t *testing.T) installed {
	t.Helper()
	tool, err := exec.LookPath("lspci")
	if err != nil {
		t.Skip("lspci is not installed")
	}
	i := installed{tool: tool}
	i.version = strings.TrimPrefix(strings.TrimSpace(string(i.run(t, "--version"))), "lspci version ")
	if age(i.version) < 0 {
		t.Skipf("lspci is %q; its wording is not in the table", i.version)
	}
	return i
}

func (i installed) run(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(i.tool, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("lspci %v: %v", args, err)
	}
	return text
}

// compare holds what it prints of a dump against its bytes.
func (i installed) compare(t *testing.T, of string, files ...string) {
	t.Helper()
	r := roads{version: i.version, of: of, used: map[int]bool{}}
	for _, file := range files {
		r.compare(t, file, i.run(t, "-F", file, "-vvvnnD"))
	}
	t.Logf("lspci %s: %d functions in %d dumps, %d values agree, %d differ for a known reason", i.version, r.functions, len(files), r.same, r.excused)
}

// TestInstalledLspci: the lspci of this machine prints what the bytes say.
func TestInstalledLspci(t *testing.T) {
	files := dumps(t)
	installedLspci(t).compare(t, "", files...)
}

// TestRandomRegisters: of registers that no machine has, too. Capabilities are
// where they belong, and hold noise.
func TestRandomRegisters(t *testing.T) {
	tool := installedLspci(t)
	random := rand.New(rand.NewPCG(1, 2))
	file := filepath.Join(t.TempDir(), "dump")
	var dump bytes.Buffer
	for n := range 200 {
		fmt.Fprintf(&dump, "%02x:%02x.%d x\n", n/8, random.IntN(2), n%8)
		for at, row := range slices.Collect(slices.Chunk(randomFunction(random), 16)) {
			fmt.Fprintf(&dump, "%02x: % x\n", 16*at, row)
		}
		dump.WriteByte('\n')
	}
	if err := os.WriteFile(file, dump.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	tool.compare(t, noise, file)
}

// randomFunction returns the configuration space of a function whose registers are
// random.
func randomFunction(random *rand.Rand) []byte {
	kind := byte(random.IntN(2))
	c := newConfig(kind)
	for i := 0x10; i < 0x34; i++ {
		c.bytes[i] = byte(random.Uint32())
	}
	c.put16(0x04, uint16(random.IntN(8)))
	c.put32(0x38, random.Uint32())
	if kind == 1 { // windows whose two halves agree on their kind
		c.bytes[0x1d] = c.bytes[0x1d]&0xf0 | c.bytes[0x1c]&0x01
		c.bytes[0x1c] &= 0xf1
		c.bytes[0x20] &= 0xf0
		c.bytes[0x22] &= 0xf0
		c.bytes[0x26] = c.bytes[0x26]&0xf0 | c.bytes[0x24]&0x01
		c.bytes[0x24] &= 0xf1
	}
	fill := func(at, n int) {
		for i := range n {
			c.bytes[at+i] = byte(random.Uint32())
		}
	}
	types := []uint16{0, 1, 4, 5, 6, 7, 8, 9, 10}
	at := c.express(uint16(1+random.IntN(2)), types[random.IntN(len(types))]|uint16(random.IntN(2))<<4)
	fill(at+4, 0x38)
	for _, std := range []struct {
		id   byte
		size int
	}{{0x01, 8}, {0x05, 24}, {0x11, 12}, {0x13, 6}, {0x0d, 8}} {
		at := c.capability(std.id, std.size)
		fill(at+2, std.size-2)
	}
	for _, ext := range []struct {
		id   uint16
		size int
	}{{0x01, 0x48}, {0x03, 12}, {0x0d, 8}, {0x0e, 8}, {0x10, 0x40}, {0x17, 12}, {0x18, 8}, {0x19, 0x2c}, {0x1d, 0x10}, {0x1e, 0x14}, {0x15, 0x34}} {
		at := c.extension(ext.id, ext.size)
		fill(at+4, ext.size-4)
	}
	number := &c.bytes[c.lastExt+8] // of resizable BARs
	*number = *number&0x1f | byte(1+random.IntN(6))<<5
	return c.bytes
}
