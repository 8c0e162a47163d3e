package csv

import "berth/engine/diag"

// The errors of a table.
var (
	longLine   = &diag.Code{Name: diag.IsTooLarge, Words: "the line has more than %d bytes"}
	badField   = &diag.Code{Name: diag.IsInvalid, Words: "field %d: %v"}
	fieldCount = &diag.Code{Name: diag.IsCounts, Words: "the line has %s, %s"}
	otherLine  = &diag.Code{Name: diag.IsInvalid, Words: "%v; expected %s"}
)
