package judge

// linkRules are the rules of the area Links, what matters most first: their
// order is that of the chapter, and of the first page within a severity.
var linkRules = []Rule{
	pathBottleneck,
	linkWidth,
	linkSpeed,
	switchTranslates,
	endpointClaimsMore,
	portUntrained,
	slotEmpty,
	onCardSwitch,
	linkNotAssessable,
}
