package kube

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// preemption is a node with the pods to preempt there.
type preemption struct {
	node       int
	victims    []*Pod // most important first
	violations int    // number of victims whose eviction violates a budget
}

// Preempt makes room for a pod that no node accepts, by evicting pods of lower priority from one
// node. It chooses the node like kube-scheduler: fewest violated budgets, then least important
// victims, then fewest victims. If no node can make room, it returns d, the decision so far.
func (s *ClusterState) Preempt(p *Pod, d Decision, budgets []*Budget) Decision {
	var best *preemption
	ties := 0
	for n := range s.Nodes {
		c := s.victims(p, n, budgets)
		switch {
		case c == nil:
		case best == nil || c.compare(best) < 0:
			best, ties = c, 1
		case c.compare(best) == 0:
			ties++
		}
	}
	if best == nil {
		s.promised[p.Promised] = slices.DeleteFunc(s.promised[p.Promised], func(q *Pod) bool { return q == p }) // the promise does not help it
		return d
	}
	on := s.Nodes[best.node].Name
	s.promised[on] = slices.DeleteFunc(s.promised[on], func(q *Pod) bool { return q.Priority < p.Priority })
	for _, v := range best.victims {
		s.Take(v)
	}
	s.Put(p, best.node)
	return Decision{Pod: p, Node: best.node, Victims: best.victims, Ties: ties}
}

// compare orders candidates, best first, by the criteria of kube-scheduler's
// pickOneNodeForPreemption.
func (c *preemption) compare(o *preemption) int {
	sum := func(pods []*Pod) (all int64) {
		for _, p := range pods {
			all += int64(p.Priority) + 1<<31
		}
		return all
	}
	return cmp.Or(
		cmp.Compare(c.violations, o.violations),
		cmp.Compare(c.victims[0].Priority, o.victims[0].Priority),
		cmp.Compare(sum(c.victims), sum(o.victims)),
		cmp.Compare(len(c.victims), len(o.victims)),
		cmp.Compare(o.victims[0].Started, c.victims[0].Started), // the earliest start among the victims of the highest priority
	)
}

// victims returns the pods that must leave a node for p to fit, or nil if p would still not fit. It
// reprieves as many pods as possible, first those protected by budgets, then the others, each by
// descending importance.
func (s *ClusterState) victims(p *Pod, n int, budgets []*Budget) *preemption {
	var lower []*Pod
	for _, v := range s.pods[n] {
		if v.Priority < p.Priority {
			lower = append(lower, v)
		}
	}
	if len(lower) == 0 || !s.resolvable(p, n) {
		return nil
	}
	c := s.class(p.Shape)
	if !s.skipsAffinity(c) {
		s.heeds = p
		defer func() { s.heeds = nil }()
	}
	for _, v := range lower {
		s.with(c, v, n, -1)
	}
	out := &preemption{node: n}
	if !s.Fits(p, n) {
		for _, v := range lower {
			s.with(c, v, n, 1)
		}
		return nil
	}
	byImportance(lower)
	violating, others := split(lower, budgets)
	for i, v := range slices.Concat(violating, others) {
		s.with(c, v, n, 1)
		if !s.Fits(p, n) {
			s.with(c, v, n, -1)
			out.victims = append(out.victims, v)
			if i < len(violating) {
				out.violations++
			}
		}
	}
	for _, v := range out.victims {
		s.with(c, v, n, 1)
	}
	if len(violating) > 0 && len(others) > 0 {
		byImportance(out.victims)
	}
	return out
}

// byImportance sorts pods, most important first: by higher priority, then by longer time on the
// node. kube-scheduler takes the current time as the start of a pod that has not started, and reads
// the clock again for each comparison, so the first of two such pods always counts as earlier.
// Their order therefore depends on the sorting algorithm.
func byImportance(pods []*Pod) {
	sort.Slice(pods, func(i, j int) bool {
		a, b := pods[i], pods[j]
		if a.Priority != b.Priority {
			return a.Priority > b.Priority
		}
		return a.Started < b.Started || a.Started == NotStarted && b.Started == NotStarted
	})
}

// NotStarted is the value of [Pod.Started] for a pod that has not started.
const NotStarted = math.MaxInt64

// split separates the pods whose eviction violates a budget, preserving the order. Unlike the API,
// the scheduler treats a budget with an empty selector as covering no pods.
func split(pods []*Pod, budgets []*Budget) (violating, others []*Pod) {
	left := make([]int, len(budgets))
	for i, b := range budgets {
		left[i] = b.Allowed
	}
	for _, p := range pods {
		broken := false
		for i, b := range budgets {
			if len(b.Selector) > 0 && b.Covers(p) {
				left[i]--
				broken = broken || left[i] < 0
			}
		}
		if broken {
			violating = append(violating, p)
		} else {
			others = append(others, p)
		}
	}
	return violating, others
}
