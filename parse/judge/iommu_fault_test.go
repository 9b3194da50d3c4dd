package judge_test

import (
	"strings"
	"testing"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render/catalogue"
)

// fault adds a fault of Intel's IOMMU, after so many seconds; below 0: the log
// has no times.
func fault(device string, after float64, access, address, reason string) step {
	text := "DMAR: [DMA " + access + " NO_PASID] Request device [" + strings.TrimPrefix(device, "0000:") + "] fault addr " + address + " [fault reason 0x06] " + reason
	return dated(after, note("iommu-fault", device, text, "vendor", "intel", "access", access, "address", address, "code", "0x06", "reason", reason))
}

// dated gives the message that a step adds its time.
func dated(after float64, add step) step {
	return func(m *fact.Machine) {
		add(m)
		if after >= 0 {
			m.Log.Notes[len(m.Log.Notes)-1].Time = &after
		}
	}
}

// logUntil says where the log ends, in seconds after boot.
func logUntil(seconds float64) step {
	return func(m *fact.Machine) { m.Log.Last = fact.Of(seconds, place("cmd/dmesg.txt", 999, "last")) }
}

// words returns all that a finding says in one language.
func words(t *testing.T, m *fact.Machine, f judge.Finding, lang catalogue.Lang) string {
	t.Helper()
	texts, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	text, err := texts.NewWriter(m, lang, catalogue.Markdown).Expand(f)
	if err != nil {
		t.Fatal(err)
	}
	all := append([]string{text.Title, text.Seen, text.Means, text.Why}, text.Rivals...)
	for _, n := range text.Next {
		all = append(all, n.Command, n.Text)
	}
	return strings.Join(append(all, text.NotProven...), "\n")
}

// unsaid fails where a finding says one of the words, in either language.
func unsaid(t *testing.T, m *fact.Machine, f judge.Finding, naive ...string) {
	t.Helper()
	for _, lang := range catalogue.Langs {
		all := strings.ToLower(words(t, m, f, lang))
		for _, w := range naive {
			if strings.Contains(all, strings.ToLower(w)) {
				t.Errorf("%s %s (%s) says %q:\n%s", f.ID, f.Case, lang, w, all)
			}
		}
	}
}

const notSet = "PTE Read access is not set"

