package judge

// cryptoRules are the rules of the area Crypto, what matters most first.
var cryptoRules = []Rule{
	cryptoSelection, qatCounters, qatDevice, cryptoDMCrypt, zswapCompressor, cryptoInstances,
}
