package judge_test

import (
	"fmt"
	"testing"

	"hwcap/parse/fact"
)

// configured adds dev_cfg: pairs of key and value in the section KERNEL.
func configured(address string, pairs ...string) step {
	return func(m *fact.Machine) {
		q := fact.QAT{Address: address, Folder: "qat_" + address, ConfigState: fact.Present}
		for i := 0; i < len(pairs); i += 2 {
			section := "KERNEL"
			if pairs[i] == "ServicesEnabled" || pairs[i] == "HeartbeatTimer" {
				section = "GENERAL"
			}
			at := place("sys/kernel/debug/qat_x/dev_cfg", i+2, fmt.Sprintf("%s = %s", pairs[i], pairs[i+1]))
			q.Config = append(q.Config, fact.ConfigValue{Section: section, Key: pairs[i], Value: pairs[i+1], At: at})
		}
		m.QAT = append(m.QAT, q)
	}
}

func TestQATInstances(t *testing.T) {
	full := []string{"ServicesEnabled", "sym;asym;dc", "HeartbeatTimer", "500", "NumberCyInstances", "16", "NumberDcInstances", "16",
		"Cy0NumConcurrentSymRequests", "512", "Cy0NumConcurrentAsymRequests", "128"}
	second := device("0000:f7:00.0", "8086:4940", "0b40", "4xxx")
	services := func(address, text string) step {
		return func(m *fact.Machine) {
			m.QAT = append(m.QAT, fact.QAT{Address: address, Services: fact.Of(text, place("sys/bus/pci/devices/"+address+"/qat/cfg_services", 1, text))})
		}
	}
	ringPairs := qatChange(func(q *fact.QAT) {
		q.RingPairs = fact.Of(int64(64), place("sys/bus/pci/devices/0000:f3:00.0/qat/num_rps", 1, "64"))
	})
	check(t, "qat-instances", []scene{
		{"16 of each", machine(card, configured(qatAt, full...)), qatAt + "=offers"},
		{"C85: one device for cryptography, the next for compression", machine(gen4, second, services("0000:f3:00.0", "sym;asym"), services("0000:f7:00.0", "dc")), "0000:f3:00.0 0000:f7:00.0=offers"},
		{"C85: compression only", machine(gen4, services("0000:f3:00.0", "dc"), ringPairs), "0000:f3:00.0=offers"},
		{"given to virtual functions", machine(card, configured(qatAt, "NumberCyInstances", "0", "NumberDcInstances", "0")), qatAt + "=nothing"},
		{"without root", machine(card, source("qat", fact.Denied)), qatAt + "=denied"},
		{"a configuration without numbers", machine(card, configured(qatAt, "HeartbeatTimer", "500")), qatAt + "=incomplete"},
		{"no debugfs", machine(card), qatAt + "=not-captured"},
		{"given to a guest", machine(device(qatAt, "8086:0435", "0b40", "vfio-pci")), ""},
		{"no driver", machine(device(qatAt, "8086:0435", "0b40", "")), ""},
		{"nothing captured", machine(), ""},
	})
	f := judged(t, "qat-instances", machine(card, configured(qatAt, full...)))[0]
	row := f.Values["rows"].([]map[string]any)[0]
	if row["cipher"] != 16 || row["compress"] != 16 || row["symConcurrent"] != 512 || row["asymConcurrent"] != 128 || row["heartbeatMs"] != 500 {
		t.Errorf("%v", row)
	}
	f = judged(t, "qat-instances", machine(gen4, services("0000:f3:00.0", "sym;asym")))[0]
	if f.Values["lacksCompression"] != true || f.Values["lacksCipher"] != false {
		t.Errorf("C85: %v", f.Values)
	}
	f = judged(t, "qat-instances", machine(gen4, second, services("0000:f3:00.0", "sym;asym"), services("0000:f7:00.0", "dc")))[0]
	if f.Values["lacksCompression"] != false || f.Values["lacksCipher"] != false {
		t.Errorf("C85, both: %v", f.Values)
	}
}
