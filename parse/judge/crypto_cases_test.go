package judge_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render/catalogue"
)

// A publicCase is a machine of which people asked in public, reduced to what
// decides: what must be said of it, and the answer that suggests itself and is
// wrong.
type publicCase struct {
	name string
	m    *fact.Machine
	want []string // "rule subject=case severity", subjects by their first
	// naive matches the wrong answer in titles and next steps, of either
	// language.
	naive string
	// open matches what must be named as not proven, of rule.
	rule, open string
}

func TestCryptoCases(t *testing.T) {
	const vault, notes = "aes-xts-plain64", "#1 SMP Debian 6.1.52-1 (2023-09-07)"
	qatXTS := impl{"xts(aes)", "qat_aes_xts", "skcipher", 4001, 0x10585}
	cpuXTS := impl{"xts(aes)", "xts-aes-aesni", "skcipher", 401, 0x405}
	generic := impl{"xts(aes)", "xts(ecb(aes-generic))", "skcipher", 100, 0}
	c3xxx := device("0000:01:00.0", "8086:19e2", "0b40", "c3xxx")
	hang := note("hung-task", "", "INFO: task kworker/u16:0:8 blocked for more than 120 seconds.", "task", "kworker/u16:0:8", "seconds", "120", "workqueue", "kcryptd/253:0 kcryptd_crypt [dm_crypt]")
	sym, dc := "0000:f3:00.0", "0000:f7:00.0"
	setUp := func(address, services string) step {
		return steps(device(address, "8086:4940", "0b40", "4xxx"), note("qat-started", address, "4xxx "+address+": qat_dev0 started 9 acceleration engines", "engines", "9"), func(m *fact.Machine) {
			m.QAT = append(m.QAT, fact.QAT{Address: address, Services: fact.Of(services, place("sys/bus/pci/devices/"+address+"/qat/cfg_services", 1, services))})
		})
	}
	check := []publicCase{
		{"C78 on a new kernel", machine(crypto(qatXTS, cpuXTS), kernel("6.12.1", ""), encrypted("vault", vault)),
			[]string{"crypto-dmcrypt-offload xts(aes)=refused info"},
			`(?i)beschleunigt die|speeds up|benutzt QAT|uses QAT`, "crypto-dmcrypt-offload", `open disk uses`},
		{"C78 on an old kernel", machine(c3xxx, crypto(flagless([]impl{qatXTS, cpuXTS})...), kernel("5.4.0-100-generic", ""), encrypted("vault", vault), hang),
			[]string{"crypto-dmcrypt-offload xts(aes)=old-kernel-qat warning"},
			`(?i)datenträger (ist )?defekt|disk is (bad|broken|defective)`, "crypto-dmcrypt-offload", `encrypted disk runs through QAT`},
		{"C79", machine(crypto(impl{"cbc(aes)", "qat_aes_cbc", "skcipher", 100, 0x10485}, impl{"cbc(aes)", "cbc-aes-aesni", "skcipher", 400, 0x405}), kernel("6.17.0", "")),
			[]string{"crypto-selection cbc(aes)=cpu-wins info"},
			`(?i)erhöhen|raise|falsch eingestellt|misconfigured|zu niedrig|too low`, "crypto-selection", `faster here`},
		{"C79 before", machine(crypto(qatXTS, cpuXTS), kernel("6.12.1", "")),
			[]string{"crypto-selection xts(aes)=offload-wins info"},
			`(?i)senken|lower it`, "crypto-selection", `faster than the processor`},
		{"C81", machine(c3xxx, crypto(qatXTS, cpuXTS), kernel("6.1.0-12-amd64", notes)),
			[]string{"qat-device 0000:01:00.0=bad-kernel warning"},
			`(?i)arbeitsspeicher ist|bad memory|memtest`, "qat-device", `particular crash`},
		{"C82", machine(crypto(impl{"ecb(aes)", "ecb-aes-ccp", "skcipher", 300, 0}), untested("ecb-aes-ccp")),
			[]string{"crypto-selftest ecb-aes-ccp=unfinished notice", "crypto-selection ecb(aes)=offload-untested info"},
			`(?i)nimmt der Kernel den Beschleuniger|takes the accelerator`, "crypto-selftest", `Which of the causes`},
		{"C83", machine(crypto(impl{"dh", "qat-dh", "kpp", 1000, 0}), selfTestFailed("ffdhe6144(qat-dh)", "ffdhe6144(dh)", "-22")),
			[]string{"crypto-selftest ffdhe6144(qat-dh)=failed-known info"},
			`(?i)defekt|broken|replace`, "", ""},
		{"C83 in FIPS mode", machine(crypto(impl{"dh", "qat-dh", "kpp", 1000, 0}), selfTests("1"), selfTestFailed("ffdhe6144(qat-dh)", "ffdhe6144(dh)", "-22")),
			[]string{"crypto-selftest ffdhe6144(qat-dh)=failed warning"}, `(?i)defekt|broken`, "crypto-selftest", `device is broken`},
		{"C85", machine(setUp(sym, "sym;asym"), setUp(dc, "dc"), crypto(impl{"deflate", "qat_deflate", "acomp", 4001, 0}, qatXTS)),
			[]string{"qat-instances 0000:f3:00.0=offers info", "qat-device 0000:f3:00.0=working info"},
			`(?i)defekt|defective|broken|fehlt die Kompression`, "qat-instances", `services are needed`},
		{"C87 in a virtual machine", machine(cpuFlags("fpu", "hypervisor"), under("QEMU"), crypto(generic)),
			[]string{"crypto-cpu-support machine=hidden notice"},
			`(?i)prozessor hat keine|processor has no|modprobe`, "crypto-cpu-support", `host's processor`},
		{"C87 without the module", machine(cpuFlags("fpu", "aes"), crypto(generic)),
			[]string{"crypto-cpu-support machine=no-driver notice"},
			`(?i)und der kernel benutzt sie|and the kernel uses them`, "crypto-cpu-support", `encrypted in the kernel`},
		{"C88", machine(features("fp", "asimd", "evtstrm", "crc32", "cpuid"), crypto(impl{"xts(aes)", "xts-aes-neonbs", "skcipher", 250, 0})),
			[]string{"crypto-cpu-support machine=lacking info"},
			`(?i)modprobe|aes_ce|not loaded|nicht geladen`, "", ""},
	}
	texts, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range check {
		t.Run(c.name, func(t *testing.T) {
			said := sayings(t, c.m)
			for _, w := range c.want {
				if !slices.Contains(said, w) {
					t.Errorf("%s is not said, but %q", w, said)
				}
			}
			naive := regexp.MustCompile(c.naive)
			for _, f := range cryptoFindings(t, c.m) {
				for _, lang := range catalogue.Langs {
					text, err := texts.NewWriter(c.m, lang, catalogue.Markdown).Expand(f)
					if err != nil {
						t.Fatal(err)
					}
					answer := text.Title
					for _, s := range text.Next {
						answer += "\n" + s.Command + "\n" + s.Text
					}
					if m := naive.FindString(answer); m != "" {
						t.Errorf("%s, %s: the naive answer %q in\n%s", f.ID, lang, m, answer)
					}
					if f.ID == c.rule && lang == catalogue.English && !regexp.MustCompile(c.open).MatchString(strings.Join(text.NotProven, "\n")) {
						t.Errorf("%s: not proven is %q", f.ID, text.NotProven)
					}
				}
			}
		})
	}
}

