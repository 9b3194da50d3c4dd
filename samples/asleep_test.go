package samples

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"hwcap/parse/judge"
)

// TestLeftAsleep takes every drive and card of the samples out of lspci's text
// and its link out of sysfs, as collect --no-wake does with a function that
// sleeps. That it slept is all that may come of it, above what is for
// information.
func TestLeftAsleep(t *testing.T) {
	for _, name := range Names() {
		folder, members := readMembers(t, name)
		base := machine(t, folder, members)
		before := verdicts(judge.Run(base))
		for i := range base.PCI {
			d := &base.PCI[i]
			if d.Express == nil || d.Express.LinkSta == nil || strings.HasPrefix(d.Class, "06") || d.Sysfs == nil {
				continue
			}
			t.Run(name+" "+strings.ReplaceAll(d.Address, ":", "-"), func(t *testing.T) {
				findings := judge.Run(machine(t, folder, leaveAsleep(members, d.Address)))
				for key, now := range verdicts(findings) {
					if was := before[key]; now.verdict == judge.Problem && key.id != "device-asleep" && now.severity > max(was.severity, judge.Info.Rank()) {
						t.Errorf("%s %s: case %s, was %q", key.id, key.subject, now.name, was.name)
					}
				}
				if !slices.ContainsFunc(findings, func(f judge.Finding) bool { return f.ID == "device-asleep" && slices.Contains(f.Subjects, d.Address) }) {
					t.Error("nothing says that it slept")
				}
			})
		}
	}
}

// leaveAsleep returns the members as collect --no-wake writes them where the
// function at address is in D3cold.
func leaveAsleep(members []member, address string) []member {
	const unread = "current_link_speed current_link_width max_link_speed max_link_width config"
	folder := "sys/bus/pci/devices/" + address + "/"
	out := []member{{folder + "power_state", []byte("D3cold\n")}}
	for _, m := range members {
		file, own := strings.CutPrefix(m.name, folder)
		switch {
		case own && (file == "power_state" || slices.Contains(strings.Fields(unread), file)):
		case m.name == "cmd/lspci-vvv.txt":
			blocks := slices.DeleteFunc(bytes.Split(m.data, []byte("\n\n")), func(b []byte) bool { return bytes.HasPrefix(b, []byte(address)) })
			out = append(out, member{m.name, bytes.Join(blocks, []byte("\n\n"))})
		default:
			out = append(out, m)
		}
	}
	return out
}
