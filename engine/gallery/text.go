package gallery

import "berth/engine/diag"

// What can be wrong with an input.
var (
	recordedTwice = diag.Define(diag.IsTwice, "the figure %q is recorded twice")
	noDay         = diag.Define("not-a-day", "%q is no day such as 2026-01-31")
	recordedRuns  = diag.Define(diag.IsCounts, "of %d runs %d are done, %d of these have failed, and %d were carried out in %v s")
)
