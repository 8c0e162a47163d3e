// Package srpt is one central queue that serves the job with the least remaining estimated work
// first: the sum of the estimates of its tasks that have not ended. It does not preempt, so for
// jobs of one task it is shortest job first; a job of many tasks moves forward as its tasks end.
package srpt

import (
	"berth/engine/federate"
	"berth/engine/federate/central"
)

// Plugin describes the scheduler for [federate.Register].
var Plugin = federate.Plugin{
	Name: "srpt", Title: "SRPT", Description: "one central queue, the job with the least estimated work that is left first",
	Facts: federate.Facts{Unlike: true, Pooled: true, Moves: true, Gangs: true, Estimates: true, Memory: central.QueueMemory},
	New:   newScheduler,
}

func newScheduler(m *federate.Model) federate.Scheduler {
	left := make([]federate.WorkSum, len(m.Load.Jobs))
	for job := range left {
		left[job] = m.Work(int32(job))
	}
	return central.NewQueue(m, central.Discipline{
		Value: func(job int32) float64 { return left[job].Float() },
		Ended: func(task int32) { left[m.Job(task)] = left[m.Job(task)].Less(m.Estimate(task)) },
	})
}
