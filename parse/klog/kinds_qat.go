package klog

// qatDrivers are the names of the QuickAssist drivers, of the kernel tree and of
// Intel's package.
var qatDrivers = []string{
	"dh895xcc", "dh895xccvf", "c6xx", "c6xxvf", "c3xxx", "c3xxxvf", "4xxx", "4xxxvf", "420xx", "420xxvf", "6xxx", "6xxxvf",
	"d15xx", "d15xxvf", "200xx", "200xxvf", "c4xxx", "c4xxxvf", "dh89xxcc", "icp_dev",
}

// accelerators: QAT and the kernel's crypto (qat_common/adf_*.c,
// crypto/testmgr.c).
func accelerators() []row {
	return []row{
		is("qat-started", w("qat_dev{dev#} started {engines#} acceleration engines")),
		is("qat-stopped", w("qat_dev{dev#} stopped {engines#} acceleration engines")),
		is("qat-error",
			w("Failed to load MMP firmware {file@}", "what=firmware"), w("Failed to load UOF firmware {file@}", "what=firmware"),
			w("Failed to load MMP", "what=firmware"), w("Failed to load UOF", "what=firmware"), w("Failed to map FW", "what=firmware"),
			w("Failed to init the AEs", "what=firmware"), w("Failed to reset the AEs", "what=firmware"), w("firmware load failed timeout {code%}", "what=firmware"),
			w("authentication error (FCU_STATUS = {code%}", "what=firmware"),
			w("Failed to send init message", "what=start"), w("Failed to start device qat_dev{dev#}", "what=start"),
			w("Failed to configure QAT driver", "what=configuration"), w("No acceleration units", "what=configuration"),
			w("No usable DMA configuration", "what=configuration"),
			w("Heartbeat ERROR: QAT is not responding", "what=heartbeat"),
			w("Resetting device qat_dev{dev#}", "what=reset"), w("Reset device timeout expired", "what=reset"),
			w("QAT: device restart failed", "what=reset"), w("Can't recover from device error", "what=reset"),
			w("Acceleration driver hardware error detected", "what=hardware"), w("Uncorrectable error detected in AE: {code%}", "what=hardware"),
			w("hang error encountered", "what=hardware")),
		// Words that other drivers use as well (adf_init.c, adf_aer.c,
		// adf_gen4_ras.c, adf_gen6_ras.c, adf_heartbeat.c).
		is("qat-error",
			w("Device not configured", "what=configuration"), w("Failed to get capabilities mask", "what=configuration"),
			w("Invalid NUMA configuration", "what=configuration"),
			w("Heartbeat not supported", "what=heartbeat"), w("Heartbeat instance not found", "what=heartbeat"),
			w("Restart device failed", "what=reset"), w("Secondary bus reset", "what=reset"),
			w("Correctable error detected in AE: {code%}", "what=hardware", "severity=corrected"),
			w("{unit} uncorrectable error: {code%}", "what=hardware"), w("{unit} fatal error: {code%}", "what=hardware", "severity=fatal"),
			w("{unit} parity error: {code%}", "what=hardware"), w("{unit} Parity Error: {code%}", "what=hardware"),
			w("{unit} error: {code%}", "what=hardware"), w("{unit} error detected", "what=hardware"), w("{unit} Error: {code%}", "what=hardware")).of(qatDrivers...),
		is("qat-recovered", w("Device is up and running"), w("Device reset completed successfully")).of(qatDrivers...),
		is("qat-unused", w("QAT: Could not find a device on node {node#}")),
		// NVIDIA's own driver of the Tegra security engine (tegra-se-nvhost.c of
		// the Jetson kernels), which fails the request with it.
		is("crypto-no-buffer", w("Couldn't get free cmdbuf")),
		// Kernels since 5.3 print the detail and then the verdict: two notes.
		is("alg-selftest-failed",
			w("^alg: self-tests for {algorithm} using {implementation@} failed (rc={rc#})"),
			w("^alg: self-tests for {implementation} ({algorithm}) failed (rc={rc#})"),
			w("^alg: {type}: {implementation@} {detail} failed "),
			w("^alg: {type@}: failed to allocate transform for {implementation@}: {rc#}"),
			w("^alg: {type@}: Failed to load transform for {implementation@}: {rc#}"),
			w("^alg: {algorithm@} test failed on vector {vector#}, err={rc#}")),
		is("alg-untested", w("^alg: No test for {algorithm@} ({implementation@})"), w("^alg: self-tests disabled", "what=all")),
	}
}
