package parse_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hwcap/parse"
	"hwcap/parse/fact"
)

const (
	cryptsetupText = "# Tests are approximate using memory only (no storage IO).\n#     Algorithm |       Key |      Encryption |      Decryption\n        aes-xts        256b      2000.5 MiB/s      1999.5 MiB/s\n"
	opensslText    = "version: 3.0.1\nThe 'numbers' are in 1000s of bytes per second processed.\ntype          16384 bytes\nAES-128-CBC     426867.91k\n"
	iperf3Text     = "Connecting to host 192.0.2.1, port 5201\n[ ID] Interval           Transfer     Bitrate         Retr\n[  5]   0.00-10.00  sec  1.10 GBytes   941 Mbits/sec    0             sender\n\niperf Done.\n"
	iperf3JSONText = "{\n\t\"start\":\t{\n\t\t\"version\":\t\"iperf 3.12\",\n\t\t\"connecting_to\":\t{\n\t\t\t\"host\":\t\"192.0.2.1\"\n\t\t},\n\t\t\"test_start\":\t{\n\t\t\t\"protocol\":\t\"TCP\"\n\t\t}\n\t},\n" +
		"\t\"end\":\t{\n\t\t\"sum_sent\":\t{\n\t\t\t\"bits_per_second\":\t8000000\n\t\t}\n\t}\n}\n"
	countersText = "AE          Requests        Responses\n 0:            154181           154181\n"
	statusText   = "There is 1 QAT acceleration device(s) in the system:\n qat_dev0 - type: c6xx,  inst_id: 0,  node_id: 0,  bsf: 0000:3d:00.0,  #accel: 5 #engines: 10 state: up\n"
	dmsetupText  = "luks: 0 41943040 crypt aes-xts-plain64 0000 0 8:3 32768\n"
)

// figures are the measurements of a machine, as text.
func figures(m *fact.Machine) string {
	var all []string
	for _, v := range m.Measurements {
		all = append(all, fmt.Sprintf("%s:%d %s %s %s", v.From.File, v.From.Line, v.Tool, v.What, v.Operation))
	}
	return strings.Join(all, "\n")
}

// TestMeasurements reads benchmarks wherever they stand: alone, attached, and
// among other texts.
func TestMeasurements(t *testing.T) {
	for name, tc := range map[string]struct{ text, format, want string }{
		"cryptsetup benchmark": {cryptsetupText, "cryptsetup benchmark", "x.txt:3 cryptsetup benchmark aes-xts encrypt\nx.txt:3 cryptsetup benchmark aes-xts decrypt"},
		"openssl speed":        {opensslText, "openssl speed", "x.txt:4 openssl speed AES-128-CBC "},
		"iperf3":               {iperf3Text, "iperf3", "x.txt:3 iperf3 TCP send"},
		"iperf3 -J":            {iperf3JSONText, "iperf3 -J", "x.txt:13 iperf3 TCP send"},
		"several, with a log before them": {"[    0.000000] Linux version 6.1.0\n\n$ sudo cryptsetup benchmark -c aes-xts-plain64\n" + cryptsetupText + "$ openssl speed -elapsed -evp aes-128-cbc\n" + opensslText + "$ iperf3 -c 192.0.2.1\n" + iperf3Text, "kernel log, cryptsetup benchmark, openssl speed, iperf3",
			"x.txt:6 cryptsetup benchmark aes-xts encrypt\nx.txt:6 cryptsetup benchmark aes-xts decrypt\nx.txt:11 openssl speed AES-128-CBC \nx.txt:15 iperf3 TCP send"},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := parse.Read(strings.NewReader(tc.text), "x.txt", parse.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if m.Capture.Format != tc.format || figures(m) != tc.want || len(m.Problems) > 0 {
				t.Errorf("%q, problems %v\n%s", m.Capture.Format, m.Problems, figures(m))
			}
			for _, u := range m.Unread {
				if u.Lines > 0 {
					t.Errorf("unread %+v", u)
				}
			}
		})
		t.Run(name+", attached twice", func(t *testing.T) {
			m, err := parse.Read(bytes.NewReader(tarOf(t, good, entry{name: "hwcap-host/attach/b.txt", data: tc.text}, entry{name: "hwcap-host/attach/a.txt", data: tc.text})), "c.tar", parse.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := strings.ReplaceAll(tc.want, "x.txt", "attach/a.txt") + "\n" + strings.ReplaceAll(tc.want, "x.txt", "attach/b.txt")
			if figures(m) != want {
				t.Errorf("got\n%s\nwant\n%s", figures(m), want)
			}
			if s := m.Source("attach-a.txt"); s.State != fact.Present || s.Bytes != int64(len(tc.text)) {
				t.Errorf("source %+v", s)
			}
			for _, s := range m.Sources {
				if s.Kind == "attach" && s.Name != "attach-a.txt" && s.Name != "attach-b.txt" {
					t.Errorf("a source that nobody attached: %+v", s)
				}
			}
			if name == "several, with a log before them" && !strings.Contains(fmt.Sprint(m.Problems), "one of the machine's own texts, here kernel log") {
				t.Errorf("nothing is said of the log: %v", m.Problems)
			}
		})
	}
}

