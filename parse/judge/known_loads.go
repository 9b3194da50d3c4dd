package judge

import (
	"path"
	"slices"
)

// noGraphics are programs that load the network, a drive or the processor, or
// nothing at all. That a graphics card's link stays low beside them says
// nothing about it. Source: the manual page of each.
var noGraphics = []string{
	"iperf", "iperf3", "netperf", "nuttcp", "qperf", "ping", "wget", "curl", "scp", "rsync", "ssh",
	"dd", "fio", "hdparm", "cat", "cp", "tar", "zstd", "gzip", "xz", "sysbench", "memtester", "mbw",
	"openssl", "cryptsetup", "make", "sleep",
}

// sparesGraphics reports whether a command, bare or behind sudo, timeout and
// the like, is a program of noGraphics.
func sparesGraphics(argv []string) bool {
	return slices.ContainsFunc(argv, func(word string) bool { return slices.Contains(noGraphics, path.Base(word)) })
}
