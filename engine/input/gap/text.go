package gap

import "berth/engine/diag"

// The errors of an instance.
var (
	fileEnds         = &diag.Code{Name: diag.IsTruncated, Words: "the file ends here, expected %s"}
	notNumber        = &diag.Code{Name: diag.IsNotNumber, Words: "found %s, expected %s, a number from 0"}
	tooManyCells     = &diag.Code{Name: diag.IsTooMany, Words: "%d agents × %d jobs are more than the %d that are read"}
	tooFewNumbers    = &diag.Code{Name: diag.IsTruncated, Words: "the file has fewer than the %d numbers that %d agents and %d jobs take"}
	distanceToItself = &diag.Code{Name: diag.IsUnexpected, Words: "agent %d has the distance %v to itself, expected 0"}
	asymmetric       = &diag.Code{Name: "not-symmetric", Words: "neither traffic nor distances are symmetric, expected one of them to be"}
	textBehind       = &diag.Code{Name: diag.IsTextBehind, Words: "found %s after the last capacity, expected the end of the file; one instance is read"}
	badSize          = &diag.Code{Name: diag.IsOutOfRange, Words: "found %v, expected %s, a whole number from 1 to %d"}
)
