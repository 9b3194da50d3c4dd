package redact

import "testing"

func TestVolumes(t *testing.T) {
	testDrawn(t, []drawn{
		{"lvs", other, "  LV     VG     Attr       LSize\n  «rootx»  «vg7srv» -wi-ao---- 100.00g\n  root   «vg7srv» -wi-ao----   4.00g"},
		{"vgs", other, "  VG     #PV #LV #SN Attr   VSize\n  «vg7srv»   1   2   0 wz--n- 931.00g"},
		{"pvs", other, "  PV         VG     Fmt  Attr PSize\n  /dev/sda3  «vg7srv» lvm2 a--  931.00g\n  /dev/sdb          lvm2 ---  931.00g"},
		{"table of something else", other, "  NAME   VG     SIZE\n  rootx  vg7srv 100.00g"},
		{"path of a volume", other, "  LV Path                /dev/«vg7srv»/«rootx»"},
		{"folders of devices", dmesg, "/dev/input/event3 /dev/bsg/0:0:0:0 /dev/mst/mt4125_pciconf0 /dev/cpu/0/msr"},
		{"pool", other, "  pool: «speicher7»\n state: ONLINE\n\t«speicher7»      ONLINE       0     0     0"},
		{"pool of something else", other, "thread pool: workers"},
		{"labels in JSON", other, `{"blockdevices":[{"name":"sda","label":"«Kundendaten»","partlabel": "«Privat 3»","fstype":"ext4"}]}`},
		{"partition of udev", other, "E: ID_PART_ENTRY_NAME=«Kundendaten»\nE: ID_PART_ENTRY_NUMBER=1"},
		{"mounted by udisks", dmesg, "udisksd[9]: Mounted /dev/sdb1 at /run/media/«annika»/«ANNAS_STICK» on behalf of uid 1000"},
		{"host of an iSCSI target", other, "tcp: [1] «192.0.2.90»:3260,1 iqn.2003-01.org.linux-iscsi.«wurzelhost».x8664:«sn.0123456789ab» (non-flash)"},
		{"target of another maker", other, "iqn.1993-08.org.debian:01:«2a3b4c5d6e7f»"},
		{"MAC address in a URL", other, "GET /x?mac=«00%3A00%3a5E%3A00%3A53%3A2A»&a=%3A%3A%3A"},
		{"path of BlueZ", dmesg, "bluetoothd[9]: /org/bluez/hci0/dev_«00_00_5E_00_53_2A»/sep1/fd0: fd(30) ready"},
		{"digits of a switch", other, "Internet  «10.1.1.5» 12 «0012.3456.7890» ARPA Vlan1\nversion 2012.3456.7890"},
	})
}
