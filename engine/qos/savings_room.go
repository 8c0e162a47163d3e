package qos

import (
	"cmp"
	"slices"
	"sort"

	"berth/engine/cluster"
)

// rooms proves in O(log n) that a request cannot fit on a host with n instances. The
// schedulers that count operations use it to avoid scanning the instances for each
// waiting request.
type rooms struct {
	*State
	modes   []*ordered // orders of the policy's modes; empty if it has no order
	current *ordered   // order in the current pass; nil: none
	pass    int32
	all     []room // by host, class of the request, and high or low value of the request
}

// room is the space that requests of a class with a high value, or with a low value,
// can obtain on a host. It consists of the free space plus the demand of instances
// that all of them may preempt. Each step adds an instance that only requests with a
// lower value may preempt.
type room struct {
	version int64 // version of the host + 1
	pass    int32 // pass of its computation: values change with time
	free    cluster.Resources
	steps   []step // by descending value, amounts cumulative
}

type step struct {
	value Q
	free  cluster.Resources
}

func newRooms(s *system) *rooms {
	r := &rooms{State: &s.State, all: make([]room, 2*len(s.hosts)*len(s.constants))}
	for p := &s.config.Policy; p != nil && p.Order != nil; p = p.other {
		r.modes = append(r.modes, p.ordered(s.config.Classes))
	}
	return r
}

// begin starts a pass under a policy.
func (r *rooms) begin(policy *Policy) {
	r.pass++
	r.current = nil
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
		r.fill(of, class, high, h)
	}
	if request.asks.Within(&of.free) {
		return true
	}
	n := sort.Search(len(of.steps), func(i int) bool { return of.steps[i].value <= value })
	return n > 0 && request.asks.Within(&of.steps[n-1].free)
}

// fill computes a room in O(n log n).
func (r *rooms) fill(of *room, class int, high bool, h int) {
	host := &r.hosts[h]
	of.free, of.steps = host.Free, of.steps[:0]
	for _, k := range host.instances {
		instance, value := &r.instances[k], r.current.value(r.State, k)
		switch r.rule(class, high, k, value) {
		case Always:
			of.free.Add(&instance.asks)
		case Lower:
			of.steps = append(of.steps, step{value, instance.asks})
		}
	}
	slices.SortFunc(of.steps, func(a, b step) int { return cmp.Compare(b.value, a.value) })
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
