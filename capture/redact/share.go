package redact

import "bytes"

// near is how far from the name of a network file system its share is looked
// for.
const near = maxValue

// share finds //SERVER/SHARE and \\SERVER\SHARE in a line that speaks of CIFS.
func share(t *text, from, to int) {
	end := min(len(t.line), to+near)
	for at := max(0, from-near); at+2 < end; at++ {
		sep := t.line[at]
		if sep != '/' && sep != '\\' || t.line[at+1] != sep || !isPart(t.line[at+2]) {
			continue
		}
		if at > 0 && !bytes.ContainsRune([]byte(" \t=\"'"), rune(t.line[at-1])) {
			continue
		}
		server := at + 2
		next := server
		for next < end && isVolume(t.line[next:next+1]) {
			next++
		}
		if t.covered(server) == server {
			t.foundHost(server, next)
			if len(bytes.Trim(t.line[server:next], "0123456789.")) == 0 {
				asIPv4(t, server, next)
			}
		}
		at = next
		if next < end && t.line[next] == sep {
			for next++; next < end && bytes.IndexByte([]byte(" \t,\"'/\\"), t.line[next]) < 0; next++ {
			}
			if t.covered(at+1) == at+1 {
				t.foundName(at+1, next, "name", LUKS)
			}
			at = next
		}
	}
}

// exported reads SERVER:/PATH, the device of a mount of NFS, at the beginning
// of a line, and in root=nfs:SERVER:/PATH (dracut.cmdline(7)).
func exported(t *text, from, to int) {
	t.exporter(0)
	if to < len(t.line) && t.line[to] == ':' {
		t.exporter(to + 1)
	}
}

// exporter has a server at line[from:] if ":/" is behind it.
func (t *text) exporter(from int) {
	to := from
	for to < len(t.line) && to-from < near && isVolume(t.line[to:to+1]) {
		to++
	}
	if to == from || !bytes.HasPrefix(t.line[to:], []byte(":/")) || t.covered(from) != from {
		return
	}
	t.foundHost(from, to)
	asIPv4(t, from, to)
}

// rootServer takes the server in nfsroot=SERVER:/PATH.
func rootServer(t *text, from, to int) { t.exporter(from) }

// linkHeader reads the header of Ethernet that the kernel prints of a packet it
// refuses: "ll header: 00000000: ", or nothing between, then two addresses and
// a type (net/ipv4/route.c).
func linkHeader(t *text, from, to int) {
	if !t.follows(from, "LL") || !bytes.HasPrefix(t.line[to:], []byte(": ")) {
		return
	}
	at := to + 2
	if bytes.HasPrefix(t.line[at:], []byte("00000000: ")) {
		at += len("00000000: ")
	}
	if at+3 > len(t.line) {
		return
	}
	sep := t.line[at+2]
	if sep != ' ' && sep != ':' || pairsOf(t.line[at:], sep, 14) < 12 {
		return
	}
	const size = len("00:00:00:00:00:00")
	for _, at := range []int{at, at + size + 1} {
		t.foundMAC(at, at+size, [6]byte(octets(nil, t.line[at:at+size], sep)))
	}
}

func init() {
	for _, word := range []string{"CIFS", "SMB3", "SMBFS", "UNC"} {
		on(word, share)
	}
	on("NFS", exported)
	on("NFS4", exported)
	on("NFSROOT", label("", "=", labels|logs, rootServer))
	on("HEADER", linkHeader)
}
