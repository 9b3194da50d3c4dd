package qat

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hwcap/parse/fact"
)

var noPlaces = cmpopts.IgnoreTypes(fact.Line{})

const boxed1 = "+------------------------------------------------+\n| FW Statistics for Qat Device                   |\n+------------------------------------------------+\n" +
	"| Firmware Requests [AE  0]:                4711 |\n| Firmware Responses[AE  0]:                4711 |\n| RAS Events        [AE  0]:                   0 |\n" +
	"+------------------------------------------------+\n"

func TestConfig(t *testing.T) {
	const text = "[GENERAL]\nServicesEnabled = sym;asym\n[KERNEL]\nNumberCyInstances = 16\nCy0Name = a=b\nbroken\n\x00"
	got, problems, err := ParseConfig(strings.NewReader(text), "dev_cfg")
	if err != nil {
		t.Fatal(err)
	}
	want := []fact.ConfigValue{
		{Section: "GENERAL", Key: "ServicesEnabled", Value: "sym;asym", At: fact.Line{File: "dev_cfg", Line: 2, Text: "ServicesEnabled = sym;asym"}},
		{Section: "KERNEL", Key: "NumberCyInstances", Value: "16", At: fact.Line{File: "dev_cfg", Line: 4, Text: "NumberCyInstances = 16"}},
		{Section: "KERNEL", Key: "Cy0Name", Value: "a=b", At: fact.Line{File: "dev_cfg", Line: 5, Text: "Cy0Name = a=b"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if len(problems) != 1 || problems[0].Line != 6 {
		t.Errorf("problems: %v", problems)
	}
}

func TestCounters(t *testing.T) {
	zero := int64(0)
	tests := map[string]struct {
		text     string
		want     Counts
		problems int
	}{
		"in the kernel's tree": {
			text: "AE          Requests        Responses\n 0:            154181           154181\n11:             90662            90660\n",
			want: Counts{Engines: []fact.EngineCount{{Engine: 0, Requests: 154181, Responses: 154181}, {Engine: 11, Requests: 90662, Responses: 90660}}},
		},
		"boxed, with RAS events": {text: boxed1, want: Counts{Engines: []fact.EngineCount{{Engine: 0, Requests: 4711, Responses: 4711, RASEvents: &zero}}}},
		"boxed, padded and in other letters": {
			text: "| Firmware Requests  [AE  0]:                   5 |\n| Firmware Responses [AE  0]:                   4 |\n| RAS events         [AE  0]:                   0 |\n",
			want: Counts{Engines: []fact.EngineCount{{Engine: 0, Requests: 5, Responses: 4, RASEvents: &zero}}},
		},
		"an engine that does not answer": {
			text: "| Firmware Requests  [AE  3]:         No Response |\n| Firmware Responses [AE  3]:         No Response |\n| RAS events         [AE  3]:         No Response |\n",
			want: Counts{Silent: []fact.EngineCount{{Engine: 3}}},
		},
		"cut off between requests and responses": {
			text: "| Firmware Requests [AE  0]:  1 |\n| Firmware Responses[AE  0]:  1 |\n| Firmware Requests [AE  1]:  9 |\n",
			want: Counts{Engines: []fact.EngineCount{{Engine: 0, Requests: 1, Responses: 1}}}, problems: 1,
		},
		"a number cut off": {text: " 0:   12\n 1: x y\n", problems: 2},
		"nothing":          {},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, problems, err := ParseCounters(strings.NewReader(test.text), "fw_counters")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got, noPlaces); diff != "" {
				t.Errorf("counters (-want +got):\n%s", diff)
			}
			if len(problems) != test.problems {
				t.Errorf("%d problems, want %d: %v", len(problems), test.problems, problems)
			}
		})
	}
}

