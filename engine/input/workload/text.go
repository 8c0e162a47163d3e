package workload

import "berth/engine/diag"

// The errors in input files.
var (
	badTaskCount    = &diag.Code{Name: diag.IsNotNumber, Words: "number_of_tasks: %.40q is not a whole number from 1"}
	badDuration     = &diag.Code{Name: diag.IsInvalid, Words: "duration %d: %v"}
	taskCount       = &diag.Code{Name: diag.IsCounts, Words: "number_of_tasks is %d, but the line has %s"}
	emptyTrace      = &diag.Code{Name: diag.IsEmpty, Words: "the trace is empty; expected %s"}
	noTasks         = &diag.Code{Name: diag.IsEmpty, Words: "there is no task below the header"}
	otherArrival    = &diag.Code{Name: diag.IsConflict, Words: "arrival: job %.40s arrived at %v s already: expected one arrival for all tasks of a job"}
	otherPriority   = &diag.Code{Name: diag.IsConflict, Words: "priority: job %.40s has priority %d already: expected one priority for all tasks of a job"}
	otherUser       = &diag.Code{Name: diag.IsConflict, Words: "user: job %.40s belongs to user %.40s: expected one user for all tasks of a job"}
	hostNeeds       = &diag.Code{Name: diag.IsMissing, Words: "a host needs %s"}
	eventEarlier    = &diag.Code{Name: diag.IsUnordered, Words: "time_s: the event is earlier than the one before it"}
	hostUnnamed     = &diag.Code{Name: diag.IsMissing, Words: "the name of the host is missing"}
	hostTwice       = &diag.Code{Name: diag.IsTwice, Words: "the host %.40q is given twice"}
	noOverheads     = &diag.Code{Name: diag.IsEmpty, Words: "the set of overheads is empty; expected at least one number of seconds below overhead_s"}
	badAttribute    = &diag.Code{Name: diag.IsSyntax, Words: "attributes: %.40q is not key=value"}
	notWithin       = &diag.Code{Name: diag.IsNotNumber, Words: "%.40q is not a whole number from %d to %d"}
	notUpTo         = &diag.Code{Name: diag.IsNotNumber, Words: "%.40q is not a whole number from 0 to %d"}
	notFlag         = &diag.Code{Name: diag.IsNotNumber, Words: "%.40q is neither 0 nor 1"}
	notWhole        = &diag.Code{Name: diag.IsNotNumber, Words: "%.40q is not a whole number from 0"}
	unknownEvent    = &diag.Code{Name: diag.IsUnknown, Words: "%.40q is unknown; known: fail, leave, remove, return, add"}
	speedRange      = &diag.Code{Name: diag.IsOutOfRange, Words: "%.40q is not from %v to %v"}
	badConstraint   = &diag.Code{Name: diag.IsSyntax, Words: "%.40q is not a key, an operator (= ≠ < >) and a value"}
	unknownOperator = &diag.Code{Name: diag.IsUnknown, Words: "unknown operator %.40q in a constraint; known: = ≠ < >"}
	dateGiven       = &diag.Code{Name: diag.IsNotTime, Words: "%.40q is a date: write the seconds since the first one of the file"}
	notSeconds      = &diag.Code{Name: diag.IsNotTime, Words: "%.40q is not a number of seconds"}
	timeRange       = &diag.Code{Name: diag.IsOutOfRange, Words: "%v is not a time from 0 to %d s"}
	tooManyWaits    = &diag.Code{Name: diag.IsTooMany, Words: "jobs wait for others more than %d times"}
	unknownAwaited  = &diag.Code{Name: diag.IsUnknown, Words: "a job waits for %s, which is not in the file"}
	jobsInCircle    = &diag.Code{Name: diag.IsCircle, Words: "jobs wait for each other: %s, which waits for %s"}
)
