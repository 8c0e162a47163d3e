package trace

import (
	"fmt"
	"slices"
	"strings"

	"berth/engine/input/csv"
	"berth/engine/input/workload"
	"berth/engine/sim"
)

// fate says how far a job came, as far as its file says it.
type fate uint8

const (
	started      fate = iota // also if the file has no starts
	neverStarted             // it waits or was withdrawn, depending on its state
	partOfOther              // another row has all of the job
	reservation              // of resources, in which other jobs run
)

// waitingStates begin the states of jobs that still waited when their log ended.
var waitingStates = []string{"pend", "wait", "queue", "ready", "suspend", "config", "requeue", "resv"}

// withdrawnStates begin the states of jobs that were ended by request.
var withdrawnStates = []string{"cancel", "kill", "delet", "abort", "revoke"}

// is reports whether the state begins with one of these words.
func (x *row) is(words []string) bool {
	state := strings.ToLower(x.state)
	return slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(state, word) })
}

// counts decides for both laboratories whether a row is demand. A job that ended before it started
// is none; one that still waited or ran when its log ended is, and runs for its requested time. Where the
// parts of a job have rows of their own, the row of the whole job counts, and what ran in a
// reservation counts instead of it. The remarks get what does not count.
func (x *row) counts(remarks *workload.Remarks) bool {
	switch {
	case x.fate != started || x.run.at > 0:
	case !x.start.known && x.is(waitingStates):
		x.fate = neverStarted
	case x.run.known && x.is(withdrawnStates): // older versions of Slurm say that it started when it was cancelled
		x.fate = neverStarted
	}
	switch x.fate {
	case partOfOther:
		remarks.LeftOut[workload.PartOfOther]++
		return false
	case reservation:
		remarks.LeftOut[workload.Reservation]++
		return false
	case started:
		if x.start.known && !x.end.known && !x.run.known {
			x.run, x.unfinished = x.allows, x.allows.known
		}
	case neverStarted:
		ran := x.run.known && x.run.at > 0
		switch {
		case x.is(waitingStates), x.state == "" && !x.end.known:
			if !ran {
				x.run = x.allows
			}
			x.unfinished = x.run.known
		case !ran, x.state == "", x.is(withdrawnStates):
			remarks.LeftOut[workload.Withdrawn]++
			return false
		}
	}
	return true
}

// hand completes a row and passes it to do. It omits and counts rows that are no demand, and rows
// with an unknown running time. A job arrives when it could start at the earliest.
func (x *row) hand(remarks *workload.Remarks, do func(*row) error) error {
	if x.array > 1 {
		return x.each(remarks, do)
	}
	if !x.submit.known {
		x.submit = x.start
	}
	if x.eligible.known && x.eligible.at > x.submit.at {
		x.submit = x.eligible
		remarks.Eligible++
	}
	began := x.start
	if !began.known {
		began = x.submit
	}
	if !x.run.known && x.end.known && began.known {
		x.run = moment{x.end.at - began.at, true}
	}
	if !x.counts(remarks) {
		return nil
	}
	if x.endless && !x.run.known {
		remarks.Endless++
	}
	switch {
	case !x.submit.known, x.tasks < 1, !x.endless && (!x.run.known || x.run.at < 0):
		remarks.LeftOut[workload.UnknownRun]++
		return nil
	}
	for task := range max(len(x.runs), 1) {
		if run := x.runOf(task); run > workload.Nanoseconds(workload.MaxSeconds) {
			return csv.FaultAt(0, longTime, workload.Seconds(run), float64(workload.MaxSeconds))
		}
	}
	if x.rounded {
		remarks.Rounded++
	}
	if x.starts > 1 {
		remarks.Restarted++
	}
	if x.unfinished {
		remarks.Unfinished++
	}
	return do(x)
}

// each hands each job of an array.
func (x *row) each(remarks *workload.Remarks, do func(*row) error) error {
	remarks.Arrays++
	for k := range x.array {
		one := *x
		one.array, one.id = 0, fmt.Sprintf("%s/%d", x.id, k+1)
		if err := one.hand(remarks, do); err != nil {
			return err
		}
	}
	return nil
}

// runOf returns the running time of a task.
func (x *row) runOf(task int) sim.Nanoseconds {
	if task < len(x.runs) {
		return x.runs[task]
	}
	return x.run.at
}
