package catalogue

import (
	"strings"
	"testing"
)

func TestNumbers(t *testing.T) {
	de, en := Numbers{German}, Numbers{English}
	for _, tc := range []struct{ got, want string }{
		{de.Num(1340416), "1.340.416"}, {en.Num(1340416), "1,340,416"},
		{de.Num(1157.2, 1), "1.157,2"}, {en.Num(0, 0), "0"},
		{de.GTs(2.5), "2,5 GT/s (Gen 1)"}, {en.GTs(16), "16 GT/s (Gen 4)"}, {en.GTs(3), "3 GT/s"},
		{de.GBs(7.877), "7,9 GB/s"}, {en.GBs(0.25), "0.25 GB/s"}, {en.GBs(4), "4 GB/s"},
		{de.Size(17179869184), "16 GiB"}, {en.Size(512), "512 bytes"}, {de.Size(512), "512 Byte"}, {en.Size(1), "1 byte"},
		{de.Duration(947), "16 Minuten"}, {en.Duration(60), "60 seconds"}, {en.Duration(1), "1 second"}, {de.Duration(129600), "36 Stunden"}, {en.Duration(0.5), "0.5 seconds"}, {de.Duration(445512), "5 Tage"},
		{de.Date("2026-08-03"), "3. August 2026"}, {en.Date("2026-08-03T18:02:11Z"), "3 August 2026"}, {de.Date("gestern"), "gestern"}, {de.Date("03/14/2025"), "14. März 2025"},
		{de.DateTime("2026-08-12T21:14:00Z"), "12. August 2026, 21:14 UTC"},
		{de.List([]string{"a", "b", "c"}), "a, b und c"}, {en.List([]string{"a", "b"}), "a and b"}, {en.List(nil), ""},
	} {
		// Non-breaking spaces keep numbers and units together.
		if strings.ReplaceAll(tc.got, nbsp, " ") != tc.want {
			t.Errorf("got %q, want %q", tc.got, tc.want)
		}
	}
}
