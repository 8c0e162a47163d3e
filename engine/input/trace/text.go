package trace

import "berth/engine/diag"

// tablesTogether is the code of errors about a wrong set of tables.
const tablesTogether = "tables-together"

// The errors in input files.
var (
	fieldNotNumber    = &diag.Code{Name: diag.IsNotNumber, Words: "field %d: %.40q is not a number"}
	fieldCount        = &diag.Code{Name: diag.IsCounts, Words: "there are %d fields"}
	badAverage        = &diag.Code{Name: diag.IsNotTime, Words: "Average: %.40q is not a time from 0 to %d ms"}
	badMinute         = &diag.Code{Name: diag.IsNotNumber, Words: "%d: %.40q is not a whole number from 0 to %d"}
	constraintsNoList = &diag.Code{Name: diag.IsUnexpected, Words: "the constraints are %.40q, not a list"}
	constraintFields  = &diag.Code{Name: diag.IsCounts, Words: "a constraint has %s, not 3"}
	attributesNoList  = &diag.Code{Name: diag.IsUnexpected, Words: "the attributes are %.40q, not a list"}
	attributeFields   = &diag.Code{Name: diag.IsCounts, Words: "an attribute has %s, not 2"}
	notSingle         = &diag.Code{Name: diag.IsUnexpected, Words: "%s: a list or tuple, not a single value"}
	notTuple          = &diag.Code{Name: diag.IsUnexpected, Words: "%.40q is not a tuple"}
	termFields        = &diag.Code{Name: diag.IsCounts, Words: "the term has %s, not %d"}
	openString        = &diag.Code{Name: diag.IsTruncated, Words: "a string does not end"}
	noFullStop        = &diag.Code{Name: diag.IsTruncated, Words: "the full stop at the end is missing"}
	otherEnd          = &diag.Code{Name: diag.IsSyntax, Words: "expected a full stop at the end, not %q"}
	termEnds          = &diag.Code{Name: diag.IsTruncated, Words: "the term ends too early"}
	termTooDeep       = &diag.Code{Name: diag.IsTooDeep, Words: "the term is nested more than %d deep"}
	noValue           = &diag.Code{Name: diag.IsSyntax, Words: "expected a value, not %q"}
	openTerm          = &diag.Code{Name: diag.IsTruncated, Words: "%q is missing"}
	noComma           = &diag.Code{Name: diag.IsSyntax, Words: "expected ',' or %q, not %q"}
	longTime          = &diag.Code{Name: diag.IsTooLarge, Words: "the running time of %v s is more than %v s"}
	noneRan           = &diag.Code{Name: diag.IsEmpty, Words: "there is no %s that ran for a known time"}
	noJobRan          = &diag.Code{Name: diag.IsEmpty, Words: "there is no job that ran for a known time on known processors; expected %s"}
	tooLate           = &diag.Code{Name: diag.IsOutOfRange, Words: "it comes more than %d s after the first one"}
	lastTooLate       = &diag.Code{Name: diag.IsOutOfRange, Words: "the last job comes at %v s; at most %v s are read"}
	documentSize      = &diag.Code{Name: diag.IsTooLarge, Words: "a document of JSON may have %d bytes (%d MiB) at most"}
	badRow            = &diag.Code{Name: diag.IsInvalid, Words: "%s %d: %v"}
	noPBS             = &diag.Code{Name: diag.IsCounts, Words: "a record of PBS has a time, a letter, a job and attributes between semicolons"}
	noSGE             = &diag.Code{Name: diag.IsCounts, Words: "an entry of Grid Engine has 42 fields or more between colons"}
	noEvent           = &diag.Code{Name: diag.IsMissing, Words: "an event has a type from SUBMIT to UPDATE_RUNNING and a time"}
	tableBehind       = &diag.Code{Name: tablesTogether, Words: "%s: give it before the table that it belongs to"}
	notWhole          = &diag.Code{Name: diag.IsNotNumber, Words: "%.40q is not a whole number"}
	notEvent          = &diag.Code{Name: diag.IsNotNumber, Words: "%.40q is not a whole number from 0 to 8"}
	notMicroseconds   = &diag.Code{Name: diag.IsNotTime, Words: "%.40q is not a whole number of µs"}
	notMachineEvent   = &diag.Code{Name: diag.IsNotNumber, Words: "%.40q is not 0, 1 or 2"}
	notAmount         = &diag.Code{Name: diag.IsNotNumber, Words: "%.40q is not a number from 0 on"}
	tooManyGPUs       = &diag.Code{Name: diag.IsTooMany, Words: "%.40q is more than %d GPUs"}
	gpusOfNode        = &diag.Code{Name: diag.IsTooMany, Words: "the node %s has more than %d GPUs: divide them between nodes"}
	notNumber         = &diag.Code{Name: diag.IsNotNumber, Words: "%.40q is not a number"}
	notPart           = &diag.Code{Name: diag.IsNotNumber, Words: "%.40q is not a number above 0 and up to 1"}
	notTime           = &diag.Code{Name: diag.IsNotTime, Words: "%.40q is not a time from %d to %d s"}
	notDate           = &diag.Code{Name: diag.IsNotTime, Words: "%.40q is not a date such as 2025-11-02T01:30:00"}
	notSpan           = &diag.Code{Name: diag.IsNotTime, Words: "%.40q is not a span such as 1-02:30:00"}
	timeRange         = &diag.Code{Name: diag.IsOutOfRange, Words: "a time of %v s is out of range"}
	unknownParent     = &diag.Code{Name: diag.IsUnknown, Words: "task %.60q has the parent %.60q, which is not in the file"}
	ownParent         = &diag.Code{Name: diag.IsCircle, Words: "task %.60q is among its own parents"}
	lacksTables       = &diag.Code{Name: tablesTogether, Words: "%s"}
	tablesApart       = &diag.Code{Name: tablesTogether, Words: "%s"}
	noHeader          = &diag.Code{Name: diag.IsEmpty, Words: "the file is empty; expected the header %s"}
	unknownColumn     = &diag.Code{Name: diag.IsUnknown, Words: "unknown column %.40q; known: %s"}
	columnTwice       = &diag.Code{Name: diag.IsTwice, Words: "the column %s is given twice"}
	badTaskCount      = &diag.Code{Name: diag.IsNotNumber, Words: "number_of_tasks: %.40q is not a whole number from 1"}
	badDuration       = &diag.Code{Name: diag.IsInvalid, Words: "duration %d: %v"}
	taskCount         = &diag.Code{Name: diag.IsCounts, Words: "number_of_tasks is %d, but the line has %s"}
	emptyTrace        = &diag.Code{Name: diag.IsEmpty, Words: "the trace is empty; expected %s"}
	noTasks           = &diag.Code{Name: diag.IsEmpty, Words: "there is no task below the header"}
	otherArrival      = &diag.Code{Name: diag.IsConflict, Words: "arrival: job %.40s arrived at %v s already: expected one arrival for all tasks of a job"}
	otherPriority     = &diag.Code{Name: diag.IsConflict, Words: "priority: job %.40s has priority %d already: expected one priority for all tasks of a job"}
	otherUser         = &diag.Code{Name: diag.IsConflict, Words: "user: job %.40s belongs to user %.40s: expected one user for all tasks of a job"}
	hostNeeds         = &diag.Code{Name: diag.IsMissing, Words: "a host needs %s"}
	eventEarlier      = &diag.Code{Name: diag.IsUnordered, Words: "time_s: the event is earlier than the one before it"}
	hostUnnamed       = &diag.Code{Name: diag.IsMissing, Words: "the name of the host is missing"}
	hostTwice         = &diag.Code{Name: diag.IsTwice, Words: "the host %.40q is given twice"}
	noOverheads       = &diag.Code{Name: diag.IsEmpty, Words: "the set of overheads is empty; expected at least one number of seconds below overhead_s"}
	badAttribute      = &diag.Code{Name: diag.IsSyntax, Words: "attributes: %.40q is not key=value"}
	notWithin         = &diag.Code{Name: diag.IsNotNumber, Words: "%.40q is not a whole number from %d to %d"}
	notUpTo           = &diag.Code{Name: diag.IsNotNumber, Words: "%.40q is not a whole number from 0 to %d"}
	notFlag           = &diag.Code{Name: diag.IsNotNumber, Words: "%.40q is neither 0 nor 1"}
	notPriority       = &diag.Code{Name: diag.IsNotNumber, Words: "%.40q is not a whole number from 0"}
	unknownEvent      = &diag.Code{Name: diag.IsUnknown, Words: "%.40q is unknown; known: fail, leave, remove, return, add"}
	speedRange        = &diag.Code{Name: diag.IsOutOfRange, Words: "%.40q is not from %v to %v"}
	dateGiven         = &diag.Code{Name: diag.IsNotTime, Words: "%.40q is a date: write the seconds since the first one of the file"}
	notSeconds        = &diag.Code{Name: diag.IsNotTime, Words: "%.40q is not a number of seconds"}
	notWithinTime     = &diag.Code{Name: diag.IsOutOfRange, Words: "%v is not a time from 0 to %d s"}
)
