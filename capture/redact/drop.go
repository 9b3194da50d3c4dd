package redact

import "bytes"

// What stands in the place of a line that is dropped; the line keeps its time.
const (
	droppedFirewall = "hwcap: line of a firewall dropped"
	droppedAudit    = "hwcap: line of the audit log dropped"
)

// drop finds lines that tell of people and of other machines, not of this
// one's hardware: what a firewall logs (nf_log_syslog.c: IN= OUT= MAC= SRC=)
// and what the audit system does (kernel/audit.c). It returns where the rest of
// the line ends that is still to be looked at.
func (t *text) drop() (end int) {
	with := ""
	switch {
	case isFirewall(t.line):
		with = droppedFirewall
	case isAudit(t.line):
		with = droppedAudit
	default:
		return len(t.line)
	}
	at := messageStart(t.line)
	t.put(at, len(t.line), DroppedLine, []byte(with))
	return at
}

func isFirewall(line []byte) bool {
	in := bytes.Index(line, []byte("IN="))
	if in < 0 || !bytes.Contains(line[in:], []byte(" OUT=")) {
		return false
	}
	return bytes.Contains(line[in:], []byte(" SRC=")) || bytes.Contains(line[in:], []byte(" MAC="))
}

// isAudit reports a record of the audit log, by itself or through the kernel
// log. What the kernel says of the audit system itself is none.
func isAudit(line []byte) bool {
	at := bytes.Index(line, []byte("audit"))
	if at < 0 {
		return false
	}
	rest := line[at:]
	return bytes.Contains(rest, []byte("audit(")) && (bytes.Contains(rest, []byte("type=")) || bytes.Contains(line[:at], []byte("type=")))
}

// messageStart returns where the message of a line of a log begins: behind the
// fields of /dev/kmsg, the time of dmesg, the program of syslog.
func messageStart(line []byte) int {
	if i := bytes.Index(line, []byte("kernel: ")); i >= 0 {
		i += len("kernel: ")
		if i < len(line) && line[i] == '[' { // the log's own time as well
			if end := bytes.Index(line[i:], []byte("] ")); end > 0 && end < 24 {
				i += end + 2
			}
		}
		return i
	}
	if classes[line[0]]&digitBit != 0 {
		if i := bytes.IndexByte(line, ';'); i >= 0 {
			return i + 1
		}
	}
	if line[0] == '[' {
		if i := bytes.Index(line, []byte("] ")); i >= 0 && i < 24 {
			return i + 2
		}
	}
	return 0
}
