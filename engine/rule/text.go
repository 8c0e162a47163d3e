package rule

import "berth/engine/diag"

// What can be wrong with an input.
var (
	tooManyRules = diag.Define(diag.IsTooMany, "more than %d rules")
	openQuote    = diag.Define(diag.IsTruncated, "a quote that does not end")
	jobsTwice    = diag.Define(diag.IsTwice, "jobs before and behind %q or its like: write them once")
)
