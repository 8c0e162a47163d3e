// Package quincy is a scheduler that places tasks by a flow of minimum cost (Isard et al.,
// "Quincy: fair scheduling for distributed computing clusters", SOSP 2009), the variant of the
// paper without fairness and without preemption. The cost of leaving a task unscheduled
// grows while it waits. Every round solves the whole network. Federate has no data that a
// task could be near to, so all workers cost the same. See package rounds.
package quincy

import (
	"berth/engine/federate"
	"berth/engine/federate/rounds"
)

// Plugin is what [federate.Register] takes.
var Plugin = federate.Plugin{
	Name: "quincy", Title: "Quincy", Description: "places all tasks that wait by a flow of minimum cost, round by round (Isard et al. 2009)",
	Unlike: true, Moves: true, Memory: rounds.Memory, Parameters: rounds.Parameters("quincy", "Quincy", 40e-6),
	New: func(m *federate.Model) federate.Scheduler { return rounds.New(m, "quincy", rounds.Quincy) },
}
