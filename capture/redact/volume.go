package redact

import "bytes"

// devFolders are folders of /dev that are no volume groups.
var devFolders = set("disk", "mapper", "md", "input", "dri", "block", "char", "snd", "bus", "net", "shm", "pts", "zvol",
	"loop", "cpu", "dma_heap", "hugepages", "mqueue", "vfio", "virtio-ports", "serial", "v4l", "fd", "ng0n1", "nvme0",
	"infiniband", "bsg", "mst", "dvb", "xen", "zfs", "drbd", "iommu", "usbmon", "rdma", "watchdog", "lightnvm", "hwrng",
	"usb", "tpmrm0", "cciss", "raw", "accel", "ata", "scsi")

// logicalVolume reads the names in /dev/GROUP/VOLUME.
func logicalVolume(t *text, from, to int) {
	if from == 0 || t.line[from-1] != '/' || to == len(t.line) || t.line[to] != '/' {
		return
	}
	s := t.line[to+1 : min(len(t.line), to+1+maxValue)]
	slash := bytes.IndexByte(s, '/')
	if slash <= 0 || slash+1 == len(s) || !isPart(s[slash+1]) || devFolders[string(s[:slash])] || !isVolume(s[:slash]) {
		return
	}
	t.foundName(to+1, to+1+slash, "vg", VG)
	at := to + 1 + slash + 1
	end := at
	for end < len(t.line) && end-at < maxValue && isVolume(t.line[end:end+1]) {
		end++
	}
	t.foundName(at, t.withoutDots(at, end), "name", LUKS)
}

// withoutDots returns where the name at line[from:to] ends before the dots of an
// ellipsis.
func (t *text) withoutDots(from, to int) int {
	return from + len(bytes.TrimRight(t.line[from:to], "."))
}

// isVolume reports whether s is made of what the name of a volume may have
// (lvm(8)).
func isVolume(s []byte) bool {
	for _, c := range s {
		if !isPart(c) && !joins(c) && c != '.' && c != '+' {
			return false
		}
	}
	return true
}

// mapped reads /dev/mapper/NAME.
func mapped(t *text, from, to int) {
	if from == 0 || t.line[from-1] != '/' || to == len(t.line) || t.line[to] != '/' {
		return
	}
	end := to + 1
	for end < len(t.line) && end-to < maxValue && isVolume(t.line[end:end+1]) {
		end++
	}
	t.foundMapping(to+1, t.withoutDots(to+1, end))
}

// foundMapping has the name of a mapping at line[from:to]. LVM joins group and
// volume by a hyphen and doubles those within them. What tools name after a
// device or a UUID is left to other rules.
func (t *text) foundMapping(from, to int) {
	s := t.line[from:to]
	if isName(s) || bytes.HasPrefix(s, []byte("luks-")) && isUUID(s[5:]) || bytes.HasSuffix(s, []byte("_crypt")) || bytes.HasPrefix(s, []byte("mpath")) {
		return
	}
	cut := -1
	for i := 0; i < len(s); i++ {
		if s[i] == '-' {
			if i+1 < len(s) && s[i+1] == '-' {
				i++
				continue
			}
			cut = i
			break
		}
	}
	if cut <= 0 {
		t.foundName(from, to, "name", LUKS)
		return
	}
	// A pseudonym has a hyphen of its own, which LVM would double.
	if n := len("vg-") + 10; len(s) > n && isName(s[:n]) && s[n] == '-' {
		cut = n
	}
	t.foundName(from, from+cut, "vg", VG)
	t.foundName(from+cut+1, to, "name", LUKS)
}

// mapping reads the name that begins a line of dmsetup table, and hides the key
// of a mapping that encrypts: "NAME: 0 2048 crypt CIPHER KEY 0 8:3 32768".
func (t *text) mapping() {
	colon := bytes.Index(t.line, []byte(": "))
	rest := t.line
	if colon > 0 && isVolume(t.line[:colon]) {
		t.foundMapping(0, colon)
		rest = t.line[colon+2:]
	}
	at := bytes.Index(rest, []byte(" crypt "))
	if at < 0 {
		return
	}
	at += len(t.line) - len(rest) + len(" crypt ")
	cipher := bytes.IndexByte(t.line[at:], ' ')
	if cipher < 0 {
		return
	}
	from := at + cipher + 1
	to := t.valueEnd(from, '=')
	if key := t.line[from:to]; isAllHex(key) && !isBlank(key) {
		t.hide(from, to, bytes.Repeat([]byte("0"), len(key)))
	}
}

// group reads rd.lvm.vg=GROUP and rd.lvm.lv=GROUP/VOLUME.
func group(t *text, from, to int) {
	if slash := bytes.IndexByte(t.line[from:to], '/'); slash >= 0 {
		t.foundName(from+slash+1, to, "name", LUKS)
		to = from + slash
	}
	t.foundName(from, to, "vg", VG)
}

// pool takes the pool of a dataset.
func pool(t *text, from, to int) {
	if slash := bytes.IndexByte(t.line[from:to], '/'); slash >= 0 {
		to = from + slash
	}
	t.foundName(from, to, "pool", Pool)
}

func init() {
	const any = labels | logs
	on("DEV", logicalVolume)
	on("MAPPER", mapped)
	on("VG", label("LVM", "=", any, group))
	on("LV", label("LVM", "=", any, group))
	on("ZFS", label("", "=", any, pool))
	on("POOL", between(" '", "'", logs, pool))
	on("LABEL",
		label("", "=", any, asName("name", LUKS)),
		between(" ", " devid ", logs, asName("name", LUKS)))
	on("PARTLABEL", label("", "=", any, asName("name", LUKS)))
	on("CRYPTDEVICE", cryptDevice)
	on("NAME", label("LUKS", "=", any, luksName),
		label("VG", " ", labels, asName("vg", VG)), // vgdisplay(8)
		label("LV", " ", labels, asName("name", LUKS)))
}

// luksName reads the mapping's name in rd.luks.name=UUID=NAME.
func luksName(t *text, from, to int) {
	if at := from + uuidLen; at+1 < to && isUUID(t.line[from:to]) && t.line[at] == '=' {
		t.foundMapping(at+1, to)
	}
}

// cryptDevice reads the mapping's name in cryptdevice=UUID=...:NAME.
func cryptDevice(t *text, from, to int) {
	s := t.line[to:min(len(t.line), to+maxValue)]
	if end := bytes.IndexAny(s, " \t\""); end >= 0 {
		s = s[:end]
	}
	if colon := bytes.IndexByte(s, ':'); colon > 0 && colon+1 < len(s) {
		at := to + colon + 1
		end := at
		for end < to+len(s) && t.line[end] != ':' {
			end++
		}
		t.foundMapping(at, end)
	}
}
