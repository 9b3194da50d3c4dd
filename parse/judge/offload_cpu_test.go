package judge_test

import (
	"slices"
	"testing"

	"hwcap/parse/fact"
)

// onEngine says which engine of OpenSSL computed, with how many jobs at once.
func onEngine(name string, jobs int) func(*fact.Measurement) {
	return func(m *fact.Measurement) { m.Engine, m.Jobs = name, jobs }
}

func inFile(name string) func(*fact.Measurement) {
	return func(m *fact.Measurement) { m.From.File = "attach/" + name }
}

func clock(name string) func(*fact.Measurement) {
	return func(m *fact.Measurement) { m.Clock = name }
}

// perSecond makes of a figure one of so many operations of RSA.
func perSecond(operation string, rate float64) func(*fact.Measurement) {
	return func(m *fact.Measurement) {
		m.BytesPerSecond, m.PerSecond = fact.Val[float64]{}, fact.Of(rate, m.From)
		m.KeyBits, m.Operation = 2048, operation
	}
}

// series are figures of one algorithm in thousands of bytes a second, by block.
func series(what string, threads int, blocks []int, thousands []float64, more ...func(*fact.Measurement)) step {
	var all []step
	for i, b := range blocks {
		all = append(all, figure("openssl speed", what, b, threads, thousands[i]*1000/(1<<20), more...))
	}
	return steps(all...)
}

var blockSizes = []int{16, 64, 256, 1024, 8192, 16384}

// router are the figures of a box whose accelerator is behind the processor with
// small blocks and before it with large ones.
var router = steps(
	series("aes-128-cbc-hmac-sha1", 2, blockSizes, []float64{90743.27, 199864.47, 298705.41, 353766.06, 524913.32, 613946.71}, onEngine("qat", 32)),
	series("aes-128-cbc-hmac-sha1", 2, blockSizes, []float64{153131.80, 257124.37, 329312.17, 364508.16, 376572.59, 377416.36}),
)

// notes are the figures of a workstation by the drivers of its kernel.
var notes = steps(
	figure("note", "xts-aes-vaes-avx2", 4096, 1, 1157.2), figure("note", "xts-aes-vaes-avx2", 16384, 1, 2681.2), figure("note", "xts-aes-vaes-avx2", 65536, 1, 4327.2),
	figure("note", "qat_aes_xts", 4096, 1, 100.3), figure("note", "qat_aes_xts", 16384, 1, 244.9), figure("note", "qat_aes_xts", 65536, 1, 308.8),
	figure("note", "qat_aes_xts", 16384, 1, 210.7), figure("note", "qat_aes_xts", 16384, 16, 2926.7), figure("note", "xts-aes-vaes-avx2", 16384, 16, 25229.7),
)

// gen2x8 is the card at a link of 4 GB/s a direction.
var gen2x8 = slotted("0000:c2:02.0", device(qatAt, "8086:0435", "0b40", "dh895xcc", func(d *fact.Device) {
	at := place("cmd/lspci-vvv.txt", 60, "LnkSta: Speed 5GT/s, Width x8")
	d.Express.LinkCap = &fact.Link{Speed: 5, Width: 8, At: at}
	d.Express.LinkSta = &fact.Link{Speed: 5, Width: 8, At: at}
}))

