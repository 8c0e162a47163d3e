package rule

import "berth/engine/diag"

// The errors of this package.
var (
	tooManyRules = &diag.Code{Name: diag.IsTooMany, Words: "more than %d rules"}
	openQuote    = &diag.Code{Name: diag.IsTruncated, Words: "a quote that does not end"}
	jobsTwice    = &diag.Code{Name: diag.IsTwice, Words: "jobs before and behind %q or its like: write them once"}
)
