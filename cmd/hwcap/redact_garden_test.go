package main

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
)

func backwards(b []byte) []byte {
	b = slices.Clone(b)
	slices.Reverse(b)
	return b
}

// seed is an identity that was planted.
type seed struct {
	class, what string
	value       string
	member      string
	line        int  // 0 in a binary member, -1 in a name
	told        int  // the line that the search tells, where it is another one
	at, size    int  // of a binary member, in bytes
	echo        bool // nothing announces it: only the original tells what it is
}

func (s seed) String() string {
	return fmt.Sprintf("%s (%s) in %s:%d: %s", s.what, s.class, s.member, s.line, s.value)
}

// garden is a capture into which identities are planted.
type garden struct {
	host    string
	names   []string
	members map[string][]byte
	seeds   []seed
}

func gardenOf(t *testing.T, name string) *garden {
	t.Helper()
	g := &garden{members: map[string][]byte{}}
	eachFile(t, sampleTar(t, name), func(name string, data []byte) {
		_, member, _ := strings.Cut(name, "/")
		g.put(member, data)
	})
	return g
}

func eachFile(t *testing.T, archive []byte, do func(name string, data []byte)) {
	t.Helper()
	for r := tar.NewReader(bytes.NewReader(archive)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		do(h.Name, data)
	}
}

func (g *garden) put(member string, data []byte) {
	if _, ok := g.members[member]; !ok {
		g.names = append(g.names, member)
	}
	g.members[member] = data
}

// text appends lines to a text member, and notes each line with the value.
func (g *garden) text(member string, s seed, lines string) {
	have := g.members[member]
	if n := len(have); n > 0 && have[n-1] != '\n' {
		have = append(have, '\n')
	}
	for i, line := range strings.Split(lines, "\n") {
		if strings.Contains(line, s.value) {
			s.member, s.line = member, bytes.Count(have, []byte("\n"))+i+1
			g.seeds = append(g.seeds, s)
		}
	}
	g.put(member, append(have, lines...))
}

// plant draws an identity for each place.
func (g *garden) plant(d draw) {
	for _, log := range logHeads {
		for _, k := range logKinds {
			v := k.value(d)
			g.text(log.member, seed{class: k.class, what: k.what, value: v}, log.head+strings.ReplaceAll(k.text, "{}", v)+"\n")
		}
	}
	for _, m := range otherKinds {
		for _, k := range m.kinds {
			v := k.value(d)
			g.text(m.member, seed{class: k.class, what: k.what, value: v}, strings.ReplaceAll(k.text, "{}", v))
		}
	}
	g.plantEchoes()
	g.plantBinary(d)
	g.plantNames(d)
}

// deviceSerial makes a function's configuration space whose only extended
// capability holds a serial number.
func deviceSerial(eui []byte) []byte {
	space := make([]byte, 4096)
	binary.LittleEndian.PutUint32(space, 0x15338086)
	binary.LittleEndian.PutUint32(space[0x100:], 0x00010003)
	copy(space[0x104:], backwards(eui))
	return space
}

func (g *garden) plantBinary(d draw) {
	// Raw: least significant byte first, so reversed as well.
	eui := d.eui(0xff, 0xff)
	const config = "sys/bus/pci/devices/0000:7e:00.0/config"
	g.put(config, deviceSerial(eui))
	g.seeds = append(g.seeds, seed{class: "dsn", what: "pcie serial", value: joined(eui, "-"), member: config, at: 0x104, size: 8})

	eui = d.eui(0xff, 0xfe)
	var rows strings.Builder
	rows.WriteString("0000:7d:00.0 Ethernet controller: Intel Corporation I210\n")
	for at, space := 0, deviceSerial(eui); at < len(space); at += 16 {
		fmt.Fprintf(&rows, "%02x: %s\n", at, joined(space[at:at+16], " "))
	}
	const hexRows = "attach/lspci-xxxx.txt"
	before := len(g.seeds)
	g.text(hexRows, seed{class: "dsn", what: "pcie serial in hex rows", value: joined(backwards(eui), " ")}, rows.String())
	for i := range g.seeds[before:] { // the search tells of rows at their end
		g.seeds[before+i].told = bytes.Count(g.members[hexRows], []byte("\n"))
	}

	mac := d.macBytes()
	const route = "netlink/route.pcap"
	dump, record := linkDump(g.members[route]), linkRecord(mac)
	g.put(route, append(dump, record...))
	for what, value := range map[string]string{"mac": joined(mac, ":"), "mac in a name": joined(mac, "")} {
		g.seeds = append(g.seeds, seed{class: "mac", what: what, value: value, member: route, at: len(dump), size: len(record)})
	}
}

// linkDump is an empty dump where there is none.
func linkDump(have []byte) []byte {
	if len(have) > 0 {
		return slices.Clip(have)
	}
	head := make([]byte, 24)
	binary.LittleEndian.PutUint32(head, 0xa1b2c3d4)
	binary.LittleEndian.PutUint16(head[4:], 2)
	binary.LittleEndian.PutUint16(head[6:], 4)
	binary.LittleEndian.PutUint32(head[16:], 0x40000)
	binary.LittleEndian.PutUint32(head[20:], 253)
	return head
}

