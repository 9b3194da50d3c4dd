package redact

import "bytes"

// byLink reads the name behind /dev/disk/by-label/ and by-partlabel/.
func byLink(t *text, from, to int) {
	if at, end, ok := t.linked(from, to); ok {
		t.foundName(at, end, "name", LUKS)
	}
}

// byID reads the UUID of a file system of another form behind by-uuid/.
func byID(t *text, from, to int) {
	if at, end, ok := t.linked(from, to); ok {
		asShortID(t, at, end)
	}
}

// linked returns where the name of a link stands whose folder's name ends at to.
func (t *text) linked(from, to int) (at, end int, ok bool) {
	if !bytes.HasSuffix(t.line[:from], []byte("/by-")) || to == len(t.line) || t.line[to] != '/' {
		return 0, 0, false
	}
	at = to + 1
	for end = at; end < len(t.line) && end-at < maxValue && (isVolume(t.line[end:end+1]) || t.line[end] == '\\'); end++ {
	}
	end = t.withoutDots(at, end)
	return at, end, end > at
}

// cryptUnit reads systemd-cryptsetup@NAME.service.
func cryptUnit(t *text, from, to int) {
	if to == len(t.line) || t.line[to] != '@' {
		return
	}
	s := t.line[to+1 : min(len(t.line), to+maxValue)]
	if end := bytes.Index(s, []byte(".service")); end > 0 && isVolume(s[:end]) {
		t.foundMapping(to+1, to+1+end)
	}
}

// cryptSetup reads "Cryptography Setup for NAME" of systemd.
func cryptSetup(t *text, from, to int) {
	const between = " for "
	if at := to + len(between); t.follows(from, "CRYPTOGRAPHY") && bytes.HasPrefix(t.line[to:], []byte(between)) {
		t.foundMapping(at, t.userEnd(at))
	}
}

// homeUnit reads home-NAME.mount and home-NAME.automount.
func homeUnit(t *text, from, to int) {
	if to == len(t.line) || t.line[to] != '-' || from > 0 && t.line[from-1] != ' ' {
		return
	}
	end := to + 1
	for end < len(t.line) && end-to < maxValue && isPart(t.line[end]) {
		end++
	}
	if rest := t.line[end:]; bytes.HasPrefix(rest, []byte(".mount")) || bytes.HasPrefix(rest, []byte(".automount")) {
		t.foundName(to+1, end, "user", User)
	}
}

// machineUnit reads the name of a virtual machine in the unit that machined
// makes for it, machine-qemu\x2d3\x2dNAME.scope.
func machineUnit(t *text, from, to int) {
	const kind = `-qemu\x2d`
	if !bytes.HasPrefix(t.line[to:], []byte(kind)) {
		return
	}
	at := to + len(kind)
	for at < len(t.line) && classes[t.line[at]] == digitBit {
		at++
	}
	s := t.line[at:min(len(t.line), at+maxValue)]
	if end := bytes.Index(s, []byte(".scope")); bytes.HasPrefix(s, escapedDash) && end > len(escapedDash) && bytes.IndexByte(s[:end], ' ') < 0 {
		t.foundName(at+len(escapedDash), at+end, "host", Host)
	}
}

// containers are what stands before the 64 digits of a container in the names of
// its groups of processes.
var containers = [][]byte{[]byte("docker/"), []byte("docker-"), []byte("libpod-"), []byte("containerd-"), []byte("crio-"), []byte("conmon-")}

// isContainer reports whether the 64 digits at line[from:] are those of a
// container; in Kubernetes the UUID of a pod stands before them.
func (t *text) isContainer(from int) bool {
	for _, name := range containers {
		if bytes.HasSuffix(t.line[:from], name) {
			return true
		}
	}
	before, ok := bytes.CutSuffix(t.line[max(0, from-64):from], []byte("/"))
	pod := before[bytes.LastIndexByte(before, '/')+1:]
	return ok && bytes.HasPrefix(pod, []byte("pod"))
}

// hostID reads "using hostid 0x1a2b3c4d" of ZFS.
func hostID(t *text, from, to int) {
	const size = len(" 0x1a2b3c4d")
	if end := to + size; end <= len(t.line) && string(t.line[to:to+3]) == " 0x" && isAllHex(t.line[to+3:end]) && (end == len(t.line) || !isPart(t.line[end])) {
		t.foundSerial(to+3, end, MachineID)
	}
}

// zfsRoot reads root=zfs:POOL/DATASET.
func zfsRoot(t *text, from, to int) {
	if !bytes.HasSuffix(t.line[:from], []byte("root=")) || to == len(t.line) || t.line[to] != ':' {
		return
	}
	end := to + 1
	for end < len(t.line) && end-to < maxValue && isVolume(t.line[end:end+1]) {
		end++
	}
	t.foundName(to+1, end, "pool", Pool)
}

// keyDevice reads the file system in rd.luks.key=/FILE:UUID=ID.
func keyDevice(t *text, from, to int) {
	if _, id, ok := bytes.Cut(t.line[from:to], []byte(":UUID=")); ok {
		asShortID(t, to-len(id), to)
	}
	if _, name, ok := bytes.Cut(t.line[from:to], []byte(":LABEL=")); ok {
		t.foundName(to-len(name), to, "name", LUKS)
	}
}

// keyPath reads the link to a file system in cryptkey=/dev/disk/by-uuid/ID:vfat:/FILE.
func keyPath(t *text, from, to int) {
	const folder = "/dev/disk/by-uuid/"
	if id, ok := bytes.CutPrefix(t.line[from:to], []byte(folder)); ok {
		id, _, _ = bytes.Cut(id, []byte(":"))
		asShortID(t, from+len(folder), from+len(folder)+len(id))
	}
}

func init() {
	on("LABEL", byLink)
	on("PARTLABEL", byLink)
	on("UUID", byID)
	on("PARTUUID", byID)
	on("CRYPTSETUP", cryptUnit)
	on("SETUP", cryptSetup)
	on("HOME", homeUnit)
	on("MACHINE", machineUnit)
	on("HOSTID", hostID)
	on("ZFS", zfsRoot)
	on("CRYPTKEY", label("", "=", labels|logs, keyPath))
	on("KEY", label("LUKS", "=", labels|logs, keyDevice))
}
