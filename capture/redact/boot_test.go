package redact

import (
	"strings"
	"testing"
)

func TestBoot(t *testing.T) {
	container := strings.Repeat("9f2b7c01", 8)
	testDrawn(t, []drawn{
		{"links on the kernel command line", "proc/cmdline", "cryptkey=/dev/disk/by-uuid/«1234-ABCE»:vfat:/key resume=/dev/disk/by-label/«kestrelswap» root=/dev/disk/by-partlabel/root"},
		{"device of a key", dmesg, "Command line: rd.luks.key=/key:UUID=«1234-ABCD» rd.luks.key=/key:LABEL=«STICKWEST» ro"},
		{"pool", "proc/cmdline", "root=zfs:«tankwest»/root ro root=zfs:AUTO"},
		{"labels in units", dmesg, `systemd[1]: Found device dev-disk-by\x2dlabel-«PHOTOS».device - /dev/disk/by-label/«PHOTOS»...` + "\n" +
			`systemd-fsck@dev-disk-by\x2duuid-«A1B2\x2dC3D4».service`},
		{"mapping in a unit", dmesg, "systemd[1]: Starting systemd-cryptsetup@«vaultwest».service - Cryptography Setup for «vaultwest»..."},
		{"home in a unit", dmesg, "Mounting home-«marlene».mount - /home/«marlene»...\nSet up automount home-«lars».automount.\nlinux-home-x.mount"},
		{"container", dmesg, "oom-kill: task_memcg=/docker/«" + container + "»,task=x\n/system.slice/docker-«" + container + "».scope\n" +
			"/kubepods/burstable/pod«1b2c3d4e-5f60-4718-92a3-b4c5d6e7f809»/«" + container + "»\ndigest sha256/" + strings.Repeat("1f2b7c02", 8)},
		{"virtual machine", dmesg, `/machine.slice/machine-qemu\x2d3\x2d«erpprod».scope/libvirt`},
		{"host of ZFS", dmesg, "SPL: using hostid 0x«1a2b3c4d»\nSPL: using hostid 0x00000000"},
	})
}
