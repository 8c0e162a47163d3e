package qos

import "slices"

// mark marks the failed groups for which the loss of these victims can make room, and
// reports whether it marked any.
func (f *fast) mark(victims []Victim) bool {
	any := false
	for _, g := range f.unschedulable {
		g.marked = !g.empty() && f.outOfReach(g, victims)
		if g.marked {
			any = true
		}
	}
	return any
}

// outOfReach reports whether the first request of a group may not preempt one of the
// victims, or was excluded by its anti-affinity to one of them.
func (f *fast) outOfReach(g *group, victims []Victim) bool {
	j := g.head().ref
	for i := range victims {
		k := victims[i].Ref
		if !f.MayPreempt(&f.State, j, k) || g.key.apart && f.instances[k].job == g.key.job {
			return true
		}
	}
	return false
}

// resume returns the marked groups whose next request now fits on host h to the
// order. It passes over requests whose turn was before the served one, of group by.
func (f *fast) resume(h int, by *group, served *entry) {
	for _, g := range f.unschedulable {
		if !g.marked {
			continue
		}
		for !g.empty() && g.goesFirst(g.head(), by, served) {
			g.passed = append(g.passed, g.pop())
		}
		if g.empty() {
			continue
		}
		j := f.preemptorOf(g.head().ref)
		if _, from := f.dryRun(h, &j); from <= f.now {
			g.unschedulable = false
			f.order.push(turn{g})
		}
	}
	f.unschedulable = slices.DeleteFunc(f.unschedulable, func(g *group) bool { return !g.unschedulable })
}
