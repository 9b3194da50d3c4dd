package mcelog

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hwcap/parse/fact"
)

var noPlaces = cmpopts.IgnoreTypes(fact.Line{})

// memoryRead is a record of a corrected memory error as mcelog logs it.
const memoryRead = `Hardware event. This is not a software error.
MCE 0
CPU 4 BANK 8 TSC 1c2f3a4b5d6e
MISC 3f8c0a2000040120 ADDR 4c3a7d180
TIME 1769911506 Sun Feb  1 02:05:06 2026
MCG status:
MCi status:
Error overflow
Corrected error
MCi_MISC register valid
MCi_ADDR register valid
MCA: MEMORY CONTROLLER RD_CHANNEL1_ERR
Transaction: Memory read error
STATUS cc0003c000010091 MCGSTATUS 0
MCGCAP 1c09 APICID 20 SOCKETID 1
MICROCODE 1234
CPUID Vendor Intel Family 6 Model 44 Step 2
`

const client = `Memory errors
SOCKET 0 CHANNEL any DIMM any
corrected memory errors:
	4 total
	1 in 24h
uncorrected memory errors:
	0 total
	0 in 24h

SOCKET 0 CHANNEL 1 DIMM 0
DMI_NAME "DIMM_B1" DMI_LOCATION "NODE 0 CHANNEL 1 DIMM 0"
corrected memory errors:
	4 total
	1 in 24h
uncorrected memory errors:
	2 total
	1 in 24h
Per page corrected memory statistics:
4c3a7d000: total 4 1 in 24h online

`

func ptr(n int) *int { return &n }

