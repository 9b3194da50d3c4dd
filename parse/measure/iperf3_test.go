package measure

import (
	"strings"
	"testing"
)

const (
	iperf3Head  = "[ ID] Interval           Transfer     Bitrate         Retr\n"
	iperf3Rule  = "- - - - - - - - - - - - - - - - - - - - - - - - -\n"
	iperf3Start = "Connecting to host 192.0.2.1, port 5201\n"
)

func TestIperf3(t *testing.T) {
	check(t, ParseIperf3, map[string]scene{
		"client": {parsers[3].text, []string{"L6 TCP send sender elapsed x=1 in=10 117625000B/s retransmits=0"}, 0, 0},
		"reverse, with the server's count": {iperf3Start + "Reverse mode, remote host 192.0.2.1 is sending\n[  5] local 192.0.2.2 port 40000 connected to 192.0.2.1 port 5201\n" + iperf3Rule + iperf3Head +
			"[  5]   0.00-10.04  sec  1.10 GBytes  1.00 Gbits/sec    7             sender\n[  5]   0.00-10.00  sec  1.10 GBytes   800 Mbits/sec                  receiver\n\niperf Done.\n", []string{
			"L6 TCP receive sender elapsed x=1 in=10.04 125000000B/s retransmits=7",
			"L7 TCP receive receiver elapsed x=1 in=10 100000000B/s",
		}, 0, 0},
		"parallel streams: their sum": {"iperf 3.9\n" + iperf3Start + iperf3Head +
			"[  5]   0.00-1.00   sec   112 MBytes   500 Mbits/sec    0\n[  7]   0.00-1.00   sec   112 MBytes   500 Mbits/sec    0\n[SUM]   0.00-1.00   sec   224 MBytes  1000 Mbits/sec    0\n" + iperf3Rule +
			"[  5]   1.00-2.00   sec   112 MBytes   500 Mbits/sec    0\n[  7]   1.00-2.00   sec   112 MBytes   500 Mbits/sec    0\n[SUM]   1.00-2.00   sec   224 MBytes  1000 Mbits/sec    0\n" + iperf3Rule + iperf3Head +
			"[  5]   0.00-2.00   sec   224 MBytes   500 Mbits/sec    1             sender\n[  5]   0.00-2.00   sec   224 MBytes   500 Mbits/sec                  receiver\n" +
			"[  7]   0.00-2.00   sec   224 MBytes   500 Mbits/sec    2             sender\n[  7]   0.00-2.00   sec   224 MBytes   500 Mbits/sec                  receiver\n" +
			"[SUM]   0.00-2.00   sec   448 MBytes  1000 Mbits/sec    3             sender\n[SUM]   0.00-2.00   sec   448 MBytes  1000 Mbits/sec                  receiver\n", []string{
			"L17 3.9 TCP send sender elapsed x=2 in=2 125000000B/s retransmits=3",
			"L18 3.9 TCP send receiver elapsed x=2 in=2 125000000B/s",
		}, 0, 0},
		"both ways": {iperf3Start + "[ ID][Role] Interval           Transfer     Bitrate         Retr\n" +
			"[  5][TX-C]   0.00-10.00  sec  1.10 GBytes   800 Mbits/sec    0             sender\n[  5][TX-C]   0.00-10.00  sec  1.10 GBytes   792 Mbits/sec                  receiver\n" +
			"[  7][RX-C]   0.00-10.00  sec  1.10 GBytes   400 Mbits/sec    0             sender\n[  7][RX-C]   0.00-10.00  sec  1.10 GBytes   392 Mbits/sec                  receiver\n", []string{
			"L3 TCP send sender elapsed x=1 in=10 100000000B/s retransmits=0", "L4 TCP send receiver elapsed x=1 in=10 99000000B/s",
			"L5 TCP receive sender elapsed x=1 in=10 50000000B/s retransmits=0", "L6 TCP receive receiver elapsed x=1 in=10 49000000B/s",
		}, 0, 0},
		"UDP": {iperf3Start + "[ ID] Interval           Transfer     Bitrate         Total Datagrams\n[  5]   0.00-1.00   sec   129 KBytes  1.06 Mbits/sec  91\n" + iperf3Rule +
			"[ ID] Interval           Transfer     Bitrate         Jitter    Lost/Total Datagrams\n[  5]   0.00-10.00  sec  1.25 MBytes  8.00 Mbits/sec  0.000 ms  0/906 (0%)  sender\n" +
			"[  5]   0.00-10.04  sec  1.25 MBytes  8.00 Mbits/sec  0.017 ms  3/906 (0.33%)  receiver\n", []string{
			"L6 UDP send sender elapsed x=1 in=10 1000000B/s lost=0 datagrams=906",
			"L7 UDP send receiver elapsed x=1 in=10.04 1000000B/s lost=3 datagrams=906",
		}, 0, 0},
		"UDP of an old version has no sides": {iperf3Start + "[ ID] Interval           Transfer     Bandwidth       Total Datagrams\n[  4]   0.00-1.00   sec   129 KBytes  1.06 Mbits/sec  91\n" + iperf3Rule +
			"[ ID] Interval           Transfer     Bandwidth       Jitter    Lost/Total Datagrams\n[  4]   0.00-1.00   sec   129 KBytes  8.00 Mbits/sec  0.030 ms  0/91 (0%)\n[  4] Sent 91 datagrams\n\niperf Done.\n", []string{
			"L6 UDP send elapsed x=1 in=1 1000000B/s lost=0 datagrams=91",
		}, 0, 0},
		"server, two tests": {"-----------------------------------------------------------\nServer listening on 5201 (test #1)\n-----------------------------------------------------------\n" +
			"Accepted connection from 192.0.2.2, port 40000\n[  5] local 192.0.2.1 port 5201 connected to 192.0.2.2 port 40001\n[ ID] Interval           Transfer     Bitrate\n[  5]   0.00-1.00   sec   112 MBytes   940 Mbits/sec\n" + iperf3Rule +
			"[ ID] Interval           Transfer     Bitrate\n[  5]   0.00-10.00  sec  1.10 GBytes   800 Mbits/sec                  receiver\nServer listening on 5201 (test #2)\n" +
			"Accepted connection from 192.0.2.2, port 40003\n" + iperf3Rule + iperf3Head + "[  5]   0.00-10.00  sec  1.10 GBytes   400 Mbits/sec    9             sender\n", []string{
			"L10 receive receiver elapsed x=1 in=10 100000000B/s",
			"L15 TCP send sender elapsed x=1 in=10 50000000B/s retransmits=9",
		}, 0, 0},
		"bytes, and the start line of -V": {"iperf 3.12\nLinux host 6.1.0 #1 SMP x86_64\nControl connection MSS 1448\nTime: Mon, 30 Nov 2026 12:00:00 GMT\n" + iperf3Start + "      Cookie: x\n      TCP MSS: 1448 (default)\n" +
			"Starting Test: protocol: TCP, 4 streams, 131072 byte blocks, omitting 0 seconds, 10 second test, tos 0\n[SUM]   0.00-10.00  sec  1.10 GBytes   100 MBytes/sec    0             sender\n" +
			"CPU Utilization: local/sender 5.0% (0.1%u/4.9%s), remote/receiver 9.0% (1.0%u/8.0%s)\nsnd_tcp_congestion cubic\n", []string{
			"L9 3.12 TCP send sender elapsed block=131072 x=4 in=10 104857600B/s retransmits=0",
		}, 0, 0},
		"broken off: the intervals": {iperf3Start + iperf3Head + "[  5]   0.00-1.00   sec   112 MBytes   800 Mbits/sec    0   1.00 MBytes       (omitted)\n" +
			"[  5]   0.00-1.00   sec   112 MBytes   800 Mbits/sec    0   1.00 MBytes\n[  5]   1.00-2.00   sec   112 MBytes   400 Mbits/sec    5   1.00 MBytes\n", []string{
			"L4 TCP send elapsed x=1 in=1 100000000B/s retransmits=0",
			"L5 TCP send elapsed x=1 in=1 50000000B/s retransmits=5",
		}, 0, 0},
		"a table alone does not tell who sent": {"[  5]   0.00-10.00  sec  1.10 GBytes   800 Mbits/sec    0             sender\n", []string{"L1 sender elapsed x=1 in=10 100000000B/s retransmits=0"}, 0, 0},
		"no connection":                        {"iperf3: error - unable to connect to server: Connection refused\n", nil, 1, 0},
		"the other side's report is no figure of ours": {iperf3Start + iperf3Head + "[  5]   0.00-10.00  sec  1.10 GBytes   800 Mbits/sec    0             sender\n\nServer output:\nAccepted connection from 192.0.2.2, port 1\n" +
			"[  5]   0.00-10.00  sec  1.10 GBytes   800 Mbits/sec                  receiver\n\n\niperf Done.\n", []string{"L3 TCP send sender elapsed x=1 in=10 100000000B/s retransmits=0"}, 0, 0},
		"a rate cut off": {"[  5]   0.00-10.00  sec  1.10 GBytes   80", nil, 0, 1},
	})
}

