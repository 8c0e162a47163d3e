package qos

import (
	"cmp"
	"slices"
	"sort"

	"berth/engine/cluster"
)

// rooms proves in O(log n) that a request cannot fit on a host with n instances, so that the
// schedulers that count operations need not scan the instances for each waiting request.
type rooms struct {
	*State
	modes   []*ordered // orders of the policy's modes; empty if it has no order
	policy  *Policy
	current *ordered // order in the current pass; nil: none
	pass    int32
	all     []room      // by host, class of the request, and high or low value of the request
	on      []occupants // by host
}

// occupants are the instances of a host, by descending value.
type occupants struct {
	version int64 // version of the host, plus 1 so that 0 is never current
	pass    int32
	all     []occupant
	inOrder []Ref // in the order of preemption; empty until needed
}

type occupant struct {
	ref   Ref
	value Q
}

// room is the space that requests of a class with a high value, or with a low value,
// can obtain on a host. It consists of the free space plus the demand of instances
// that all of them may preempt. Each step adds an instance that only requests with a
// lower value may preempt.
type room struct {
	version int64 // version of the host, plus 1 so that 0 is never current
	pass    int32 // pass of its computation, because values change with time
	free    cluster.Resources
	steps   []step // by descending value, amounts cumulative
}

type step struct {
	value Q
	free  cluster.Resources
}

func newRooms(s *system) *rooms {
	r := &rooms{State: &s.State, all: make([]room, 2*len(s.hosts)*len(s.constants)), on: make([]occupants, len(s.hosts))}
	for p := &s.config.Policy; p != nil && p.Order != nil; p = p.other {
		r.modes = append(r.modes, p.ordered(s.config.Classes))
	}
	return r
}

// begin starts a pass under a policy.
func (r *rooms) begin(policy *Policy) {
	r.pass++
	r.policy, r.current = policy, nil
	if i := slices.IndexFunc(r.modes, func(o *ordered) bool { return o.Policy == policy }); i >= 0 {
		r.current = r.modes[i]
	}
}

// mayFit reports whether host h could fit j by its amounts if j preempted every
// instance that it may preempt; true under a policy without an order. version is the
// host's current version.
func (r *rooms) mayFit(j Ref, value Q, h int, version int64) bool {
	request := &r.instances[j]
	if r.current == nil || r.hosts[h].Fits(&request.asks) {
		return true
	}
	class := int(request.class)
	place := 2 * (h*len(r.constants) + class)
	high := value >= r.current.classes[class].Mark
	if high {
		place++
	}
	of := &r.all[place]
	if of.pass != r.pass || of.version != version+1 {
		of.pass, of.version = r.pass, version+1
		r.fill(of, class, high, h, version)
	}
	if request.asks.Within(&of.free) {
		return true
	}
	if all := len(of.steps); all == 0 || !request.asks.Within(&of.steps[all-1].free) {
		return false
	}
	n := sort.Search(len(of.steps), func(i int) bool { return of.steps[i].value <= value })
	return n > 0 && request.asks.Within(&of.steps[n-1].free)
}

// occupants returns the instances of host h.
func (r *rooms) occupants(h int, version int64) *occupants {
	of := &r.on[h]
	if of.pass != r.pass || of.version != version+1 {
		of.pass, of.version, of.all, of.inOrder = r.pass, version+1, of.all[:0], of.inOrder[:0]
		for _, k := range r.hosts[h].instances {
			of.all = append(of.all, occupant{k, r.policy.value(r.State, k)})
		}
		slices.SortFunc(of.all, func(a, b occupant) int { return cmp.Compare(b.value, a.value) })
	}
	return of
}

// inOrder returns the instances of host h in the order of preemption.
func (r *rooms) inOrder(h int, version int64) []Ref {
	of := r.occupants(h, version)
	if len(of.inOrder) == 0 {
		for i := range of.all {
			of.inOrder = append(of.inOrder, of.all[i].ref)
		}
		slices.SortFunc(of.inOrder, r.comparing(r.policy.VictimBefore))
	}
	return of.inOrder
}

// fill computes a room in O(n). The first room of a host in a pass also sorts the instances of the
// host.
func (r *rooms) fill(of *room, class int, high bool, h int, version int64) {
	of.free, of.steps = r.hosts[h].Free, of.steps[:0]
	for _, o := range r.occupants(h, version).all {
		instance := &r.instances[o.ref]
		switch r.rule(class, high, o.ref, o.value) {
		case Always:
			of.free.Add(&instance.asks)
		case Lower:
			of.steps = append(of.steps, step{o.value, instance.asks})
		}
	}
	free := of.free
	for i := range of.steps {
		free.Add(&of.steps[i].free)
		of.steps[i].free = free
	}
}

// rule returns the condition under which requests of a class, with a high or a low
// value, may preempt k.
func (r *rooms) rule(class int, high bool, k Ref, value Q) Permission {
	of := int(r.instances[k].class)
	against, rule := &r.current.against[class][of], Never
	switch {
	case value >= r.current.classes[of].Mark:
		rule = against.High
	case !against.Below || !high:
		rule = against.Low
	}
	if rule != Never && r.current.Order.Protects && r.constants[class].importance >= r.constants[of].importance && r.Protected(k) {
		return Never
	}
	return rule
}
