package gallery

import "berth/engine/diag"

// The errors in a file of records.
var (
	recordedTwice = &diag.Code{Name: diag.IsTwice, Words: "the figure %q is recorded twice"}
	noDay         = &diag.Code{Name: "not-a-day", Words: "%q is no day such as 2026-01-31"}
	recordedRuns  = &diag.Code{Name: diag.IsCounts, Words: "of %d runs %d are done, %d of these have failed, and %d were carried out in %v s"}
)
