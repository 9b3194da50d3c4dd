package klog

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hwcap/parse/fact"
)

// brief is an event without its places.
type brief struct {
	Device, Root, Severity, Kinds, Layer string
	Firmware                             bool
	Count, Boot                          int
	First, Last                          float64
	Lines                                int // of the first report
}

func briefs(events []fact.AEREvent) []brief {
	var out []brief
	for _, e := range events {
		b := brief{e.Device, e.Root, e.Severity, strings.Join(e.Kinds, " "), e.Layer, e.Firmware, e.Count, e.Boot, -1, -1, len(e.At)}
		if e.First != nil {
			b.First, b.Last = *e.First, *e.Last
		}
		out = append(out, b)
	}
	return out
}

// parseText reads a log whose lines are given without their indentation.
func parseText(t *testing.T, text string) *Result {
	t.Helper()
	res, err := Parse(strings.NewReader(text), "cmd/dmesg.txt", 0)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestAER(t *testing.T) {
	const root, dev = "0000:c2:05.0", "0000:c7:00.0"
	tests := map[string]struct {
		text string
		want []brief
	}{
		"4.x: requester ids and long names": {
			text: "[    1.000000] pcieport 0000:00:1c.5: AER: Corrected error received: id=00e5\n" +
				"[    1.000001] pcieport 0000:00:1c.5: PCIe Bus Error: severity=Corrected, type=Physical Layer, id=00e5(Receiver ID)\n" +
				"[    1.000002] pcieport 0000:00:1c.5:   device [8086:9d15] error status/mask=00000001/00002000\n" +
				"[    1.000003] pcieport 0000:00:1c.5:    [ 0] Receiver Error         (First)\n",
			want: []brief{{"0000:00:1c.5", "0000:00:1c.5", corrected, "RxErr", "Physical Layer", false, 1, 0, 1.000001, 1.000001, 4}},
		},
		"5.x: AER before each line, no function below found": {
			text: "[    1.000000] pcieport 0000:00:1c.5: AER: Multiple Corrected error received: 0000:00:1c.5\n" +
				"[    1.000001] pcieport 0000:00:1c.5: AER: PCIe Bus Error: severity=Corrected, type=Data Link Layer, (Transmitter ID)\n" +
				"[    1.000002] pcieport 0000:00:1c.5: AER:   device [8086:9d15] error status/mask=00001000/00002000\n" +
				"[    1.000003] pcieport 0000:00:1c.5: AER:    [12] Timeout               \n" +
				"[    2.000000] pcieport 0000:00:1c.5: AER: Corrected error received: 0000:00:1c.5\n" +
				"[    2.000001] pcieport 0000:00:1c.5: AER: can't find device of ID00e5\n",
			want: []brief{
				{"0000:00:1c.5", "0000:00:1c.5", corrected, "Timeout", "Data Link Layer", false, 1, 0, 1.000001, 1.000001, 4},
				{"0000:00:1c.5", "0000:00:1c.5", corrected, "", "", false, 1, 0, 2, 2, 1},
			},
		},
		"6.1: non-fatal with a TLP header, twice": {
			text: strings.Repeat("[    3.000000] pcieport 0000:c2:05.0: AER: Uncorrected (Non-Fatal) error message received from 0000:c7:00.0\n"+
				"[    3.000001] nvme 0000:c7:00.0: PCIe Bus Error: severity=Uncorrected (Non-Fatal), type=Transaction Layer, (Requester ID)\n"+
				"[    3.000002] nvme 0000:c7:00.0:   device [144d:a824] error status/mask=00104000/00000000\n"+
				"[    3.000003] nvme 0000:c7:00.0:    [14] CmpltTO               \n"+
				"[    3.000004] nvme 0000:c7:00.0:    [20] UnsupReq               (First)\n"+
				"[    3.000005] nvme 0000:c7:00.0: AER:   TLP Header: 40000001 0000060f a0000204 00000000\n", 2),
			want: []brief{{dev, root, nonfatal, "CmpltTO UnsupReq", "Transaction Layer", false, 2, 0, 3.000001, 3.000001, 6}},
		},
		"6.8: fatal, a masked bit is none, unreadable device": {
			text: "[    4.000000] pcieport 0000:c2:05.0: AER: Uncorrectable (Fatal) error message received from 0000:c7:00.0\n" +
				"[    4.000001] nvme 0000:c7:00.0: PCIe Bus Error: severity=Uncorrectable (Fatal), type=Transaction Layer, (Receiver ID)\n" +
				"[    4.000002] nvme 0000:c7:00.0:   device [144d:a824] error status/mask=00440000/00400000\n" +
				"[    5.000000] pcieport 0000:c2:05.0: AER: Uncorrectable (Fatal) error message received from 0000:c7:00.0\n" +
				"[    5.000001] nvme 0000:c7:00.0: AER: PCIe Bus Error: severity=Uncorrectable (Fatal), type=Inaccessible, (Unregistered Agent ID)\n",
			want: []brief{
				{dev, root, fatal, "MalfTLP", "Transaction Layer", false, 1, 0, 4.000001, 4.000001, 3},
				{dev, root, fatal, "", "Inaccessible", false, 1, 0, 5.000001, 5.000001, 2},
			},
		},
		"6.16: announced without details": {
			text: "[    5.000000] pcieport 0000:c2:05.0: AER: Correctable error message received from 0000:c7:00.0 (no details found\n",
			want: []brief{{dev, root, corrected, "", "", false, 1, 0, 5, 5, 1}},
		},
		"7.3: a table, and the advisory error seen twice": {
			text: strings.Repeat("[    6.000000] pcieport 0000:c2:05.0: AER: Correctable Error message received from 0000:c7:00.0\n"+
				"[    6.000001] nvme 0000:c7:00.0: PCIe Bus Error: severity=Correctable\n"+
				"[    6.000002] nvme 0000:c7:00.0:   device [144d:a824] error status/mask=00002000/00000000\n"+
				"[    6.000003] nvme 0000:c7:00.0:   [13] NonFatalErr       | Receiver    | Transaction Layer\n"+
				"[    6.000004] nvme 0000:c7:00.0: PCIe Bus Error: severity=Uncorrectable (Non-Fatal)\n"+
				"[    6.000005] nvme 0000:c7:00.0:   device [144d:a824] error status/mask=00100000/00000000\n"+
				"[    6.000006] nvme 0000:c7:00.0:   [20] UnsupReq          | Requester   | Transaction Layer (First)\n", 2) +
				"[    7.000000] pcieport 0000:c2:05.0: AER: Uncorrectable (Non-Fatal) Error message received from 0000:c7:00.0\n" +
				"[    7.000001] nvme 0000:c7:00.0: PCIe Bus Error: severity=Uncorrectable (Non-Fatal)\n" +
				"[    7.000002] nvme 0000:c7:00.0:   device [144d:a824] error status/mask=00100000/00000000\n",
			want: []brief{
				{dev, root, corrected, "NonFatalErr UnsupReq", "Transaction Layer", false, 2, 0, 6.000001, 6.000001, 7},
				{dev, root, nonfatal, "UnsupReq", "", false, 1, 0, 7.000001, 7.000001, 3},
			},
		},
		"7.3: several functions behind one message": {
			text: "[    6.000000] pcieport 0000:c2:05.0: AER: Multiple Correctable Error messages received, first one from 0000:c7:00.0\n" +
				"[    6.000001] nvme 0000:c7:00.0: PCIe Bus Error: severity=Correctable\n" +
				"[    6.000002] nvme 0000:c7:00.0:   device [144d:a824] error status/mask=00000001/00000000\n" +
				"[    6.000003] nvme 0000:c7:00.1: PCIe Bus Error: severity=Correctable\n" +
				"[    6.000004] nvme 0000:c7:00.1:   device [144d:a824] error status/mask=00000001/00000000\n",
			want: []brief{
				{dev, root, corrected, "RxErr", "", false, 1, 0, 6.000001, 6.000001, 3},
				{"0000:c7:00.1", root, corrected, "RxErr", "", false, 1, 0, 6.000003, 6.000003, 2},
			},
		},
		"from firmware, as decoded by the kernel": {
			text: "[    8.000000] nvme 0000:c7:00.0: AER: aer_status: 0x00000040, aer_mask: 0x00000000\n" +
				"[    8.000001] nvme 0000:c7:00.0:    [ 6] BadTLP                 (First)\n" +
				"[    8.000002] nvme 0000:c7:00.0: AER: aer_layer=Data Link Layer, aer_agent=Receiver ID\n" +
				"[    9.000000] nvme 0000:c7:00.0: AER: aer_status: 0x00004000, aer_mask: 0x00000000\n" +
				"[    9.000001] nvme 0000:c7:00.0: AER: aer_layer=Transaction Layer, aer_agent=Requester ID\n" +
				"[    9.000002] nvme 0000:c7:00.0: AER: aer_uncor_severity: 0x00062030\n",
			want: []brief{
				{dev, "", corrected, "BadTLP", "Data Link Layer", true, 1, 0, 8, 8, 3},
				{dev, "", nonfatal, "CmpltTO", "Transaction Layer", true, 1, 0, 9, 9, 3},
			},
		},
		"from firmware, record and decoded lines are one report": {
			text: "[    8.000000] {1}[Hardware Error]: Hardware error from APEI Generic Hardware Error Source: 512\n" +
				"[    8.000001] {1}[Hardware Error]: event severity: corrected\n" +
				"[    8.000002] {1}[Hardware Error]:  Error 0, type: corrected\n" +
				"[    8.000003] {1}[Hardware Error]:   section_type: PCIe error\n" +
				"[    8.000004] {1}[Hardware Error]:   port_type: 4, root port\n" +
				"[    8.000005] {1}[Hardware Error]:   device_id: 0000:c2:05.0\n" +
				"[    8.000006] {1}[Hardware Error]:   vendor_id: 0x8086, device_id: 0x347a\n" +
				"[    8.000007] pcieport 0000:c2:05.0: AER: aer_status: 0x00000001, aer_mask: 0x00000000\n" +
				"[    8.000008] pcieport 0000:c2:05.0:    [ 0] RxErr                  (First)\n",
			want: []brief{{root, "", corrected, "RxErr", "", true, 1, 0, 8, 8, 9}},
		},
		"a wrapped report in a mail": {
			text: "[   20.662657] pcieport 0000:c2:05.0: AER: Multiple Corrected error\nmessage received from 0000:c7:00.0\n" +
				"[   20.677779] nvme 0000:c7:00.0: PCIe Bus Error: severity=Corrected,\ntype=Physical Layer, (Receiver ID)\n" +
				"[   20.693003] nvme 0000:c7:00.0:   device [144d:a824] error\nstatus/mask=00000001/00000000\n",
			want: []brief{{dev, root, corrected, "RxErr", "Physical Layer", false, 1, 0, 20.677779, 20.677779, 3}},
		},
		"the head of the report is cut off": {
			text: "[    1.000002] nvme 0000:c7:00.0:   device [144d:a824] error status/mask=00000001/00000000\n" +
				"[    1.000003] nvme 0000:c7:00.0:    [ 0] RxErr                  (First)\n",
		},
		"trace events are no reports": {
			text: "[   27.325584] aer_event: 0000:0c:00.0 PCIe Bus Error: severity=Fatal, Uncorrectable Internal Error, TLP Header=Not available\n",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			res := parseText(t, test.text)
			if diff := cmp.Diff(test.want, briefs(res.AER)); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			if res.Unread.Lines > 0 {
				t.Errorf("unread: %+v", res.Unread)
			}
			for _, e := range res.AER {
				for _, at := range append([]fact.Line{e.LastAt}, e.At...) {
					if lines := strings.Split(test.text, "\n"); at.Line < 1 || lines[at.Line-1] != at.Text {
						t.Errorf("evidence is not the literal line: %+v", at)
					}
				}
			}
		})
	}
}

