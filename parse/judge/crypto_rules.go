package judge

// cryptoRules are the rules of the area Crypto, what matters most first.
var cryptoRules = []Rule{
	cryptoSelection, cryptoSelfTest, cryptoCPU, offloadVsCPU, qatCounters, qatDevice, qatInstances, accelSensor,
	cryptoDMCrypt, zswapCompressor, cryptoInstances,
}
