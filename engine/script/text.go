package script

import "berth/engine/diag"

// tooManySteps is the code of runs that exceed a limit of steps.
const tooManySteps = "too-many-steps"

// The errors of texts and of their runs.
var (
	syntaxError     = &diag.Code{Name: diag.IsSyntax, Words: "%s"}
	wrongAnswer     = &diag.Code{Name: "wrong-answer", Words: "%s() for %s: %v"}
	callFails       = &diag.Code{Name: "call-fails", Words: "%s%s: %s"}
	runSteps        = &diag.Code{Name: tooManySteps, Words: "the run used all of its %s steps, at last in %s%s: make the policy simpler, or the problem smaller"}
	callSteps       = &diag.Code{Name: tooManySteps, Words: "%s used %s steps%s, which is all that one call may: make it simpler"}
	notTruth        = &diag.Code{Name: diag.IsUnexpected, Words: "%s: expected True or False, written out"}
	notFunction     = &diag.Code{Name: diag.IsUnexpected, Words: "%s is %s: expected a function %s(%s)"}
	otherParameters = &diag.Code{Name: diag.IsCounts, Words: "%s has %s: expected %s(%s)"}
)
