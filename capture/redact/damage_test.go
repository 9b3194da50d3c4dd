package redact

import (
	"bytes"
	"regexp"
	"testing"
)

// evidence are texts that are never an identity, whatever they look like. Of each
// the first group must stay as it is.
var evidence = []*regexp.Regexp{
	regexp.MustCompile(`ACPI cmd ([0-9a-f]{2}/[0-9a-f:/]+)`),
	regexp.MustCompile(`cmd ([0-9a-f]{2}/[0-9a-f:/]{20,})`),
	regexp.MustCompile(`\[([0-9a-f]{4}:[0-9a-f]{4})\]`),
	regexp.MustCompile(`\b([0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])\b`),
	regexp.MustCompile(`\b(?:version|firmware|driver|megaraid|megaraid cmm|mpt2sas|mpt3sas)[ :]+v?(\d+\.\d+\.\d+\.\d+)\b`),
	regexp.MustCompile(`\b(scsi host\d+|(?:nvme|ata|eth|usb)\d+):`),
	regexp.MustCompile(`((?:TLP Header|HeaderLog):(?: [0-9a-f]{8})+)`),
	regexp.MustCompile(`^(\[ *\d+\.\d{6}\])`),
	regexp.MustCompile(`\b(BAR \d+|Region \d+|irq \d+|error status/mask=[0-9a-f]{8}/[0-9a-f]{8})\b`),
}

// TestCorpusUndamaged: a line of a text that strangers published differs after
// redaction only where the account says so, and keeps what is evidence.
func TestCorpusUndamaged(t *testing.T) {
	texts, changed := 0, 0
	eachOfCorpus(t, func(name string, original []byte) error {
		if bytes.IndexByte(original, 0) >= 0 || isPacked(original) || bytes.HasPrefix(original, []byte{0x1f, 0x8b}) {
			return nil
		}
		texts++
		r := New(Key{1})
		redacted := rewritten(t, r, memberLike(name), string(original))
		was, is := bytes.Split(original, []byte("\n")), bytes.Split([]byte(redacted), []byte("\n"))
		if len(was) != len(is) {
			t.Errorf("%s: %d lines of %d", name, len(is), len(was))
			return nil
		}
		told := map[int]bool{}
		for _, e := range r.Report() {
			for line := e.Line; line <= e.Last; line++ {
				told[line] = true
			}
		}
		for i := range was {
			if bytes.Equal(was[i], is[i]) {
				continue
			}
			changed++
			if !told[i+1] && (rowStart(was[i]) == 0 || !told[i]) { // a number may begin in the row before
				t.Errorf("%s:%d: changed without account\n%s\n%s", name, i+1, was[i], is[i])
			}
			if bytes.Contains(is[i], []byte("hwcap: line of")) {
				continue
			}
			for _, e := range evidence {
				for _, m := range e.FindAllSubmatch(was[i], -1) {
					if !bytes.Contains(is[i], m[1]) {
						t.Errorf("%s:%d: %s is gone\n%s\n%s", name, i+1, m[1], was[i], is[i])
					}
				}
			}
		}
		return nil
	})
	t.Logf("%d texts, %d lines changed", texts, changed)
}
