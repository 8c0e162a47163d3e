// Package sparrow samples workers in batches and binds late (Ousterhout et al. 2013): a job leaves
// reservations with randomly drawn workers, and a worker that reaches a reservation asks for a
// task. The schedulers share no state and their decisions take no time, so their number makes no
// difference. A job with more tasks than there are workers leaves several reservations with each.
package sparrow

import (
	"berth/engine/federate"
	"berth/engine/federate/probing"
	"berth/engine/input/workload"
	"berth/engine/parameter"
)

// scheduler serves its queues first come, first served.
type scheduler struct {
	*probing.Queues
	probes int // reservations per task
}

// Plugin describes the scheduler for [federate.Register].
var Plugin = federate.Plugin{
	Name: "sparrow", Title: "Sparrow", Description: "batch sampling with late binding (Ousterhout et al. 2013)", Default: true,
	Parameters: []parameter.Parameter{
		{Name: "probes", Path: "sparrow.probes", Title: "probes of a task", Help: "`NUMBER` of reservations per task (Sparrow's d)", Low: 1, High: 100, Whole: true, Default: 2},
	},
	Facts: federate.Facts{
		Slots: true,
		Memory: func(c *federate.Config, v parameter.Values, load *workload.Tasks) float64 {
			return probing.Memory(c, v["probes"], 0, load)
		},
	},
	New: func(m *federate.Model) federate.Scheduler {
		return &scheduler{probing.New(m, probing.Discipline{}), int(m.Parameters["probes"])}
	},
}

// Submit implements [federate.Scheduler].
func (s *scheduler) Submit(job int32) {
	s.Split(job, func(tasks []int32, constraints uint64) { s.Probe(tasks, constraints, s.probes) })
}