// linkRecord is a message RTM_NEWLINK of an adapter whose name has its address.
func linkRecord(mac []byte) []byte {
	attribute := func(kind uint16, value []byte) []byte {
		b := binary.LittleEndian.AppendUint16(nil, uint16(4+len(value)))
		b = append(binary.LittleEndian.AppendUint16(b, kind), value...)
		return append(b, make([]byte, -len(b)&3)...)
	}
	body := make([]byte, 16) // struct ifinfomsg
	binary.LittleEndian.PutUint16(body[2:], 1)
	body = slices.Concat(body,
		attribute(3, append([]byte("enx"+joined(mac, "")), 0)), // IFLA_IFNAME
		attribute(1, mac), attribute(54, mac)) // IFLA_ADDRESS, IFLA_PERM_ADDRESS
	message := make([]byte, 16)
	binary.LittleEndian.PutUint32(message, uint32(16+len(body)))
	binary.LittleEndian.PutUint16(message[4:], 16) // RTM_NEWLINK
	link := make([]byte, 16)
	binary.BigEndian.PutUint16(link[2:], 824)
	frame := slices.Concat(link, message, body)
	record := make([]byte, 16)
	binary.LittleEndian.PutUint32(record[8:], uint32(len(frame)))
	binary.LittleEndian.PutUint32(record[12:], uint32(len(frame)))
	return append(record, frame...)
}

// unheard are classes whose values are replaced only where something announces
// them: addresses look like versions, and passwords like words.
var unheard = map[string]bool{"ipv4": true, "secret": true, "dropped": true}

// plantEchoes plants every identity again where nothing announces it: as text
// and as bytes, forward and backward, and in rows of hexadecimal digits.
func (g *garden) plantEchoes() {
	const rows, raw = "attach/echoes.txt", "attach/echoes.bin"
	text, blob := []byte("what others noted\n"), make([]byte, 16)
	for _, s := range slices.Clone(g.seeds) {
		if unheard[s.class] || s.member == "dev/kmsg" || strings.HasPrefix(s.member, "cmd/journal") {
			continue // the kinds of one log are enough
		}
		what := s.what
		s.echo = true
		for _, form := range echoesOf(s.class, s.value) {
			s.what = form.name + " of " + what
			text = append(text, form.row...)
			text = append(text, '\n')
			s.member, s.line, s.at, s.size = rows, bytes.Count(text, []byte("\n")), 0, 0
			g.seeds = append(g.seeds, s)
			if form.raw == nil {
				continue
			}
			s.member, s.line, s.at, s.size = raw, 0, len(blob), len(form.raw)
			blob = append(append(blob, form.raw...), make([]byte, 16)...)
			g.seeds = append(g.seeds, s)
		}
	}
	g.put(rows, text)
	g.put(raw, blob)
}

// echo is a form of a value: a row of text, and bytes.
type echo struct {
	name string
	row  string
	raw  []byte
}

// names are classes whose values no machine turns around.
var names = map[string]bool{"host": true, "user": true, "ssid": true, "luks": true}

// echoesOf returns the forms in which programs repeat a value: what is a number
// in octets, from the first to the last or back, and texts.
func echoesOf(class, value string) []echo {
	text, raw := []byte(value), octetsOf(value)
	all := []echo{{"text", "again " + value, text}}
	if a, err := netip.ParseAddr(value); err == nil { // which has many forms as a text
		all, raw = nil, a.AsSlice()
	}
	if raw != nil {
		return append(all,
			echo{"octets", "again " + joined(raw, " "), raw},
			echo{"reversed octets", "again " + joined(backwards(raw), " "), backwards(raw)})
	}
	if !names[class] {
		all = append(all, echo{"reversed text", "again " + string(backwards(text)), backwards(text)})
	}
	return append(all, echo{"text in hex", "again " + joined(text, " "), nil})
}

// octetsOf returns the bytes that a value of hexadecimal digits names, nil for
// another one or a short one.
func octetsOf(value string) []byte {
	raw, err := hex.DecodeString(strings.NewReplacer(":", "", "-", "").Replace(value))
	if err != nil || len(raw) < 6 {
		return nil
	}
	return raw
}

// plantNames gives the machine a host name, and an adapter a name of its own.
func (g *garden) plantNames(d draw) {
	adapter := d.plain()
	name := "sys/class/net/enx" + adapter + "/mtu"
	g.put(name, []byte("1500\n"))
	g.seeds = append(g.seeds, seed{class: "mac", what: "mac in the name of a member", value: adapter, member: name, line: -1})

	manifest := string(g.members["manifest.json"])
	host, boot := d.host(), d.uuid()
	for field, value := range map[string]string{"host": host, "boot": boot} {
		head, rest, _ := strings.Cut(manifest, "\n  \""+field+"\": \"")
		_, rest, _ = strings.Cut(rest, "\"")
		class := map[string]string{"host": "host", "boot": "uuid"}[field]
		g.seeds = append(g.seeds, seed{class: class, what: field, value: value, member: "manifest.json", line: strings.Count(head, "\n") + 2})
		manifest = head + "\n  \"" + field + "\": \"" + value + "\"" + rest
	}
	g.put("manifest.json", []byte(manifest))
	g.host = host
	g.seeds = append(g.seeds, seed{class: "host", what: "host in the name of the capture", value: host, member: g.top(), line: -1})
}

// top is the name of the capture's folder.
func (g *garden) top() string { return "hwcap-" + g.host + "-20260812T211400Z" }

func (g *garden) archive(t *testing.T) []byte {
	t.Helper()
	return tarOf(t, g.top(), g.names, g.members)
}

func tarOf(t *testing.T, top string, names []string, members map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range names {
		h := &tar.Header{Name: top + "/" + name, Size: int64(len(members[name])), Mode: 0o644, ModTime: time.Unix(0, 0), Format: tar.FormatPAX}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		w.Write(members[name])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
