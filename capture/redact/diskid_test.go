package redact

import (
	"bytes"
	"strings"
	"testing"
)

func TestDiskIDs(t *testing.T) {
	for _, tt := range []struct{ line, serial, kept string }{
		{"/dev/disk/by-id/nvme-Samsung_SSD_980_PRO_1TB_S5GXNF0R123456X", "S5GXNF0R123456X", "by-id/nvme-Samsung_SSD_980_PRO_1TB_"},
		{"/dev/disk/by-id/nvme-Samsung_SSD_980_S5GXNF0R123456X_1-part2", "S5GXNF0R123456X", "_1-part2"},
		{"root=/dev/disk/by-id/ata-WDC_WD40EFRX-68N32N0_WD-WCC7K1234567 ro", "WCC7K1234567", "WDC_WD40EFRX-68N32N0_"},
		{"by-id/usb-SanDisk_Ultra_4C530001230607114352-0:0", "4C530001230607114352", "SanDisk_Ultra_"},
		{"by-id/dm-name-luks", "", "by-id/dm-name-luks"},
	} {
		var out bytes.Buffer
		if err := New(Key{1}).Rewrite("attach/notes.txt", &out, strings.NewReader(tt.line+"\n")); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); tt.serial != "" && strings.Contains(got, tt.serial) || !strings.Contains(got, tt.kept) {
			t.Errorf("%s becomes %s", tt.line, got)
		}
	}
}

func TestNamesOfDisks(t *testing.T) {
	const block, lvm = "sys/class/block/.list", "AbCdEfGhIjKlMnOpQrStUvWxYz012345AbCdEfGhIjKlMnOpQrStUvWxYz012345"
	testDrawn(t, []drawn{
		{"listed by ls", other, "lrwxrwxrwx 1 root root  9 Aug 12 21:14 ata-Maker_WD40EFRX-68N32N0_«WD-WCC7K0000CDE» -> ../../sda"},
		{"listed by zpool", other, "\t    ata-Maker_WD40EFRX-68N32N0_«WD-WCC7K0000CDE»-part1  ONLINE       0     0     0"},
		{"listed by ls in a tree", block, "0 nvme0n1 /dev/disk/by-id/nvme-Maker_SSD_970_1TB_«S4EWNX0R500000W» /dev/disk/by-id/nvme-eui.«0020380000b0a1c2»"},
		{"WWN", other, "scsi-3«50014ee200000567» -> ../../sda\ndm-uuid-mpath-3«600508b4000156d700012000000b0000» -> ../../dm-3"},
		{"multipath", other, "mpatha (3«600508b4000156d700012000000b0000») dm-0 MAKER,MODEL"},
		{"mapping of LVM", other, "dm-uuid-LVM-«" + lvm + "» -> ../../dm-0\ndm-name-«vg7srv»-«rootx» -> ../../dm-0"},
		{"disk of LVM", other, "lvm-pv-uuid-«AbCdEf-GhIj-KlMn-OpQr-StUv-WxYz-012345» -> ../../sda3"},
		{"mapping of cryptsetup", other, "dm-uuid-CRYPT-LUKS2-«5e3fda331a2b4c5d8e9f0a1b2c3d4e5f»-«tresorbox» -> ../../dm-0"},
		{"array", other, "md-name-«wurzelhost»:0 -> ../../md127\nmd-uuid-«3aaa0122:29827cfa:5331ad66:ca767371» -> ../../md127"},
		{"namespace without EUI-64", other, "nvme-nvme.144d-«533445574e58305235303030303057»-4d616b6572204d6f64656c-00000001 -> ../../nvme0n1"},
		{"keyboard", other, "/dev/input/by-id/usb-Maker_Keyboard_«AB0012CD34»-event-kbd"},
		{"no serial numbers", dmesg, "usb-storage 1-1:1.0: USB Mass Storage device detected\nscsi host0: usb-storage 1-1:1.0\n" +
			"input: A Mouse as /devices/pci0000:00/0000:00:14.0/usb1/1-2 usb-0000:00:14.0-2/input0\n" +
			"/dev/disk/by-path/pci-0000:00:14.0-usb-0:1:1.0-scsi-0:0:0:0\nata-piix_probe nvme-tcp usb-Maker_USB_Receiver-event-mouse"},
		{"units of systemd", dmesg, `systemd[1]: dev-disk-by\x2duuid-«5e3fda33\x2d1a2b\x2d4c5d\x2d8e9f\x2d0a1b2c3d4e5f».device: Job timed out.` + "\n" +
			`systemd[1]: systemd-fsck@dev-disk-by\x2duuid-«ABCDEF01\x2d1a2b\x2d4c5d\x2d8e9f\x2d0a1b2c3d4e5f».service: Succeeded.` + "\n" +
			`systemd[1]: Found device dev-mapper-«vg7srv»\x2d«rootx».device` + "\n" +
			`systemd[1]: dev-disk-by\x2did-nvme\x2dMaker_SSD_970_«S4EWNX0R500000W»\x2dpart2.swap` + "\n" +
			`systemd[1]: dev-disk-by\x2dpath-pci\x2d0000:00:17.0\x2data\x2d1.device`},
	})
}

func TestSerialNumberWithBlanks(t *testing.T) {
	const head = "Node             SN                   Model                                    Namespace Usage\n" +
		"---------------- -------------------- ---------------------------------------- --------- -----\n"
	testDrawn(t, []drawn{
		{"within", "cmd/nvme-list.txt", head + "/dev/nvme1n1     «BTPY 1234 0001ABC»    INTEL SSDPEKKW512G8                      1         512.11  GB"},
		{"before", "cmd/nvme-list.txt", head + "/dev/nvme1n1          «BTPY12340001001» INTEL SSDPEKKW512G8                      1         512.11  GB"},
		{"none", "cmd/nvme-list.txt", head + "/dev/nvme1n1                          INTEL SSDPEKKW512G8                      1         512.11  GB"},
	})
}
