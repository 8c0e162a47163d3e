package replay

import (
	"slices"

	"berth/engine/packing"
)

// Queue orders pods as the scheduler takes them: by priority, those of one priority by
// their age, and else as they were given.
func Queue(pods []*Pod) []*Pod {
	pods = slices.Clone(pods)
	slices.SortStableFunc(pods, moreImportant)
	return pods
}

// Run schedules pods in the order of the queue, with preemption. Pods that were preempted
// come again if a controller recreates them, and pods that are pending are tried again when
// others came or went that may help. The decisions are in the order in which they fell,
// the last for each pod.
func (s *State) Run(pods []*Pod, budgets []*Budget) []Decision {
	r := &run{State: s, budgets: budgets, at: map[*Pod]int{}}
	for queue := Queue(pods); len(queue) > 0; queue = r.again() {
		r.moved, r.left, r.waiting = false, false, nil
		for len(queue) > 0 {
			p := queue[0]
			queue = queue[1:]
			if back := r.decide(p); len(back) > 0 {
				queue = Queue(append(queue, back...))
			}
		}
	}
	return slices.DeleteFunc(r.decisions, func(d Decision) bool { return d.Pod == nil })
}

type run struct {
	*State
	budgets   []*Budget
	decisions []Decision
	at        map[*Pod]int
	waiting   []*Pod
	moved     bool // pods came since the first that waits
	left      bool // pods were preempted
}

// again returns the pods that are tried once more.
func (r *run) again() []*Pod {
	if !r.moved {
		return nil
	}
	if r.left {
		return r.waiting
	}
	return slices.DeleteFunc(r.waiting, func(p *Pod) bool { return len(p.Shape.With)+len(p.Shape.Spread) == 0 })
}

// decide schedules a pod, and returns those that come again for it.
func (r *run) decide(p *Pod) (back []*Pod) {
	d := r.Schedule(p)
	if d.Node < 0 && len(p.Gates) == 0 && !p.Polite {
		d = r.Preempt(p, d, r.budgets)
	}
	for _, v := range d.Victims {
		if v.Owner.Kind != "Pod" && v.Owner.Kind != "" {
			back = append(back, v)
		}
	}
	switch {
	case d.Node >= 0:
		r.moved = r.moved || len(r.waiting) > 0
		r.left = r.left || len(d.Victims) > 0
	case len(p.Gates) == 0:
		r.waiting = append(r.waiting, p)
	}
	if i, known := r.at[p]; known {
		r.decisions[i].Pod = nil
	}
	r.at[p] = len(r.decisions)
	r.decisions = append(r.decisions, d)
	return back
}

// Budget is a PodDisruptionBudget.
type Budget struct {
	Name, Namespace string
	Selector        packing.Selector
	Allowed         int  // disruptions that it allows now
	Spares          bool // pods that are not ready leave without counting, as enough others are, or as its policy says
}

// Covers says whether a budget is about a pod.
func (b *Budget) Covers(p *Pod) bool {
	return b.Namespace == p.Shape.Namespace && b.Selector.Matches(p.Shape.Labels)
}

// guards says whether the eviction of a pod counts as a disruption, as the API decides it.
func (b *Budget) guards(p *Pod) bool {
	return b.Covers(p) && !p.Starting && !(p.Unready && b.Spares)
}
