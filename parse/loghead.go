package parse

import (
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/klog"
)

// logHead fills in what the first messages of the log say of the kernel and
// the machine, where nobody asked the sources that say it better. One that was
// asked and could not be read stays missing: why is known then.
func (b *builder) logHead() {
	p := &b.m.Platform
	give := func(v *fact.Val[string], text string, at fact.Line, sources ...string) {
		for _, source := range sources {
			if b.m.Source(source).State != fact.NotAsked {
				return
			}
		}
		if !v.Known() && text != "" {
			*v = fact.Of(text, at)
		}
	}
	for _, n := range b.m.Log.Of("linux-version", "command-line", "machine", "hypervisor") {
		text := n.Fields["text"]
		switch n.Kind {
		case "linux-version":
			give(&p.Kernel, n.Fields["release"], n.At, "proc-version")
			if at := strings.Index(n.At.Text, "Linux version "); at >= 0 {
				version := n.At.Text[at:]
				if klog.Named([]byte(n.At.Text)) { // up to the end of the string
					version, _, _ = strings.Cut(version, `"`)
				}
				give(&p.Version, version, n.At, "proc-version")
			}
		case "command-line":
			give(&p.Cmdline, text, n.At, "proc-cmdline")
			if p.Cmdline.At == n.At && isCut(text) {
				p.Cmdline.State = fact.Truncated
			}
		case "hypervisor":
			give(&p.Hypervisor, n.Fields["name"], n.At, "proc-cpuinfo")
		case "machine":
			if name, bios, ok := cutLast(text, ", BIOS "); ok {
				product, board := splitBoard(name)
				version, date := splitDate(bios)
				give(&p.Product, product, n.At, "dmi", "dmidecode")
				give(&p.Board, board, n.At, "dmi", "dmidecode")
				give(&p.BIOSVersion, version, n.At, "dmi", "dmidecode")
				give(&p.BIOSDate, date, n.At, "dmi", "dmidecode")
			} else if strings.Contains(n.At.Text, "Machine model: ") {
				give(&p.Model, text, n.At, "device-tree")
			}
		}
	}
}

// isCut reports whether a command line can be longer than the log shows:
// printk keeps less than 1024 bytes of a message (LOG_LINE_MAX in
// kernel/printk/printk.c), and newer kernels go on in a further message.
func isCut(cmdline string) bool {
	const longest = 1024 - 48 - len("Kernel command line: ")
	return len(cmdline) >= longest || strings.HasSuffix(cmdline, `\`)
}

// splitBoard splits "VENDOR PRODUCT/BOARD" (dmi_format_ids in
// drivers/firmware/dmi_scan.c). Where the vendor ends cannot be told, so it
// stays with the product; with slashes in the names only equal halves can be
// split.
func splitBoard(name string) (product, board string) {
	slashes := strings.Count(name, "/")
	if slashes%2 == 0 {
		return strings.TrimSpace(name), ""
	}
	at := 0
	for range slashes/2 + 1 {
		at += strings.IndexByte(name[at:], '/') + 1
	}
	product, board = name[:at-1], name[at:]
	if slashes > 1 && !strings.HasSuffix(product, " "+board) {
		return strings.TrimSpace(name), ""
	}
	return strings.TrimSpace(product), strings.TrimSpace(board)
}

// splitDate splits "VERSION MM/DD/YYYY".
func splitDate(bios string) (version, date string) {
	bios = strings.TrimSpace(bios)
	version, date, ok := cutLast(bios, " ")
	if !ok || strings.Count(date, "/") != 2 {
		return bios, ""
	}
	return strings.TrimSpace(version), date
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
