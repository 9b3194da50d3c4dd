package leak

import (
	"sort"
	"strings"
)

// label is a word that announces an identity. What follows it, behind a colon
// or an equals sign, is a value.
type label struct {
	words string // in small letters
	class string
	line  bool // the value is the rest of the line; otherwise one word
}

var labels = []label{
	{"serial number", "serial", true},
	{"serial-number", "serial", true},
	{"serialnumber", "serial", true},
	{"serial no", "serial", true},
	{"serial no.", "serial", true},
	{"serial", "serial", true},
	{"iserial", "serial", true},
	{"service tag", "serial", true},
	{"asset tag", "asset-tag", true},
	{"uuid", "uuid", true},
	{"partuuid", "uuid", false},
	{"guid", "uuid", true},
	{"hostname", "host", false},
	{"static hostname", "host", false},
	{"host name", "host", false},
	{"nodename", "host", false},
	{"\"host\"", "host", false},
	{"hostname set to", "host", false},
	{"set hostname to", "host", false},
	{"domainname", "domain", false},
	{"machine id", "machine-id", false},
	{"machine-id", "machine-id", false},
	{"machine_id", "machine-id", false},
	{"boot id", "uuid", false},
	{"permanent address", "mac", false},
	{"permanent hw addr", "mac", false},
	{"hwaddr", "mac", false},
	{"sn", "serial", true},
	{"s/n", "serial", false},
	{"nguid", "wwn", false},
	{"eui64", "wwn", false},
	{"wwn", "wwn", false},
	{"wwid", "wwn", false},
	{"lu wwn device id", "wwn", true},
	{"logical unit id", "wwn", false},
	{"ppin", "ppin", false},
	{"ssid", "ssid", true},
	{"essid", "ssid", true},
	{"psk", "secret", false},
	{"rootpw", "secret", false},
	{"inst.rootpw", "secret", false},
	{"token", "secret", false},
	{"secret", "secret", false},
	{"apikey", "secret", false},
	{"rd.lvm.lv", "vg", false},
	{"rd.lvm.vg", "vg", false},
	{"vg name", "vg", false},
	{"root=zfs", "pool", false},
	{"password", "secret", false},
	{"passwd", "secret", false},
	{"passphrase", "secret", false},
	{"rd.luks.uuid", "luks", false},
	{"rd.luks.name", "luks", false},
	{"pool", "pool", false},
	{"id_serial", "serial", false},
	{"id_serial_short", "serial", false},
	{"username", "user", false},
	{"user name", "user", false},
	{"login", "user", false},
	{"board_serial", "serial", false},
	{"chassis_serial", "serial", false},
	{"product_serial", "serial", false},
	{"product_uuid", "uuid", false},
	{"chassis_asset_tag", "asset-tag", false},
}

// labelAt finds labels by their first letter, the longest first.
var labelAt = func() (table [256][]label) {
	for _, l := range labels {
		table[l.words[0]] = append(table[l.words[0]], l)
		if c := l.words[0]; c >= 'a' && c <= 'z' {
			table[c-'a'+'A'] = table[c]
		}
	}
	for i := range table {
		sort.SliceStable(table[i], func(a, b int) bool { return len(table[i][a].words) > len(table[i][b].words) })
	}
	return table
}()

// labelled finds values that something announces.
func labelled(line string, found hit) {
	for i := 0; i < len(line); i++ {
		some := labelAt[line[i]]
		if len(some) == 0 || i > 0 && (isWord(line[i-1]) || line[i-1] == '-' || line[i-1] == '.') {
			continue
		}
		for _, l := range some {
			if len(line)-i < len(l.words) || !strings.EqualFold(line[i:i+len(l.words)], l.words) {
				continue
			}
			if value, ok := valueOf(line[i+len(l.words):], l); ok && !isController(line[:i], l) && !harmless(value) && !endsSealed(value) && telling(value) {
				found(ByLabel, l.class, value)
			}
			break
		}
	}
}

// isController reports whether a serial number is that of a root hub: the
// address or name of its controller.
func isController(before string, l label) bool {
	return l.words == "serialnumber" && strings.Contains(before[max(0, len(before)-16):], "usb usb")
}

