package measure

import "testing"

func TestOpenSSL(t *testing.T) {
	const heading = "type             16 bytes     64 bytes    256 bytes   1024 bytes   8192 bytes  16384 bytes\n"
	check(t, ParseOpenSSL, map[string]scene{
		"3.x with standard error": {parsers[1].text, []string{
			"L4 3.0.1 AES-128-CBC cpu block=16 426867910B/s",
			"L4 3.0.1 AES-128-CBC cpu block=64 684793150B/s",
			"L6 3.0.1 rsa sign cpu bits=2048 1111/s",
			"L6 3.0.1 rsa verify cpu bits=2048 37169/s",
		}, 0, 0},
		"1.1.1 on its own says no clock": {"OpenSSL 1.1.1n  15 Mar 2022\nbuilt on: Fri Jun 24 20:22:19 2022 UTC\noptions:bn(64,64) rc4(16x,int)\ncompiler: gcc -fPIC\n" +
			"The 'numbers' are in 1000s of bytes per second processed.\n" + heading +
			"aes-128 cbc     100000.00k   100000.00k   100000.00k   100000.00k   100000.00k      9876.54 \n", []string{
			"L7 1.1.1n aes-128_cbc block=16 100000000B/s",
			"L7 1.1.1n aes-128_cbc block=64 100000000B/s",
			"L7 1.1.1n aes-128_cbc block=256 100000000B/s",
			"L7 1.1.1n aes-128_cbc block=1024 100000000B/s",
			"L7 1.1.1n aes-128_cbc block=8192 100000000B/s",
			"L7 1.1.1n aes-128_cbc block=16384 9877B/s",
		}, 0, 0},
		"an engine and elapsed time": {"Engine \"qatengine\" set.\nYou have chosen to measure elapsed time instead of user CPU time.\n" +
			"Doing AES-128-CBC-HMAC-SHA1 ops for 3s on 16384 size blocks: 3000 AES-128-CBC-HMAC-SHA1 ops in 3.00s\n" +
			"version: 3.2.1\ntype          16384 bytes\nAES-128-CBC-HMAC-SHA1    16384.00k\n", []string{
			"L6 3.2.1 AES-128-CBC-HMAC-SHA1 elapsed qatengine block=16384 16384000B/s",
		}, 0, 0},
		"the options behind a prompt": {"root@host:~# openssl speed -elapsed -async_jobs 32 -multi 2 -engine qat -decrypt -evp aes-128-cbc-hmac-sha1\n" + "type 16 bytes\naes-128-cbc-hmac-sha1 90743.27k\n" +
			"# openssl speed -evp aes-128-cbc\ntype 16 bytes\naes-128-cbc 1000.00k\n", []string{
			"L3 aes-128-cbc-hmac-sha1 decrypt elapsed qat block=16 x=2 jobs=32 90743270B/s",
			"L6 aes-128-cbc cpu block=16 1000000B/s",
		}, 0, 0},
		"a row that only the options name": {"# openssl speed -elapsed -multi 2 -evp aes-128-cbc-hmac-sha1\ntype 16 bytes\nevp 90743.27k\n# openssl speed\ntype 16 bytes\nevp 1.00k\n", []string{
			"L3 aes-128-cbc-hmac-sha1 elapsed block=16 x=2 90743270B/s",
			"L6 evp cpu block=16 1000B/s",
		}, 0, 0},
		"several processes, whose own figures are no result": {"+DT:AES-128-GCM:3:16\n+DT:AES-128-GCM:3:16\n+R:100:AES-128-GCM:3.0\n+R:100:AES-128-GCM:3.0\nForked child 0\nForked child 1\n" +
			"Got: +H:16:64 from 0\nGot: +F:25:AES-128-GCM:1.0:1.0 from 0\nGot: +H:16:64 from 1\nGot: +F:25:AES-128-GCM:1.0:1.0 from 1\nversion: 3.0.1\nAES-128-GCM      40000.00k   160000.00k\n", []string{
			"L12 3.0.1 AES-128-GCM elapsed block=16 x=2 40000000B/s",
			"L12 3.0.1 AES-128-GCM elapsed block=64 x=2 160000000B/s",
		}, 0, 0},
		"for machines": {parsers[2].text, []string{
			"L6 AES-128-CBC block=16 1600B/s",
			"L6 AES-128-CBC block=64 2000B/s",
			"L4 rsa sign bits=2048 in=10 111/s",
		}, 0, 0},
		"for machines, keys without their unit": {"+F2:2:2048:0.000900:0.000027\n", nil, 0, 0},
		"broken off before its table": {"Doing aes-128-cbc for 3s on 16 size blocks: 300 aes-128-cbc's in 3.00s\nDoing 2048 bits private rsa's for 10s: 1000 2048 bits private RSA's in 10.00s\n" +
			"Doing 253 bits  ecdh's for 10s: 500 253-bits ECDH ops in 10.00s\nDoing ML-KEM-768 encaps ops for 10s: 90 ML-KEM-768 KEM encaps ops in 10.00s\nDoing aes-128-cbc for 3s on 64 size blocks: ", []string{
			"L1 aes-128-cbc cpu block=16 in=3 1600B/s",
			"L2 rsa sign cpu bits=2048 in=10 100/s",
			"L3 ecdh derive cpu bits=253 in=10 50/s",
			"L4 ML-KEM-768 encapsulate cpu in=10 9/s",
		}, 0, 0},
		"all tables of keys": {"                   sign    verify    encrypt   decrypt   sign/s verify/s  encr./s  decr./s\nrsa  2048 bits 0.000525s 0.000016s 0.000017s 0.000531s   1903.9  61836.4  59190.3   1883.1\n" +
			"                              sign    verify    sign/s verify/s\n 256 bits ecdsa (nistp256)   0.0000s   0.0001s  40000.0  13000.0\n" +
			"                              op      op/s\n 253 bits ecdh (X25519)   0.0000s  20544.0\n                       op     op/s\n2048 bits ffdh   0.0004s   2230.0\n" +
			"                               keygen    encaps    decaps keygens/s  encaps/s  decaps/s\n                  ML-KEM-768 0.000031s 0.000020s 0.000030s   32258.1   50000.0   33333.3\n" +
			"                               keygen     signs    verify keygens/s    sign/s  verify/s\n                   ML-DSA-65 0.000100s 0.000300s 0.000100s   10000.0    3333.3   10000.0\n", []string{
			"L2 rsa sign bits=2048 1904/s", "L2 rsa verify bits=2048 61836/s", "L2 rsa encrypt bits=2048 59190/s", "L2 rsa decrypt bits=2048 1883/s",
			"L4 ecdsa_(nistp256) sign bits=256 40000/s", "L4 ecdsa_(nistp256) verify bits=256 13000/s",
			"L6 ecdh_(X25519) derive bits=253 20544/s",
			"L8 ffdh derive bits=2048 2230/s",
			"L10 ML-KEM-768 keygen 32258/s", "L10 ML-KEM-768 encapsulate 50000/s", "L10 ML-KEM-768 decapsulate 33333/s",
			"L12 ML-DSA-65 keygen 10000/s", "L12 ML-DSA-65 sign 3333/s", "L12 ML-DSA-65 verify 10000/s",
		}, 0, 0},
		"a heading is missing": {"rsa 2048 bits 0.000900s 0.000027s   1111.0  37169.0\nML-KEM-768 0.1s 0.1s 0.1s 10.0 10.0 10.0\n", []string{
			"L1 rsa sign bits=2048 1111/s", "L1 rsa verify bits=2048 37169/s",
		}, 1, 0},
		"wrapped by a mailer": {"> type             16 bytes     64 bytes    256 \n> bytes  16384 bytes\n> aes-128-cbc        135.82k      539.29k\n> 29221.69k    34943.67k\n> \n> real\t0m18.081s\n> user\t0m0.516s\n> sys\t0m17.541s\n", []string{
			"L3 aes-128-cbc block=16 135820B/s", "L3 aes-128-cbc block=64 539290B/s",
			"L4 aes-128-cbc block=256 29221690B/s", "L4 aes-128-cbc block=16384 34943670B/s",
		}, 0, 0},
		"a row cut off keeps what it has": {heading + "aes-128-cbc 1.00k 2.00k\n\nnothing\n", []string{
			"L2 aes-128-cbc block=16 1000B/s", "L2 aes-128-cbc block=64 2000B/s",
		}, 1, 1},
		"an engine that takes no processor time": {"type 16 bytes 64 bytes\naes-128-cbc infk 0.00 \n", []string{
			"L2 aes-128-cbc block=16 failedB/s", "L2 aes-128-cbc block=64 failedB/s",
		}, 0, 0},
		"keys below a table of blocks": {"type 16 bytes 64 bytes\naes-128-cbc 1.00k 2.00k\n                  sign    verify    sign/s verify/s\nrsa 4096 bits 0.003ms 15us 1953.1 66666.7\n", []string{
			"L2 aes-128-cbc block=16 1000B/s", "L2 aes-128-cbc block=64 2000B/s",
		}, 0, 1},
		"a figure that lost its unit": {"type 16 bytes 64 bytes\naes-128-cbc 9876.54 1532120.11\n", []string{
			"L2 aes-128-cbc block=16 9877B/s", "L2 aes-128-cbc block=64 failedB/s",
		}, 0, 0},
		"LibreSSL":                  {"LibreSSL 2.8.3\ntype 16 bytes\naes-256-gcm     575878.68k\n", []string{"L3 LibreSSL 2.8.3 aes-256-gcm block=16 575878680B/s"}, 0, 0},
		"a table of something else": {"Speed of the card 12.5 13.5\n\"openssl speed -elapsed\" is quick\n", nil, 0, 2},
	})
}
