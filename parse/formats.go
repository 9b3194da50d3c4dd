package parse

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/kcrypto"
	"hwcap/parse/klog"
	"hwcap/parse/lspci"
	"hwcap/parse/ras"
	"hwcap/parse/sysfs"
)

// parser reads one member. What it cannot make sense of is a problem; the
// reader itself never fails.
type parser func(b *builder, r io.Reader, name string) parsed

// parsers are those of single members. What stands in the tree of small files
// is read by package sysfs.
var parsers = map[string]parser{
	"cmd/lspci-vvv.txt":    lspciText,
	"cmd/lspci-tv.txt":     lspciText,
	"cmd/dmesg.txt":        logOf("dmesg", 0),
	"dev/kmsg":             logOf("kmsg", 0),
	"cmd/journal-k.txt":    logOf("journal-k", 0),
	"cmd/journal-k-1.txt":  logOf("journal-k-1", -1),
	"proc/crypto":          procCrypto,
	configMember:           configText,
	"cmd/dmidecode.txt":    dmiText,
	"cmd/ethtool.txt":      ethtoolText,
	"netlink/route.pcap":   netlinkRoute,
	"netlink/ethtool.pcap": netlinkEthtool,
	"netlink/devlink.pcap": netlinkDevlink,
	"netlink/crypto.pcap":  netlinkCrypto,
	"samples/links.jsonl":  linkSamples,
	"cmd/dmsetup.txt":      mappings,
	"cmd/ras-mc-ctl-summary.txt": rasText(ras.ParseSummary, func(m *fact.Machine) *fact.Val[[]fact.RASSection] {
		return &m.RAS.Summary
	}),
	"cmd/ras-mc-ctl-errors.txt": rasText(ras.ParseErrors, func(m *fact.Machine) *fact.Val[[]fact.RASSection] {
		return &m.RAS.Errors
	}),
	"cmd/ras-mc-ctl-error-count.txt": rasText(ras.ParseErrorCount, func(m *fact.Machine) *fact.Val[[]fact.DIMMCount] {
		return &m.RAS.Labels
	}),
	"cmd/ras-mc-ctl-layout.txt": rasText(ras.ParseLayout, func(m *fact.Machine) *fact.Val[[]fact.DIMMSize] {
		return &m.RAS.Layout
	}),
	"cmd/ras-mc-ctl-print-labels.txt": rasText(ras.ParseLabels, func(m *fact.Machine) *fact.Val[[]fact.DIMMLabel] {
		return &m.RAS.Sockets
	}),
	"cmd/mcelog.txt":        mcelogText,
	"cmd/mcelog-client.txt": mcelogText,
}

func parserOf(name string) parser {
	if strings.HasPrefix(name, qatPrefix) {
		return qatParser(name)
	}
	return parsers[name]
}

func lspciText(b *builder, r io.Reader, name string) parsed {
	res, err := lspci.Parse(r, name)
	if res == nil {
		res = &lspci.Result{}
	}
	u := res.Unread
	return parsed{amount: u.Of - u.Lines - u.Ignored, unread: u, devices: res.Devices, add: func() {
		b.devices = lspci.Join(b.devices, res.Devices)
		b.note(name, err, res.Problems)
	}}
}

// logText is one text of the kernel log.
type logText struct {
	source string
	*klog.Result
}

func logOf(source string, boot int) parser {
	return func(b *builder, r io.Reader, name string) parsed {
		res, err := klog.Parse(r, name, boot)
		if res == nil {
			res = &klog.Result{}
		}
		return parsed{amount: res.File.Lines, unread: res.Unread, log: res, add: func() {
			b.logs = append(b.logs, logText{source, res})
			b.note(name, err, res.Problems)
		}, narrow: func(own int, alone bool) {
			res.File.Lines = own
			res.StartsAtBoot = res.StartsAtBoot && (alone || stampedVersion(res.Notes))
		}}
	}
}

// stampedVersion reports whether the kernel's first message has a stamp. In a
// text of several parts one without can as well be /proc/version, behind which
// no log begins.
func stampedVersion(notes []fact.Note) bool {
	for _, n := range slices.Backward(notes) {
		if n.Kind == "linux-version" {
			stamped, _ := klog.Stamped([]byte(n.At.Text))
			return stamped
		}
	}
	return false
}

func procCrypto(b *builder, r io.Reader, name string) parsed {
	algorithms, problems, unread, err := kcrypto.ParseProc(r, name)
	return parsed{amount: len(algorithms), unread: unread, add: func() {
		b.proc = algorithms
		b.note(name, err, problems)
	}}
}

func netlinkCrypto(b *builder, r io.Reader, name string) parsed {
	algorithms, problems, err := kcrypto.ParseNetlink(r, name)
	return parsed{amount: len(algorithms), add: func() {
		b.netlink = algorithms
		b.note(name, err, problems)
	}}
}

func dmiText(b *builder, r io.Reader, name string) parsed {
	dmi, problems := sysfs.ParseDMI(r, name)
	return parsed{amount: dmi.Structures, add: func() {
		b.tree.AddDMI(dmi)
		b.note(name, nil, problems)
	}}
}

func linkSamples(b *builder, r io.Reader, name string) parsed {
	samples, problems := sysfs.ParseSamples(r, name)
	return parsed{amount: len(samples.Ports), add: func() {
		b.m.Samples = fact.Of(samples, cmp.Or(samples.At, fact.Line{File: name}))
		if samples.At.IsZero() && len(samples.Ports) == 0 {
			b.m.Samples = fact.Missing[fact.Samples](fact.Failed, fact.Line{File: name})
		}
		b.note(name, nil, problems)
	}}
}

// valOf is what a parser read of a member; a text in which it found nothing is
// none that says that there is nothing.
func valOf[T any](list []T, name string) fact.Val[[]T] {
	at := fact.Line{File: name}
	if len(list) == 0 {
		return fact.Missing[[]T](fact.Failed, at)
	}
	return fact.Of(list, at)
}

// note keeps the problems of a parser.
func (b *builder) note(name string, err error, problems []fact.Problem) {
	b.m.Problems = append(b.m.Problems, problems...)
	if err != nil {
		b.problem(name, "%v", err)
	}
}

// unread keeps what a parser says of lines that gave no fact. A text of several
// parts has one such row.
func (b *builder) unread(u fact.Unread) {
	if u.File == "" || u.Lines+u.Ignored == 0 {
		return
	}
	for i := range b.m.Unread {
		if row := &b.m.Unread[i]; row.File == u.File {
			row.Lines += u.Lines
			row.Ignored += u.Ignored
			return
		}
	}
	b.m.Unread = append(b.m.Unread, u)
}