// valueOf returns what follows a label.
func valueOf(s string, l label) (value string, ok bool) {
	at := 0
	announced := strings.HasSuffix(l.words, " to") || l.class == "ppin" && strings.HasPrefix(s, " ") || l.class == "ssid" && strings.HasPrefix(s, " \"")
	for at < len(s) && strings.IndexByte(" \t:=\"'<", s[at]) >= 0 {
		announced = announced || s[at] == ':' || s[at] == '='
		at++
	}
	if !announced || at == 0 {
		return "", false
	}
	value = s[at:]
	const halves = len("0x00e1b2c3, 0xd4f5a6b7") // of a Device Serial Number, the lower first (drivers/firmware/efi/cper.c)
	if len(value) >= halves && strings.HasPrefix(value, "0x") && value[10:14] == ", 0x" {
		return value[14:halves] + value[2:10], true
	}
	if l.class == "wwn" && len(hexOf(grouped(value))) >= 16 {
		return grouped(value), true
	}
	if quote := s[at-1]; quote == '"' || quote == '\'' {
		if i := strings.IndexByte(value, quote); i >= 0 {
			return value[:i], true
		}
	}
	end := "\"'<>\t\r\n,;|"
	if !l.line || strings.HasPrefix(s, "=") || strings.HasPrefix(s, "\"") {
		end += " "
	}
	if l.class == "vg" || l.class == "pool" { // a volume follows
		end += "/"
	}
	if i := strings.IndexAny(value, end); i >= 0 {
		value = value[:i]
	}
	if n := len("2e7cf3b1-3b2a-4d53-9f7e-0d6a4c0b6f11"); l.class == "uuid" && len(value) > n && value[n] == ':' && isUUID(value[:n]) {
		value = value[:n] // cryptdevice=UUID=...:NAME
	}
	if before, name, ok := strings.Cut(value, "="); ok && l.class == "luks" && isPseudonym(before) {
		value = name // rd.luks.name=UUID=NAME
	}
	return strings.TrimSpace(value), true
}

// telling reports whether a value can tell one thing from another: it is no
// small number, as that of a descriptor, and no mere word of an explanation.
func telling(value string) bool {
	if len(value) < 3 || strings.Count(value, " ") > 3 || strings.HasSuffix(value, " driver") || strings.HasPrefix(value, "V3:PCI=V0") { // UUID=V3 in the VPD of Mellanox: the name of a field
		return false
	}
	digits := strings.Trim(value, "0123456789")
	return digits != "" || len(value) > 5
}

// columns finds identities in a table whose head names their column.
type columns struct {
	of      *tableHead
	at, end int // of a column of fixed width
	field   int // of another one, from 0
}

// tableHead is the head of a table that a program prints. A value may have
// blanks in it where columns are as wide as their names and blanks.
type tableHead struct {
	begins, name string // the head, and the name of the column in it
	class        string
	row          string // what rows begin with
	wide         bool   // columns of fixed width
	once         bool   // only the first row: those below it have other things
}

var tableHeads = []tableHead{
	{"Node ", "SN", "drive-serial", "/dev/", true, false}, // nvme list
	{"  LV ", "VG", "vg", "  ", false, false},             // lvs
	{"  VG ", "VG", "vg", "  ", false, false},             // vgs
	{"  PV ", "VG", "vg", "  ", false, false},             // pvs
	{"\tNAME ", "NAME", "pool", "\t", false, true},        // zpool status
}

func (c *columns) line(line string, found hit) {
	for i := range tableHeads {
		h := &tableHeads[i]
		if strings.HasPrefix(line, h.begins) && c.head(h, line) {
			return
		}
	}
	if c.of == nil || strings.HasPrefix(line, "-") {
		return
	}
	value := ""
	switch fields := strings.Fields(line); {
	case !strings.HasPrefix(line, c.of.row) || strings.HasPrefix(line, "  ---"):
		*c = columns{}
		return
	case c.of.wide && len(line) >= c.end:
		value = strings.TrimSpace(line[c.at:c.end])
	case !c.of.wide && c.field < len(fields):
		value = fields[c.field]
	}
	if !harmless(value) && isOf(c.of.class, value) {
		found(ByLabel, c.of.class, value)
	}
	if c.of.once {
		*c = columns{}
	}
}

// head notes the column that a head names, if it does.
func (c *columns) head(h *tableHead, line string) bool {
	for i, name := range strings.Fields(line) {
		if name != h.name {
			continue
		}
		*c = columns{of: h, field: i, at: max(0, strings.Index(line, " "+name+" ")+1)}
		c.end = c.at + len(name)
		for c.end < len(line) && line[c.end] == ' ' {
			c.end++
		}
		return true
	}
	return false
}
