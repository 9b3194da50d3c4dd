package kconfig

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hwcap/parse/fact"
)

const small = `#
# Automatically generated file; DO NOT EDIT.
# Linux/x86 6.12.1 Kernel Configuration
#
CONFIG_CC_VERSION_TEXT="gcc 14.2.0"
CONFIG_LOG_BUF_SHIFT=17

#
# Crypto core or helper
#
CONFIG_CRYPTO=y
# CONFIG_CRYPTO_MANAGER_DISABLE_TESTS is not set
CONFIG_CRYPTO_AES_NI_INTEL=m
# end of Crypto core or helper
`

func TestParse(t *testing.T) {
	for name, test := range map[string]struct {
		text    string
		options map[string]string
		release string
		unread  fact.Unread
	}{
		"a whole one": {small, map[string]string{"CRYPTO": "y", "CRYPTO_MANAGER_DISABLE_TESTS": "n", "CRYPTO_AES_NI_INTEL": "m"}, "6.12.1",
			fact.Unread{File: "f", Of: 14, Ignored: 11}},
		"one option twice: the last counts":       {"CONFIG_CRYPTO=m\nCONFIG_CRYPTO=y\n", map[string]string{"CRYPTO": "y"}, "", fact.Unread{File: "f", Of: 2}},
		"an old heading":                          {"# Linux kernel version: 2.6.32\n# Linux/arm 3.10.0-327 Kernel Configuration\n", nil, "3.10.0-327", fact.Unread{File: "f", Of: 2, Ignored: 2}},
		"a value that an option cannot have":      {"CONFIG_CRYPTO=yes\nCONFIG_CRYPTO_SELFTESTS=\"y\"\n", nil, "", fact.Unread{File: "f", Of: 2, Ignored: 2}},
		"a name that only begins like a kept one": {"CONFIG_CRYPTO_AES_NI_INTEL_X=y\n# CONFIG_CRYPTO2 is not set\n", nil, "", fact.Unread{File: "f", Of: 2, Ignored: 2}},
		"a comment about an option":               {"# CONFIG_CRYPTO is not set here\n", nil, "", fact.Unread{File: "f", Of: 1, Ignored: 1}},
		"Windows line ends":                       {"CONFIG_CRYPTO=y\r\n# CONFIG_CRYPTO_SELFTESTS is not set\r\n", map[string]string{"CRYPTO": "y", "CRYPTO_SELFTESTS": "n"}, "", fact.Unread{File: "f", Of: 2}},
		"something else between":                  {"$ zcat /proc/config.gz\nCONFIG_CRYPTO=y\n", map[string]string{"CRYPTO": "y"}, "", fact.Unread{File: "f", Of: 2, Lines: 1}},
		"a line without an end":                   {"CONFIG_CRYPTO=y", map[string]string{"CRYPTO": "y"}, "", fact.Unread{File: "f", Of: 1}},
		"nothing":                                 {"", nil, "", fact.Unread{File: "f"}},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := Parse(strings.NewReader(test.text), "f")
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for name, v := range res.Options {
				got[name] = v.V
				if line := strings.Split(strings.ReplaceAll(test.text, "\r", ""), "\n")[v.At.Line-1]; v.At.Text != line || v.At.File != "f" {
					t.Errorf("%s at %+v, line %q", name, v.At, line)
				}
			}
			if diff := cmp.Diff(test.options, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("options (-want +got):\n%s", diff)
			}
			if res.Release != test.release || res.Unread != test.unread {
				t.Errorf("release %q, unread %+v, want %q, %+v", res.Release, res.Unread, test.release, test.unread)
			}
		})
	}
}

func TestLooks(t *testing.T) {
	for line, want := range map[string]bool{
		"CONFIG_X86=y": true, "# CONFIG_X86 is not set": true, `CONFIG_LOCALVERSION=""`: true, "# Linux/arm64 6.6.1 Kernel Configuration": true,
		"CONFIG_X86": false, "CONFIG_=y": false, "config X86": false, "# comment": false, "": false,
		"CONFIG_A B=y": false, "# CONFIG_A B is not set": false,
	} {
		if Looks([]byte(line)) != want {
			t.Errorf("%q: %v", line, !want)
		}
	}
}

func TestLongLine(t *testing.T) {
	res, err := Parse(strings.NewReader("CONFIG_EXTRA_FIRMWARE=\""+strings.Repeat("a", 1<<20)+"\nCONFIG_CRYPTO=y\n"), "f")
	if err != nil || res.Options["CRYPTO"].V != "y" || res.Options["CRYPTO"].At.Line != 2 {
		t.Errorf("%+v %v", res, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte("CONFIG_CRYPTO=y\n# CONFIG_CRYPTO is not set"))
	f.Fuzz(func(t *testing.T, b []byte) {
		res, err := Parse(bytes.NewReader(b), "f")
		if err != nil {
			t.Fatal(err)
		}
		if u := res.Unread; u.Lines+u.Ignored+len(res.Options) > u.Of {
			t.Errorf("unread %+v of %d options", u, len(res.Options))
		}
		// What is kept is what its own line says.
		for name, v := range res.Options {
			if got, value, ok := setting([]byte(v.At.Text)); !ok || string(got) != name || string(value) != v.V {
				t.Errorf("%s=%s from %q", name, v.V, v.At.Text)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	text := strings.Repeat(small, 500)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Parse(strings.NewReader(text), "f")
	}
}
