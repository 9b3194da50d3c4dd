package lspci

import "bytes"

// other is a shape of lines that are not of a device, in texts that hold more
// than one command's output. Each is an exact shape; there is none for "the
// rest".
type other struct {
	is   func(text []byte) bool
	ends bool // another command's output: device and listing end here
	why  string
}

var others = []other{
	{isPrompt, true, "a shell prompt with a call of lspci"},
	{isKernelLog, true, "a line of the kernel log, which has its own parser"},
	{isResource, true, "a row of /proc/iomem or /proc/ioports; regions and windows carry the same"},
	{isHexWarning, false, "lspci says that it cannot show the hexadecimal dump"},
}

// isOther returns the shape of text, or nil.
func isOther(text []byte) *other {
	for i := range others {
		if others[i].is(text) {
			return &others[i]
		}
	}
	return nil
}

// isPrompt: "# lspci -vv", "[root@host ~]# lspci", "user@host:~$ sudo lspci -k".
func isPrompt(text []byte) bool {
	i := bytes.Index(text, []byte("lspci"))
	if i < 1 {
		return false
	}
	before := text[:i]
	return before[0] == '#' || before[0] == '$' || bytes.Contains(before, []byte("# ")) || bytes.Contains(before, []byte("$ "))
}

// isKernelLog: "[    0.123456] pci 0000:00:1c.0: ...".
func isKernelLog(text []byte) bool {
	if text[0] != '[' {
		return false
	}
	seconds, rest, _ := bytes.Cut(text[1:], []byte("."))
	_, ok := number(seconds, 10)
	return ok && len(rest) > 6 && rest[6] == ']'
}

// isResource: "e0000000-efffffff : PCI ECAM 0000 [bus 00-ff]".
func isResource(text []byte) bool {
	first, rest, _ := bytes.Cut(text, []byte("-"))
	last, _, found := bytes.Cut(rest, []byte(" : "))
	return found && len(first) >= 4 && allHex(first, len(first)) && allHex(last, len(first))
}

func isHexWarning(text []byte) bool { return hasPrefix(text, "WARNING: Cannot show hex-dump") }
