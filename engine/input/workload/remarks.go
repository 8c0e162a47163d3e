package workload

import (
	"fmt"
	"strings"
	"time"

	"berth/engine/show"
	"berth/engine/sim"
)

// Omission is a reason why rows of a file are omitted.
type Omission uint8

// The omissions.
const (
	UnknownRun  Omission = iota // the running time or size is unknown
	Withdrawn                   // the job ended before it started
	PartOfOther                 // another row describes the whole job
	Reservation                 // a reservation of resources, in which other jobs run
	omissions
)

// Remarks are facts about a file that the results are shown with.
type Remarks struct {
	Unit       string           // name of a row, such as "pod"
	LeftOut    [omissions]int   // number of rows by omission
	Origin     sim.Milliseconds // the moment that became time 0, since 1970; 0 if times are not dates
	Ignored    []string         // columns that Berth does not use
	Untimed    int              // rows without an arrival, which arrive one second after the previous row
	Endless    int              // rows without an end, which run to the horizon
	Unmet      int              // tasks whose constraints are ignored because there are too many different ones
	Unfinished int              // rows that still waited or ran when the log ended
	Eligible   int              // rows that could not start when they were submitted
	Arrays     int              // rows that represent several jobs
	Restarted  int              // rows that started more than once
	Rounded    int              // rows with more than one GPU but not an integer number
	Again      bool             // tasks may be submitted again after they have ended
	Said       []string         // further notes
}

// Remarked is a stream with remarks, which are complete after the stream has been
// read.
type Remarked interface{ Remarks() *Remarks }

// about appends a sentence about n rows, unless n is 0. Each form has a singular and a plural:
// "it|they".
func (r *Remarks) about(all []string, n int, format string, forms ...string) []string {
	if n == 0 {
		return all
	}
	args := []any{show.Count(n, r.Unit)}
	for _, form := range forms {
		one, several, _ := strings.Cut(form, "|")
		args = append(args, show.Verb(n, one, several))
	}
	return append(all, fmt.Sprintf(format, args...))
}

// Notes returns the remarks as text, except for omissions.
func (r *Remarks) Notes() (all []string) {
	if r.Origin != 0 {
		at := time.UnixMilli(int64(r.Origin)).UTC()
		all = append(all, fmt.Sprintf("time 0 is %s, the first moment of the file", strings.Replace(at.Format("2006-01-02 15:04:05.999 UTC"), ".000", "", 1)))
	}
	if n := len(r.Ignored); n > 0 {
		all = append(all, fmt.Sprintf("%s %s not used: %s", show.Count(n, "column"), show.Verb(n, "is", "are"), strings.Join(r.Ignored, ", ")))
	}
	all = r.about(all, r.Untimed, "%s %s no arrival: each arrives a second after the row before it", "has|have")
	all = r.about(all, r.Endless, "%s %s no end and %s to the horizon", "has|have", "runs|run")
	all = r.about(all, r.Unfinished, "%s still waited or ran when the log ended: %s like the others, for the requested time", "it counts|they count")
	all = r.about(all, r.Eligible, "%s could start only some time after being submitted: %s then", "it arrives|they arrive")
	if n := r.Arrays; n > 0 {
		all = append(all, fmt.Sprintf("%s %s for all jobs of an array, and each of them counts", show.Count(n, "row"), show.Verb(n, "is", "are")))
	}
	all = r.about(all, r.Restarted, "%s started more than once: the running times add up")
	all = r.about(all, r.Rounded, "%s %s for a number of GPUs that is not whole and %s the next one", "asks|ask", "gets|get")
	if n := r.Unmet; n > 0 {
		all = append(all, fmt.Sprintf("the constraints of %s do not count: at most %d different ones do", show.Count(n, "task"), MaxConstraints))
	}
	return append(all, r.Said...)
}

// Warnings returns the numbers of omitted rows with the reasons.
func (r *Remarks) Warnings() (all []string) {
	n := &r.LeftOut
	all = r.about(all, n[UnknownRun], "%s %s left out: the file does not say how long or on how many processors %s ran", "is|are", "it|they")
	all = r.about(all, n[Withdrawn], "%s %s left out: withdrawn before %s started", "is|are", "it|they")
	all = r.about(all, n[PartOfOther], "%s %s left out: %s of a job that another row has as a whole", "is|are", "it is a part|they are parts")
	return r.about(all, n[Reservation], "%s %s left out: %s, and what ran in %s counts", "is|are", "a reservation|reservations", "it|them")
}
