package judge

import "slices"

// linkRules are the rules of the area Links, what matters most first: their
// order is that of the chapter, and of the first page within a severity.
var linkRules = slices.Concat(rateRules, conductRules)

// rateRules judge what the two ends of a link offer and what is negotiated.
var rateRules = []Rule{
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

// conductRules judge how links and devices behave, and how they are set.
var conductRules = []Rule{
	deviceGone,
	linkFlapping,
	slotPower,
	laneErrors,
	payloadSizes,
	bandwidthMessage,
	aspmState,
	deviceAsleep,
	orderingAndTimeouts,
}
