package judge

// platformRules are the rules of the area Platform.
var platformRules = []Rule{
	platformIdentity,
	firmwareBug,
	capturePrivilege,
	parametersThatHide,
	logComplete,
	evidenceConflict,
}
