package measure

import "testing"

func TestCryptsetup(t *testing.T) {
	check(t, ParseCryptsetup, map[string]scene{
		"whole table": {parsers[0].text, []string{
			"L2 PBKDF2-sha256 derive bits=256 4000000/s",
			"L3 argon2id derive bits=256 x=4 in=2 iterations=5 memory=1073741824",
			"L5 aes-xts encrypt bits=256 2097676288B/s",
			"L5 aes-xts decrypt bits=256 2096627712B/s",
		}, 0, 0},
		"what the kernel does not have": {"PBKDF2-whirlpool     N/A\nargon2i    N/A\n    serpent-xts        512b               N/A               N/A\n", []string{
			"L1 PBKDF2-whirlpool derive absent/s",
			"L2 argon2i derive iterations=absent",
			"L3 serpent-xts encrypt bits=512 absentB/s",
			"L3 serpent-xts decrypt bits=512 absentB/s",
		}, 0, 0},
		"version 1.6, without the key's length": {"cryptsetup 1.6.6\nPBKDF2-sha1       111077 iterations per second\n", []string{
			"L2 1.6.6 PBKDF2-sha1 derive 111077/s",
		}, 0, 0},
		"one cipher, behind a prompt, with a wide name": {"$ sudo cryptsetup benchmark -c xchacha20,aes-adiantum-plain64\n#            Algorithm |       Key |      Encryption |      Decryption\n" +
			"xchacha20,aes-adiantum        256b       400.0 MiB/s       500.0 MiB/s\n", []string{
			"L3 xchacha20,aes-adiantum encrypt bits=256 419430400B/s",
			"L3 xchacha20,aes-adiantum decrypt bits=256 524288000B/s",
		}, 0, 0},
		"in German": {"PBKDF2-sha256    4000000 Iterationen pro Sekunde für 256-Bit-Schlüssel\n" +
			"argon2id      5 Iterationen, 1048576 Speicher, 4 parallele Threads (CPUs) für 256-Bit-Schlüssel (Zieldauer 2000 ms)\n" +
			"#  Algorithmus | Schlüssel | Verschlüsselung | Entschlüsselung\n        aes-cbc        128b      1000,0 MiB/s      1000,0 MiB/s\n" +
			"    twofish-xts        512b          Nicht verfügbar          Nicht verfügbar\n        aes-xts        512b         k.A.         k.A.\n", []string{
			"L1 PBKDF2-sha256 derive bits=256 4000000/s",
			"L2 argon2id derive bits=256 x=4 in=2 iterations=5 memory=1073741824",
			"L4 aes-cbc encrypt bits=128 1048576000B/s",
			"L4 aes-cbc decrypt bits=128 1048576000B/s",
			"L6 aes-xts encrypt bits=512 absentB/s",
			"L6 aes-xts decrypt bits=512 absentB/s",
		}, 0, 1},
		"no AF_ALG": {"# Tests are approximate using memory only (no storage IO).\nRequired kernel crypto interface not available.\nEnsure you have algif_skcipher kernel module loaded.\n", nil, 2, 0},
		"quoted, with no-break spaces": {"> PBKDF2-sha256\u00a0\u00a04000000 iterations per second for 256-bit key\n> aes-xts 256b 1.0 MiB/s 2.0 MiB/s\n", []string{
			"L1 PBKDF2-sha256 derive bits=256 4000000/s",
			"L2 aes-xts encrypt bits=256 1048576B/s",
			"L2 aes-xts decrypt bits=256 2097152B/s",
		}, 0, 0},
		"a rate cut off": {"    aes-xts        256b      2000.5 MiB/s      19", nil, 0, 1},
	})
}
