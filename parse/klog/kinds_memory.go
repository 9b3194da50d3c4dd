package klog

// memory: machine checks, EDAC, and what becomes too hot.
func memory() []row {
	return []row{
		is("mce",
			w("mce: [Hardware Error]: Machine check events logged", "what=logged"),
			w("mce: [Hardware Error]: CPU {cpu#}: Machine Check{exception}Bank {bank#}: {status%}", "what=event"),
			w("mce: [Hardware Error]: CPU{cpu#}: Machine Check{exception}Bank {bank#}: {status%}", "what=event"),
			w("mce: [Hardware Error]: {text}", "what=detail"),
			w("^[Hardware Error]: Machine check events logged", "what=logged"), // up to 4.x
			w("^[Hardware Error]: CPU {cpu#}: Machine Check{exception}Bank {bank#}: {status%}", "what=event"),
			w("EDAC {driver@} MC{mc#}: CPU {cpu#}: Machine Check Event: {exception%} Bank {bank#}: {status%}", "what=event"),
			w("^[Hardware Error]: CPU:{cpu#} ({family}) MC{bank#}_STATUS[{flags}]: {status%}", "what=decoded"),
			// What edac_mce_amd says of the bank and of the error
			// (drivers/edac/mce_amd.c).
			w("^[Hardware Error]: {unit} Ext. Error Code: {code#}, {text}", "what=unit"),
			w("^[Hardware Error]: {unit} Ext. Error Code: {code#}", "what=unit"), // without words, as newer kernels leave them to rasdaemon
			w("^[Hardware Error]: {unit} Extended Error Code: {code#}", "what=unit"),
			w("^[Hardware Error]: {unit} Error (node {node#}): {text}", "what=unit"),
			w("^[Hardware Error]: {unit} Error: {text}", "what=unit"),
			w("^[Hardware Error]: Corrected error, {text}", "what=severity", "severity=corrected"),
			w("^[Hardware Error]: Deferred error, {text}", "what=severity", "severity=deferred"),
			w("^[Hardware Error]: Uncorrected, software {text}", "what=severity", "severity=uncorrected"),
			w("^[Hardware Error]: Uncorrected error, {text}", "what=severity", "severity=uncorrected"),
			w("^[Hardware Error]: System Fatal error", "what=severity", "severity=fatal"),
			w("^[Hardware Error]: cache level: {text}", "what=location"),
			w("^[Hardware Error]: Error Addr: {address%}", "what=address")),
		is("thermal",
			w("CPU{cpu#}: Core temperature above threshold, cpu clock throttled (total events = {total#})", "level=core"),
			w("CPU{cpu#}: Package temperature above threshold, cpu clock throttled (total events = {total#})", "level=package"),
			w("CPU{cpu#}: Core temperature is above threshold, cpu clock is throttled (total events = {total#})", "level=core"),
			w("CPU{cpu#}: Package temperature is above threshold, cpu clock is throttled (total events = {total#})", "level=package"),
			w("critical temperature reached", "level=critical")),
		is("edac-driver", w("^EDAC MC{mc#}: Giving out device to module {module@} controller {controller}: DEV {dev@} ({mode})"),
			w("^EDAC MC{mc#}: Giving out device to {text}")),
		is("edac-error",
			w("EDAC MC{mc#}: {count#} CE {text}", "severity=corrected"),
			w("EDAC MC{mc#}: {count#} UE {text}", "severity=uncorrected"),
			w("EDAC MC{mc#}: CE {text}", "severity=corrected"), // up to 3.5
			w("EDAC MC{mc#}: UE {text}", "severity=uncorrected")),
		is("edac-device",
			w("EDAC DEVICE{number#}: {text}"),
			w("EDAC PCI: {text} on {device@}", "what=pci")),
		is("edac-failed",
			w("EDAC {module@} Error: {text}"), w("EDAC {module@}: Error: {text}"),
			w("EDAC {module@}: Failed to register device with error {error#}"),
			w("EDAC {module@}: Couldn't find mci handler")),
		is("edac-ibecc", w("EDAC igen6 MC{mc#}: HANDLING IBECC MEMORY ERROR")),
		is("edac-ecc-off",
			w("DRAM ECC disabled"),
			w("ECC disabled in the BIOS or no ECC capability"),
			w("has DIMMs, but ECC is disabled"),
			w("ECC is disabled on imc {controller#}"),
			w("ECC is disabled. Aborting"), // sb_edac of old
			w("EDAC {module@}: No ECC support")),
		is("memory-failure", w("Memory failure: {pfn%}: {text}")),
	}
}
