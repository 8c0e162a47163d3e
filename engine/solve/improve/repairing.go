package improve

import (
	"cmp"
	"math/bits"
	"slices"
)

// repairing looks for a first placement by walks from several starts: the attempt that was
// given, then parts of the dependency graph on clusters near each other, and any clusters, in
// turn. Most walks are short, for one that is lucky is.
type repairing struct {
	*repair
	next  []int32
	walks uint
	left  int64   // steps of the walk under way
	near  []int32 // by pair of clusters: of a sample of dependencies, how many it refuses
}

// firstWalk is how many steps a walk takes at least, for each job.
const firstWalk = 20

func newRepairing(m *model, start []int32, seed uint64) *repairing {
	x := &repairing{repair: &repair{newState(m, seed)}, next: slices.Clone(start)}
	for j, c := range x.next {
		if c < 0 {
			x.next[j] = m.allowed[j][0]
		}
	}
	return x
}

func (x *repairing) share(s *Search) float64 {
	if s.placed() {
		return 0
	}
	return 64
}

func (x *repairing) run(s *Search, steps int64) int64 {
	before := x.work
	for !s.placed() && x.work-before < steps*stepWork {
		if x.left == 0 {
			x.again()
		}
		x.left--
		if !x.step() {
			x.left = 0
			s.take(x.cluster)
		}
	}
	return (x.work - before) / stepWork
}

func (x *repairing) judge(bool) {}

// again begins the next walk.
func (x *repairing) again() {
	switch {
	case x.walks == 0:
	case x.walks%2 == 1:
		x.partition()
	default:
		for j := range x.next {
			x.next[j] = x.allowed[j][x.random.Below(len(x.allowed[j]))]
		}
	}
	x.walks++
	x.left = firstWalk * int64(x.jobs) * luby(x.walks)
	x.repair.from(x.next)
}

// luby is a number of the sequence 1 1 2 1 1 2 4 (Luby, Sinclair, Zuckerman 1993), from 1.
func luby(i uint) int64 {
	for i&(i+1) != 0 {
		i -= 1<<(bits.Len(i)-1) - 1
	}
	return int64(i+1) / 2
}

// partition puts the jobs that depend on each other, one by one along dependencies, on the
// first of some clusters that has room: those that are near to any one.
func (x *repairing) partition() {
	if x.near == nil {
		x.near = x.model.near()
	}
	load := make([]float64, len(x.room))
	seen := make([]bool, x.jobs)
	order := make([]int32, x.clusters)
	for range x.jobs {
		first := int32(x.random.Below(x.jobs))
		for seen[first] {
			first = (first + 1) % int32(x.jobs)
		}
		jobs := region(x.model, first, x.jobs, x.random.Below)
		centre := x.random.Below(x.clusters)
		for c := range order {
			order[c] = int32(c)
		}
		slices.SortStableFunc(order, func(a, b int32) int {
			return cmp.Compare(x.near[centre*x.clusters+int(a)], x.near[centre*x.clusters+int(b)])
		})
		for _, j := range jobs {
			seen[j] = true
			x.next[j] = x.first(j, order, load)
		}
		if !slices.Contains(seen, false) {
			return
		}
	}
}

// first returns the first cluster that has room for a job, and fills it.
func (x *repairing) first(j int32, order []int32, load []float64) int32 {
	for _, c := range order {
		fits := x.allows(j, c)
		for q, amount := range x.amount {
			at := int(c)*x.resources + q
			fits = fits && load[at]+amount[x.at(j, c)] <= x.room[at]
		}
		if fits {
			for q, amount := range x.amount {
				load[int(c)*x.resources+q] += amount[x.at(j, c)]
			}
			return c
		}
	}
	return x.allowed[j][x.random.Below(len(x.allowed[j]))]
}

// sampled bounds the dependencies that distances are taken from.
const sampled = 64

// near has for each pair of clusters how many of some dependencies it refuses.
func (m *model) near() []int32 {
	all := make([]int32, m.clusters*m.clusters)
	for k := 0; k < len(m.p.Dependencies); k += 1 + len(m.p.Dependencies)/sampled {
		for at := range all {
			all[at] += int32(m.pairs.broken(int32(k), at))
		}
	}
	return all
}
