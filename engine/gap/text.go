package gap

import "berth/engine/diag"

// What can be wrong with an input.
var (
	fileEnds         = diag.Define(diag.IsTruncated, "the file ends here, expected %s")
	notNumber        = diag.Define(diag.IsNotNumber, "found %s, expected %s, a number from 0")
	tooManyCells     = diag.Define(diag.IsTooMany, "%d agents × %d jobs are more than the %d that are read")
	tooFewNumbers    = diag.Define(diag.IsTruncated, "the file has fewer than the %d numbers that %d agents and %d jobs take")
	distanceToItself = diag.Define(diag.IsUnexpected, "agent %d has the distance %v to itself, expected 0")
	asymmetric       = diag.Define("not-symmetric", "neither traffic nor distances are symmetric, expected one of them to be")
	textBehind       = diag.Define(diag.IsTextBehind, "found %s after the last capacity, expected the end of the file; one instance is read")
	badSize          = diag.Define(diag.IsOutOfRange, "found %v, expected %s, a whole number from 1 to %d")
)
