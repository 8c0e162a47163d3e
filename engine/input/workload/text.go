package workload

import "berth/engine/diag"

// The errors in input files.
var (
	badConstraint   = &diag.Code{Name: diag.IsSyntax, Words: "%.40q is not a key, an operator (= ≠ < >) and a value"}
	unknownOperator = &diag.Code{Name: diag.IsUnknown, Words: "unknown operator %.40q in a constraint; known: = ≠ < >"}
	tooManyWaits    = &diag.Code{Name: diag.IsTooMany, Words: "jobs wait for others more than %d times"}
	unknownAwaited  = &diag.Code{Name: diag.IsUnknown, Words: "a job waits for %s, which is not in the file"}
	jobsInCircle    = &diag.Code{Name: diag.IsCircle, Words: "jobs wait for each other: %s, which waits for %s"}
)