func TestIperf3JSON(t *testing.T) {
	run := func(mode, end string) string {
		return `{"start":{"version":"iperf 3.16","connecting_to":{"host":"192.0.2.1"},"test_start":{"protocol":"TCP","num_streams":2,"blksize":131072,` + mode + `}},"intervals":[{"sum":{"bits_per_second":1}}],"end":{"streams":[{"sender":{"bits_per_second":2}}],` + end + "}}\n"
	}
	const both = `"sum_sent":{"seconds":10,"bits_per_second":8.0e+9,"retransmits":3},"sum_received":{"seconds":10.04,"bits_per_second":7999999999.5}`
	check(t, ParseIperf3JSON, map[string]scene{
		"pretty": {parsers[4].text, []string{"L11 3.12 TCP send sender elapsed block=131072 x=1 in=10 1000000B/s retransmits=3"}, 0, 0},
		"two runs, the second in reverse": {run(`"reverse":0`, both) + run(`"reverse":1`, both), []string{
			"L1 3.16 TCP send sender elapsed block=131072 x=2 in=10 1000000000B/s retransmits=3",
			"L1 3.16 TCP send receiver elapsed block=131072 x=2 in=10.04 1000000000B/s",
			"L2 3.16 TCP receive sender elapsed block=131072 x=2 in=10 1000000000B/s retransmits=3",
			"L2 3.16 TCP receive receiver elapsed block=131072 x=2 in=10.04 1000000000B/s",
		}, 0, 0},
		"both ways": {run(`"reverse":0,"bidir":1`, `"sum_sent":{"bits_per_second":8},"sum_received_bidir_reverse":{"bits_per_second":16}`), []string{
			"L1 3.16 TCP send sender elapsed block=131072 x=2 1B/s",
			"L1 3.16 TCP receive receiver elapsed block=131072 x=2 2B/s",
		}, 0, 0},
		"UDP of old versions": {`{"start":{"accepted_connection":{"host":"192.0.2.2"},"test_start":{"protocol":"UDP","reverse":0}},"end":{"sum":{"seconds":10,"bits_per_second":8000,"jitter_ms":0.1,"lost_packets":5,"packets":100}}}`, []string{
			"L1 UDP receive elapsed in=10 1000B/s lost=5 datagrams=100",
		}, 0, 0},
		"as a stream": {`{"event":"start","data":{"version":"iperf 3.17","connecting_to":{"host":"192.0.2.1"},"test_start":{"protocol":"TCP","num_streams":1,"reverse":0}}}` + "\n" +
			`{"event":"interval","data":{"sum":{"bits_per_second":1}}}` + "\n" + `{"event":"end","data":{"sum_sent":{"bits_per_second":80}}}` + "\n", []string{
			"L3 3.17 TCP send sender elapsed x=1 10B/s",
		}, 0, 0},
		"an error":                 {"{\n\t\"start\":\t{\n\t\t\"version\":\t\"iperf 3.9\"\n\t},\n\t\"intervals\":\t[],\n\t\"end\":\t{},\n\t\"error\":\t\"error - unable to connect to server: \\\"refused\\\"\"\n}\n", nil, 1, 0},
		"broken off":               {strings.Split(parsers[4].text, "\"retransmits\"")[0], []string{"L11 3.12 TCP send sender elapsed block=131072 x=1 in=10 1000000B/s"}, 1, 0},
		"without its first brace":  {strings.TrimPrefix(parsers[4].text, "{\n"), []string{"L10 3.12 TCP send sender elapsed block=131072 x=1 in=10 1000000B/s retransmits=3"}, 0, 0},
		"between other words":      {"He said \"no\".\n" + run(`"reverse":0`, `"sum_sent":{"bits_per_second":8}`) + "and left: \"x\"\n", []string{"L2 3.16 TCP send sender elapsed block=131072 x=2 1B/s"}, 0, 0},
		"brackets that do not fit": {`{"end":[}` + "\n" + run(`"reverse":0`, `"sum_sent":{"bits_per_second":8}`), []string{"L2 3.16 TCP send sender elapsed block=131072 x=2 1B/s"}, 0, 0},
		"no number":                {`{"end":{"sum_sent":{"bits_per_second":"fast"},"sum_received":{"bits_per_second":null}}}`, nil, 0, 0},
	})
}
