package judge

// linkRules are the rules of the area Links.
var linkRules = []Rule{
	linkWidth,
	linkSpeed,
	pathBottleneck,
	switchTranslates,
	endpointClaimsMore,
	slotEmpty,
	portUntrained,
	linkNotAssessable,
	onCardSwitch,
}
