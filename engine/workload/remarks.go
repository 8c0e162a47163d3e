package workload

import (
	"fmt"
	"strings"
	"time"

	"berth/engine/show"
	"berth/engine/sim"
)

// Omission is why rows of a file are left out.
type Omission uint8

// The omissions.
const (
	UnknownRun    Omission = iota // its running time or size is unknown
	DeletedBefore                 // it was deleted before it was scheduled
	omissions
)

// Remarks are what the reader of a file tells beside what it has read.
type Remarks struct {
	Unit     string           // what a row is called: "pod"
	LeftOut  [omissions]int   // rows, by omission
	Origin   sim.Milliseconds // since 1970: the moment that became 0; 0 where times are not dates
	Ignored  []string         // columns that Berth does not use
	Untimed  int              // rows without an arrival: each comes a second after the one before
	Endless  int              // rows without an end, which run to the horizon
	Unmet    int              // tasks whose constraints count for nothing: there are too many different ones
	Rounded  int              // rows that ask for more than one GPU, and not for a whole number
	NeverRan int              // tasks that are left out since they never ran or say nothing of their resources
	Again    bool             // a task may be submitted again after its end
	Said     []string         // what else a reader of the results must know
}

// Remarked is a stream that tells more about its file once it is read.
type Remarked interface{ Remarks() *Remarks }

// Notes says it in words.
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
	if n := r.Rounded; n > 0 {
		add("%s %s for a number of GPUs that is not whole and %s the next one", show.Count(n, r.Unit), show.Verb(n, "asks", "ask"), show.Verb(n, "gets", "get"))
	}
	if n := r.Unmet; n > 0 {
		add("the constraints of %s do not count: at most %d different ones do", show.Count(n, "task"), MaxConstraints)
	}
	return append(all, r.Said...)
}

// Warnings says how many rows are left out, and why.
func (r *Remarks) Warnings() []string {
	var all []string
	for why, n := range r.LeftOut {
		if n == 0 {
			continue
		}
		all = append(all, fmt.Sprintf("%s %s left out: %s", show.Count(n, r.Unit), show.Verb(n, "is", "are"), [omissions]string{
			UnknownRun:    "the file does not say how long or on how many processors " + show.Verb(n, "it", "they") + " ran",
			DeletedBefore: "deleted before being scheduled",
		}[why]))
	}
	return all
}
