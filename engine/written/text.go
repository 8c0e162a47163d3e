package written

import "berth/engine/diag"

// noFunction is the code of a text without a function of a policy.
const noFunction = "no-policy"

// What can be wrong with an input.
var (
	notWorker       = diag.Define(diag.IsUnexpected, "found %s, expected the number of a worker, or None")
	noRoom          = diag.Define("no-room", "worker %d has no room for it: expected one of workers.all, or None")
	onlyTalk        = diag.Define("endless-messages", "on_message(): %d messages have followed each other, and no task has started or ended: the schedulers only talk")
	noKey           = diag.Define(diag.IsUnexpected, "found no key: expected a number, or several of them as in (1, 2)")
	otherKey        = diag.Define(diag.IsCounts, "the key has %d numbers, and that of another host has %d: expected the same")
	longKey         = diag.Define(diag.IsTooMany, "the key has %d numbers; at most %d are compared")
	oddKey          = diag.Define(diag.IsUnexpected, "found %s in the key, expected numbers")
	notKey          = diag.Define(diag.IsUnexpected, "found %s, expected a number, several of them as in (1, 2), or None")
	notVerdict      = diag.Define(diag.IsUnexpected, "found %s, expected True, False, None or refuse(…)")
	pickAndMessages = diag.Define(diag.IsConflict, "pick() is for one central queue: leave out the functions whose names begin with on_, or it")
	noSubmit        = diag.Define(diag.IsMissing, "on_submit(job, c) is missing: no task would ever start")
	sharesAsked     = diag.Define("shares-of-devices", "tasks of the trace ask for shares of devices, which policies with messages do not know: write pick(task, workers)")
	noPolicy        = diag.Define(noFunction, "the text defines no function of a policy: %s")
	noPolicyOf      = diag.Define(noFunction, "the text defines no function of a policy of %s: %s")
)
