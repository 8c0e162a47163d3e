package replay

import (
	"cmp"
	"slices"
)

// candidate is a node with the pods that would have to leave it.
type candidate struct {
	node       int
	victims    []*Pod // the most important first
	violations int    // of budgets
}

// Preempt makes room for a pod that no node takes, by evicting pods of lower priority
// from the node where kube-scheduler would: it violates the fewest budgets, then has the
// least important victims, then the fewest. d is the decision so far.
func (s *State) Preempt(p *Pod, d Decision, budgets []*Budget) Decision {
	var best *candidate
	for n := range s.Nodes {
		if c := s.victims(p, n, budgets); c != nil && (best == nil || c.compare(best) < 0) {
			best = c
		}
	}
	if best == nil {
		return d
	}
	for _, v := range best.victims {
		s.Take(v)
	}
	s.Put(p, best.node)
	return Decision{Pod: p, Node: best.node, Victims: best.victims, Ties: 1}
}

// compare orders candidates as pickOneNodeForPreemption does, the better first.
func (c *candidate) compare(o *candidate) int {
	sum := func(pods []*Pod) (all int64) {
		for _, p := range pods {
			all += int64(p.Priority) + 1<<31
		}
		return all
	}
	earliest := func(pods []*Pod) int64 {
		first := pods[0].Created
		for _, p := range pods {
			if p.Priority == pods[0].Priority {
				first = min(first, p.Created)
			}
		}
		return first
	}
	return cmp.Or(
		cmp.Compare(c.violations, o.violations),
		cmp.Compare(c.victims[0].Priority, o.victims[0].Priority),
		cmp.Compare(sum(c.victims), sum(o.victims)),
		cmp.Compare(len(c.victims), len(o.victims)),
		cmp.Compare(earliest(o.victims), earliest(c.victims)),
	)
}

// victims returns the pods that would have to leave a node for another to fit, nil if that
// does not help. As many stay as can, the most important and those that budgets protect
// first.
func (s *State) victims(p *Pod, n int, budgets []*Budget) *candidate {
	c := s.class(p.Shape)
	if f := &c.asked.fixed[n]; c.barred != "" || f.why != "" || f.volumes != "" {
		return nil
	}
	fits := func() bool { return s.reasons(c, n, leasts(c.asked)) == nil }
	var lower []*Pod
	for _, v := range s.pods[n] {
		if v.Priority < p.Priority {
			lower = append(lower, v)
		}
	}
	if len(lower) == 0 || c.asked.alone(n) {
		return nil
	}
	for _, v := range lower {
		s.Take(v)
	}
	out := &candidate{node: n}
	if !fits() {
		for _, v := range lower {
			s.Put(v, n)
		}
		return nil
	}
	slices.SortStableFunc(lower, moreImportant)
	violating, others := split(lower, budgets)
	for i, v := range slices.Concat(violating, others) {
		s.Put(v, n)
		if !fits() {
			s.Take(v)
			out.victims = append(out.victims, v)
			if i < len(violating) {
				out.violations++
			}
		}
	}
	for _, v := range out.victims {
		s.Put(v, n)
	}
	slices.SortStableFunc(out.victims, moreImportant)
	return out
}

func moreImportant(a, b *Pod) int {
	return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(a.Created, b.Created))
}

// split divides pods into those whose eviction breaks a budget and the others, each in
// the order they come in. To the scheduler a budget with an empty selector covers no pod,
// although to the API it covers all.
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
