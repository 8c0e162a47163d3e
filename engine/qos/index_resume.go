package qos

import "slices"

// outOfReach returns the failed groups that may gain room when these victims leave: their first
// request may not preempt one of the victims, or anti-affinity to one of them excluded it. The
// slice is valid until the next call.
func (f *fast) outOfReach(victims []Victim) []*group {
	f.again = f.again[:0]
	if len(victims) == 0 {
		return nil
	}
	for _, g := range f.unschedulable {
		if !g.empty() && slices.ContainsFunc(victims, func(v Victim) bool {
			return !f.MayPreempt(&f.s.State, g.head().ref, v.Ref) || g.key.apart && f.s.instances[v.Ref].job == g.key.job
		}) {
			f.again = append(f.again, g)
		}
	}
	return f.again
}

// resume puts a given group back into the order if its next request now fits on host h. It skips
// requests that precede served, a request of group by, because their turn in this pass is over.
func (f *fast) resume(again []*group, h int, by *group, served *entry) {
	for _, g := range again {
		for !g.empty() && g.goesFirst(g.head(), by, served) {
			g.passed = append(g.passed, g.pop())
		}
		if g.empty() {
			continue
		}
		j := f.preemptorOf(g.head().ref)
		if _, from := f.dryRun(h, &j); from <= f.s.now {
			g.unschedulable = false
			f.order.push(turn{g})
		}
	}
	if len(again) > 0 {
		f.unschedulable = slices.DeleteFunc(f.unschedulable, func(g *group) bool { return !g.unschedulable })
	}
}