func TestOffloadVsCPU(t *testing.T) {
	check(t, "offload-vs-cpu", []scene{
		{"from 8 KiB on the accelerator", machine(router), "aes-128-cbc-hmac-sha1=break-even"},
		{"the attachments' names tell which", machine(
			series("aes-128-cbc-hmac-sha1", 2, blockSizes, []float64{1, 2, 3, 4, 50, 60}, inFile("speed-qat.txt")),
			series("aes-128-cbc-hmac-sha1", 2, blockSizes, []float64{10, 20, 30, 40, 45, 46}, inFile("speed-aesni.txt"))), "aes-128-cbc-hmac-sha1=break-even"},
		{"the processor throughout, and the link", machine(crypto(workstation...), gen2x8, notes), "xts(aes)=offload-slower"},
		{"RSA", machine(figure("openssl speed", "rsa", 0, 0, 1, onEngine("qatengine", 0), perSecond("sign", 912)), figure("openssl speed", "rsa", 0, 0, 1, onEngine("qatengine", 0), perSecond("verify", 10057)),
			figure("openssl speed", "rsa", 0, 0, 1, perSecond("sign", 206.7)), figure("openssl speed", "rsa", 0, 0, 1, perSecond("verify", 7097.7))), "rsa 2048=offload-faster"},
		{"sign with the one, verify with the other", machine(figure("openssl speed", "rsa", 0, 0, 1, onEngine("qat", 0), perSecond("sign", 912)), figure("openssl speed", "rsa", 0, 0, 1, onEngine("qat", 0), perSecond("verify", 70)),
			figure("openssl speed", "rsa", 0, 0, 1, perSecond("sign", 206.7)), figure("openssl speed", "rsa", 0, 0, 1, perSecond("verify", 7097.7))), "rsa 2048=mixed"},
		{"without -elapsed the accelerator's time does not count", machine(
			series("aes-128-cbc", 0, blockSizes, []float64{1e6, 2e6, 3e6, 4e6, 5e6, 6e6}, onEngine("qat", 0), clock(fact.CPUTime)),
			series("aes-128-cbc", 0, blockSizes, []float64{1, 2, 3, 4, 5, 6}, clock(fact.CPUTime))), "aes-128-cbc=not-comparable"},
		{"a clock that the text does not name", machine(
			series("aes-128-cbc", 0, blockSizes[:1], []float64{2}, onEngine("qat", 0), clock("")),
			series("aes-128-cbc", 0, blockSizes[:1], []float64{1})), "aes-128-cbc=offload-faster"},
		{"other block sizes", machine(series("aes-128-cbc", 0, blockSizes[:2], []float64{1, 2}, onEngine("qat", 0)), series("aes-128-cbc", 0, blockSizes[2:], []float64{1, 2, 3, 4})), "aes-128-cbc=not-comparable"},
		{"more processes on one side", machine(series("aes-128-cbc", 8, blockSizes[:2], []float64{1, 2}, onEngine("qat", 0)), series("aes-128-cbc", 1, blockSizes[:2], []float64{1, 2})), "aes-128-cbc=not-comparable"},
		{"the processor alone", machine(crypto(workstation...), figure("cryptsetup benchmark", "aes-xts", 0, 0, 5494.4)), "xts(aes)=one-sided"},
		{"the processor alone, and no accelerator", machine(crypto(impl{"xts(aes)", "xts-aes-aesni", "skcipher", 401, 0}), figure("cryptsetup benchmark", "aes-xts", 0, 0, 5494.4)), ""},
		{"the accelerator alone", machine(crypto(impl{"xts(aes)", "qat_aes_xts", "skcipher", 4001, 0}, impl{"xts(aes)", "xts-aes-aesni", "skcipher", 401, 0}), figure("cryptsetup benchmark", "aes-xts", 0, 0, 300)), "xts(aes)=one-sided"},
		{"an engine of which nothing is known", machine(series("aes-128-cbc", 0, blockSizes, []float64{1, 2, 3, 4, 5, 6}, onEngine("afalg", 0)), series("aes-128-cbc", 0, blockSizes, []float64{1, 2, 3, 4, 5, 6})), ""},
		{"a note of what is no driver", machine(crypto(workstation...), figure("note", "QAT", 1300, 1, 700), figure("note", "AES-NI", 1300, 1, 500)), ""},
		{"a note, and no list of algorithms", machine(notes), ""},
		{"a note of the card alone", machine(crypto(workstation...), figure("note", "qat_aes_xts", 4096, 1, 100.3)), "xts(aes)=one-sided"},
		{"a network's throughput", machine(crypto(workstation...), figure("iperf3", "TCP", 0, 16, 300)), ""},
		{"nothing captured", machine(), ""},
	})

	f := judged(t, "offload-vs-cpu", machine(router))[0]
	if f.Values["fromBytes"] != 8192 || f.Values["belowBytes"] != 1024 || f.Values["jobs"] != 32 {
		t.Errorf("break-even: %v", f.Values)
	}
	if limits := f.Values["limits"].([]string); !slices.Contains(limits, "jobs") || !slices.Contains(limits, "single") {
		t.Errorf("limits %v", limits)
	}
	f = judged(t, "offload-vs-cpu", machine(crypto(workstation...), gen2x8, notes))[0]
	if limits := f.Values["limits"].([]string); !slices.Contains(limits, "note") || slices.Contains(limits, "clock") || f.Values["threads"] != 0 {
		t.Errorf("notes: %v", f.Values)
	}
	if f.Values["peakGBs"] != 3.069 || f.Values["ceilingGBs"] != 4.0 || f.Values["share"] != 77.0 || f.Values["near"] != true {
		t.Errorf("ceiling: %v", f.Values)
	}
	disagree := f.Values["disagree"].([]map[string]any)
	if len(disagree) != 1 || disagree[0]["offload"] != true || disagree[0]["blockBytes"] != 16384 {
		t.Errorf("two readings of one figure: %v", disagree)
	}

	f = judged(t, "offload-vs-cpu", machine(
		figure("openssl speed", "rsa", 0, 0, 1, onEngine("qat", 0), perSecond("sign", 912)),
		figure("openssl speed", "rsa", 0, 2, 1, onEngine("qat", 32), perSecond("sign", 1289.9)),
		figure("openssl speed", "rsa", 0, 0, 1, perSecond("sign", 206.7))))[0]
	alone := f.Values["alone"].([]map[string]any)
	if len(alone) != 1 || alone[0]["jobs"] != 32 || alone[0]["figure"] != 1289.9 || f.Values["jobs"] != 0 || slices.Contains(f.Values["limits"].([]string), "jobs") {
		t.Errorf("a figure that the processor has none for: %v", f.Values)
	}

	f = judged(t, "offload-vs-cpu", machine(
		series("aes-128-cbc", 2, blockSizes[:1], []float64{1}, onEngine("qat", 0)), series("aes-128-cbc", 2, blockSizes[:1], []float64{9}, onEngine("qat", 32)),
		series("aes-128-cbc", 2, blockSizes[:1], []float64{5})))[0]
	if f.Case != "offload-slower" || len(f.Values["disagree"].([]map[string]any)) != 0 {
		t.Errorf("with more jobs it is no second reading: %v", f.Values)
	}
}
