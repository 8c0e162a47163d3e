package kube

import (
	"cmp"
	"slices"
)

// Queue orders pods like the scheduling queue: by descending priority, then oldest
// first, otherwise stable.
func Queue(pods []*Pod) []*Pod {
	pods = slices.Clone(pods)
	slices.SortStableFunc(pods, func(a, b *Pod) int {
		return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(a.Created, b.Created))
	})
	return pods
}

// Run schedules pods in the order of the queue, with preemption. Preempted pods
// return to the queue if a controller recreates them. Pending pods are retried after
// changes that may help them. It returns the last decision about each pod, in the
// order of these decisions.
func (s *ClusterState) Run(pods []*Pod, budgets []*Budget) []Decision {
	r := &run{ClusterState: s, budgets: budgets, at: map[*Pod]int{}}
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
	*ClusterState
	budgets   []*Budget
	decisions []Decision
	at        map[*Pod]int // index in decisions by pod
	waiting   []*Pod       // pods that stayed pending
	moved     bool         // pods were placed since the first pod stayed pending
	left      bool         // pods were preempted
}

// again returns the pending pods to retry. If a preemption freed resources, these are all pending
// pods; otherwise only pods whose affinity or spread constraints may now hold.
func (r *run) again() []*Pod {
	if !r.moved {
		return nil
	}
	if r.left {
		return r.waiting
	}
	return slices.DeleteFunc(r.waiting, func(p *Pod) bool { return len(p.Shape.With)+len(p.Shape.Spread) == 0 })
}

// decide schedules a pod and returns the preempted pods that their controllers
// recreate.
func (r *run) decide(p *Pod) (back []*Pod) {
	d := r.Schedule(p)
	if d.Node < 0 && len(p.Gates) == 0 && p.Beyond == "" && !p.Polite && !r.yields(p) {
		d = r.Preempt(p, d, r.budgets)
	}
	for _, v := range d.Victims {
		if i, decided := r.at[v]; !v.bare() {
			back = append(back, v)
		} else if decided {
			r.decisions[i] = Decision{Pod: v, Node: -1, Words: "preempted by " + p.Name}
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
	Selector        Selector
	Allowed         int  // number of disruptions that it allows now
	Spares          bool // unready pods can be evicted without counting as disruptions
	Rigid           bool // it allows no disruptions, regardless of the number of running pods
}

// Covers reports whether the budget selects a pod.
func (b *Budget) Covers(p *Pod) bool {
	return b.Namespace == p.Shape.Namespace && b.Selector.Matches(p.Shape.Labels)
}

// guards reports whether evicting a pod counts as a disruption to the budget, by the
// rules of the API.
func (b *Budget) guards(p *Pod) bool {
	return b.Covers(p) && !p.Starting && !(p.Unready && b.Spares)
}
