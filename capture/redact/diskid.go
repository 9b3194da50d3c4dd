package redact

import (
	"bytes"
	"encoding/hex"
)

// diskKinds are the kinds of names in /dev/disk/by-id that end in a serial
// number.
var diskKinds = []string{"NVME", "ATA", "USB", "SCSI", "MMC", "MEMSTICK", "VIRTIO"}

// diskTails stand behind the serial number in the names of what is no disk, in
// /dev/input/by-id and the like.
var diskTails = [][]byte{[]byte("-event"), []byte("-if"), []byte("-mouse"), []byte("-video-index")}

// diskID reads a name of /dev/disk/by-id: kind, vendor and model, then behind
// the last underscore the serial number, with a partition, a namespace or a
// unit behind it (60-persistent-storage.rules of systemd). Names that are a WWN
// are of another grammar. Where the folder is not before it, as in what zpool
// and ls print, the serial number must look like one.
func diskID(t *text, from, to int) {
	if to == len(t.line) || t.line[to] != '-' {
		return
	}
	inFolder := bytes.HasSuffix(t.line[:from], []byte("by-id/"))
	if !inFolder && from > 0 && !bytes.ContainsRune([]byte(" \t/\"'=(,"), rune(t.line[from-1])) {
		return
	}
	end := linkEnd(t.line, to)
	name := t.line[from:end]
	for _, behind := range []string{"-part", "-"} { // -part1, -0:0
		if cut := bytes.LastIndex(name, []byte(behind)); cut > 0 && counts(name[cut+len(behind):]) {
			name = name[:cut]
		}
	}
	low := bytes.LastIndexByte(name, '_')
	if low > 0 && counts(name[low+1:]) && len(name)-low <= 3 { // a namespace
		name = name[:low]
		low = bytes.LastIndexByte(name, '_')
	}
	if low <= 0 {
		return
	}
	for _, tail := range diskTails {
		if cut := bytes.Index(name[low:], tail); cut > 0 {
			name = name[:low+cut]
		}
	}
	serial := name[low+1:]
	if len(serial) == 0 || !inFolder && (len(serial) < 6 || !bytes.ContainsAny(serial, "0123456789") || bytes.ContainsAny(serial, ":.")) {
		return
	}
	t.foundSerial(from+low+1, from+len(name), DriveSerial)
}

// linkEnd returns where the name of a link ends that holds line[at].
func linkEnd(line []byte, at int) int {
	end := at
	for end < len(line) && end-at < maxValue && classes[line[end]] != 0 {
		end++
	}
	return end
}

// counts reports whether s is made of digits and colons.
func counts(s []byte) bool {
	for _, c := range s {
		if classes[c]&(digitBit|colonBit) == 0 {
			return false
		}
	}
	return len(s) > 0
}

// pageID reads scsi-3HEX and mpath-3HEX, the kind of identification descriptor
// before a WWN (scsi_id of systemd).
func pageID(t *text, from, to int) {
	if !bytes.HasPrefix(t.line[to:], []byte("-3")) && !bytes.HasPrefix(t.line[to:], []byte("-2")) {
		return
	}
	end := to + 2
	for end < len(t.line) && isHex(t.line[end]) {
		end++
	}
	if n := end - to - 2; (n == 16 || n == 32) && (end == len(t.line) || !isPart(t.line[end])) {
		t.foundHexID(to+2, end, WWN)
	}
}

// typedWWN has a bare WWN with that kind before it, as multipath prints it: 17
// or 33 digits.
func (t *text) typedWWN(from, to int) bool {
	naa := map[int]byte{17: '5', 33: '6'}[to-from]
	if t.line[from] != '3' || t.line[from+1] != naa {
		return false
	}
	t.foundHexID(from+1, to, WWN)
	return true
}

// nvmeID reads nvme.VVVV-SERIAL-MODEL-NNNNNNNN, the vendor of a namespace
// without EUI-64 and its texts as hexadecimal digits (wwid_show of
// drivers/nvme/host/sysfs.c).
func nvmeID(t *text, from, to int) {
	const head = len(".144d-")
	at := to + head
	if at > len(t.line) || t.line[to] != '.' || !isAllHex(t.line[to+1:at-1]) || t.line[at-1] != '-' {
		return
	}
	end := at
	for end < len(t.line) && end-at < maxValue && isHex(t.line[end]) {
		end++
	}
	value := octets(nil, t.line[at:end], 0)
	if end == len(t.line) || t.line[end] != '-' || len(value)*2 != end-at {
		return
	}
	switch {
	case isPlaceholder(value):
		t.keep(at, end)
	case t.learning():
		t.r.known.text(kindSerial, DriveSerial, value)
		t.keep(at, end)
	default:
		t.put(at, end, DriveSerial, hex.AppendEncode(nil, t.r.key.sealedInPlace(kindSerial, value)))
	}
}

// linkName reads dm-name-NAME, the name of a mapping, and md-name-HOST:ARRAY.
func linkName(t *text, from, to int) {
	if to == len(t.line) || t.line[to] != '-' {
		return
	}
	end := to + 1
	for end < len(t.line) && end-to < maxValue && isVolume(t.line[end:end+1]) {
		end++
	}
	switch {
	case t.follows(from, "DM"):
		t.foundMapping(to+1, end)
	case t.follows(from, "MD") && end < len(t.line) && t.line[end] == ':':
		t.foundHost(to+1, end)
	}
}

// volumeID reads the UUID of a mapping that LVM made: LVM-, those of the group
// and of the volume without hyphens, and maybe what LVM has the volume for.
func volumeID(t *text, from, to int) {
	end := to + 1 + 64
	if end > len(t.line) || t.line[to] != '-' || end < len(t.line) && isPart(t.line[end]) {
		return
	}
	for _, c := range t.line[to+1 : end] {
		if alphabetOf[c] == "" {
			return
		}
	}
	t.foundSerial(to+1, end, UUID)
}

// cryptID reads the name behind the UUID of a mapping that cryptsetup made,
// CRYPT-LUKS2-UUID-NAME.
func cryptID(t *text, from, to int) {
	at := to + len("-0123456789abcdef0123456789abcdef-")
	if !t.follows(from, "CRYPT") || at >= len(t.line) || t.line[to] != '-' || !isAllHex(t.line[to+1:at-1]) || t.line[at-1] != '-' {
		return
	}
	end := at
	for end < len(t.line) && end-at < maxValue && isVolume(t.line[end:end+1]) {
		end++
	}
	t.foundMapping(at, end)
}

// physicalID reads lvm-pv-uuid-UUID.
func physicalID(t *text, from, to int) {
	end := to + 1 + 38
	if t.follows(from, "PV") && end <= len(t.line) && t.line[to] == '-' && isLVMID(t.line[to+1:end]) {
		t.foundSerial(to+1, end, UUID)
	}
}

func init() {
	for _, kind := range diskKinds {
		on(kind, diskID)
	}
	on("SCSI", pageID)
	on("MPATH", pageID)
	on("NVME", nvmeID)
	on("NAME", linkName)
	on("LVM", volumeID)
	on("LUKS1", cryptID)
	on("LUKS2", cryptID)
	on("UUID", physicalID)
}
