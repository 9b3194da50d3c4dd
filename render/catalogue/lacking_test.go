package catalogue

import (
	"testing"

	"hwcap/parse/fact"
)

func TestStepOnAMachineThatLacksTheProgram(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	m := &fact.Machine{Sources: []fact.Source{
		{Name: "ethtool", State: fact.Absent, Why: "no such command: ethtool"},
		{Name: "journal-k", State: fact.Absent, Why: "no such command: journalctl"},
		{Name: "lspci-vvv", State: fact.Failed, Why: "no such command: lspci"},
	}}
	w := c.NewWriter(m, English, Markdown)
	for name, tc := range map[string]struct {
		in   step
		want Step
	}{
		"there":                 {step{Command: "dmesg"}, Step{"dmesg", "shows it."}},
		"advice":                {step{}, Step{"", "shows it."}},
		"lacking":               {step{Command: "ethtool eth0"}, Step{"ethtool eth0", "shows it. The program `ethtool` was missing when the capture was taken and has to be installed for this."}},
		"lacking, with sudo":    {step{Command: "sudo ethtool eth0"}, Step{"sudo ethtool eth0", "shows it. The program `ethtool` was missing when the capture was taken and has to be installed for this."}},
		"lacking, with another": {step{Command: "journalctl -k | grep -i x", Instead: "dmesg | grep -i x"}, Step{"dmesg | grep -i x", "shows it."}},
		"failed, but there":     {step{Command: "lspci -k", Instead: "ls"}, Step{"lspci -k", "shows it."}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := w.step(tc.in, "shows it.", nil)
			if err != nil || got != tc.want {
				t.Errorf("step = %+v, %v, want %+v", got, err, tc.want)
			}
		})
	}
}
