package dmsetup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
)

// zeros is what dmsetup prints for a key of 512 bits.
var zeros = strings.Repeat("0", 128)

func TestParse(t *testing.T) {
	const secret = "5ec2e75ec2e7"
	key := strings.Repeat(secret, 2)
	text := "luks-root: 0 41943040 crypt aes-xts-plain64 " + zeros + " 0 8:3 32768\n" +
		"home: 0 1000 crypt capi:xts(aes)-plain64 :64:logon:cryptsetup:" + secret + "-d0 0 /dev/sda4 32768 4 allow_discards no_read_workqueue no_write_workqueue sector_size:4096\n" +
		"swap: 0 1000 crypt aes-cbc-essiv:sha256 " + key + " 0 8:5 0 1 same_cpu_crypt\n" +
		"vg-data: 0 1000 linear 253:0 2048\n" +
		"mac: 0 1000 integrity 8:6 0 32 J 1 internal_hash:hmac(sha256):" + key + "\n" +
		"0 1000 crypt cipher_null-ecb - 0 7:0 0\n" +
		"\n" +
		"cut: 0 1000 crypt aes-xts-plain64 " + key + "\n" +
		"wrapped key " + key + "\n" +
		"joined: 0 1000 crypt aes-xts-plain64 " + zeros + " 0 8:2 4096 next: 0 1000 crypt aes-xts-plain64 " + key + " 0 8:3 4096\n" +
		"option: 0 1000 crypt aes-xts-plain64 " + zeros + " 0 8:2 4096 1 " + key + "\n" +
		"swapped: 0 1000 crypt " + key + " aes-xts-plain64 0 8:2 4096\n" +
		"split: 0 1000 crypt aes-xts-plain64 " + secret + " " + secret + " 0 8:2 4096\n"
	res, err := Parse(strings.NewReader(text), "cmd/dmsetup.txt")
	if err != nil {
		t.Fatal(err)
	}
	at := func(n int, text string) fact.Line { return fact.Line{File: "cmd/dmsetup.txt", Line: n, Text: text} }
	want := []fact.Mapping{
		{Name: "luks-root", Target: "crypt", Cipher: "aes-xts-plain64", KeyBits: 512, KeyPlace: "table", Device: "8:3",
			From: at(1, "luks-root: 0 41943040 crypt aes-xts-plain64 - 0 8:3 32768")},
		{Name: "home", Target: "crypt", Cipher: "capi:xts(aes)-plain64", KeyBits: 512, KeyPlace: "keyring", Device: "/dev/sda4", SectorSize: 4096,
			Flags: []string{"allow_discards", "no_read_workqueue", "no_write_workqueue"},
			From:  at(2, "home: 0 1000 crypt capi:xts(aes)-plain64 - 0 /dev/sda4 32768 4 allow_discards no_read_workqueue no_write_workqueue sector_size:4096")},
		{Name: "swap", Target: "crypt", Cipher: "aes-cbc-essiv:sha256", KeyBits: 96, KeyPlace: "table", Device: "8:5", Flags: []string{"same_cpu_crypt"},
			From: at(3, "swap: 0 1000 crypt aes-cbc-essiv:sha256 - 0 8:5 0 1 same_cpu_crypt")},
		{Name: "vg-data", Target: "linear", From: at(4, "vg-data: 0 1000 linear")},
		{Name: "mac", Target: "integrity", From: at(5, "mac: 0 1000 integrity")},
		{Target: "crypt", Cipher: "cipher_null-ecb", Device: "7:0", From: at(6, "0 1000 crypt cipher_null-ecb - 0 7:0 0")},
		{Name: "cut", Target: "crypt", From: at(8, "cut: 0 1000 crypt")},
		{Name: "joined", Target: "crypt", From: at(10, "joined: 0 1000 crypt")},
		{Name: "option", Target: "crypt", From: at(11, "option: 0 1000 crypt")},
		{Name: "swapped", Target: "crypt", From: at(12, "swapped: 0 1000 crypt")},
		{Name: "split", Target: "crypt", From: at(13, "split: 0 1000 crypt")},
	}
	if diff := cmp.Diff(want, res.Mappings); diff != "" {
		t.Errorf("mappings (-want +got):\n%s", diff)
	}
	if len(res.Problems) != 5 || res.Problems[0].Line != 8 || res.Unread != (fact.Unread{File: "cmd/dmsetup.txt", Lines: 1, Of: 13, Ignored: 1}) {
		t.Errorf("problems %v, unread %+v", res.Problems, res.Unread)
	}
	all, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	if shown := string(all) + fmt.Sprintf("%+v", res); strings.Contains(shown, secret) {
		t.Errorf("a key is kept: %s", shown)
	}
}

func TestLooks(t *testing.T) {
	for line, want := range map[string]bool{
		"luks: 0 41943040 crypt aes-xts-plain64 - 0 8:3 0": true,
		"vg-root: 0 1 linear 8:1 2048":                     true,
		"note: 0 1 hour late":                              false,
		"name: 0 1 crypt":                                  false,
		"eth0: 0 errors":                                   false,
		"":                                                 false,
	} {
		if Looks([]byte(line)) != want {
			t.Errorf("%q: %v", line, !want)
		}
	}
}

func TestLimits(t *testing.T) {
	res, err := Parse(strings.NewReader(strings.Repeat("m: 0 1 linear 8:1 0\n", maxKept+5)+"x: 0 1 crypt "+strings.Repeat("a", maxLine)+"\n"), "f")
	if err != nil || len(res.Mappings) != maxKept || len(res.Problems) != 2 {
		t.Errorf("%d mappings, %v %v", len(res.Mappings), res.Problems, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("luks: 0 41943040 crypt aes-xts-plain64 "+zeros+" 0 8:3 0 1 sector_size:4096\n"), "a1b2c3d4e5f6")
	f.Add([]byte("x: 0 1 integrity 8:1\n"), "a1b2c3d4e5f6")
	f.Fuzz(func(t *testing.T, b []byte, key string) {
		if len(key) < 12 || strings.Trim(key, "0123456789abcdef") != "" {
			return
		}
		// Whatever surrounds it, a key in its place is not kept.
		if bytes.Contains(b, []byte(key)) {
			return
		}
		text := append(append([]byte("m: 0 1 crypt aes "), key...), append([]byte(" 0 8:1 0 "), b...)...)
		res, err := Parse(bytes.NewReader(text), "f")
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(fmt.Sprintf("%+v", res), key) {
			t.Errorf("the key is kept: %+v", res)
		}
		for line := range bytes.Lines(b) {
			Looks(line)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	text := strings.Repeat("luks: 0 41943040 crypt aes-xts-plain64 "+zeros+" 0 8:3 32768 1 allow_discards\nvg: 0 1 linear 8:1 0\n", 500)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Parse(strings.NewReader(text), "f")
	}
}
