package budget

import "berth/engine/diag"

// The errors of this package.
var (
	tooMuch       = &diag.Code{Name: "input-limit", Words: "the inputs hold more than %d %s together, which is the limit: load fewer or smaller files"}
	tooMuchMemory = &diag.Code{Name: "memory-limit", Words: "reading the inputs takes more than %s GB of memory, which is the limit: load fewer or smaller files"}
	growsTooMuch  = &diag.Code{Name: "input-grows", Words: "the inputs grow from %d bytes to more than %d MB in memory, with %d %s: use fewer aliases and short forms, or load fewer files"}
	tooDeep       = &diag.Code{Name: diag.IsTooDeep, Words: "%s are nested more than %d deep, which is the limit: nest them less"}
)
