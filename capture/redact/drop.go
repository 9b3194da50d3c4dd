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
	with := droppedFirewall
	at := firewallStart(t.line)
	if at < 0 {
		with, at = droppedAudit, auditStart(t.line)
	}
	if at < 0 {
		return len(t.line)
	}
	if start := messageStart(t.line); start > 0 {
		at = min(at, start)
	}
	t.put(at, len(t.line), DroppedLine, []byte(with))
	return at
}

// firewallStart returns where the line of a firewall begins, -1 for none.
func firewallStart(line []byte) int {
	at := bytes.Index(line, []byte("IN="))
	if at < 0 || !bytes.Contains(line[at:], []byte(" OUT=")) {
		return -1
	}
	if !bytes.Contains(line[at:], []byte(" SRC=")) && !bytes.Contains(line[at:], []byte(" MAC=")) {
		return -1
	}
	return at
}

// auditStart returns where a record of the audit log begins, by itself or
// through the kernel log, -1 for none. What the kernel says of the audit system
// itself is none.
func auditStart(line []byte) int {
	at := bytes.Index(line, []byte("audit("))
	if at < 0 {
		return -1
	}
	kind := bytes.Index(line[:at], []byte("type="))
	if kind < 0 {
		return -1
	}
	if name := bytes.LastIndex(line[:kind], []byte("audit: ")); name >= 0 {
		return name
	}
	return kind
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
