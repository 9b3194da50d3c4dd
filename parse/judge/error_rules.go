package judge

// errorRules are the rules of the area Errors.
var errorRules = []Rule{
	oscAERDenied,
	aerActive,
	aerReportingOff,
	aerErrors,
	aerLatentBits,
	dpcState,
	rasHistory,
	previousBoot,
	kernelTrouble,
	gpuLost,
	memErrors,
	rasOther,
}
