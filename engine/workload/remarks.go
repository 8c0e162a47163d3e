package workload

import (
	"fmt"
	"strings"
	"time"

	"berth/engine/show"
	"berth/engine/sim"
)

// Omission is a reason why rows of a file are left out.
type Omission uint8

// The omissions.
const (
	UnknownRun  Omission = iota // its running time or size is unknown
	Withdrawn                   // it ended before it started
	PartOfOther                 // another row has all of the job
	Reservation                 // of resources, in which other jobs run
	omissions
)

// Remarks are facts about a file for the reader of the results.
type Remarks struct {
	Unit       string           // name of a row, such as "pod"
	LeftOut    [omissions]int   // number of rows by omission
	Origin     sim.Milliseconds // the moment that became time 0, since 1970; 0 if times are not dates
	Ignored    []string         // columns that Berth does not use
	Untimed    int              // rows without an arrival, which come one second after the row before
	Endless    int              // rows without an end, which run to the horizon
	Unmet      int              // tasks whose constraints are ignored because there are too many different ones
	Unfinished int              // rows that still waited or ran when the log ended
	Eligible   int              // rows that could not start when they were submitted
	Arrays     int              // rows that stand for several jobs
	Restarted  int              // rows that started more than once
	Rounded    int              // rows that ask for more than one GPU but not for an integer
	Again      bool             // tasks may be submitted again after their end
	Said       []string         // further notes
}

// Remarked is a stream with remarks, which are complete after the stream has been
// read.
type Remarked interface{ Remarks() *Remarks }

// Notes returns the remarks as text, except for omissions.
func (r *Remarks) Notes() []string {
	var all []string
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if r.Origin != 0 {
		at := time.UnixMilli(int64(r.Origin)).UTC()
		add("time 0 is %s, the first moment of the file", strings.Replace(at.Format("2006-01-02 15:04:05.999 UTC"), ".000", "", 1))
	}
	if n := len(r.Ignored); n > 0 {
		add("%s %s not used: %s", show.Count(n, "column"), show.Verb(n, "is", "are"), strings.Join(r.Ignored, ", "))
	}
	if n := r.Untimed; n > 0 {
		add("%s %s no arrival: each arrives a second after the row before it", show.Count(n, r.Unit), show.Verb(n, "has", "have"))
	}
	if n := r.Endless; n > 0 {
		add("%s %s no end and %s to the horizon", show.Count(n, r.Unit), show.Verb(n, "has", "have"), show.Verb(n, "runs", "run"))
	}
	if n := r.Unfinished; n > 0 {
		add("%s still waited or ran when the log ended: %s like the others, for the requested time", show.Count(n, r.Unit), show.Verb(n, "it counts", "they count"))
	}
	if n := r.Eligible; n > 0 {
		add("%s could start only some time after being submitted: %s then", show.Count(n, r.Unit), show.Verb(n, "it arrives", "they arrive"))
	}
	if n := r.Arrays; n > 0 {
		add("%s %s for all jobs of an array, and each of them counts", show.Count(n, "row"), show.Verb(n, "is", "are"))
	}
	if n := r.Restarted; n > 0 {
		add("%s started more than once: the running times add up", show.Count(n, r.Unit))
	}
	if n := r.Rounded; n > 0 {
		add("%s %s for a number of GPUs that is not whole and %s the next one", show.Count(n, r.Unit), show.Verb(n, "asks", "ask"), show.Verb(n, "gets", "get"))
	}
	if n := r.Unmet; n > 0 {
		add("the constraints of %s do not count: at most %d different ones do", show.Count(n, "task"), MaxConstraints)
	}
	return append(all, r.Said...)
}

// Warnings returns the numbers of omitted rows with the reasons.
func (r *Remarks) Warnings() []string {
	var all []string
	for why, n := range r.LeftOut {
		if n == 0 {
			continue
		}
		all = append(all, fmt.Sprintf("%s %s left out: %s", show.Count(n, r.Unit), show.Verb(n, "is", "are"), [omissions]string{
			UnknownRun:  "the file does not say how long or on how many processors " + show.Verb(n, "it", "they") + " ran",
			Withdrawn:   "withdrawn before " + show.Verb(n, "it", "they") + " started",
			PartOfOther: show.Verb(n, "it is a part", "they are parts") + " of a job that another row has as a whole",
			Reservation: show.Verb(n, "a reservation", "reservations") + ", and what ran in " + show.Verb(n, "it", "them") + " counts",
		}[why]))
	}
	return all
}
