package csv

import "berth/engine/diag"

// The errors of a table.
var (
	longLine      = &diag.Code{Name: diag.IsTooLarge, Words: "the line has more than %d bytes"}
	badField      = &diag.Code{Name: diag.IsInvalid, Words: "field %d: %v"}
	noHeader      = &diag.Code{Name: diag.IsEmpty, Words: "the file is empty; expected the header %s"}
	unknownColumn = &diag.Code{Name: diag.IsUnknown, Words: "unknown column %.40q; known: %s"}
	columnTwice   = &diag.Code{Name: diag.IsTwice, Words: "the column %s is given twice"}
	fieldCount    = &diag.Code{Name: diag.IsCounts, Words: "the line has %s, %s"}
	otherLine     = &diag.Code{Name: diag.IsInvalid, Words: "%v; expected %s"}
)
