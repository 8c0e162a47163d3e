// Package firmament is a scheduler that places tasks by a flow of minimum cost as Quincy
// does, solved in a small part of the time (Gog et al., "Firmament: fast, centralized cluster
// scheduling at scale", OSDI 2016), with costs by a policy: load-spreading, that of Quincy,
// or Octopus of the authors' public code. See package rounds.
package firmament

import (
	"berth/engine/federate"
	"berth/engine/federate/rounds"
	"berth/engine/parameter"
)

// Plugin is what [federate.Register] takes.
var Plugin = federate.Plugin{
	Name: "firmament", Title: "Firmament", Description: "as Quincy, with a faster solver and a choice of policies (Gog et al. 2016)",
	Unlike: true, Moves: true, Memory: rounds.Memory,
	Parameters: append(rounds.Parameters("firmament", "Firmament", 2e-6), parameter.Parameter{
		Name: "firmament.policy", Title: "policy", Help: "`POLICY` of Firmament: 0 spreads the load (load-spreading), 1 serves who waits longest wherever there is room (quincy), 2 takes the workers with the fewest tasks when a round begins (octopus)",
		High: 2, Whole: true,
	}),
	New: func(m *federate.Model) federate.Scheduler {
		return rounds.New(m, "firmament", rounds.CostModel(m.Parameters["firmament.policy"]))
	},
}
