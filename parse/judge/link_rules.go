package judge

// linkRules are the rules of the area Links.
var linkRules = []Rule{}
