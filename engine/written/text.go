package written

import "berth/engine/diag"

// noFunction is the code of texts that define no function of a policy.
const noFunction = "no-policy"

// The errors of texts and of their runs.
var (
	notWorker       = &diag.Code{Name: diag.IsUnexpected, Words: "found %s, expected the number of a worker, or None"}
	noRoom          = &diag.Code{Name: "no-room", Words: "worker %d has no room for it: expected one of workers.all, or None"}
	onlyTalk        = &diag.Code{Name: "endless-messages", Words: "on_message(): %d messages have followed each other, and no task has started or ended: the schedulers only talk"}
	noKey           = &diag.Code{Name: diag.IsUnexpected, Words: "found no key: expected a number, or several of them as in (1, 2)"}
	otherKey        = &diag.Code{Name: diag.IsCounts, Words: "the key has %d numbers, and that of another host has %d: expected the same"}
	longKey         = &diag.Code{Name: diag.IsTooMany, Words: "the key has %d numbers; at most %d are compared"}
	oddKey          = &diag.Code{Name: diag.IsUnexpected, Words: "found %s in the key, expected numbers"}
	notKey          = &diag.Code{Name: diag.IsUnexpected, Words: "found %s, expected a number, several of them as in (1, 2), or None"}
	notVerdict      = &diag.Code{Name: diag.IsUnexpected, Words: "found %s, expected True, False, None or refuse(…)"}
	pickAndMessages = &diag.Code{Name: diag.IsConflict, Words: "pick() is for one central queue: leave out the functions whose names begin with on_, or it"}
	noSubmit        = &diag.Code{Name: diag.IsMissing, Words: "on_submit(job, c) is missing: no task would ever start"}
	sharesAsked     = &diag.Code{Name: "shares-of-devices", Words: "tasks of the trace ask for shares of devices, which policies with messages do not know: write pick(task, workers)"}
	noPolicy        = &diag.Code{Name: noFunction, Words: "the text defines no function of a policy: %s"}
	noPolicyOf      = &diag.Code{Name: noFunction, Words: "the text defines no function of a policy of %s: %s"}
)
