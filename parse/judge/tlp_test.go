package judge

import (
	"strings"
	"testing"

	"hwcap/parse/fact"
)

func TestReadPacket(t *testing.T) {
	for header, want := range map[string]string{
		"40000004 0a0000ff fffc0e80 00000000": "memory write|0a:00.0|0xfffc0e80||",
		"6c000002 06000000 0000000f b76e6008": "atomic operation (AtomicOp)|06:00.0|0xfb76e6008||",
		"40001001 0000000f fca0013c 00000000": "memory write|00:00.0|0xfca0013c||",
		"20000001 c700000f 00000001 2345678c": "memory read|c7:00.0|0x12345678c||",
		"04000001 0000200f 05000000 00000000": "configuration read|00:00.0||05:00.0|",
		"44000001 00f8000f 051a0010":          "configuration write|00:1f.0||05:03.2|",
		"4a000001 02000004 c7010040 00000000": "completion|c7:00.1||02:00.0|",
		"34000000 00e40052 00000000 00000000": "message|00:1c.4|||PTM Request",
		"34000000 00e400fe 00000000 00000000": "message|00:1c.4|||",
		"ffffffff ffffffff ffffffff ffffffff": "-",
		"00000000 00000000 00000000 00000000": "-",
		"40000004 0a0000ff":                   "-",
		"4000000x 0a0000ff fffc0e80":          "-",
		"":                                    "-",
	} {
		got := "-" // kind, requester, address, target, message
		if p, ok := readPacket(strings.Fields(header)); ok {
			got = strings.Join([]string{p.kind.En, p.requester, p.address, p.target, p.message}, "|")
		}
		if got != want {
			t.Errorf("%q is %q, want %q", header, got, want)
		}
	}
}

// The finding says whose request it was, and where it stands.
func TestPacketOfFinding(t *testing.T) {
	line := lineAt("cmd/dmesg.txt", 503, "TLP Header: 40000004 c70000ff fffc0e80 00000000")
	m := server(bothPorts, logged(port, "nonfatal", 1, 50, 50, "UnsupReq"), func(m *fact.Machine) {
		m.Log.AER[0].TLPHeader = strings.Fields(line.Text)[2:]
		m.Log.AER[0].At = append(m.Log.AER[0].At, line)
	})()
	f := judgeAERErrors(m)[0]
	rows := f.Values["packets"].([]map[string]any)
	if len(rows) != 1 || rows[0]["requester"] != drive || rows[0]["address"] != "0xfffc0e80" || rows[0]["fromRoot"] != false {
		t.Errorf("packets %v", rows)
	}
	for _, e := range f.Evidence {
		if e.Role == "packet" && e.Line == line {
			return
		}
	}
	t.Error("the line of the packet is not cited")
}

// Number 0 is the root complex above a device, and nobody yet below a port.
func TestPacketWithoutNumber(t *testing.T) {
	for at, want := range map[string]bool{port: true, drive: false} {
		m := server(bothPorts, logged(at, "nonfatal", 1, 50, 50, "ACSViol"), func(m *fact.Machine) {
			m.Log.AER[0].TLPHeader = strings.Fields("34000000 00000052 00000000 00000000")
		})()
		rows := judgeAERErrors(m)[0].Values["packets"].([]map[string]any)
		if len(rows) != 1 || rows[0]["unnumbered"] != want || rows[0]["message"] != "PTM Request" {
			t.Errorf("at %s: packets %v", at, rows)
		}
	}
}
