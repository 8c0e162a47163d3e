// Package firmament places tasks by a minimum-cost flow, like Quincy, but with a much faster solver
// (Gog et al., "Firmament: fast, centralized cluster scheduling at scale", OSDI 2016). Costs follow
// one of three policies: load-spreading, Quincy's, or Octopus from the authors' public code. See
// package rounds.
package firmament

import (
	"berth/engine/federate"
	"berth/engine/federate/rounds"
	"berth/engine/parameter"
)

// Plugin describes the scheduler for [federate.Register].
var Plugin = federate.Plugin{
	Name: "firmament", Title: "Firmament", Description: "as Quincy, with a faster solver and a choice of policies (Gog et al. 2016)",
	Parameters: append(rounds.Parameters("firmament", "Firmament", 2e-6), parameter.Parameter{
		Name: "firmament.policy", Title: "policy", Help: "`POLICY` of Firmament: 0 spreads the load (load-spreading), 1 serves who waits longest wherever there is room (quincy), 2 takes the workers with the fewest tasks when a round begins (octopus)",
		High: 2, Whole: true,
	}),
	Facts: federate.Facts{Unlike: true, Moves: true, Memory: rounds.Memory},
	New: func(m *federate.Model) federate.Scheduler {
		return rounds.New(m, "firmament", rounds.CostModel(m.Parameters["firmament.policy"]))
	},
}
