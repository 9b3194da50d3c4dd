package judge

import "slices"

// Rules are all rules, in the order of the catalogue.
var Rules = slices.Concat(linkRules, errorRules, isolateRules, spaceRules, cryptoRules, netRules, platformRules, diffRules)
