// Package sjf is one central queue that serves the job with the least estimated work first: the sum
// of its tasks' estimates. It does not preempt. With one worker and jobs of one task it is the
// queue M/G/1 under shortest job first, whose mean wait is λE[S²]/2 · E[1/(1−ρ(S))²] (Conway,
// Maxwell and Miller 1967).
package sjf

import (
	"berth/engine/federate"
	"berth/engine/federate/central"
)

// Plugin describes the scheduler for [federate.Register].
var Plugin = federate.Plugin{
	Name: "sjf", Title: "SJF", Description: "one central queue, the job with the least estimated work first",
	Facts: federate.Facts{Unlike: true, Pooled: true, Moves: true, Gangs: true, Estimates: true, Memory: central.QueueMemory},
	New: func(m *federate.Model) federate.Scheduler {
		return central.NewQueue(m, central.Discipline{Value: func(job int32) float64 { return m.Work(job).Float() }})
	},
}
