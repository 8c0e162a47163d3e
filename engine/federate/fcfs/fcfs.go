// Package fcfs is one central queue, first come first served: jobs in order of arrival, the tasks
// of each job in their order. No task overtakes an earlier one, even if an idle worker could run
// it. On workers with one slot it is the queue G/G/c.
package fcfs

import (
	"berth/engine/federate"
	"berth/engine/federate/central"
)

// Plugin describes the scheduler for [federate.Register].
var Plugin = federate.Plugin{
	Name: "fcfs", Title: "FCFS", Description: "one central queue, first come first served: no later job overtakes",
	Facts: federate.Facts{Unlike: true, Pooled: true, Moves: true, Gangs: true, Memory: central.QueueMemory},
	New:   func(m *federate.Model) federate.Scheduler { return central.NewQueue(m, central.Discipline{}) },
}
