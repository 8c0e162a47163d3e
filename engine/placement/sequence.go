package placement

import (
	"cmp"
	"slices"

	"berth/engine/graph"
)

// sequence is an order of the jobs, with the neighbours of each job that come before it.
type sequence struct {
	order   []int32
	depth   []int32 // by job: its position in order
	start   []int32 // by depth: first index into earlier
	earlier []tie
}

// tie is a dependency of a job and the job at its other end.
type tie struct{ job, dependency int32 }

// newSequence lists each job's earlier neighbours in placement order, because a cost row adds up in
// that order.
func newSequence(d *graph.Deployment, order []int32) sequence {
	depth := make([]int32, len(order))
	for at, job := range order {
		depth[job] = int32(at)
	}
	s := sequence{order: order, depth: depth, start: make([]int32, 0, len(order)+1), earlier: make([]tie, 0, d.Dependencies().Len())}
	for at, job := range order {
		s.start = append(s.start, int32(len(s.earlier)))
		neighbours, dependencies := d.Neighbours(int(job))
		for i, n := range neighbours {
			if depth[n] < int32(at) {
				s.earlier = append(s.earlier, tie{n, dependencies[i]})
			}
		}
		slices.SortFunc(s.earlier[s.start[at]:], func(a, b tie) int { return cmp.Compare(depth[a.job], depth[b.job]) })
	}
	s.start = append(s.start, int32(len(s.earlier)))
	return s
}

// before returns the dependencies of the job at a depth on jobs placed before it.
func (s *sequence) before(depth int) []tie { return s.earlier[s.start[depth]:s.start[depth+1]] }
