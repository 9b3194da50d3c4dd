package parse

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"strings"
	"unicode"
	"unicode/utf8"

	"hwcap/parse/sysfs"
)

// roots are the folders and files that the top folder of a capture holds.
var roots = map[string]bool{
	"cmd": true, "proc": true, "sys": true, "dev": true, "etc": true,
	"netlink": true, "attach": true, "samples": true, manifestName: true,
}

// bundleRoots are those of bundles of other tools that no capture holds.
var bundleRoots = map[string]bool{"sos_commands": true, "insights_commands": true, "hw.info": true, "usr": true}

// maxName is the longest name, in bytes.
const maxName = 1024

// nameSum stands for a name that is kept to the end: a hundred thousand long
// ones take much memory.
type nameSum [sha256.Size]byte

func sumOf(name string) nameSum { return sha256.Sum256([]byte(name)) }

// names is a set of names.
type names map[nameSum]struct{}

func (n names) add(name string) { n[sumOf(name)] = struct{}{} }

func (n names) has(name string) bool {
	_, ok := n[sumOf(name)]
	return ok
}

// memberName checks the name of a member and returns its path in the capture:
// without the top folder, whatever its name, and with the colons that Windows
// cannot write. why says what is wrong with a name that is not taken, top is
// the name of the top folder, if there is one.
//
// Names never reach the file system, so the rules are those of io/fs, the same
// on every system (filepath.IsLocal refuses each colon on Windows).
func memberName(name string) (path, top, why string) {
	for strings.HasPrefix(name, "./") {
		name = name[2:]
	}
	switch {
	case len(name) > maxName:
		return "", "", fmt.Sprintf("its name is longer than %d bytes", maxName)
	case !utf8.ValidString(name):
		return "", "", "its name is not UTF-8"
	case strings.IndexFunc(name, unicode.IsControl) >= 0:
		return "", "", "its name holds control characters"
	case !fs.ValidPath(name) || name == ".":
		return "", "", "its name leads out of the capture"
	}
	if at := rootAt(name); at > 0 {
		top, name = name[:at-1], name[at:]
	}
	if strings.HasPrefix(name, "sys/") && strings.Contains(name, "_") {
		name = colons(name)
	}
	return name, top, ""
}

// rootAt returns where the name goes on below its top folder, 0 where it has
// none. Newer bundles of insights have a folder data in theirs.
func rootAt(name string) int {
	for at, depth := 0, 0; depth < 3; depth++ {
		part, rest, more := strings.Cut(name[at:], "/")
		switch {
		case roots[part] || bundleRoots[part] && more:
			return at
		case !more, depth == 1 && part != "data":
			return 0
		}
		at = len(name) - len(rest)
	}
	return 0
}

// colons puts back the colons of PCI addresses, "0000_c5_00.0", of root
// bridges' folders, "pci0000_c2", and of QAT's, "qat_c6xx_0000_3d_00.0".
// Everywhere else an underscore is one.
func colons(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		prefix, address := "", part
		if strings.HasPrefix(part, "qat_") {
			// The address is what the last three underscores lead in.
			at := len(part)
			for range 3 {
				at = strings.LastIndexByte(part[:max(at, 0)], '_')
			}
			prefix, address = part[:at+1], part[at+1:]
		}
		if whole := strings.ReplaceAll(address, "_", ":"); sysfs.IsAddress(whole) {
			parts[i] = prefix + whole
		} else if bus, ok := strings.CutPrefix(part, "pci"); ok {
			if whole := strings.Replace(bus, "_", ":", 1); sysfs.IsAddress(whole + ":00.0") {
				parts[i] = "pci" + whole
			}
		} else if whole := strings.ReplaceAll(part, "_", ":"); sysfs.IsAddress(whole + ".0") {
			parts[i] = whole
		}
	}
	return strings.Join(parts, "/")
}
