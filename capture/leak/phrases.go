package leak

import (
	"net/netip"
	"strings"
)

// phrase is what a program says around an identity: the texts before and after
// it. Without one after it the value is a word; without one before it, too.
type phrase struct {
	before, after string
	class         string
}

// phrases are those of logs and of the programs whose output a bundle has:
// pam_unix, sshd, cron, su, sudo, logind; systemd, avahi; wpa_supplicant,
// NetworkManager; the kernel's file systems and its adapters of SAS, Fibre
// Channel and InfiniBand.
var phrases = []phrase{
	{"by ", "(uid=", "user"},
	{"session opened for user ", "", "user"},
	{"session closed for user ", "", "user"},
	{"of user ", "", "user"},
	{"of User ", "", "user"},
	{"nvalid user ", " from ", "user"},
	{"Accepted publickey for ", " from ", "user"},
	{"Accepted password for ", " from ", "user"},
	{"Failed password for ", " from ", "user"},
	{"authenticating user ", " ", "user"},
	{"]: (", ") CMD ", "user"},
	{"(to root) ", " on ", "user"},
	{"", " : TTY=", "user"},
	{"to=<", ">", "mail"},
	{"from=<", ">", "mail"},
	{"mail sent to ", "", "mail"},

	{"hostname changed from (none) to \"", "\"", "host"},
	{"Changed host name to '", "'", "host"},
	{"system hostname '", "'", "host"},
	{"Host name is ", ".", "host"},
	{"relay=", "[", "host"},
	{"nfs: server ", " ", "host"},
	{" host=", ", domain=", "host"},
	{", domain=", ",", "domain"},
	{"systemd.hostname=", "", "host"},
	{"systemd.machine_id=", "", "machine-id"},
	{"nfsroot=", ":/", "host"},
	{"md-name-", ":", "host"},
	{"org.linux-iscsi.", ".x", "host"},
	{"Selected source ", "", "host"},

	{"SSID '", "'", "ssid"},
	{"starting connection '", "'", "ssid"},
	{"policy: set '", "'", "ssid"},

	{"device label ", " devid ", "volume"},
	{" LABEL=", "", "volume"},
	{"=LABEL=", "", "volume"},
	{"PARTLABEL=", "", "volume"},
	{"ID_FS_LABEL=", "", "volume"},
	{"ID_PART_ENTRY_NAME=", "", "volume"},
	{"\"label\":\"", "\"", "volume"},
	{"Pool '", "'", "pool"},
	{"pool '", "'", "pool"},
	{"VG Name  ", "", "vg"},
	{"LV Path  ", "", "vg"},
	{"VG UUID  ", "", "volume-id"},
	{"LV UUID  ", "", "volume-id"},
	{"PV UUID  ", "", "volume-id"},
	{"UUID_SUB=", "", "volume-id"},
	{"dm-uuid-LVM-", "", "volume-id"},

	{"sas_addr(0x", "", "wwn"},
	{"device_name(0x", "", "wwn"},
	{"logical id (0x", "", "wwn"},
	{"unique id: 0x", "", "wwn"},
	{"SAS address = 0x", "", "wwn"},
	{"port_name", "", "wwn"},
	{"node_name", "", "wwn"},
	{"nn-0x", "", "wwn"},
	{"pn-0x", "", "wwn"},
	{"ID_WWN=0x", "", "wwn"},
	{"scsi-3", "", "wwn"},
	{"node_guid", "", "wwn"},
	{"sys_image_guid", "", "wwn"},
	{"IEEE EUI-64:", "", "wwn"},
	{"mac=0x", "", "mac"},
	{"wwpn ", "", "wwn"},
	{"wwnn ", "", "wwn"},
	{"sas: ex ", "", "wwn"},
	{"attached: ", "", "wwn"},
	{"SAS addr ", "", "wwn"},
	{"PCBA SN ", "", "board-serial"},
	{"Board S/N ", "", "board-serial"},
	{": serial ", "", "board-serial"},
	{": serial 0x", "", "wwn"},
	{"serial no: ", "", "board-serial"},
	{"NFSv4 server ", " with error", "host"},
	{"afs: Lost contact with file server ", " in cell", "address"},
	{" in cell ", "", "domain"},
	{"new ctrl: NQN \"", "\"", "subsystem"},
	{" for subsystem ", " for NQN ", "subsystem"},

	{"/by-label/", "", "volume"},
	{"/by-partlabel/", "", "volume"},
	{"root=zfs:", "", "pool"},
	{"systemd-cryptsetup@", ".service", "volume"},
	{"Cryptography Setup for ", "", "volume"},
	{"using hostid 0x", "", "host-id"},

	{"netroot=iscsi:", "@", "secret"},
	{" SHA256:", "", "fingerprint"},
	{"PrivateKey = ", "", "secret"},
	{"PrivateKey=", "", "secret"},
	{"PresharedKey = ", "", "secret"},
	{"PresharedKey=", "", "secret"},
	{"Community String   : ", "", "secret"},
	{"System specific: ", "", "vpd"},
}

