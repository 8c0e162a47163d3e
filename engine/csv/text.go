package csv

import "berth/engine/diag"

// What can be wrong with an input.
var (
	longLine      = diag.Define(diag.IsTooLarge, "the line has more than %d bytes")
	badField      = diag.Define(diag.IsInvalid, "field %d: %v")
	noHeader      = diag.Define(diag.IsEmpty, "the file is empty; expected the header %s")
	unknownColumn = diag.Define(diag.IsUnknown, "unknown column %.40q; known: %s")
	columnTwice   = diag.Define(diag.IsTwice, "the column %s is given twice")
	fieldCount    = diag.Define(diag.IsCounts, "the line has %s, %s")
	otherLine     = diag.Define(diag.IsInvalid, "%v; expected %s")
)
