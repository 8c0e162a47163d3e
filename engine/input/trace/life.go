package trace

import (
	"fmt"
	"slices"
	"strings"

	"berth/engine/input/csv"
	"berth/engine/input/workload"
	"berth/engine/sim"
)

// fate is the stage that a job reached, according to its file.
type fate uint8

const (
	started      fate = iota // also for a file without start times
	neverStarted             // it is waiting or was withdrawn, depending on its state
	partOfOther              // another row describes the whole job
	reservation              // a reservation of resources, in which other jobs run
)

// waitingStates are prefixes of the states of jobs that were still waiting when their log ended.
var waitingStates = []string{"pend", "wait", "queue", "ready", "suspend", "config", "requeue", "resv"}

// withdrawnStates are prefixes of the states of jobs that were cancelled.
var withdrawnStates = []string{"cancel", "kill", "delet", "abort", "revoke"}

// is reports whether the state begins with one of these words.
func (x *row) is(words []string) bool {
	state := strings.ToLower(x.state)
	return slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(state, word) })
}

// counts reports whether a row is part of the demand, in QoS and in Federate. Rows are left out,
// and counted in the remarks, in three cases:
//
//   - The job was cancelled before it started.
//   - The row describes a part of a job, and another row describes the whole job.
//   - The row is a reservation: the jobs that run in it count instead.
//
// A job that was still waiting or running when its log ended counts with its requested time.
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

// hand completes a row and passes it to do. It omits, and counts in the remarks, rows that are no
// demand and rows without a running time. A job arrives at its submission, or when it becomes
// eligible if that is later.
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

// each calls hand for each job of an array.
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
