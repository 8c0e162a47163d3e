package workload

import (
	"fmt"

	"berth/engine/sim"
)

// Constraints is the number of constraints in the tables of this package, as in the
// paper on Megha.
const Constraints = 21

// ConstraintTable has, for each constraint, the probability that a machine of a
// cluster satisfies it.
type ConstraintTable struct {
	Name    string    `json:"name,omitempty"`
	Machine []float64 `json:"machine"`
}

// ConstraintTables returns plausible replacements for the tables of clusters A, B and
// C of Sharma et al. (2011), which the paper on Megha uses but does not print. A is
// an old homogeneous cluster, B a mixed one, and C a new one with many types of
// machines. The first seven constraints represent the architecture and size of a
// machine, the next seven its disks and network, the last seven its software.
func ConstraintTables() []ConstraintTable {
	return []ConstraintTable{
		{"A", []float64{
			0.98, 0.95, 0.90, 0.85, 0.60, 0.50, 0.40,
			0.95, 0.90, 0.80, 0.70, 0.50, 0.40, 0.30,
			0.98, 0.95, 0.90, 0.85, 0.80, 0.60, 0.40,
		}},
		{"B", []float64{
			0.95, 0.85, 0.75, 0.65, 0.55, 0.45, 0.35,
			0.90, 0.80, 0.70, 0.60, 0.50, 0.40, 0.30,
			0.95, 0.90, 0.80, 0.70, 0.60, 0.50, 0.30,
		}},
		{"C", []float64{
			0.90, 0.80, 0.70, 0.60, 0.70, 0.60, 0.55,
			0.85, 0.75, 0.65, 0.60, 0.55, 0.50, 0.45,
			0.90, 0.80, 0.75, 0.70, 0.65, 0.60, 0.50,
		}},
	}
}

// TaskConstraints returns, for each constraint, the probability that a task requires
// it. About half of the tasks require none (Sharma et al. 2011), and constraints that
// many machines satisfy are required most often.
func TaskConstraints() []float64 {
	p := make([]float64, Constraints)
	for c := range p {
		p[c] = []float64{0.08, 0.06, 0.04, 0.025, 0.015, 0.01, 0.005}[c%7]
	}
	return p
}

// Machines draws the set of constraints that each worker satisfies. Workers of a
// Local Master are consecutive and share one randomly chosen table.
func Machines(seed uint64, workersOf []int, tables []ConstraintTable) ([]uint64, error) {
	if len(tables) == 0 {
		return nil, fmt.Errorf("constraint tables: there is none: expected at least one")
	}
	for _, t := range tables {
		if len(t.Machine) > MaxConstraints {
			return nil, fmt.Errorf("constraint table %s: it has %d probabilities: expected at most %d", t.Name, len(t.Machine), MaxConstraints)
		}
	}
	random := sim.NewRandom(seed, machineStream)
	var all []uint64
	for _, workers := range workersOf {
		table := tables[random.IntN(len(tables))]
		for range workers {
			all = append(all, drawSet(random, table.Machine))
		}
	}
	return all, nil
}
