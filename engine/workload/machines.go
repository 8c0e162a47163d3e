package workload

import (
	"fmt"

	"berth/engine/sim"
)

// Constraints is how many constraints the tables of this package know, as many
// as the paper on Megha considers.
const Constraints = 21

// ConstraintTable has the probability that a machine of a cluster satisfies each
// constraint.
type ConstraintTable struct {
	Name    string
	Machine []float64
}

// ConstraintTables returns plausible tables of our own in place of those of
// clusters A, B and C of Sharma et al. (2011), which the paper on Megha uses and
// does not print. A is an old and even cluster, B a mixed one, C a new one with
// many kinds of machines: the first seven constraints stand for the
// architecture and size of a machine, the next seven for its disks and network,
// the last for its software.
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

// TaskConstraints returns the probability that a task asks for each constraint:
// together they leave about half of the tasks without any (Sharma et al. 2011), and the
// ones that many machines satisfy are asked for most.
func TaskConstraints() []float64 {
	p := make([]float64, Constraints)
	for c := range p {
		p[c] = []float64{0.08, 0.06, 0.04, 0.025, 0.015, 0.01, 0.005}[c%7]
	}
	return p
}

// Machines draws for every worker the set of constraints that it satisfies. The
// workers of each Local Master follow each other, and each draws one of the
// tables for all of them.
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
