package measure

import "testing"

func TestNotes(t *testing.T) {
	check(t, ParseNotes, map[string]scene{
		"parted by blanks": {"implementation     block   workers  MiB/s    us/op\nxts-aes-vaes-avx2  4 KiB   1        1157.2   3.4\nqat_aes_xts        16 KiB  16       2926.7   -\n", []string{
			"L2 xts-aes-vaes-avx2 block=4096 x=1 1213412147B/s",
			"L3 qat_aes_xts block=16384 x=16 3068867379B/s",
		}, 0, 0},
		"Markdown, with lists": {parsers[5].text, []string{
			"L3 xts-aes-vaes-avx2 block=4096 1048576B/s",
			"L3 xts-aes-vaes-avx2 block=16384 2097152B/s",
			"L4 qat_aes_xts block=16384 524288B/s",
		}, 0, 0},
		"one block and many workers": {"| implementation | block | workers | MB/s |\n| `qat_aes_xts` | 16 KiB | 1 / 2 / 4 | 210,7/454,1 / 799,3 |\n", []string{
			"L2 qat_aes_xts block=16384 x=1 210700000B/s",
			"L2 qat_aes_xts block=16384 x=2 454100000B/s",
			"L2 qat_aes_xts block=16384 x=4 799300000B/s",
		}, 0, 0},
		"bits, packets of bytes, parted by tabs": {"implementation\tblock\tGbit/s\nAES-NI\t1300 bytes\t4.341\nQAT\t1400\t7.24\n", []string{
			"L2 AES-NI block=1300 542625000B/s",
			"L3 QAT block=1400 905000000B/s",
		}, 0, 0},
		"operations": {"implementation  operation  op/s\nqat-rsa  sign  912.0\nrsa-generic  verify  7097.7\n", []string{
			"L2 qat-rsa sign 912/s",
			"L3 rsa-generic verify 7098/s",
		}, 0, 0},
		"two units": {"implementation | MB/s | op/s\nqat_deflate | 4 | 1000\n", []string{
			"L2 qat_deflate 4000000B/s",
			"L2 qat_deflate 1000/s",
		}, 0, 0},
		"what was not measured": {"| implementation | MiB/s |\n|:---|---:|\n| qat_aes_ctr | |\n| cbc-aes-aesni | n/a |\n", []string{
			"L3 qat_aes_ctr absentB/s",
			"L4 cbc-aes-aesni absentB/s",
		}, 0, 0},
		"quoted, with prose around and between": {"> AF_ALG, one request at a time\n>\n> implementation  MiB/s\n> qat_aes_cbc  79.8\n>\n> That was the first run.\n> qat_aes_cbc  1\n", []string{
			"L4 qat_aes_cbc 83676365B/s",
		}, 0, 3},
		"rows that do not fit": {"| implementation | block | workers | MiB/s |\n| a | 4 KiB | 1 | fast |\n| b | 4 furlongs | 1 | 1 |\n| c | 4 KiB | one | 1 |\n| d | 4 KiB | 1 |\n| e | 4/16 KiB | 1/2/3 | 1 |\n| | 4 KiB | 1 | 1 |\n| f | 4 KiB | 1 | 1 |\n", []string{
			"L8 f block=4096 x=1 1048576B/s",
		}, 6, 0},
		"no heading": {"qat_aes_xts  4 KiB  100.3 MiB/s\n| implementation | block |\n| a | 4 KiB |\n", nil, 0, 3},
		"cut off":    {"implementation  block  MiB/s\nqat_aes_xts  4 KiB  100.3\nqat_aes_xts  16 K", []string{"L2 qat_aes_xts block=4096 105172173B/s"}, 0, 1},
	})
}
