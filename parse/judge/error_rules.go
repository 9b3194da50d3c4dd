package judge

// errorRules are the rules of the area Errors.
var errorRules = []Rule{
	oscAERDenied,
	aerActive,
	aerErrors,
	aerLatentBits,
	rasHistory,
	previousBoot,
	kernelTrouble,
	gpuLost,
	memErrors,
	rasOther,
}
