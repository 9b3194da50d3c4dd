package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"testing"

	"hwcap/capture/leak"
	"hwcap/capture/redact"
)

// benchLog is a capture with a kernel log of 100 MiB, compressed.
func benchLog(b *testing.B) (packed []byte, size int64) {
	b.Helper()
	const want = 100 << 20
	var lines bytes.Buffer
	for i := 0; lines.Len() < 1<<20; i++ {
		fmt.Fprintf(&lines, "[%5d.%06d] pcieport 0000:00:1c.%d: AER: Corrected error message received from 0000:03:00.0\n", i, i*7%1000000, i%8)
		fmt.Fprintf(&lines, "[%5d.%06d] igb 0000:03:00.0 eth0: igb: eth0 NIC Link is Up 1000 Mbps Full Duplex, address 3c:7d:31:%02x:%02x:11\n", i, i*7%1000000, i>>8&0xff, i&0xff)
	}
	size = want / int64(lines.Len()) * int64(lines.Len())
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	t := tar.NewWriter(z)
	t.WriteHeader(&tar.Header{Name: "hwcap-atlas7-20260812T211400Z/cmd/dmesg.txt", Size: size, Mode: 0o644})
	for n := int64(0); n < size; n += int64(lines.Len()) {
		t.Write(lines.Bytes())
	}
	t.Close()
	z.Close()
	return out.Bytes(), size
}

func unzipped(packed []byte) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return gzip.NewReader(bytes.NewReader(packed)) }
}

// BenchmarkRedact redacts 100 MiB, both passes, and compresses them.
func BenchmarkRedact(b *testing.B) {
	packed, size := benchLog(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		z := gzip.NewWriter(io.Discard)
		if _, err := redact.Archive(z, unzipped(packed), redact.Key{1}, b.TempDir()); err != nil {
			b.Fatal(err)
		}
		z.Close()
	}
}

// BenchmarkVerify searches 100 MiB of a redacted capture.
func BenchmarkVerify(b *testing.B) {
	packed, size := benchLog(b)
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if _, err := redact.Archive(z, unzipped(packed), redact.Key{1}, b.TempDir()); err != nil {
		b.Fatal(err)
	}
	z.Close()
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		r, err := unzipped(out.Bytes())()
		if err != nil {
			b.Fatal(err)
		}
		if places, err := leak.Search(r, nil); err != nil || len(places) > 0 {
			b.Fatal(len(places), err)
		}
	}
}
