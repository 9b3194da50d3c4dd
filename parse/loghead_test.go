package parse_test

import (
	"strings"
	"testing"

	"hwcap/parse"
	"hwcap/parse/fact"
)

// TestLogForms opens logs that name their fields, alone and beside others.
func TestLogForms(t *testing.T) {
	const crypto = "$ cat /proc/crypto\nname         : x\ndriver       : y\nmodule       : kernel\npriority     : 1\n"
	for name, text := range map[string]string{
		"dmesg --json":              "{\n   \"dmesg\": [\n      {\n         \"pri\": 5,\n         \"time\":     0.000000,\n         \"msg\": \"Linux version 6.12.1\"\n      }\n   ]\n}\n",
		"journalctl -o json":        `{"__CURSOR":"s=1","_TRANSPORT":"kernel","__MONOTONIC_TIMESTAMP":"0","MESSAGE":"Linux version 6.12.1"}` + "\n",
		"journalctl -o json-pretty": "{\n\t\"__CURSOR\" : \"s=1\",\n\t\"MESSAGE\" : \"Linux version 6.12.1\",\n\t\"_TRANSPORT\" : \"kernel\"\n}\n",
		"journalctl -o export":      "__CURSOR=s=1\n_TRANSPORT=kernel\n__MONOTONIC_TIMESTAMP=0\nMESSAGE=Linux version 6.12.1\n\n",
		"journalctl -o verbose":     "Mon 2026-11-30 12:14:56.345678 UTC [s=1;i=1]\n    _TRANSPORT=kernel\n    MESSAGE=Linux version 6.12.1\n",
		"journalctl -o short-iso":   "2026-11-30T12:14:56+00:00 host kernel: Linux version 6.12.1\n",
	} {
		for around, text := range map[string]string{"alone": text, "behind a prompt": "$ " + name + "\n" + text + crypto} {
			t.Run(name+", "+around, func(t *testing.T) {
				m, err := parse.Read(strings.NewReader(text), "log.txt", parse.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if m.Source("dmesg").State != fact.Present || m.Platform.Kernel.V != "6.12.1" || m.Platform.Version.V != "Linux version 6.12.1" {
					t.Errorf("source %+v, kernel %+v, version %+v", m.Source("dmesg"), m.Platform.Kernel, m.Platform.Version)
				}
				if len(m.Problems) > 0 {
					t.Errorf("problems %v", m.Problems)
				}
				at := m.Platform.Kernel.At
				if lines := strings.Split(text, "\n"); lines[at.Line-1] != at.Text {
					t.Errorf("not the literal line: %+v", at)
				}
			})
		}
	}
}
