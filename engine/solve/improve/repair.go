package improve

import (
	"math"
	"math/bits"
)

// repairing searches for a first placement at any cost. It repairs the given attempt, then random
// ones. Most tries are short, because successful tries usually are.
type repairing struct {
	*state
	next  []int32
	tries uint
	left  int64 // steps of the current try
}

// repairSteps is the smallest number of steps per job before a try is abandoned.
const repairSteps = 20

func (x *repairing) share(s *Search) int64 {
	if s.placed() {
		return 0
	}
	return turn(x.jobs)
}

func (x *repairing) run(s *Search, steps int64) int64 {
	before := x.work
	for !s.placed() && x.work-before < steps*stepWork {
		if x.left == 0 {
			x.again()
		}
		x.left--
		if !x.mend() {
			x.left = 0
			s.take(x.cluster)
		}
	}
	return (x.work - before) / stepWork
}

// again starts the next try. Every try after the first starts from random clusters.
func (x *repairing) again() {
	if x.tries++; x.tries > 1 {
		for j, all := range x.allowed {
			x.next[j] = all[x.random.below(len(all))]
		}
	}
	x.left = repairSteps * int64(x.jobs) * luby(x.tries)
	x.repair(x.next)
}

// luby returns element i ≥ 1 of the sequence 1 1 2 1 1 2 4 … (Luby, Sinclair, Zuckerman 1993).
func luby(i uint) int64 {
	for i&(i+1) != 0 {
		i -= 1<<(bits.Len(i)-1) - 1
	}
	return int64(i+1) / 2
}

// repair starts repairing an attempt with the min-conflicts heuristic (Minton, Johnston, Philips,
// Laird 1992): each step takes a violated constraint and makes the move of its jobs that minimizes
// the total weight of violated constraints. If no move lowers this total, all violated constraints
// gain weight (Morris 1993). A job does not return to a cluster for some steps.
func (s *state) repair(attempt []int32) {
	s.begin(attempt)
	s.worth, s.pair = 0, 1
	fill(s.price, 1)
	clear(s.slack)
	fill(s.toll, 1)
}

// mend makes one step of a repair. It returns false if no constraint is violated.
func (s *state) mend() bool {
	s.seek(math.Inf(1), 0)
	if !s.offers() {
		return false
	}
	x := s.found
	if x.j < 0 {
		return true
	}
	if s.most >= 0 {
		s.raise()
	}
	s.bar(x.j)
	if x.k >= 0 {
		s.bar(x.k)
	}
	s.apply(x)
	return true
}

// bar prevents a job from returning to its current cluster for some steps.
func (s *state) bar(j int32) {
	s.barred[s.at(j, s.cluster[j])] = s.now + 5 + int64(s.random.below(10))
}

// offers proposes moves for a random violated constraint. It returns false if none is violated.
func (s *state) offers() bool {
	var exceeded counter
	n := 0
	for _, c := range s.counters {
		if c.excess() > 0 {
			if n++; s.random.below(n) == 0 {
				exceeded = c
			}
		}
	}
	n += len(s.broken.all) + len(s.full.all)
	if n == 0 {
		return false
	}
	switch x := s.random.below(n); {
	case x < len(s.broken.all):
		d := s.p.Dependencies[s.broken.all[x]]
		s.around(d.A)
		s.around(d.B)
	case x < len(s.broken.all)+len(s.full.all):
		jobs := s.member[s.full.all[x-len(s.broken.all)]/int32(s.resources)]
		for _, j := range jobs {
			s.alone(j)
		}
		s.around(jobs[s.random.below(len(jobs))])
	default:
		const some = 4
		jobs := exceeded.counts()
		for range some {
			s.around(jobs[s.random.below(len(jobs))])
		}
	}
	return true
}

// around proposes the moves of a job, alone and with others.
func (s *state) around(j int32) {
	s.alone(j)
	s.swaps(j)
	if lo, hi := s.start[j], s.start[j+1]; lo < hi {
		s.together(j, s.neighbour[lo+int32(s.random.below(int(hi-lo)))])
	}
}

// raise increases the weights of all violated constraints.
func (s *state) raise() {
	for _, k := range s.broken.all {
		d := s.p.Dependencies[k]
		s.pairs.add(nil, s.conflict[int(d.A)*s.clusters:][:s.clusters], k, s.cluster[d.B], 0, 1)
		s.pairs.add(nil, s.conflict[int(d.B)*s.clusters:][:s.clusters], k, s.cluster[d.A], 0, 1)
		s.weight[k]++
	}
	for _, at := range s.full.all {
		s.price[at]++
	}
	for i, c := range s.counters {
		if c.excess() > 0 {
			s.toll[i]++
		}
	}
	s.work += 2 * int64(len(s.broken.all)*s.clusters)
}