// What a report says beside its bits: that the root port lost count, the header
// of the packet, and that somebody made the error.
func TestReportDetails(t *testing.T) {
	inject := func(time, bits string) string {
		return "[" + time + "] pcieport 0000:c2:05.0: aer_inject: Injecting errors " + bits + " into device 0000:c7:00.0\n"
	}
	report := func(time, announced, severity, more string) string {
		return "[" + time + "] pcieport 0000:c2:05.0: AER: " + announced + " error message received from 0000:c7:00.0\n" +
			"[" + time + "] nvme 0000:c7:00.0: PCIe Bus Error: severity=" + severity + ", type=Physical Layer, (Receiver ID)\n" + more
	}
	const corrected, nonfatal = "Correctable", "Uncorrectable (Non-Fatal)"
	header := "[    3.000005] nvme 0000:c7:00.0:   TLP Header: 40000001 0000060f a0000204 00000000\n"
	type details struct {
		Count, Multiple int
		Injected        bool
		Header          string
	}
	tests := map[string]struct {
		text string
		want []details
	}{
		"the root port lost count":         {report("1.0", "Multiple "+corrected, corrected, "") + report("2.0", corrected, corrected, ""), []details{{2, 1, false, ""}}},
		"the header of the packet":         {report("3.0", nonfatal, nonfatal, header), []details{{1, 0, false, "40000001 0000060f a0000204 00000000"}}},
		"a header that is cut short":       {report("3.0", nonfatal, nonfatal, header[:60]+"\n"), []details{{1, 0, false, ""}}},
		"made on purpose":                  {inject("1.0", "00000001/00000000") + report("1.1", corrected, corrected, ""), []details{{1, 0, true, ""}}},
		"made on purpose, without details": {inject("1.0", "00000001/00000000") + "[1.1] pcieport 0000:c2:05.0: AER: Correctable error message received from 0000:c7:00.0\n", []details{{1, 0, true, ""}}},
		"one made, one real":               {inject("1.0", "00000001/00000000") + report("1.1", corrected, corrected, "") + report("1.2", corrected, corrected, ""), []details{{1, 0, true, ""}, {1, 0, false, ""}}},
		"a real one of the other severity": {inject("1.0", "00000001/00000000") + report("1.1", nonfatal, nonfatal, ""), []details{{1, 0, false, ""}}},
		"an injection long before":         {inject("1.0", "00000000/00004000") + report("60.0", nonfatal, nonfatal, ""), []details{{1, 0, false, ""}}},
		"an injection into another device": {strings.Replace(inject("1.0", "00000001/00000000"), "c7:00.0", "c7:00.1", 1) + report("1.1", corrected, corrected, ""), []details{{1, 0, false, ""}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var got []details
			for _, e := range parseText(t, test.text).AER {
				got = append(got, details{e.Count, e.Multiple, e.Injected, strings.Join(e.TLPHeader, " ")})
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTimeOfDay(t *testing.T) {
	res := parseText(t, "[Thu Feb 29 13:47:22 2024] pcieport 0000:00:06.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)\n"+
		"[Thu Feb 29 14:47:22 2024] pcieport 0000:00:06.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)\n")
	e := res.AER[0]
	if e.Count != 2 || e.First != nil || e.FirstClock != "Thu Feb 29 13:47:22 2024" || e.LastClock != "Thu Feb 29 14:47:22 2024" {
		t.Errorf("event %+v", e)
	}
}

func TestHardwareErrors(t *testing.T) {
	tests := map[string]struct {
		text string
		want []fact.Note
		aer  []brief
	}{
		"a memory error through GHES": {
			text: "[    8.000000] {7}[Hardware Error]: Hardware error from APEI Generic Hardware Error Source: 1\n" +
				"[    8.000001] {7}[Hardware Error]: event severity: recoverable\n" +
				"[    8.000002] {7}[Hardware Error]:  Error 0, type: recoverable\n" +
				"[    8.000003] {7}[Hardware Error]:   section_type: memory error\n" +
				"[    8.000004] {7}[Hardware Error]:   physical_address: 0x0000000123456000\n" +
				"[    8.000005] {7}[Hardware Error]:   error_type: 3, multi-bit ECC\n" +
				"[    8.000006] {7}[Hardware Error]:   DIMM location: CPU0 DIMM_A1\n",
			want: []fact.Note{{Kind: "hardware-error", Fields: map[string]string{"from": "ghes", "source": "1", "severity": "recoverable", "section": "memory error",
				"address": "0x0000000123456000", "error": "multi-bit ECC", "location": "CPU0 DIMM_A1"}}},
		},
		"a record of two errors, and the next one": {
			text: "{1}[Hardware Error]: event severity: corrected\n{1}[Hardware Error]:  Error 0, type: corrected\n{1}[Hardware Error]:   section_type: general processor error\n" +
				"{1}[Hardware Error]:  Error 1, type: fatal\n{1}[Hardware Error]:   section_type: PCIe error\n{1}[Hardware Error]:   device_id: 0000:01:00.0\n" +
				"{1}[Hardware Error]:   aer_uncor_status: 0x00040000, aer_uncor_mask: 0x00000000\n" +
				"{2}[Hardware Error]: event severity: info\n",
			want: []fact.Note{
				{Kind: "hardware-error", Fields: map[string]string{"from": "ghes", "severity": "corrected", "section": "general processor error"}},
				{Kind: "hardware-error", Device: "0000:01:00.0", Fields: map[string]string{"from": "ghes", "severity": "fatal", "section": "PCIe error"}},
				{Kind: "hardware-error", Fields: map[string]string{"from": "ghes", "severity": "info"}},
			},
			aer: []brief{{"0000:01:00.0", "", fatal, "MalfTLP", "", true, 1, 0, -1, -1, 4}},
		},
		"from the boot before, through BERT": {
			text: "[    1.000000] BERT: Error records from previous boot:\n" +
				"[    1.000001] [Hardware Error]: event severity: fatal\n[    1.000002] [Hardware Error]:  Error 0, type: fatal\n" +
				"[    1.000003] [Hardware Error]:   section type: PCIe error\n[    1.000004] [Hardware Error]:   device_id: 0000:01:00.0\n" +
				"[    1.000005] BERT: Total records found: 1\n",
			want: []fact.Note{
				{Kind: "bert", Fields: map[string]string{"kind": "previous-boot"}},
				{Kind: "hardware-error", Device: "0000:01:00.0", Fields: map[string]string{"from": "bert", "severity": "fatal", "section": "PCIe error"}},
				{Kind: "bert", Fields: map[string]string{"kind": "total", "count": "1"}},
			},
			aer: []brief{{"0000:01:00.0", "", fatal, "", "", true, 1, -1, 1.000001, 1.000001, 4}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			res := parseText(t, test.text)
			if diff := cmp.Diff(test.want, res.Notes, cmpopts.IgnoreFields(fact.Note{}, "Time", "At")); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.aer, briefs(res.AER)); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

// A report whose sender the root port did not name was laid on the function by
// its bits; a root port's own needs no name.
func TestAERWithoutSender(t *testing.T) {
	block := func(source, device string) string {
		return "[1.0] pcieport 0000:00:01.0: AER: Uncorrected (Non-Fatal) error received: " + source + "\n" +
			"[1.1] pci " + device + ": PCIe Bus Error: severity=Uncorrected (Non-Fatal), type=Transaction Layer, (Requester ID)\n" +
			"[1.2] pci " + device + ":   device [14e4:b980] error status/mask=00004000/00000000\n"
	}
	for text, want := range map[string]bool{
		block("0000:00:00.0", "0000:01:00.0"): true,
		block("0000:01:00.0", "0000:01:00.0"): false,
		block("0000:00:00.0", "0000:00:01.0"): false,
		block("0000:01:00.1", "0000:01:00.0"): false,
	} {
		if got := parseText(t, text).AER; len(got) != 1 || got[0].Unnamed != want {
			t.Errorf("%s\nread as %+v, want unnamed %t", text, got, want)
		}
	}
}
