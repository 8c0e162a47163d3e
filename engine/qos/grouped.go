package qos

import (
	"slices"
	"sort"
)

// grouped makes the same decisions as the literal scheduler for policies that compare the Q of
// whole controllers. Waiting instances of one controller have the same Q and mostly the same
// demand. They wait in one group, in the order in which the scheduler tries them. Once the first of
// a group has failed in a pass, the others are not tried until a decision may have made room. With
// G groups and H hosts a pass takes O(G·(log G + H)), and a decision takes time logarithmic in the
// length of the queue.
type grouped struct {
	saving
	mode   *Policy // policy whose order sorts the groups
	groups map[waitKey]*waitGroup
	list   []*waitGroup
	order  heap[place, *place]
	failed []reference
	parked []*waitGroup // groups with a request that has failed in this pass
}

// waitKey is common to all requests of a group.
type waitKey struct {
	groupKey
	controller int32 // controller whose Q they use; noController if each has its own Q
	fresh      bool
}

const noController = 0

// waitGroup holds waiting requests in the order of the policy. Time does not change the order,
// because Q of all members falls at the same rate.
type waitGroup struct {
	key     waitKey
	members []Ref
	next    int // index of the first member not yet tried in this pass
	level   int // queue level
	rank    Q   // value of the controller at the start of the pass
}

// place is the queue position of the next request of a group.
type place struct {
	entry
	group *waitGroup
}

func (p *place) before(q *place) bool {
	if p.group.level != q.group.level {
		return p.group.level < q.group.level
	}
	return p.entry.before(&q.entry)
}

func newGrouped(s *system) *grouped {
	return &grouped{
		saving: *newSaving(s, Savings{EquivalenceClass: true, Pruning: PruneSafely}),
		groups: map[waitKey]*waitGroup{},
	}
}

func (a *grouped) pass() {
	policy := a.s.config.Policy.at(a.s.waiting())
	a.saving.begin(policy)
	if policy != a.mode {
		a.mode = policy
		for _, g := range a.list {
			slices.SortFunc(g.members, a.s.comparing(policy.Before))
		}
	}
	a.absorb(policy)
	a.begin()
	for len(a.order) > 0 {
		a.tryFirst(policy)
	}
	a.end()
}

// absorb moves the requests that arrived since the last pass into their groups.
func (a *grouped) absorb(policy *Policy) {
	for _, r := range a.queue {
		g := a.groupOf(r)
		at := len(g.members)
		if at > 0 && policy.Before(&a.s.State, r, g.members[at-1]) {
			at = sort.Search(at, func(i int) bool { return policy.Before(&a.s.State, r, g.members[i]) })
		}
		g.members = slices.Insert(g.members, at, r)
	}
	a.queue = a.queue[:0]
}

func (a *grouped) groupOf(r Ref) *waitGroup {
	k := &a.s.instances[r]
	key := waitKey{groupKey: keyOf(k), controller: noController, fresh: k.fresh}
	if a.s.together(r) != nil {
		key.controller = k.controller
	}
	g := a.groups[key]
	if g == nil {
		g = &waitGroup{key: key}
		a.groups[key] = g
		a.list = append(a.list, g)
	}
	return g
}

// begin orders the groups by their first requests.
func (a *grouped) begin() {
	a.order, a.failed, a.parked = a.order[:0], a.failed[:0], a.parked[:0]
	for _, g := range a.list {
		g.next, g.rank = 0, a.mode.value(&a.s.State, g.members[0])
		g.level = a.mode.Order.Class(&a.s.config.Classes[g.key.class]).Level
		a.order = append(a.order, a.place(g))
	}
	a.order.build()
}

func (a *grouped) place(g *waitGroup) place { return place{a.entry(g, g.next), g} }

// entry returns the queue entry of member i of a group, with its value at the start
// of the pass.
func (a *grouped) entry(g *waitGroup, i int) entry {
	r := g.members[i]
	k := &a.s.instances[r]
	e := entry{rank: g.rank, admitted: k.admitted, index: k.index, ref: r}
	switch {
	case !a.mode.Order.ByValue:
		e.rank = 0
	case g.key.controller == noController:
		e.rank = a.mode.value(&a.s.State, r)
	}
	return e
}

// tryFirst tries the first request in the order and advances its group.
func (a *grouped) tryFirst(policy *Policy) {
	tried := a.order[0]
	g := tried.group
	placed, again := a.try(policy, tried.ref, &a.failed)
	if !placed {
		a.order.drop()
		a.parked = append(a.parked, g)
		return
	}
	if g.next == 0 {
		g.members = g.members[1:]
	} else {
		g.members = slices.Delete(g.members, g.next, g.next+1)
	}
	if g.next < len(g.members) {
		a.order[0] = a.place(g)
		a.order.sink(0)
	} else {
		a.order.drop()
	}
	if again {
		a.retry(&tried)
	}
}

// retry returns the parked groups to the order. Each continues with its first request that comes
// after the given place.
func (a *grouped) retry(after *place) {
	for _, g := range a.parked {
		g.next += sort.Search(len(g.members)-g.next, func(i int) bool {
			p := place{a.entry(g, g.next+i), g}
			return after.before(&p)
		})
		if g.next < len(g.members) {
			a.order.push(a.place(g))
		}
	}
	a.parked = a.parked[:0]
}

// end removes empty groups and groups of fresh requests. Fresh requests return to queue, because
// they are no longer fresh in the next pass and join other groups.
func (a *grouped) end() {
	a.list = slices.DeleteFunc(a.list, func(g *waitGroup) bool {
		if len(g.members) > 0 && !g.key.fresh {
			return false
		}
		a.queue = append(a.queue, g.members...)
		delete(a.groups, g.key)
		return true
	})
}