func TestParse(t *testing.T) {
	corrected := fact.MachineCheck{
		CPU: ptr(4), Bank: ptr(8), Status: "cc0003c000010091", Address: "4c3a7d180", Misc: "3f8c0a2000040120", Socket: ptr(1), Time: 1769911506, Severity: "corrected",
		Text: []string{"Error overflow", "Corrected error", "MCi_MISC register valid", "MCi_ADDR register valid", "MCA: MEMORY CONTROLLER RD_CHANNEL1_ERR", "Transaction: Memory read error"},
	}
	tests := map[string]struct {
		text     string
		checks   []fact.MachineCheck
		dimms    []fact.DIMMCount
		unread   int
		problems int
	}{
		"a corrected memory error": {text: memoryRead, checks: []fact.MachineCheck{corrected}},
		"two of them, with what the daemon says between": {
			text:   "mcelog: failed to prefill DIMM database from DMI data\n" + memoryRead + "Fallback Socket memory error count 5 exceeded threshold: 6 in 24h\nLocation SOCKET:1 CHANNEL:? DIMM:? []\n" + memoryRead,
			checks: []fact.MachineCheck{withText(corrected, "Fallback Socket memory error count 5 exceeded threshold: 6 in 24h", "Location SOCKET:1 CHANNEL:? DIMM:? []"), corrected},
		},
		"in a syslog, among other programs": {
			text: "Feb  1 02:05:06 host sshd[7]: hello\nFeb  1 02:05:06 host mcelog[665]: " +
				strings.ReplaceAll(strings.TrimSuffix(memoryRead, "\n"), "\n", "\nFeb  1 02:05:06 host mcelog[665]: ") + "\nFeb  1 02:05:07 host cron[9]: CPU 1 BANK 2\n",
			checks: []fact.MachineCheck{corrected}, unread: 1, problems: 1,
		},
		"quoted, with CRLF": {text: "> " + strings.ReplaceAll(strings.TrimSuffix(memoryRead, "\n"), "\n", "\r\n> "), checks: []fact.MachineCheck{corrected}},
		"context lost": {
			text: "Hardware event. This is not a software error.\nCPU 0 BANK 1 TSC 1721b44be3 \nRIP !INEXACT! 10:ffffffff81000000\nMISC 86 ADDR 2335c2880 \nTIME 1769911506 Sun Feb  1 02:05:06 2026\n" +
				"MCG status:RIPV MCIP \nMCi status:\nUncorrected error\nProcessor context corrupt\nMCA: Data CACHE Level-0 Write Error\nSTATUS bf80000000000124 MCGSTATUS 5\nRIP: some_function+0x63/0x100\nCPUID Vendor Intel Family 6 Model 60\nSOCKET 0 APIC 2 microcode 19\n",
			checks: []fact.MachineCheck{{CPU: ptr(0), Bank: ptr(1), Status: "bf80000000000124", Address: "2335c2880", Misc: "86", Socket: ptr(0), Time: 1769911506, Severity: "fatal",
				Text: []string{"MCG status:RIPV MCIP", "Uncorrected error", "Processor context corrupt", "MCA: Data CACHE Level-0 Write Error"}}},
		},
		"uncorrected, of an AMD northbridge, before version 1.0": {
			text: "MCE 0\nHARDWARE ERROR. This is *NOT* a software problem!\nPlease contact your hardware vendor\nCPU 0 4 northbridge TSC b2ad0a9f8f2 \nADDR 1f9fe1c0 \n  Northbridge RAM ECC error\n  ECC syndrome = f4\n" +
				"STATUS b41a200000080a13 MCGSTATUS 0\n",
			checks: []fact.MachineCheck{{CPU: ptr(0), Bank: ptr(4), BankName: "northbridge", Status: "b41a200000080a13", Address: "1f9fe1c0", Severity: "uncorrected",
				Text: []string{"Northbridge RAM ECC error", "ECC syndrome = f4"}}},
		},
		"a thermal event is no error": {
			text: "Hardware event. This is not a software error.\nMCE 1\nCPU 2 THERMAL EVENT TSC 2bfd59a7ac \nTIME 1769911506 Sun Feb  1 02:05:06 2026\nProcessor 2 heated above trip temperature. Throttling enabled.\nSTATUS 880003c3 MCGSTATUS 0\n",
			checks: []fact.MachineCheck{{CPU: ptr(2), BankName: "THERMAL EVENT", Status: "00000000880003c3", Time: 1769911506,
				Text: []string{"Processor 2 heated above trip temperature. Throttling enabled."}}},
		},
		"raw": {
			text: "CPU 1\nBANK 2\nTSC 0x1234\nRIP 0x10:0xffffffff81000000\nMISC 0\nADDR 0xabcd\nSTATUS 0x9400000000000000\nMCGSTATUS 0\nPROCESSOR 0:0x50654\nTIME 1769911506\nSOCKETID 1\nAPICID 2\nMCGCAP 0xf000814\n\n" +
				"CPU 3\nBANK 4\nSTATUS 0x1\n",
			checks: []fact.MachineCheck{{CPU: ptr(1), Bank: ptr(2), Status: "9400000000000000", Address: "abcd", Misc: "0", Socket: ptr(1), Time: 1769911506, Severity: "corrected"},
				{CPU: ptr(3), Bank: ptr(4), Status: "0000000000000001"}},
		},
		"broken off before the status": {
			text:   "MCE 0\nCPU 3 BANK 4\nADDR 1000\n",
			checks: []fact.MachineCheck{{CPU: ptr(3), Bank: ptr(4), Address: "1000"}},
		},
		"errors by module": {
			text: client,
			dimms: []fact.DIMMCount{{Label: "SOCKET 0 CHANNEL any DIMM any", Corrected: 4},
				{Label: "DIMM_B1", Corrected: 4, Uncorrected: 2, Location: "SOCKET 0 CHANNEL 1 DIMM 0"}},
		},
		"errors by module, broken off": {
			text:     client[:strings.LastIndex(client, "uncorrected")],
			dimms:    []fact.DIMMCount{{Label: "SOCKET 0 CHANNEL any DIMM any", Corrected: 4}},
			problems: 1,
		},
		"something else": {text: "hello\nCPU usage 3\n", unread: 2, problems: 2},
		"a number that is none": {text: "CPU 1 BANK 2\nSTATUS 9400000000000000 ADDR xyz\n", unread: 1, problems: 1,
			checks: []fact.MachineCheck{{CPU: ptr(1), Bank: ptr(2), Status: "9400000000000000", Severity: "corrected"}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Parse(strings.NewReader(test.text), "f")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.checks, got.Checks, noPlaces); diff != "" {
				t.Errorf("records (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.dimms, got.DIMMs, noPlaces); diff != "" {
				t.Errorf("modules (-want +got):\n%s", diff)
			}
			if got.Unread.Lines != test.unread || len(got.Problems) != test.problems {
				t.Errorf("unread %+v, problems %v", got.Unread, got.Problems)
			}
		})
	}
}

func withText(c fact.MachineCheck, more ...string) fact.MachineCheck {
	c.Text = append(append([]string{}, c.Text...), more...)
	return c
}

func TestPlaces(t *testing.T) {
	got, _ := Parse(strings.NewReader(memoryRead), "f")
	if at := got.Checks[0].At; at.Line != 3 || at.Text != "CPU 4 BANK 8 TSC 1c2f3a4b5d6e" {
		t.Errorf("record at %+v", at)
	}
	got, _ = Parse(strings.NewReader(client), "f")
	if d := got.DIMMs[1]; d.At.Text != "\t4 total" || d.UncorrectedAt.Text != "\t2 total" {
		t.Errorf("module at %+v and %+v", d.At, d.UncorrectedAt)
	}
}

