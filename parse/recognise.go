package parse

import (
	"bytes"

	"hwcap/parse/dmsetup"
	"hwcap/parse/ethtool"
	"hwcap/parse/fact"
	"hwcap/parse/kconfig"
	"hwcap/parse/klog"
	"hwcap/parse/lspci"
	"hwcap/parse/mcelog"
	"hwcap/parse/measure"
	"hwcap/parse/qat"
	"hwcap/parse/ras"
)

// kind is a text that is recognised by its lines, wherever it stands.
type kind struct {
	format   string   // Capture.Format of a single text
	member   string   // the member of a capture that it stands for
	commands []string // what prints it, as it stands behind the prompt of a shell
	match    func(line []byte) bool
	parse    parser // nil for that of the member
}

// kinds are tried in this order; the one with most lines names the text.
var kinds = []kind{
	{"lspci", lspciMember, []string{"lspci"}, lspci.Begins, nil},
	{"lspci -t", "cmd/lspci-tv.txt", nil, lspci.IsTree, nil},
	{"kernel log", logMember, []string{"dmesg", "journalctl"}, kernelLine, nil},
	{"/proc/crypto", "proc/crypto", []string{"/proc/crypto"}, cryptoLine, nil},
	{"kernel configuration", configMember, []string{"/proc/config.gz", "/boot/config-"}, kconfig.Looks, nil},
	{"ethtool", "cmd/ethtool.txt", []string{"ethtool"}, ethtool.Looks, nil},
	{"dmidecode", "cmd/dmidecode.txt", []string{"dmidecode"}, dmiHandle, nil},
	{"ras-mc-ctl --summary", "cmd/ras-mc-ctl-summary.txt", []string{"ras-mc-ctl --summary", "database --summary"}, rasSummaryLine, nil},
	{"ras-mc-ctl --errors", "cmd/ras-mc-ctl-errors.txt", []string{"ras-mc-ctl --errors", "database --errors"}, rasErrorLine, nil},
	{"ras-mc-ctl --error-count", "cmd/ras-mc-ctl-error-count.txt", []string{"ras-mc-ctl --error-count", "dimm --error-count"}, rasCountHeading, nil},
	{"ras-mc-ctl --layout", "cmd/ras-mc-ctl-layout.txt", []string{"ras-mc-ctl --layout", "dimm --layout"}, rasLayoutRow, nil},
	{"ras-mc-ctl --print-labels", "cmd/ras-mc-ctl-print-labels.txt", []string{"--print-labels", "--guess-labels"}, rasLabelLine, nil},
	{"ras-mc-ctl --status", "cmd/ras-mc-ctl-status.txt", []string{"ras-mc-ctl --status", "dimm --status"}, rasStatusLine,
		rasLine(ras.Status, func(m *fact.Machine) *fact.Val[string] { return &m.RAS.Status })},
	{"ras-mc-ctl --mainboard", "cmd/ras-mc-ctl-mainboard.txt", []string{"ras-mc-ctl --mainboard", "dimm --mainboard"}, rasMainboardLine,
		rasLine(ras.Mainboard, func(m *fact.Machine) *fact.Val[string] { return &m.RAS.Mainboard })},
	{"mcelog --client", "cmd/mcelog-client.txt", []string{"mcelog --client"}, mcelog.IsModule, nil},
	{"mcelog", "cmd/mcelog.txt", []string{"mcelog"}, mcelog.IsRecord, nil},
	{"EDAC counters", "sys/devices/system/edac/mc/.list", []string{"/sys/devices/system/edac"}, edacLine, edacText},
	{"QAT debugfs", qatPrefix + "/fw_counters", []string{"/qat_", "/icp_", "adf_ctl", "qat_service"}, qat.IsLoose, looseQAT},
	{"dmsetup table", "cmd/dmsetup.txt", []string{"dmsetup table"}, dmsetup.Looks, nil},
	{"cryptsetup benchmark", cryptsetupMember, []string{"cryptsetup benchmark"}, measure.IsCryptsetup, measured(measure.ParseCryptsetup)},
	{"openssl speed", opensslMember, []string{"openssl speed"}, measure.IsOpenSSL, measured(measure.ParseOpenSSL)},
	{"iperf3 -J", iperf3Member, nil, measure.IsIperf3JSON, measured(measure.ParseIperf3JSON)},
	{"iperf3", iperf3Member, []string{"iperf3 "}, measure.IsIperf3, measured(measure.ParseIperf3)},
	{"notes", notesMember, nil, measure.IsNotes, measured(measure.ParseNotes)},
}

