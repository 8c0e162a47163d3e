package script

import "berth/engine/diag"

// tooManySteps is the code of a limit of steps that is reached.
const tooManySteps = "too-many-steps"

// What can be wrong with an input.
var (
	syntaxError     = diag.Define(diag.IsSyntax, "%s")
	wrongAnswer     = diag.Define("wrong-answer", "%s() for %s: %v")
	callFails       = diag.Define("call-fails", "%s%s: %s")
	runSteps        = diag.Define(tooManySteps, "the run used all of its %s steps, at last in %s%s: make the policy simpler, or the problem smaller")
	callSteps       = diag.Define(tooManySteps, "%s used %s steps%s, which is all that one call may: make it simpler")
	notTruth        = diag.Define(diag.IsUnexpected, "%s is %s: expected True or False")
	notFunction     = diag.Define(diag.IsUnexpected, "%s is %s: expected a function %s(%s)")
	otherParameters = diag.Define(diag.IsCounts, "%s has %s: expected %s(%s)")
)
