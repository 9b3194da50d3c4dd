package redact

import "bytes"

// diskIDs finds the serial numbers in names of /dev/disk/by-id: kind, vendor
// and model, then behind the last underscore the serial number, with a
// partition, a namespace or a unit behind it (60-persistent-storage.rules of
// systemd). Names that are a WWN are of another grammar.
func (t *text) diskIDs(end int) {
	for at := 0; ; {
		i := bytes.Index(t.line[at:end], []byte("by-id/"))
		if i < 0 {
			return
		}
		at += i + len("by-id/")
		to := at
		for to < end && classes[t.line[to]] != 0 {
			to++
		}
		name := t.line[at:to]
		if dash := bytes.IndexByte(name, '-'); dash < 0 || !diskKinds[string(name[:dash])] {
			continue
		}
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
		if low > 0 && low+1 < len(name) {
			t.foundSerial(at+low+1, at+len(name), DriveSerial)
		}
	}
}

// diskKinds are the kinds of names that end in a serial number.
var diskKinds = map[string]bool{"nvme": true, "ata": true, "usb": true, "scsi": true, "mmc": true, "memstick": true, "virtio": true}

// counts reports whether s is made of digits and colons.
func counts(s []byte) bool {
	for _, c := range s {
		if classes[c]&(digitBit|colonBit) == 0 {
			return false
		}
	}
	return len(s) > 0
}
