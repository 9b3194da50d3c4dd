package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// busyboxMachine makes a root folder with nothing in it but busybox, hwcap
// where the test can find it, and a made-up /proc and /sys: a root port and a
// network card whose link runs narrower than both could.
func busyboxMachine(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	port := "sys/devices/pci0000:00/0000:00:01.0/"
	card := port + "0000:01:00.0/"
	for dir, fn := range map[string]struct{ class, vendor string }{port: {"0x060400", "0x8086"}, card: {"0x020000", "0x1af4"}} {
		put(dir+"class", fn.class+"\n")
		put(dir+"vendor", fn.vendor+"\n")
		put(dir+"device", "0x0001\n")
		put(dir+"power_state", "D0\n")
		put(dir+"current_link_speed", "8.0 GT/s PCIe\n")
		put(dir+"current_link_width", "4\n")
		put(dir+"max_link_speed", "8.0 GT/s PCIe\n")
		put(dir+"max_link_width", "8\n")
		put(dir+"config", string(expressSpace(fn.class)))
	}
	for _, address := range []string{"0000:00:01.0", "0000:00:01.0/0000:01:00.0"} {
		link := filepath.Join(root, "sys/bus/pci/devices", filepath.Base(address))
		if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("../../../devices/pci0000:00/"+address, link); err != nil {
			t.Fatal(err)
		}
	}
	put("proc/crypto", "name         : sha256\ndriver       : sha256-generic\nmodule       : kernel\npriority     : 100\nrefcnt       : 1\n"+
		"selftest     : passed\ninternal     : no\ntype         : shash\nblocksize    : 64\ndigestsize   : 32\n\n")
	put("proc/version", "Linux version 4.9.0 (a@b) #1 SMP\n")
	put("etc/passwd", "root:x:0:0::/:/bin/sh\n")
	put("run/systemd/container", "lxc\n")
	for _, dir := range []string{"tmp", "dev", "bin", "out"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o777); err != nil {
			t.Fatal(err)
		}
		os.Chmod(filepath.Join(root, dir), 0o777)
	}
	return root
}

// expressSpace is configuration space with a capability of PCI Express: a link
// of 8 GT/s, x8, that runs at x4.
func expressSpace(class string) []byte {
	c := make([]byte, 256)
	le := binary.LittleEndian
	le.PutUint16(c[0x00:], 0x1af4)
	le.PutUint16(c[0x02:], 0x0001)
	le.PutUint16(c[0x06:], 0x0010) // there is a list of capabilities
	c[0x34] = 0x40
	kind := uint16(0x0002) // endpoint
	if class == "0x060400" {
		c[0x0a], c[0x0b], c[0x0e] = 0x04, 0x06, 1
		c[0x19], c[0x1a] = 1, 1 // buses below
		kind = 0x0142           // root port with a slot
	} else {
		c[0x0b] = 0x02
	}
	c[0x40] = 0x10 // PCI Express, the last one
	le.PutUint16(c[0x42:], kind)
	le.PutUint32(c[0x4c:], 0x00000083) // LnkCap 8 GT/s, x8
	le.PutUint16(c[0x52:], 0x0043)     // LnkSta 8 GT/s, x4
	le.PutUint32(c[0x6c:], 0x0000000e) // LnkCap2 2.5 to 8 GT/s
	return c
}