func (k *kind) parser() parser {
	if k.parse != nil {
		return k.parse
	}
	return parserOf(k.member)
}

const (
	lspciMember = "cmd/lspci-vvv.txt"
	logMember   = "cmd/dmesg.txt"
)

// kindOf returns the kind of a line, nil for one that could be of any. A line
// that fits the kind around it is of that.
func kindOf(line []byte, around *kind) *kind {
	if around != nil && around.match(line) {
		return around
	}
	for i := range kinds {
		if kinds[i].match(line) {
			return &kinds[i]
		}
	}
	return nil
}

// recognise tells which kind most lines of head are of, the beginning of a
// text, and which its first lines are of; nil for none. What stands before the
// first line that is known belongs to it, but for a log whose lines have
// stamps: that begins with its first stamp.
func recognise(head []byte) (most, first *kind) {
	counts := make([]int, len(kinds))
	var start []byte // the first line that is known
	for line := range bytes.Lines(head) {
		line = trimEnd(line)
		for i := range kinds {
			if kinds[i].match(line) {
				counts[i]++
				if start == nil {
					start = line
				}
			}
		}
	}
	best := 0
	for i, n := range counts {
		if n > counts[best] {
			best = i
		}
	}
	if counts[best] == 0 {
		return nil, nil
	}
	most = &kinds[best]
	if stamped, _ := klog.Stamped(start); !stamped || klog.Named(start) {
		first = kindOf(start, most)
	}
	return most, first
}

// trimEnd drops the end of the line.
func trimEnd(line []byte) []byte {
	for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
		line = line[:len(line)-1]
	}
	return line
}

// addressLen returns the length of the PCI address that b begins with, with
// or without a domain; 0 if there is none.
func addressLen(b []byte) int {
	n := 0
	for n < len(b) && n < 8 && isHex(b[n]) {
		n++
	}
	if n >= 4 && n < len(b) && b[n] == ':' {
		n++
	} else {
		n = 0
	}
	const short = len("c5:00.0")
	if len(b) < n+short {
		return 0
	}
	s := b[n:]
	if isHex(s[0]) && isHex(s[1]) && s[2] == ':' && isHex(s[3]) && isHex(s[4]) && s[5] == '.' && s[6] >= '0' && s[6] <= '7' {
		return n + short
	}
	return 0
}

func isHex(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// kernelLine matches a line of the kernel log in the forms of dmesg, /dev/kmsg
// and journalctl -k, and untimed lines that a driver printed about a device.
func kernelLine(line []byte) bool {
	if stamped, kernel := klog.Stamped(line); stamped {
		return kernel
	}
	rest := bytes.TrimLeft(line, " >") // a mail may indent or quote it
	if bytes.HasPrefix(rest, []byte("Linux version ")) || bytes.Contains(rest[:min(len(rest), 80)], []byte(" kernel: ")) {
		return true
	}
	// "pcieport 0000:00:1c.5: AER: ..."
	if sp := bytes.IndexByte(rest, ' '); sp > 0 && sp < 32 {
		n := addressLen(rest[sp+1:])
		return n > len("c5:00.0") && bytes.HasPrefix(rest[sp+1+n:], []byte(": "))
	}
	return false
}

// cryptoLine matches the lines that only /proc/crypto has.
func cryptoLine(line []byte) bool {
	key, value, ok := bytes.Cut(line, []byte(":"))
	if !ok || len(value) < 2 {
		return false
	}
	switch string(key) {
	case "name         ", "driver       ", "module       ", "priority     ", "refcnt       ", "selftest     ":
		return true
	}
	return false
}

func dmiHandle(line []byte) bool {
	return bytes.HasPrefix(line, []byte("Handle 0x")) && bytes.Contains(line, []byte("DMI type "))
}
