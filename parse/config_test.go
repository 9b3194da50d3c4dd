package parse_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hwcap/parse"
	"hwcap/parse/fact"
)

const (
	configText  = "# Linux/x86 6.1.140 Kernel Configuration\nCONFIG_CRYPTO=y\n# CONFIG_CRYPTO_MANAGER_DISABLE_TESTS is not set\nCONFIG_CRYPTO_AES_NI_INTEL=m\n"
	otherConfig = "# Linux/x86 5.10.1 Kernel Configuration\nCONFIG_CRYPTO=y\nCONFIG_CRYPTO_MANAGER_DISABLE_TESTS=y\nCONFIG_CRYPTO_AES_NI_INTEL=y\nCONFIG_CRYPTO_SELFTESTS=y\n"
	runs        = "Linux version 6.1.0-37-amd64 (build@example) (gcc 12.2.0) #1 SMP\n"
)

// TestKernelConfig holds which configuration is taken as that of the kernel.
func TestKernelConfig(t *testing.T) {
	packed := string(gzipOf(t, []byte(configText)))
	want := map[string]string{"CRYPTO": "y", "CRYPTO_MANAGER_DISABLE_TESTS": "n", "CRYPTO_AES_NI_INTEL": "m"}
	for name, test := range map[string]struct {
		members []entry
		want    map[string]string
		file    string
		problem string // of the file that is not taken
	}{
		"packed, as the kernel has it": {[]entry{{name: "c/proc/config.gz", data: packed}, {name: "c/proc/version", data: runs}}, want, "proc/config.gz", ""},
		"unpacked in its place":        {[]entry{{name: "c/proc/config.gz", data: configText}}, want, "proc/config.gz", ""},
		"cut off": {[]entry{{name: "c/proc/config.gz", data: packed[:len(packed)-9]}, {name: "c/proc/version", data: runs}},
			want, "proc/config.gz", ""},
		"of several kernels, by name": {[]entry{{name: "c/boot/config-5.10.1", data: otherConfig}, {name: "c/boot/config-6.1.0-37-amd64", data: configText}, {name: "c/proc/version", data: runs}},
			want, "c/boot/config-6.1.0-37-amd64", ""},
		"packed and by name": {[]entry{{name: "c/config-6.1.0-37-amd64.gz", data: packed}, {name: "c/config-5.10.1", data: otherConfig}, {name: "c/dmesg.txt", data: "[    0.000000] " + runs}},
			want, "c/config-6.1.0-37-amd64.gz", ""},
		"by its heading":    {[]entry{{name: "c/kernel.txt", data: strings.Replace(configText, "6.1.140", "6.1.0-37-amd64", 1)}, {name: "c/other.txt", data: otherConfig}, {name: "c/dmesg.txt", data: "[    0.000000] " + runs}}, want, "c/kernel.txt", ""},
		"of another kernel": {[]entry{{name: "c/config-5.10.1", data: otherConfig}, {name: "c/dmesg.txt", data: "[    0.000000] " + runs}}, nil, "c/config-5.10.1", "another kernel"},
		"of two, and which runs is not known": {[]entry{{name: "c/config-5.10.1", data: otherConfig}, {name: "c/config-6.1.0", data: configText}},
			nil, "c/config-5.10.1", "not known"},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := parse.Read(bytes.NewReader(tarOf(t, test.members...)), "c", parse.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for option, v := range m.Crypto.Config {
				got[option] = v.V
				if v.At.File != test.file || v.At.Line == 0 || !strings.Contains(v.At.Text, option) {
					t.Errorf("%s at %+v, want a line of %s", option, v.At, test.file)
				}
			}
			if diff := cmp.Diff(test.want, got, cmpopts.EquateEmpty()); diff != "" && name != "cut off" {
				t.Errorf("options (-want +got):\n%s\nproblems %v", diff, m.Problems)
			}
			if name == "cut off" && m.Source("proc-config").State != fact.Truncated {
				t.Errorf("source %+v", m.Source("proc-config"))
			}
			if test.problem != "" && !strings.Contains(problem(m, test.file), test.problem) {
				t.Errorf("problems %v", m.Problems)
			}
		})
	}
}

// TestSingleConfig reads a configuration by itself.
func TestSingleConfig(t *testing.T) {
	for name, data := range map[string][]byte{"config-6.1.0": []byte(configText), "config.gz": gzipOf(t, []byte(configText))} {
		m, err := parse.Read(bytes.NewReader(data), name, parse.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if m.Capture.Format != "kernel configuration" || m.Crypto.Config["CRYPTO_AES_NI_INTEL"].V != "m" {
			t.Errorf("%s: %s %v %v", name, m.Capture.Format, m.Crypto.Config, m.Problems)
		}
	}
}
