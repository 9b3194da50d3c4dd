package judge

// isolateRules are the rules of the area Isolate.
var isolateRules = []Rule{}