func TestIOMMUFault(t *testing.T) {
	translated := groups(repeated("DMA", 3), nil)
	disk := device("0000:0b:00.0", "144d:a80a", "0108", "nvme")
	unit := note("iommu-event", "", "AMD-Vi: Event logged [ILLEGAL_DEV_TABLE_ENTRY device=05:00.0 address=0x1000 flags=0x0000]", "vendor", "amd", "event", "ILLEGAL_DEV_TABLE_ENTRY")
	check(t, "iommu-fault", []scene{
		{"C69: in a guest, an address below 4 GiB", machine(guest("QEMU"), translated, disk, logUntil(9000), fault("0000:0b:00.0", 4711, "Read", "0xffffe000", notSet)), "0000:0b:00.0=running"},
		{"C69: inside of what the firmware reserved", machine(bareMetal, translated, disk, note("dmar-rmrr", "", "DMAR: RMRR base", "base", "0x69000000", "end", "0x6fffffff"),
			fault("0000:0b:00.0", 300, "Write", "0x69974000", "PTE Write access is not set")), "0000:0b:00.0=running"},
		{"only at boot", machine(bareMetal, translated, wholeLog, logUntil(86400), fault("0000:0b:00.0", 0.9, "Write", "0x7b000000", notSet), fault("0000:0b:00.0", 1.1, "Write", "0x7b001000", notSet)), "0000:0b:00.0=boot"},
		{"at boot and again", machine(translated, disk, fault("0000:0b:00.0", 0.9, "Write", "0x7b000000", notSet), fault("0000:0b:00.0", 4000, "Write", "0x7b001000", notSet)), "0000:0b:00.0=running"},
		{"two devices, one of them for two reasons", machine(fault("0000:0b:00.0", 90, "Read", "0x1000", notSet), fault("0000:0c:00.0", 91, "Read", "0x1000", notSet), fault("0000:0b:00.0", 92, "Read", "0x2000", "non-zero reserved fields in PTE")),
			"0000:0b:00.0=running; 0000:0c:00.0=running; 0000:0b:00.0=running"},
		{"no times in the log", machine(disk, fault("0000:0b:00.0", -1, "Read", "0xffffe000", notSet)), "0000:0b:00.0=undated"},
		{"AMD gives no reason", machine(dated(700, note("iommu-fault", "0000:0b:00.0", "AMD-Vi: Event logged [IO_PAGE_FAULT ...]", "vendor", "amd", "address", "0xf0000000", "flags", "0x0020", "domain", "0x000b"))), "0000:0b:00.0=running"},
		{"an interrupt", machine(dated(700, note("iommu-fault", "0000:0b:00.0", "DMAR: [INTR-REMAP] ...", "vendor", "intel", "access", "interrupt", "code", "0x26", "reason", "Blocked an interrupt request due to source-id verification failure"))), "0000:0b:00.0=running"},
		{"Arm without a device", machine(dated(700, note("iommu-fault", "", "arm-smmu-v3 arm-smmu-v3.0.auto: event 0x10 received:", "vendor", "arm", "unit", "arm-smmu-v3.0.auto", "event", "0x10"))), "machine=running"},
		{"the unit's own errors", machine(translated, unit, unit), "machine=unit"},
		{"C70: commands that time out", machine(dated(12, note("dmar-timeout", "", "DMAR: VT-d detected Invalidation Time-out Error: SID ffff"))), "machine=unit"},
		{"none", machine(bareMetal, translated, wholeLog), "machine=none"},
		{"the log starts late", machine(bareMetal, translated), "machine=log-incomplete"},
		{"nobody translates", machine(bareMetal, wholeLog, groups(repeated("identity", 3), nil)), ""},
		{"no IOMMU", machine(bareMetal, wholeLog, noGroups), ""},
		{"nothing captured", machine(), ""},
	})
}

// TestIOMMUFaultAccusesNobody: who made the access is not in the log, and an
// address just below 4 GiB is where the kernel hands them out.
func TestIOMMUFaultAccusesNobody(t *testing.T) {
	m := machine(guest("QEMU"), groups(repeated("DMA", 3), nil), device("0000:0b:00.0", "144d:a80a", "0108", "nvme"), fault("0000:0b:00.0", 4711, "Read", "0xffffe000", notSet))
	f := judged(t, "iommu-fault", m)[0]
	if f.Values["highIOVA"] != true || f.Values["guest"] != true || f.Severity != judge.Warning {
		t.Errorf("severity %s, values %v; want a warning on a usual address in a guest", f.Severity, f.Values)
	}
	unsaid(t, m, f, "defekt", "broken", "defective", "nullzeiger", "null pointer", "corrupt", "beschädigt")
	for lang, want := range map[catalogue.Lang]string{catalogue.German: "Emulator", catalogue.English: "emulator"} {
		if !strings.Contains(words(t, m, f, lang), want) {
			t.Errorf("%s: no word of the emulator", lang)
		}
	}
}

// TestIOMMUFaultCounts: a flood counts with all its lines.
func TestIOMMUFaultCounts(t *testing.T) {
	m := machine(fault("0000:0b:00.0", 100, "Read", "0x1000", notSet), fault("0000:0b:00.0", 101, "Read", "0x2000", notSet))
	last := 900.0
	m.Log.Notes[1].Count, m.Log.Notes[1].LastTime = 250, &last
	f := judged(t, "iommu-fault", m)[0]
	if f.Count != 251 || f.Values["faults"] != 251 || f.Values["lastSeconds"] != 900.0 {
		t.Errorf("count %d, values %v; want 251 until 900 s", f.Count, f.Values)
	}
}
