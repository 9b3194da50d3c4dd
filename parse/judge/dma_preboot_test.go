package judge_test

import (
	"testing"

	"hwcap/parse/fact"
)

// tbDomain adds a domain of Thunderbolt; protection "" was not read.
func tbDomain(name, protection, security string) step {
	return func(m *fact.Machine) {
		const folder = "sys/bus/thunderbolt/devices"
		l := m.Lists[folder]
		l.State = fact.Present
		l.Entries = append(l.Entries, fact.Entry{Name: name, At: place(folder+"/.list", len(l.Entries)+1, name)})
		m.Lists[folder] = l
		if protection != "" {
			setting(folder+"/"+name+"/iommu_dma_protection", protection)(m)
			setting(folder+"/"+name+"/security", security)(m)
		}
	}
}

func TestDMAPreboot(t *testing.T) {
	optIn := note("dmar-opt-in", "", "DMAR: Intel-IOMMU force enabled due to platform opt in")
	check(t, "dma-preboot", []scene{
		{"protected", machine(tbDomain("domain0", "1", "none"), optIn), "machine=protected"},
		{"one of two domains is not", machine(tbDomain("domain0", "1", "user"), tbDomain("domain1", "0", "user")), "machine=unprotected"},
		{"not protected", machine(tbDomain("domain0", "0", "none")), "machine=unprotected"},
		{"the firmware asked for it", machine(optIn), "machine=opt-in"},
		{"file of an old kernel missing", machine(tbDomain("domain0", "", "")), "machine=not-captured"},
		{"folder cut", machine(tbDomain("domain0", "1", "user"), source("thunderbolt", fact.Truncated)), "machine=not-captured"},
		{"controller, and nothing read", machine(device("0000:00:0d.2", "8086:9a1b", "0c03", "thunderbolt")), "machine=not-captured"},
		{"no such port", machine(bareMetal, wholeLog, device("0000:00:00.0", "8086:09a2", "0880", "")), ""},
		{"nothing captured", machine(), ""},
	})
}
