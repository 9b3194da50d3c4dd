package redact

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNetlinkTunnel: the address of a tunnel is an IP address, and virtual
// functions of InfiniBand have GUIDs.
func TestNetlinkTunnel(t *testing.T) {
	file := func(own, remote [4]byte, six [16]byte, guid []byte) string {
		tunnel := append(make([]byte, 16), attr(1, own[:])...)
		tunnel = append(tunnel, attr(2, remote[:])...)
		second := append(make([]byte, 16), attr(1, six[:])...)
		function := append(make([]byte, 8), guid...)
		second = append(second, attr(22, attr(1, attr(10, function)))...)
		return pcapOf(message(protocolRoute, newLink, tunnel), message(protocolRoute, newLink, second))
	}
	own, remote, six := [4]byte{192, 0, 2, 17}, [4]byte{198, 51, 100, 7}, [16]byte{0x20, 1, 0xd, 0xb8, 15: 0x17}
	guid := []byte{0x3c, 0x2b, 0x1a, 0, 3, 0xc9, 2, 0}
	pseudo, _ := New(testKey).hexID(hexDigits(reversed(guid)))
	want := file(testKey.ipv4(own), testKey.ipv4(remote), testKey.ipv6(six), reversed(octets(nil, pseudo, 0)))
	if diff := cmp.Diff([]byte(want), []byte(redacted(t, "netlink/route.pcap", file(own, remote, six, guid)))); diff != "" {
		t.Error(diff)
	}
}