// On a machine without lspci, dmesg, journal, Perl or ethtool the files of the
// kernel tell the same: links, log and crypto are in the report.
func TestCollectWithBusyboxOnly(t *testing.T) {
	busybox, err := exec.LookPath("busybox")
	if err != nil {
		t.Skip("no busybox")
	}
	if os.Getuid() != 0 {
		t.Skip("needs root to change the root folder")
	}
	for user, uid := range map[string]uint32{"root": 0, "nobody": 65534} {
		t.Run(user, func(t *testing.T) {
			root := busyboxMachine(t)
			os.Chmod(root, 0o755)
			exe, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			// Bound, not copied; with what the test's own program is linked to.
			script := "set -e\n"
			bind := func(from, to string) {
				to = filepath.Join(root, to)
				script += fmt.Sprintf("mkdir -p \"$(dirname '%s')\"; if [ -d '%s' ]; then mkdir -p '%s'; else : >'%s'; fi; mount --bind '%s' '%s'\n", to, from, to, to, from, to)
			}
			bind(exe, "bin/hwcap")
			bind(busybox, "bin/busybox")
			for _, dir := range []string{"/lib64", "/lib", "/usr/lib"} {
				if _, err := os.Stat(dir); err == nil {
					bind(dir, dir)
				}
			}
			for _, file := range []string{"/dev/null", "/dev/kmsg"} {
				if _, err := os.Stat(file); err == nil {
					bind(file, file)
				}
			}
			for _, name := range []string{"sh", "dmesg", "lspci", "ls"} {
				os.Symlink("busybox", filepath.Join(root, "bin", name))
			}
			script += fmt.Sprintf("mkdir -p '%s/proc/self' && ln -s /bin/hwcap '%s/proc/self/exe'\n", root, root)
			script += fmt.Sprintf("exec '%s' chroot --userspec=%d:%d '%s' /bin/hwcap collect -o /out/x.tar.gz\n", "/usr/bin/env", uid, uid, root)
			cmd := hwcapCommand(t)
			cmd.Path, cmd.Args = "/bin/sh", []string{"sh", "-c", script}
			cmd.Env = append(cmd.Env, "PATH=/bin:/usr/sbin:/usr/bin:/sbin", "TMPDIR=/tmp")
			cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
			code, said := run(t, cmd)
			if code != exitDone && code != exitIncomplete {
				t.Fatalf("exit code %d: %s", code, said)
			}
			m := whole(t, filepath.Join(root, "out/x.tar.gz"))
			if m.Capture.Container != "lxc" {
				t.Errorf("container %q", m.Capture.Container)
			}
			d := m.Device("0000:01:00.0")
			if d == nil || d.Sysfs == nil || d.Sysfs.Current.V.Width != 4 || d.Parent != "0000:00:01.0" {
				t.Fatalf("the card is %+v", d)
			}
			if uid == 0 && (d.Express == nil || d.Express.LinkSta == nil || d.Express.LinkSta.Width != 4) {
				t.Errorf("what configuration space tells of it is %+v", d.Express)
			}
			if len(m.Crypto.Algorithms) != 1 {
				t.Errorf("%d algorithms", len(m.Crypto.Algorithms))
			}
			if uid == 0 && len(m.Log.Files) == 0 {
				t.Error("no log")
			}
			out := filepath.Join(t.TempDir(), "report")
			report := exec.Command(linkToSelf(t), "report", filepath.Join(root, "out/x.tar.gz"), "-o", out, "--format", "md,json", "--lang", "en")
			if text, err := report.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, text)
			}
			text := readFile(t, filepath.Join(out, "report.en.md"))
			for _, word := range []string{"0000:01:00.0", "x4", "selftest     : passed"} {
				if !strings.Contains(text, word) {
					t.Errorf("the report does not tell of %s", word)
				}
			}
		})
	}
}

// Ten thousand functions, more files than readers take: the tree is cut with a
// word on it, and the memory of a small machine suffices.
func TestCollectTenThousandFunctions(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root to put a tree in the place of /sys")
	}
	sys := t.TempDir()
	fn := filepath.Join(sys, "devices/fn")
	if err := os.MkdirAll(fn, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields("vendor device class revision subsystem_vendor subsystem_device irq numa_node power_state resource " +
		"current_link_speed current_link_width max_link_speed max_link_width reset_method") {
		if err := os.WriteFile(filepath.Join(fn, name), []byte("0x000001\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(fn, "config"), make([]byte, 4096), 0o644); err != nil {
		t.Fatal(err)
	}
	devices := filepath.Join(sys, "bus/pci/devices")
	if err := os.MkdirAll(devices, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range 10_000 {
		address := fmt.Sprintf("0000:%02x:%02x.%d", i>>8, i>>3&31, i&7)
		if err := os.Symlink("../../../devices/fn", filepath.Join(devices, address)); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	output := filepath.Join(dir, "x.tar.gz")
	cmd := inNamespace(t, []string{"collect", "--only", "sys", "--timeout", "2m", "-o", output}, [2]string{sys, "/sys"})
	code, said := assertPeak(t, cmd, 64<<10)
	if code != exitDone || !strings.Contains(said, "\ncut short: pci: limit of files of 55000\n") {
		t.Errorf("exit code %d: %s", code, said)
	}
	assertNames(t, dir, "x.tar.gz")
	m := whole(t, output)
	if len(m.PCI) != 10_000 {
		t.Errorf("%d functions, want 10000", len(m.PCI))
	}
}

// TestNetlinkWithTshark lets another program read what was written of netlink.
func TestNetlinkWithTshark(t *testing.T) {
	tshark, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("no tshark")
	}
	dir := t.TempDir()
	output := filepath.Join(dir, "x.tar")
	if code, said := run(t, hwcapCommand(t, "collect", "--only", "netlink", "-o", output)); code != exitDone {
		t.Fatalf("exit code %d: %s", code, said)
	}
	if text, err := exec.Command("tar", "-xf", output, "-C", dir, "--strip-components=1").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	files, err := filepath.Glob(filepath.Join(dir, "netlink/*.pcap"))
	if err != nil || len(files) == 0 {
		t.Skipf("nothing of netlink here: %v", err)
	}
	for _, file := range files {
		show := func(args ...string) string {
			t.Helper()
			text, err := exec.Command(tshark, append([]string{"-r", file}, args...)...).Output()
			if err != nil {
				t.Fatalf("%s: %v", filepath.Base(file), err)
			}
			return string(text)
		}
		frames := strings.Count(show("-T", "fields", "-e", "frame.number"), "\n")
		if frames == 0 {
			t.Errorf("%s has no messages", filepath.Base(file))
		}
		if bad := show("-Y", "_ws.malformed || _ws.short"); bad != "" {
			t.Errorf("%s: malformed: %s", filepath.Base(file), bad)
		}
		protocols := show("-T", "fields", "-e", "frame.protocols")
		if strings.Count(protocols, "netlink") < frames {
			t.Errorf("%s: not all of %d messages are netlink's", filepath.Base(file), frames)
		}
	}
}
