package federate

import (
	"berth/engine/cluster"
	"berth/engine/workload"
)

// Center is a data centre, which does not change.
type Center struct {
	GMs, LMs  int
	Resources int
	Capacity  []cluster.Amount
	Machines  []uint64 // the constraints that each worker satisfies; nil: all

	workers int
}

func newCenter(c *Config) *Center {
	return &Center{GMs: c.GMs, LMs: c.LMs, Resources: len(c.Capacity), Capacity: c.Capacity, Machines: c.Machines, workers: c.Workers}
}

// WorkersOf divides workers evenly over masters; the first ones have one more
// where that does not come out even.
func WorkersOf(workers, masters int) []int {
	sizes := make([]int, masters)
	for i := range sizes {
		sizes[i] = workers / masters
		if i < workers%masters {
			sizes[i]++
		}
	}
	return sizes
}

// GMOfUser is the GM that serves a user: users are spread over GMs in their
// order, four of them over three as 1, 2, 2, 3 (section VI-E).
func GMOfUser(user, users, gms int) int32 {
	if users == 1 {
		return 0
	}
	return int32((2*user*(gms-1) + users - 1) / (2 * (users - 1)))
}

// Workers returns the number of workers.
func (d *Center) Workers() int { return d.workers }

// Satisfies reports whether a worker satisfies a set of constraints.
func (d *Center) Satisfies(worker int32, constraints uint64) bool {
	return d.Machines == nil || constraints&^d.Machines[worker] == 0
}

// Fits reports whether a task of this kind can run on some worker while nothing
// else does, and if not, which of the two is in its way.
func (d *Center) Fits(k *workload.TaskKind) (capacity, constraints bool) {
	for r, amount := range k.Request {
		if amount > d.Capacity[r] {
			return false, true
		}
	}
	for w := range d.workers {
		if d.Satisfies(int32(w), k.Constraints) {
			return true, true
		}
	}
	return true, false
}
