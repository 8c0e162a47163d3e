package budget

import "berth/engine/diag"

// What can be wrong with an input.
var (
	tooMuch       = diag.Define("input-limit", "the inputs hold more than %d %s together, which is the limit: load fewer or smaller files")
	tooMuchMemory = diag.Define("memory-limit", "reading the inputs takes more than %.3g GB of memory, which is the limit: load fewer or smaller files")
	growsTooMuch  = diag.Define("input-grows", "the inputs grow from %d bytes to more than %d MB in memory, with %d %s: use fewer aliases and short forms, or load fewer files")
	tooDeep       = diag.Define(diag.IsTooDeep, "%s are nested more than %d deep, which is the limit: nest them less")
)
