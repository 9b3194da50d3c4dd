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
