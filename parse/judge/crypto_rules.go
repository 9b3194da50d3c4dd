package judge

// cryptoRules are the rules of the area Crypto.
var cryptoRules = []Rule{
	cryptoSelection, cryptoDMCrypt, cryptoInstances, zswapCompressor, qatDevice, qatCounters,
}