// phrasesAt finds phrases by the first two bytes before the value, or of what
// comes after it where nothing stands before.
var phrasesAt = func() (table [1 << 16][]phrase) {
	for _, p := range phrases {
		key := (p.before + p.after)[:2]
		at := int(key[0])<<8 | int(key[1])
		table[at] = append(table[at], p)
	}
	return table
}()

// longestName is how far from what announces it a name is looked for.
const longestName = 256

// phrased finds values that a program's words stand around.
func phrased(line string, found hit) {
	for i := 0; i+1 < len(line); i++ {
		for _, p := range phrasesAt[int(line[i])<<8|int(line[i+1])] {
			if value, ok := p.value(line, i); ok && isOf(p.class, value) && !harmless(value) {
				found(ByLabel, p.class, value)
			}
		}
	}
}

// value returns what the phrase that begins at line[at:] stands around.
func (p phrase) value(line string, at int) (value string, ok bool) {
	if p.before == "" {
		if !strings.HasPrefix(line[at:], p.after) {
			return "", false
		}
		return line[strings.LastIndexAny(line[:at], " \t")+1 : at], true
	}
	value, ok = strings.CutPrefix(line[at:], p.before)
	if !ok || at > 0 && isWord(line[at-1]) && isWord(line[at]) && p.before[0] != 'n' {
		return "", false
	}
	value = value[:min(len(value), longestName)]
	switch {
	case p.class == "wwn":
		return grouped(value), true
	case p.after != "":
		value, _, ok = strings.Cut(value, p.after)
	default:
		value = strings.TrimLeft(value, " \t")
		if quoted, isQuoted := strings.CutPrefix(value, "\""); isQuoted {
			value, _, _ = strings.Cut(quoted, "\"")
			break
		}
		if end := strings.IndexAny(value, " \t,;\"'()<>[]{}"); end >= 0 {
			value = value[:end]
		}
	}
	return strings.TrimRight(value, " ."), ok
}

// grouped returns the hexadecimal digits that s begins with, together or in
// groups, behind what parts them from their label.
func grouped(s string) string {
	s = strings.TrimPrefix(strings.TrimLeft(s, " \t:=\""), "0x")
	end := 0
	for end < len(s) && (isHex(s[end]) || end > 0 && strings.IndexByte(" :-", s[end]) >= 0) {
		end++
	}
	if end < len(s) && isWord(s[end]) { // a word behind the digits
		end = strings.LastIndexAny(s[:end], " :-") + 1
	}
	return strings.TrimRight(strings.ReplaceAll(s[:end], " ", ""), ":-")
}

// systemUsers are accounts that systems make for themselves.
var systemUsers = map[string]bool{
	"usb": true, "cdrom": true, "linuxbrew": true, "nobody": true, "gdm": true, "sddm": true, "lightdm": true, "daemon": true, "dbus": true, "messagebus": true, "polkitd": true, "systemd": true,
	"space": true, "process": true, "mode": true, "memory": true, "mappings": true, "shared": true, "public": true, "default": true,
}

// systemLabels are labels of volumes that installers give.
var systemLabels = map[string]bool{
	"root": true, "boot": true, "efi": true, "esp": true, "swap": true, "home": true, "var": true, "tmp": true, "usr": true, "srv": true, "data": true,
	"rootfs": true, "system-boot": true, "uefi": true, "writable": true, "cidata": true, "cloudimg-rootfs": true, "bootfs": true,
	"cryptroot": true, "cryptswap": true, "crypt": true, "luks": true, "thin": true, "control": true, "swap_1": true, "recovery": true,
}

// systemPools are pools that installers make.
var systemPools = map[string]bool{"rpool": true, "bpool": true, "zroot": true, "boot-pool": true, "freenas-boot": true}

// isOf reports whether a value can be one of its class.
func isOf(class, value string) bool {
	low := strings.ToLower(value)
	switch class {
	case "user":
		return len(value) > 1 && !strings.ContainsAny(value, " \t") && !systemUsers[low]
	case "host", "domain":
		return len(value) > 1 && strings.Trim(value, "0123456789.:") != "" && !strings.Contains(value, " ")
	case "mail":
		return strings.Contains(value, "@")
	case "ssid":
		return len(value) > 1 && !strings.HasPrefix(value, "Wired connection") // NetworkManager's own name
	case "volume":
		return len(value) > 2 && !systemLabels[low] && !strings.HasPrefix(low, "efi") && !strings.Contains(value, "partition")
	case "pool":
		return !systemPools[low]
	case "wwn":
		return len(hexOf(value)) >= 16
	case "mac":
		return len(value) == 12 && hexRun(value) == 12
	case "board-serial":
		return len(value) > 5 && strings.ContainsAny(value, "0123456789") && strings.Trim(value, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
	case "subsystem":
		return len(value) > 3 && !strings.HasPrefix(value, "nqn.")
	case "address":
		a, err := netip.ParseAddr(value)
		return err == nil && !isHarmlessIP(a)
	case "fingerprint":
		return len(value) == 43 // of 32 bytes
	case "vpd":
		return len(value) >= 8 && looksDrawn(value)
	}
	return len(value) > 2
}
