package main

import (
	"archive/tar"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hwcap/render/escape"
)

// acting is text that acts on a terminal, or turns what is read around.
const acting = "\x1b]0;evil\x07\x1b[2J\u009b31m\u202egnp.exe\u200b"

// hostileCapture makes an archive of texts that act, under names that do as far
// as a reader takes them.
func hostileCapture(t *testing.T, dir string) string {
	t.Helper()
	quiet := strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, acting)
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for name, text := range map[string]string{
		"hostname":                 "host" + acting + "\n",
		"uname":                    "Linux host" + acting + " 6.12.9" + acting + " #1 SMP x86_64 GNU/Linux\n",
		"lspci-" + quiet + ".txt":  "0000:01:00.0 Ethernet controller [0200]: Evil " + acting + " [8086:1533] (rev 03)\n\tKernel driver in use: igb" + acting + "\n",
		"dmesg" + quiet + ".txt":   "[    1.000000] igb 0000:01:00.0 eth0: 3c:a9:f4:51:d2:7e " + acting + "\n[    2.000000] pcieport 0000:00:1c.0: AER: Correctable error message received from 0000:01:00.0" + acting + "\n",
		"dmidecode.txt":            "Handle 0x0001, DMI type 17, 92 bytes\nMemory Device\n\tLocator: " + acting + "\n\tSerial Number: " + acting + "12345678\n",
		"sys/" + acting + "/evil":  "1\n",
		"unknown" + quiet + ".bin": "\x00" + acting,
	} {
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "capture" + quiet + "/" + name, Size: int64(len(text)), Mode: 0o600}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "evil"+acting+".tar")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestNothingActsOnATerminal runs each command on a hostile capture, and on
// hostile arguments: neither what it says nor a text that it writes beside the
// capture holds a hidden character.
func TestNothingActsOnATerminal(t *testing.T) {
	dir := t.TempDir()
	file := hostileCapture(t, dir)
	for _, args := range [][]string{
		{"inspect", file, "--lang", "de"},
		{"inspect", file, "--lang", "en"},
		{"facts", file},
		{"report", file, "-o", filepath.Join(dir, "report"+acting), "--format", "md,html,json", "--mail"},
		{"report", file, "-o", filepath.Join(dir, "published"+acting), "--publish"},
		{"report", file, "-o", filepath.Join(dir, "post"+acting), "--blog", "hugo"},
		{"diff", file, "sample:vm", "-o", filepath.Join(dir, "diff"+acting), "--format", "md,html,json"},
		{"redact", file, "-o", filepath.Join(dir, "redacted"+acting+".tar.gz")},
		{"redact", "--verify", file},
		{"inspect", filepath.Join(dir, acting)},
		{"explain", acting},
		{acting},
		{"report", "--" + acting},
		{"report", file, "--lang", acting},
	} {
		cmd := exec.Command("hwcap", args...)
		cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
		out, _ := cmd.CombinedOutput()
		if !bytes.Contains(out, []byte("evil")) {
			t.Errorf("%q says nothing of it, so this test shows nothing: %s", args, out)
		}
		checkActing(t, strings.Join(args, " "), out)
	}
	for name, data := range readTree(t, dir) {
		if strings.HasSuffix(name, ".txt") || strings.HasSuffix(name, ".md") || strings.HasSuffix(name, ".html") || strings.HasSuffix(name, ".json") {
			checkActing(t, name, data)
		}
	}
}

func checkActing(t *testing.T, what string, data []byte) {
	t.Helper()
	i := bytes.IndexFunc(data, func(r rune) bool { return r != '\n' && escape.Hidden(r) })
	if i >= 0 {
		t.Errorf("%q: a hidden character: %q", what, data[max(0, i-60):min(len(data), i+20)])
	}
}
