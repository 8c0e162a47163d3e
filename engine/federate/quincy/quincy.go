// Package quincy places tasks by a minimum-cost flow (Isard et al., "Quincy: fair scheduling for
// distributed computing clusters", SOSP 2009), in the paper's variant without fairness and without
// preemption. The cost of leaving a task unscheduled grows while it waits. Every round solves the
// whole network. Federate does not model data locality, so all workers cost the same. See package
// rounds.
package quincy

import (
	"berth/engine/federate"
	"berth/engine/federate/rounds"
)

// Plugin describes the scheduler for [federate.Register].
var Plugin = federate.Plugin{
	Name: "quincy", Title: "Quincy", Description: "places all tasks that wait by a flow of minimum cost, round by round (Isard et al. 2009)",
	Parameters: rounds.Parameters("quincy", "Quincy", 40e-6),
	Facts:      federate.Facts{Unlike: true, Moves: true, Memory: rounds.Memory},
	New:        func(m *federate.Model) federate.Scheduler { return rounds.New(m, "quincy", rounds.Quincy) },
}
