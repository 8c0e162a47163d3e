package placement

import "berth/engine/graph"

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
	s := sequence{order: order, depth: depth, start: make([]int32, len(order)+1)}
	for k := range d.Dependencies().Len() {
		a, b := d.Ends(k)
		s.start[max(depth[a], depth[b])+1]++
	}
	for at := range order {
		s.start[at+1] += s.start[at]
	}
	next := append([]int32(nil), s.start...)
	s.earlier = make([]tie, d.Dependencies().Len())
	for at, job := range order {
		neighbours, dependencies := d.Neighbours(int(job))
		for i, n := range neighbours {
			if later := depth[n]; later > int32(at) {
				s.earlier[next[later]] = tie{job, dependencies[i]}
				next[later]++
			}
		}
	}
	return s
}

// before returns the dependencies of the job at a depth on jobs placed before it.
func (s *sequence) before(depth int) []tie { return s.earlier[s.start[depth]:s.start[depth+1]] }