func TestCnvErrors(t *testing.T) {
	tests := map[string]struct {
		text string
		want []fact.EngineCount
	}{
		"in the kernel's tree": {
			text: "AE      Total Errors       Last Error\n0:                0          No Error [0]\n3:                2    Checksum Error [4]\n",
			want: []fact.EngineCount{{Engine: 0, LastError: "No Error"}, {Engine: 3, Requests: 2, LastError: "Checksum Error"}},
		},
		"boxed": {
			text: "+-----------------------------------------------------------------+\n|             CNV Error Freq Statistics for Qat Device            |\n" +
				"+-----------------------------------------------------------------+\n|[AE  1]: TotalErrors:     3 : LastError: Length Error-P [   -7]  |\n",
			want: []fact.EngineCount{{Engine: 1, Requests: 3, LastError: "Length Error-P"}},
		},
		"no compression service": {text: "No engine configured for comp\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, problems, err := ParseCnvErrors(strings.NewReader(test.text), "cnv_errors")
			if err != nil || len(problems) > 0 {
				t.Fatal(err, problems)
			}
			if diff := cmp.Diff(test.want, got, noPlaces); diff != "" {
				t.Errorf("counters (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTelemetry(t *testing.T) {
	n := func(v int64) *int64 { return &v }
	const text = "sample_cnt                               100\nrp_num                                     2\nservice_type                             sym\n" +
		"bw_in                                    310                 300                 320                 310\nutil_cpr0 12 13\nother words\n"
	got, problems, err := ParseTelemetry(strings.NewReader(text), "telemetry/rp_A_data")
	want := []fact.Metric{
		{File: "rp_A_data", Name: "sample_cnt", Value: n(100)},
		{File: "rp_A_data", Name: "rp_num", Value: n(2)},
		{File: "rp_A_data", Name: "service_type", Text: "sym"},
		{File: "rp_A_data", Name: "bw_in", Value: n(310), Min: n(300), Max: n(320), Avg: n(310)},
	}
	if diff := cmp.Diff(want, got, noPlaces); diff != "" || err != nil || len(problems) != 2 {
		t.Errorf("%v %v (-want +got):\n%s", err, problems, diff)
	}
}

func TestPower(t *testing.T) {
	const text = "----------- PM Fuse info ---------\nenable_pm: 0x1\n------------  PM Info ------------\npower_level: min\npm_mode: STATIC\n----------- HW PM CSRs -----------\nCPM_PM_STATUS: 0x4\nwhat is this: 1\n"
	got, problems, err := ParsePower(strings.NewReader(text), "pm_status")
	want := []fact.ConfigValue{
		{Section: "PM Fuse info", Key: "enable_pm", Value: "0x1"},
		{Section: "PM Info", Key: "power_level", Value: "min"},
		{Section: "PM Info", Key: "pm_mode", Value: "STATIC"},
		{Section: "HW PM CSRs", Key: "CPM_PM_STATUS", Value: "0x4"},
	}
	if diff := cmp.Diff(want, got, noPlaces); diff != "" || err != nil || len(problems) != 1 {
		t.Errorf("%v %v (-want +got):\n%s", err, problems, diff)
	}
}

func TestAddress(t *testing.T) {
	for in, want := range map[string]string{
		"qat_c6xx_0000:3d:00.0": "0000:3d:00.0", "qat_dh895xcc_09:00.0": "0000:09:00.0", "3d:00.0": "0000:3d:00.0", "0001:3d:00.1": "0001:3d:00.1",
		"icp_dh895xcc_dev0": "", "": "", "qat_": "", "0000:3d:00.00": "", "0000-3d:00.0": "", "zz:00.0": "",
	} {
		if got := Address(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// loosely is a device as the tests compare it.
func loosely(d fact.QAT) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", d.Address)
	if v, ok := d.Counters.Get(); ok {
		for _, e := range v {
			fmt.Fprintf(&b, " AE%d=%d/%d@%d", e.Engine, e.Requests, e.Responses, e.At.Line)
		}
	} else if !d.Counters.IsZero() {
		fmt.Fprintf(&b, " counters=%s", d.Counters.State)
	}
	for _, e := range d.Silent {
		fmt.Fprintf(&b, " silent=%d", e.Engine)
	}
	for _, e := range d.CnvErrors.V {
		fmt.Fprintf(&b, " cnv%d=%d", e.Engine, e.Requests)
	}
	for _, c := range append(d.Config, d.Power...) {
		fmt.Fprintf(&b, " %s.%s=%s", c.Section, c.Key, c.Value)
	}
	for _, m := range d.Telemetry {
		fmt.Fprintf(&b, " %s.%s", m.File, m.Name)
	}
	if d.Firmware.Known() {
		fmt.Fprintf(&b, " fw=%s package=%s", d.Firmware.V, d.Package.V)
	}
	if s := d.Status; s != nil {
		fmt.Fprintf(&b, " dev%d %s#%d node=%d accels=%d engines=%d %s@%d", s.Number, s.Type, s.Instance, s.Node, s.Accels, s.Engines, s.State, s.At.Line)
	}
	return b.String()
}

func TestLoose(t *testing.T) {
	tests := map[string]struct {
		text             string
		want             []string
		problems, unread int
	}{
		"several devices and files behind prompts": {
			"# cat /sys/kernel/debug/qat_c6xx_0000:3d:00.0/fw_counters\n" + boxed1 + "# cat /sys/kernel/debug/qat_dh895xcc_09\\:00.0/fw_counters\n" + boxed1 +
				"==> /sys/kernel/debug/qat_c6xx_0000:3d:00.0/dev_cfg <==\n[GENERAL]\nServicesEnabled = cy;dc\n",
			[]string{"0000:3d:00.0 AE0=4711/4711@5 GENERAL.ServicesEnabled=cy;dc", "0000:09:00.0 AE0=4711/4711@13"}, 0, 0},
		"no names: the same file again is of another device": {
			"AE          Requests        Responses\n 0: 1 1\nAE      Total Errors       Last Error\n0: 2 No Error [0]\nAE          Requests        Responses\n 0: 3 3\n",
			[]string{" AE0=1/1@2 cnv0=2", " AE0=3/3@6"}, 0, 0},
		"telemetry and power of a folder": {
			"$ sudo cat /sys/kernel/debug/qat_4xxx_0000:6b:00.0/telemetry/rp_A_data\nsample_cnt 1\nrp_num 2\n$ sudo cat '/sys/kernel/debug/qat_4xxx_0000:6b:00.0/pm_status'\n----------- PM Fuse info ---------\nenable_pm: 0x1\n",
			[]string{"0000:6b:00.0 PM Fuse info.enable_pm=0x1 rp_A_data.sample_cnt rp_A_data.rp_num"}, 0, 0},
		"device_data alone": {"sample_cnt 1\nbw_in 5\n", []string{" device_data.sample_cnt device_data.bw_in"}, 0, 0},
		"adf_ctl status": {
			"Checking status of all devices.\nThere is 2 QAT acceleration device(s) in the system:\n qat_dev0 - type: c6xx,  inst_id: 0,  node_id: 1,  bsf: 0000:84:00.0,  #accel: 5 #engines: 10 state: up\n" +
				" qat_dev1 - type: c6xx,  inst_id: 1,  node_id: 1,  bsf: 85:00.0,  #accel: 5 #engines: 10 state: down\n",
			[]string{"0000:84:00.0 dev0 c6xx#0 node=1 accels=5 engines=10 up@3", "0000:85:00.0 dev1 c6xx#1 node=1 accels=5 engines=10 down@4"}, 0, 0},
		"adf_ctl status, cut": {"There is 3 QAT acceleration device(s) in the system:\n qat_dev0 - type: c6xx,  inst_id: 0,  node_id: 1,  bsf: 0000:84:00.0,  #accel: 5 #engines: 10 state: up\n qat_dev1 - type: c6xx,  inst_id: 1,",
			[]string{"0000:84:00.0 dev0 c6xx#0 node=1 accels=5 engines=10 up@2"}, 1, 1},
		"the old package in /proc": {
			"# cat /proc/icp_dh895xcc_dev0/version\n+----+\n| Hardware and Software versions for device 0      |\n+----+\n|Hardware Version:             A0 SKU4             |\n|Firmware Version:             2.3.0               |\n|Driver Version:               2.3.1               |\n+----+\n" +
				"# cat /proc/icp_dh895xcc_dev0/qat0\n| Statistics for Qat Device 0                      |\n| Firmware Requests[AE 0]:                     7   |\n| Firmware Responses[AE 0]:                    7   |\n",
			[]string{" fw=2.3.0 package=2.3.1", " AE0=7/7@11"}, 0, 0},
		"no engine answers": {"| FW Statistics for Qat Device |\n| Firmware Requests [AE 0]: No Response |\n| Firmware Responses[AE 0]: No Response |\n", []string{" counters=failed silent=0"}, 0, 0},
		"other lines":       {"AE          Requests        Responses\n 0: 1 1\nThat is all.\n", []string{" AE0=1/1@2"}, 0, 1},
		"quoted":            {"> AE          Requests        Responses\n>  0: 1 1\n", []string{" AE0=1/1@2"}, 0, 0},
		"a heading alone":   {"AE          Requests        Responses\n", nil, 0, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := ParseLoose(strings.NewReader(test.text), "f")
			if err != nil {
				t.Fatal(err)
			}
			var devices []string
			for _, d := range got.Devices {
				devices = append(devices, loosely(d))
			}
			if diff := cmp.Diff(test.want, devices); diff != "" {
				t.Errorf("devices (-want +got):\n%s", diff)
			}
			if len(got.Problems) != test.problems || got.Unread.Lines != test.unread {
				t.Errorf("problems %v, unread %+v", got.Problems, got.Unread)
			}
		})
	}
}

func TestIsLoose(t *testing.T) {
	for line, want := range map[string]bool{
		"AE          Requests        Responses": true, "| FW Statistics for Qat Device                   |": true,
		"| Firmware Requests [AE  0]:  1 |": true, "[GENERAL]": true, "sample_cnt                 5": true,
		"----------- PM Fuse info ---------": true, " qat_dev0 - type: c6xx,  inst_id: 0": true,
		"There is 3 QAT acceleration device(s) in the system:": true, "No engine configured for comp": true,
		"AE": false, "": false, "There is no QAT": false, "[KERNEL]": false, "A line": false, "----": false, "| a | b |": false,
	} {
		if IsLoose([]byte(line)) != want {
			t.Errorf("%q: %v", line, !want)
		}
	}
}

func TestLimits(t *testing.T) {
	long := strings.Repeat("[GENERAL]\n"+strings.Repeat("a = b\n", 50)+"AE  Requests  Responses\n 0: 1 1\nwhat\n", 3000)
	got, err := ParseLoose(strings.NewReader(long), "f")
	if err != nil {
		t.Fatal(err)
	}
	values := 0
	for _, d := range got.Devices {
		values += len(d.Config)
	}
	if len(got.Devices) > maxDevices || values > maxLines || len(got.Problems) != 1 {
		t.Errorf("%d devices, %d values, %d problems", len(got.Devices), values, len(got.Problems))
	}
	if _, _, err := ParseConfig(strings.NewReader(long), "dev_cfg"); err == nil {
		t.Error("a configuration without end is read")
	}
}

func FuzzQAT(f *testing.F) {
	f.Add([]byte("[GENERAL]\na = b\n"))
	f.Add([]byte(" 0:  1  1\n"))
	f.Add([]byte(boxed1))
	f.Add([]byte("|[AE  1]: TotalErrors:     3 : LastError: Length Error-P [    7]  |\n"))
	f.Add([]byte("sample_cnt 1\nservice_type sym\nbw_in 1 2 3 4\n"))
	f.Add([]byte("----------- PM Fuse info ---------\nenable_pm: 0x1\n"))
	f.Add([]byte("# cat /sys/kernel/debug/qat_c6xx_0000:3d:00.0/fw_counters\nAE  Requests  Responses\n 0: 1 1\n qat_dev0 - type: c6xx,  inst_id: 0,  node_id: 1,  bsf: 0000:84:00.0,  #accel: 5 #engines: 10 state: up\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		ParseConfig(bytes.NewReader(b), "f")
		ParseCnvErrors(bytes.NewReader(b), "f")
		ParsePower(bytes.NewReader(b), "f")
		metrics, _, _ := ParseTelemetry(bytes.NewReader(b), "f")
		for _, m := range metrics {
			if m.Text == "" && m.Value == nil {
				t.Errorf("a metric without a value: %+v", m)
			}
		}
		counts, _, _ := ParseCounters(bytes.NewReader(b), "f")
		for _, c := range append(counts.Engines, counts.Silent...) {
			if c.At.IsZero() {
				t.Errorf("a counter without its place: %+v", c)
			}
		}
		got, err := ParseLoose(bytes.NewReader(b), "f")
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range got.Devices {
			if d.Folder == "" || d.Status == nil && loosely(d) == d.Address {
				t.Errorf("a device of which nothing is said: %+v", d)
			}
		}
		if u := got.Unread; u.Lines+u.Ignored > u.Of {
			t.Errorf("%+v", u)
		}
		for line := range bytes.Lines(b) {
			IsLoose(line)
		}
	})
}

func BenchmarkCounters(b *testing.B) {
	text := "AE          Requests        Responses\n" + strings.Repeat(" 0:            154181           154181\n", 12)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		ParseCounters(strings.NewReader(text), "f")
	}
}

// BenchmarkLoose shows by its MB/s, which stay the same, that time grows with
// the length of texts that are made to take long.
func BenchmarkLoose(b *testing.B) {
	for name, block := range map[string]string{
		"headings": "AE  Requests  Responses\n 0: 1 1\n",
		"prompts":  "# cat /sys/kernel/debug/qat_c6xx_0000:3d:00.0/fw_counters\nAE  Requests  Responses\n 0: 1 1\n",
		"rows":     " qat_dev0 - type: c6xx,  inst_id: 0,  node_id: 1,  bsf: 0000:84:00.0,  #accel: 5 #engines: 10 state: up\n",
		"blanks":   "|  |",
	} {
		for _, size := range []int{1 << 18, 1 << 19, 1 << 20} {
			text := []byte(strings.Repeat(block, size/len(block)))
			b.Run(fmt.Sprintf("%s/%dKiB", name, size>>10), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					ParseLoose(bytes.NewReader(text), "f")
				}
			})
		}
	}
}

// TestCorpus reads dumps from real machines.
func TestCorpus(t *testing.T) {
	corpus := os.Getenv("HWCAP_CORPUS")
	if corpus == "" {
		t.Skip("no corpus: HWCAP_CORPUS is not set")
	}
	files, err := filepath.Glob(filepath.Join(corpus, "qat-fw-counters", "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, path := range files {
		name := filepath.Base(path)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ParseLoose(bytes.NewReader(text), name)
		if err != nil || len(got.Problems) > 0 || got.Unread.Lines > 0 || len(got.Devices) == 0 {
			t.Errorf("%s: %v %v, unread %+v", name, err, got.Problems, got.Unread)
		}
		for _, d := range got.Devices {
			if strings.Contains(name, "status") {
				if d.Address == "" || d.Status == nil || d.Status.State != "up" {
					t.Errorf("%s: %+v", name, d)
				}
				continue
			}
			engines := map[string]int{"fw_counters-c6xx.txt": 10, "fw_counters-dh895xcc.txt": 12}[name]
			if len(d.Counters.V) != engines {
				t.Errorf("%s: %d engines, want %d", name, len(d.Counters.V), engines)
			}
			for _, c := range d.Counters.V {
				if c.Requests == 0 || c.Requests != c.Responses || (c.RASEvents == nil) != strings.Contains(name, "dh895") {
					t.Errorf("%s: engine %+v", name, c)
				}
			}
		}
	}
}
