// Package srpt is one central queue that serves the job first whose tasks that have not
// ended have the least work by estimate. Tasks are not preempted, so that of jobs of one
// task it is shortest job first; a job of many comes the nearer to its turn the more of
// them have ended.
package srpt

import (
	"berth/engine/federate"
	"berth/engine/federate/central"
	"berth/engine/parameter"
	"berth/engine/workload"
)

// Plugin is what [federate.Register] takes.
var Plugin = federate.Plugin{
	Name: "srpt", Title: "SRPT", Description: "one central queue, the job with the least estimated work that is left first", Unlike: true, Devices: true, Moves: true, Gangs: true, Estimates: true,
	New: newScheduler,
	Memory: func(c *federate.Config, _ parameter.Values, load *workload.Tasks) float64 {
		return central.QueueMemory(c, load) + federate.Bytes[federate.WorkSum](len(load.Jobs))
	},
}

func newScheduler(m *federate.Model) federate.Scheduler {
	left := make([]federate.WorkSum, len(m.Load.Jobs))
	for job := range left {
		left[job] = m.Work(int32(job))
	}
	return central.NewQueue(m, central.Rule{
		Value: func(job int32) float64 { return left[job].Float() },
		Ended: func(task int32) { left[m.Job(task)] = left[m.Job(task)].Less(m.Estimate(task)) },
	})
}
