package judge

import (
	"testing"

	"hwcap/parse/fact"
)

func TestLogComplete(t *testing.T) {
	wrapped := func(seq int64) func(*fact.Machine) {
		return func(m *fact.Machine) {
			m.Log.FromBoot = fact.Of(false, fact.Line{})
			m.Log.Files = []fact.LogFile{{File: "dev/kmsg", FirstSeq: &seq, FirstAt: lineAt("dev/kmsg", 1, "6,812,3000000,-;later")}}
		}
	}
	play(t, logComplete, []scene{
		{"from the start", server(), []string{"complete machine"}},
		{"ring wrapped", server(wrapped(812)), []string{"wrapped machine"}},
		{"dmesg text without the start", server(func(m *fact.Machine) {
			m.Log.FromBoot = fact.Of(false, lineAt("cmd/dmesg.txt", 1, "[ 812.1] later"))
			m.Log.First = fact.Of(812.1, lineAt("cmd/dmesg.txt", 1, "[ 812.1] later"))
		}), []string{"wrapped machine"}},
		{"denied", server(withLogState(fact.Denied), func(m *fact.Machine) {
			m.Log.Restrict = fact.Of("1", lineAt("proc/sys/kernel/dmesg_restrict", 1, "1"))
		}), []string{"denied machine"}},
		{"cut at its cap", server(func(m *fact.Machine) { m.Log.State = fact.Truncated; loseSource(m, "dmesg", fact.Truncated) }), []string{"cut machine"}},
		{"one of two logs", excerpt(func(m *fact.Machine) {
			m.Log.State, m.Log.Files = fact.Truncated, []fact.LogFile{{File: "dmesg.txt", FirstAt: lineAt("dmesg.txt", 1, "Linux version 7.0.0")}}
			m.Sources = []fact.Source{{Name: "dmesg", State: fact.Truncated, Why: "a second kernel log, old.txt, is not read beside it"}}
		}), []string{"part machine"}},
		{"absent", server(withLogState(fact.Absent)), []string{"absent machine"}},
		{"not to be told", server(func(m *fact.Machine) {
			m.Log.FromBoot = fact.Val[bool]{}
			m.Log.Files = []fact.LogFile{{File: "dmesg.txt", FirstAt: lineAt("dmesg.txt", 1, "some line")}}
		}), []string{"start-unknown machine"}},
		{"a single file of another kind", func() *fact.Machine { return &fact.Machine{} }, nil},
	})
}