func TestElapsedBehindThePrompt(t *testing.T) {
	m, err := parse.Read(strings.NewReader("root@host:~# openssl speed -elapsed -multi 2 -evp aes-128-cbc\n"+opensslText), "x.txt", parse.Options{})
	if err != nil || len(m.Measurements) != 1 || m.Measurements[0].Clock != fact.ElapsedTime || m.Measurements[0].Threads != 2 {
		t.Errorf("%+v %v", m.Measurements, err)
	}
}

// TestQuickAssist joins debugfs, sysfs, and what was copied or attached.
func TestQuickAssist(t *testing.T) {
	const folder, function = "hwcap-host/sys/kernel/debug/qat_c6xx_0000_3d_00.0/", "hwcap-host/sys/bus/pci/devices/0000_3d_00.0/"
	m, err := parse.Read(bytes.NewReader(tarOf(t, good,
		entry{name: folder + "fw_counters", data: countersText},
		entry{name: folder + "telemetry/rp_A_data", data: "sample_cnt 1\nrp_num 3\n"},
		entry{name: folder + "telemetry/device_data", data: "sample_cnt 1\nbw_in 5\n"},
		entry{name: folder + "telemetry/control", data: "1\n"},
		entry{name: folder + "pm_status", data: "----------- PM Info --------------\npower_level: min\n"},
		entry{name: folder + "heartbeat/config", data: "500\n\x00"},
		entry{name: folder + "heartbeat_failed", data: "0\n\x00"},
		entry{name: folder + "version/fw", data: "4.24.0\n\x00"},
		entry{name: folder + "transport/bank_00/config", data: "------- Bank 0 configuration -------\n"},
		entry{name: function + "qat/state", data: "up\n"},
		entry{name: function + "qat/num_rps", data: "64\n"},
		entry{name: function + "qat/auto_reset", data: "off\n"},
		entry{name: function + "qat_ras/errors_fatal", data: "2\n"},
		entry{name: "hwcap-host/attach/status.txt", data: statusText},
	)), "c.tar", parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.QAT) != 1 {
		t.Fatalf("%d devices: %+v", len(m.QAT), m.QAT)
	}
	q := m.QAT[0]
	got := fmt.Sprint(q.Address, len(q.Counters.V), q.Telemetry[1].Name, q.Telemetry[3].Name, q.TelemetryControl.V, q.Power[0].Value,
		q.HeartbeatPeriod.V, q.HeartbeatFailed.State, q.Firmware.V, q.Up.V, q.RingPairs.V, q.AutoReset.V, q.Fatal.V, q.NonFatal.State, q.Status.Engines, q.Status.At.File)
	if want := fmt.Sprint("0000:3d:00.0", 1, "bw_in", "rp_num", 1, "min", 500, fact.Present, "4.24.0", "up", 64, "off", 2, "", 10, "attach/status.txt"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestMappings(t *testing.T) {
	for _, data := range [][]byte{tarOf(t, good, entry{name: "hwcap-host/cmd/dmsetup.txt", data: dmsetupText}), []byte("# dmsetup table\n" + dmsetupText)} {
		m, err := parse.Read(bytes.NewReader(data), "x", parse.Options{})
		if err != nil || len(m.Mappings) != 1 || m.Mappings[0].Cipher != "aes-xts-plain64" || m.Source("dmsetup").State != fact.Present {
			t.Errorf("%+v %v", m.Mappings, err)
		}
	}
}

// TestMappingsUnread: of a table in which nothing can be read no word is shown,
// for it may be a key; of another text the first line is.
func TestMappingsUnread(t *testing.T) {
	const word = "00112233445566778899aabbccddeeff"
	const folder = "sosreport-host-2026-11-30-abcdefg/sos_commands/"
	for name, shown := range map[string]bool{"devicemapper/dmsetup_table": false, "ras/ras-mc-ctl_--layout": true} {
		m, err := parse.Read(bytes.NewReader(tarOf(t, entry{name: folder + name, data: "luks crypt " + word + "\n"}, entry{name: folder + "kernel/dmesg", data: dmesgText})), "x", parse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(m)
		if !bytes.Contains(text, []byte(`"state":"failed"`)) || bytes.Contains(text, []byte(word)) != shown {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// TestMuch: a capture that holds more than any machine costs what is kept.
func TestMuch(t *testing.T) {
	config := "[GENERAL]\n" + strings.Repeat("Cy0Name = a\n", 199)
	figures := strings.Repeat("aes-xts 256b 1.0 MiB/s 1.0 MiB/s\n", 4000)
	entries := []entry{good}
	for i := range 2500 {
		entries = append(entries, entry{name: fmt.Sprintf("hwcap-host/sys/kernel/debug/qat_c6xx_%04x_3d_00.0/dev_cfg", i), data: config},
			entry{name: fmt.Sprintf("hwcap-host/sys/bus/pci/devices/%04x_3e_00.0/qat/state", i), data: "up\n"})
	}
	for i := range 20 {
		entries = append(entries, entry{name: fmt.Sprintf("hwcap-host/attach/%d", i), data: figures})
	}
	m, err := parse.Read(bytes.NewReader(tarOf(t, entries...)), "c.tar", parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	values := 0
	for _, q := range m.QAT {
		values += len(q.Config)
	}
	if len(m.QAT) != 4000 || values > 200_000 || values < 190_000 || len(m.Measurements) != 24_000 {
		t.Errorf("%d devices, %d values, %d figures", len(m.QAT), values, len(m.Measurements))
	}
	for _, want := range []string{"QAT devices have more values than are kept", "more than 30000 figures of cryptsetup benchmark"} {
		if !strings.Contains(fmt.Sprint(m.Problems), want) {
			t.Errorf("no problem says %q: %v", want, m.Problems)
		}
	}
}

// TestCorpusMeasurements opens what people published as it is.
func TestCorpusMeasurements(t *testing.T) {
	corpus := os.Getenv("HWCAP_CORPUS")
	if corpus == "" {
		t.Skip("no corpus: HWCAP_CORPUS is not set")
	}
	for _, pattern := range []string{"cryptsetup-bench-*/*", "openssl-speed-*/*", "qat-fw-counters/*"} {
		files, err := filepath.Glob(filepath.Join(corpus, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("no %s: %v", pattern, err)
		}
		for _, name := range files {
			m, err := parse.Open(name, parse.Options{})
			if err != nil || len(m.Measurements)+len(m.QAT) == 0 {
				t.Errorf("%s: %v", name, err)
				continue
			}
			t.Logf("%s as %s: %d figures, %d QAT devices, unread %+v", filepath.Base(name), m.Capture.Format, len(m.Measurements), len(m.QAT), m.Unread)
		}
	}
}
