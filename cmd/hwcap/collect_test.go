package main

import (
	"strings"
	"testing"

	"hwcap/capture"
)

func TestSummary(t *testing.T) {
	record := func(name string, state capture.State, why string) capture.Record {
		return capture.Record{Name: name, State: state, Why: why}
	}
	r := &capture.Result{File: "x.tar.gz", Bytes: 53127, Manifest: capture.Manifest{UID: 1000, Sources: []capture.Record{
		record("dmesg", capture.Denied, "not permitted"),
		record("pci", capture.Present, ""),
		record("proc-version", capture.Present, ""),
		record("proc-uptime", capture.Empty, ""),
		record("dmidecode", capture.Absent, "no such command"),
		record("sensors", capture.TimedOut, "sensors: stopped at its time limit of 20s"),
		record("lscpu", capture.Failed, "exit code 1:\x1b[31m red"),
		record("netlink-crypto", capture.NotAsked, ""),
	}}}
	want := `x.tar.gz: 53.1 kB; 3 sources read, 1 absent here, 1 denied, 1 not asked
timed out: sensors: sensors: stopped at its time limit of 20s
failed: lscpu: exit code 1:<U+001B>[31m red
as root (sudo hwcap collect) it would also hold: dmesg, more of pci
`
	var got strings.Builder
	summarise(&got, r)
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
	r.Manifest.UID = 0
	got.Reset()
	summarise(&got, r)
	if strings.Contains(got.String(), "sudo") {
		t.Errorf("root is told to become root:\n%s", got.String())
	}
}

func TestSummaryOfOne(t *testing.T) {
	var got strings.Builder
	summarise(&got, &capture.Result{File: "x.tar.gz", Bytes: 1000, Manifest: capture.Manifest{Sources: []capture.Record{{Name: "pci", State: capture.Present}}}})
	if want := "x.tar.gz: 1.0 kB; 1 source read, 0 absent here, 0 denied\n"; got.String() != want {
		t.Errorf("got %q, want %q", got.String(), want)
	}
}

// TestLinksNotThere: where no function has a PCIe link, what was asked for did
// not happen.
func TestLinksNotThere(t *testing.T) {
	for state, want := range map[capture.State]error{capture.Present: nil, capture.Empty: nil, capture.Absent: exitStatus(exitIncomplete)} {
		r := &capture.Result{File: "x.tar.gz", Manifest: capture.Manifest{Sources: []capture.Record{
			{Name: "dmidecode", State: capture.Absent}, {Name: linksSource, State: state}}}}
		if got := collected(r); got != want {
			t.Errorf("%s: %v, want %v", state, got, want)
		}
	}
}

func TestByteSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 53127: "53.1 kB", 1234567: "1.2 MB", 5e12: "5000.0 GB"} {
		if got := byteSize(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
