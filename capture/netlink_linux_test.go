package capture

import (
	"bytes"
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

const procNetlink = `sk               Eth Pid        Groups   Rmem     Wmem     Dump  Locks    Drops    Inode
0000000000000000 0   0          00000000 0        0        0     2        0        4
0000000000000000 16  1234       00000000 0        0        0     2        0        5
0000000000000000 121 0          00000021 0        0        0     21       21       21
`

func TestListsProtocol(t *testing.T) {
	with := procNetlink + "0000000000000000 21  0          00000000 0        0        0     2        0        6\n"
	for situation, tt := range map[string]struct {
		text string
		want bool
	}{
		"listed":     {with, true},
		"not listed": {procNetlink, false},
		"empty":      {"", false},
		"cut off":    {with[:len(procNetlink)+17], false},
	} {
		if got := listsProtocol([]byte(tt.text), unix.NETLINK_CRYPTO); got != tt.want {
			t.Errorf("%s: %v", situation, got)
		}
	}
}

func TestCryptoFamily(t *testing.T) {
	for situation, tt := range map[string]struct {
		file, text string
		load, want bool
	}{
		"nothing says that it is there":   {"proc/net/netlink", procNetlink, false, false},
		"the user allows to load modules": {"proc/net/netlink", procNetlink, true, true},
		"the protocol is there":           {"proc/net/netlink", procNetlink + "0 21 0\n", false, true},
		"the module is loaded":            {"sys/module/crypto_user/refcnt", "0\n", false, true},
		"it is built in":                  {"lib/modules/" + kernelRelease() + "/modules.builtin", "kernel/crypto/crypto_user.ko\n", false, true},
	} {
		target := fakeTarget(t)
		target.loadModules = tt.load
		target.put(t, tt.file, tt.text)
		if got := target.cryptoFamily(t.Context()); (got == "") != tt.want {
			t.Errorf("%s: %q", situation, got)
		}
	}
}

// message makes a netlink message, padded to four bytes.
func message(kind, flags uint16, seq uint32, body []byte) []byte {
	ne := binary.NativeEndian
	msg := ne.AppendUint32(nil, uint32(unix.NLMSG_HDRLEN+len(body)))
	msg = ne.AppendUint16(msg, kind)
	msg = ne.AppendUint16(msg, flags)
	msg = ne.AppendUint32(msg, seq)
	msg = append(ne.AppendUint32(msg, 0), body...)
	return append(msg, make([]byte, (4-len(msg)%4)%4)...)
}

func TestMessages(t *testing.T) {
	c := &conn{seq: 7}
	refusal := unix.EOPNOTSUPP
	code := binary.NativeEndian.AppendUint32(nil, uint32(-int32(refusal)))
	done := message(unix.NLMSG_DONE, unix.NLM_F_MULTI, 7, make([]byte, 4))
	tests := []struct {
		situation string
		data      []byte
		kinds     []uint16
		done      bool
		err       string
	}{
		{"two messages of odd length and the end", bytes.Join([][]byte{message(19, 2, 7, []byte("abc")), message(19, 2, 7, []byte("d")), done}, nil), []uint16{19, 19, 3}, true, ""},
		{"more will come", message(19, 2, 7, []byte("abc")), []uint16{19}, false, ""},
		{"of an answer that was given up", append(message(19, 2, 6, nil), done...), []uint16{3}, true, ""},
		{"a refusal", message(unix.NLMSG_ERROR, 0, 7, code), []uint16{2}, true, "the kernel answers: operation not supported"},
		{"a refusal at the end of a dump", message(unix.NLMSG_DONE, 2, 7, code), []uint16{3}, true, "the kernel answers: operation not supported"},
		{"a length that cannot be", append([]byte{255, 255, 255, 127}, make([]byte, 12)...), nil, true, "a netlink message gives its length as 2147483647 of 16 bytes"},
		{"nothing", nil, nil, false, ""},
	}
	for _, tt := range tests {
		t.Run(tt.situation, func(t *testing.T) {
			var kinds []uint16
			done, err := c.messages(tt.data, func(kind, _ uint16, _ []byte) error { kinds = append(kinds, kind); return nil })
			got := ""
			if err != nil {
				got = err.Error()
			}
			if done != tt.done || got != tt.err || !bytes.Equal(asBytes(kinds), asBytes(tt.kinds)) {
				t.Errorf("types %v, done %v, error %q", kinds, done, got)
			}
		})
	}
}

func asBytes(kinds []uint16) []byte {
	var b []byte
	for _, k := range kinds {
		b = append(b, byte(k))
	}
	return b
}

func FuzzMessages(f *testing.F) {
	f.Add(message(19, 2, 7, []byte("abc")))
	f.Add(append(message(19, 2, 7, nil), message(unix.NLMSG_DONE, 2, 7, make([]byte, 4))...))
	f.Fuzz(func(t *testing.T, data []byte) {
		total := 0
		c := &conn{seq: 7}
		c.messages(data, func(_, _ uint16, msg []byte) error {
			total += len(msg)
			inside := 0
			for _, value := range attributes(msg) {
				inside += len(value)
			}
			if inside > len(msg) {
				t.Errorf("%d bytes of attributes in a message of %d", inside, len(msg))
			}
			return nil
		})
		if total > len(data) {
			t.Errorf("%d bytes of messages in %d", total, len(data))
		}
	})
}

// Of this machine: NETLINK_ROUTE and the list of families are on every Linux.
func TestNetlinkRoute(t *testing.T) {
	target := &target{root: "/"}
	rec, members := target.askAlone(t, row(t, "netlink-route"))
	if rec.State != Present {
		t.Fatalf("state %s: %s", rec.State, rec.Why)
	}
	last := lastMessage(t, members["netlink/route.pcap"])
	if kind := binary.NativeEndian.Uint16(last[4:]); kind != unix.NLMSG_DONE {
		t.Errorf("the last message has type %d", kind)
	}
	if !hasFamily(context.Background(), "nlctrl") || hasFamily(context.Background(), "no such family") {
		t.Error("the list of generic netlink families is wrong")
	}
}

// lastMessage walks the records of a pcap file and returns the last message.
func lastMessage(t *testing.T, pcap string) []byte {
	t.Helper()
	data := []byte(pcap)[24:]
	for {
		size := int(binary.NativeEndian.Uint32(data[8:]))
		if rest := data[16+size:]; len(rest) > 0 {
			data = rest
			continue
		}
		return data[16+16:]
	}
}

func TestUnknownFamilyIsAbsent(t *testing.T) {
	e, err := (&spool{t.TempDir()}).create("x", 1000)
	if err != nil {
		t.Fatal(err)
	}
	got := dumpGeneric(t.Context(), &Source{Path: "netlink/x.pcap"}, e, "no such family", nil, 1)
	if got.state != Absent || !strings.Contains(got.why, "no such family") {
		t.Errorf("got %+v", got)
	}
}