// TestBladeAndRouter holds what two machines must be told: a blade with three
// functions of one chipset whose level no register tells, and a router whose
// chip has no driver in the kernel and pays off from 8 KiB on.
func TestBladeAndRouter(t *testing.T) {
	texts, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	blade := machine(c62x("0000:60:00.0"), c62x("0000:61:00.0"), c62x("0000:62:00.0"), crypto(workstation...))
	f := judged(t, "qat-device", blade)[0]
	if f.Values["family"] != "C62x" || f.Values["functions"] != 3 || f.Values["vfsOffered"] != 48 || f.Values["engines"] != "10" || len(f.Values["levels"].([]map[string]any)) != 2 {
		t.Errorf("blade: %v", f.Values)
	}
	text, err := texts.NewWriter(blade, catalogue.English, catalogue.Markdown).Expand(f)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(text.NotProven, " "), "Which level") || strings.Contains(text.Title+text.Seen, "100G") {
		t.Errorf("blade claims a level: %s %s; not proven %q", text.Title, text.Seen, text.NotProven)
	}

	box := machine(device("0000:00:0b.0", "8086:1f18", "0b40", "?"), router, system("OpenWrt 23.05.3"), func(m *fact.Machine) {
		m.Lists["sys/bus/pci/devices/0000:00:0b.0"] = fact.List{State: fact.Present}
	})
	said := sayings(t, box)
	for _, w := range []string{"qat-device 0000:00:0b.0=no-in-tree-driver info", "offload-vs-cpu aes-128-cbc-hmac-sha1=break-even info"} {
		if !slices.Contains(said, w) {
			t.Errorf("router: %s is not said, but %q", w, said)
		}
	}
}

// sayings are the findings of the crypto rules in short.
func sayings(t *testing.T, m *fact.Machine) []string {
	t.Helper()
	var all []string
	for _, f := range cryptoFindings(t, m) {
		all = append(all, f.ID+" "+f.Subjects[0]+"="+f.Case+" "+string(f.Severity))
	}
	return all
}

// cryptoFindings are those of the area.
func cryptoFindings(t *testing.T, m *fact.Machine) []judge.Finding {
	t.Helper()
	var all []judge.Finding
	for _, r := range judge.Rules {
		if r.Area == judge.Crypto && r.Judge != nil {
			all = append(all, judged(t, r.ID, m)...)
		}
	}
	return all
}