func TestRecognised(t *testing.T) {
	for line, want := range map[string]bool{
		"Hardware event. This is not a software error.":                true,
		"CPU 0 BANK 4 TSC 2bfc83b1b8":                                  true,
		"STATUS 8c00004000010091 MCGSTATUS 0":                          true,
		"SOCKET 0 CHANNEL any DIMM any":                                true,
		"Feb  1 02:05:06 host mcelog[665]: MCA: Internal parity error": true,
		"Feb  1 02:05:06 host mcelog: MCA: Internal parity error":      true,
		"Feb  1 02:05:06 host kernel: mcelog is too old":               false,
		"CPU 0: Machine Check Exception: 4 Bank 4: b200000000070f0f":   false,
		"SOCKET 0 APIC 2 microcode 19":                                 false,
		"":                                                             false,
	} {
		if got := IsRecord([]byte(line)) || IsModule([]byte(line)); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func TestRecordsAreCapped(t *testing.T) {
	got, err := Parse(strings.NewReader(strings.Repeat("CPU 1 BANK 2\n", maxRecords+5)), "f")
	if err != nil || len(got.Checks) != maxRecords || len(got.Problems) != 1 || got.Problems[0].Line != maxRecords+1 {
		t.Errorf("%d records, problems %v, %v", len(got.Checks), got.Problems, err)
	}
	// Text that is kept counts with the whole line that it is a part of.
	wide := "CPU 1 BANK 2\n" + strings.Repeat(strings.Repeat(" ", maxLine-2)+"x\n", maxText)
	got, _ = Parse(strings.NewReader(strings.Repeat(wide, 2*maxKept/len(wide))), "f")
	kept := 0
	for _, c := range got.Checks {
		kept += len(c.At.Text) + len(c.Text)*maxLine
	}
	if kept > maxKept+maxLine*maxText || len(got.Problems) == 0 {
		t.Errorf("%d bytes kept, %d problems", kept, len(got.Problems))
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(memoryRead))
	f.Add([]byte(client))
	f.Add([]byte("Feb  1 02:05:06 host mcelog[665]: CPU 1 BANK 2\nFeb  1 02:05:06 host mcelog[665]: STATUS 0x9 MCGSTATUS 0\n"))
	f.Add([]byte("CPU 1\nBANK 2\nTIME 1\nSOCKETID 3\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		lines := bytes.Count(b, []byte("\n"))
		if len(b) > 0 && b[len(b)-1] != '\n' {
			lines++
		}
		got, err := Parse(bytes.NewReader(b), "f")
		if u := got.Unread; err != nil || u.Of != lines || len(got.Checks)+len(got.DIMMs)+u.Lines+u.Ignored > lines {
			t.Errorf("%d lines, %d records, %d modules, %+v, %v", lines, len(got.Checks), len(got.DIMMs), u, err)
		}
		for _, c := range got.Checks {
			if c.CPU == nil || c.Severity != "" && (len(c.Status) != 16 || c.Status[0] < '8') || len(c.Text) > maxText {
				t.Errorf("record %+v", c)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	text := strings.Repeat(memoryRead, 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Parse(strings.NewReader(text), "f")
	}
}

// BenchmarkHostile reads texts made to take long, at one size and twice that:
// the bytes a second must not fall.
func BenchmarkHostile(b *testing.B) {
	texts := map[string]string{
		"short lines": "x\n", "records": "CPU 1 BANK 2\n", "text": "CPU 1 BANK 2\n" + strings.Repeat("x\n", 1000),
		"fields": "CPU 1 BANK 2\n" + strings.Repeat("ADDR 1 ", 500) + "\n", "long line": strings.Repeat("MISC 1 ", 1<<17),
		"names": "SOCKET 0 CHANNEL 1 DIMM 2\n" + strings.Repeat(strings.Repeat(`DMI_NAME "x" `, 300)+"\n", 10),
	}
	for name, text := range texts {
		for _, size := range []int{4 << 20, 8 << 20} {
			all := []byte(strings.Repeat(text, size/len(text)))
			b.Run(fmt.Sprintf("%s/%d", name, size>>20), func(b *testing.B) {
				b.SetBytes(int64(len(all)))
				for b.Loop() {
					Parse(bytes.NewReader(all), "f")
				}
			})
		}
	}
}
