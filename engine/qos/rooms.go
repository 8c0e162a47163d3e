package qos

import (
	"math"
	"math/bits"
	"slices"
	"sort"

	"berth/engine/cluster"
	"berth/engine/sim"
)

// rooms knows for each host what requests can obtain there by preemption, so that schedulers need not
// scan its instances for each waiting request. It takes O(hosts · classes) for each pass.
type rooms struct {
	*State
	modes   []*ordered // orders of the policy's modes; empty if it has no order
	policy  *Policy
	current *ordered    // order in the current pass; nil: none
	gained  []Q         // by class: the part of the value that time has added since time 0 on a host
	marks   []Q         // by class: the lowest base with a high value
	all     []room      // by class and value (low, high) of the request, then by host
	on      []occupants // by host
	beyond  []uint64    // the bits of no host
	order   order       // scratch memory
}

// room is the space that requests of a class with a value from from to below below can obtain on a
// host: the free space and the demand of all instances that they may preempt.
type room struct {
	free        cluster.Resources
	from, below Q // from is math.MaxInt64 after a change
}

// occupants are the instances of a host.
type occupants struct {
	all    []occupant
	known  bool // bases and ties are up to date
	sorted bool // in the order of preemption in the current pass
}

// occupant has the data of an instance that decide about its preemption, in one cache line.
type occupant struct {
	asks  cluster.Resources
	base  Q                // value without the part that time adds
	until sim.Milliseconds // protected before this time
	tie   int64
	index uint32
	ref   Ref
	token int16
	class uint8
	fresh bool // base and ties are unknown
}

func newRooms(s *system) *rooms {
	pairs := 2 * len(s.constants)
	r := &rooms{
		State: &s.State, gained: make([]Q, len(s.constants)), marks: make([]Q, len(s.constants)), on: make([]occupants, len(s.hosts)),
		all: make([]room, pairs*len(s.hosts)),
	}
	r.order.rooms, r.beyond = r, newBits(len(s.hosts))
	if n := len(s.hosts) % 64; n > 0 {
		r.beyond[len(r.beyond)-1] = ^uint64(0) << n
	}
	for p := &s.config.Policy; p != nil && p.Order != nil; p = p.other {
		r.modes = append(r.modes, p.ordered(s.config.Classes))
	}
	return r
}

// begin starts a pass under a policy.
func (r *rooms) begin(policy *Policy) {
	if policy != r.policy {
		r.policy, r.current = policy, nil
		if i := slices.IndexFunc(r.modes, func(o *ordered) bool { return o.Policy == policy }); i >= 0 {
			r.current = r.modes[i]
		}
		for h := range r.on {
			for i := range r.on[h].all {
				r.on[h].all[i].fresh = true
			}
		}
	}
	for c := range r.gained {
		if r.current != nil {
			r.gained[c] = r.current.classes[c].runs * Q(r.now)
			r.marks[c] = r.current.classes[c].Mark - r.gained[c]
		}
	}
	for h := range r.on {
		r.changed(h)
	}
}

// changed forgets what is known about host h, except its instances.
func (r *rooms) changed(h int) {
	r.on[h].known, r.on[h].sorted = false, false
	for i := h; i < len(r.all); i += len(r.on) {
		r.all[i].from = math.MaxInt64
	}
}

// started and stopped add an instance to a host and remove it.
func (r *rooms) started(k Ref, h int) {
	i := &r.instances[k]
	r.on[h].all = append(r.on[h].all, occupant{asks: i.asks, until: r.protectedUntil(i), ref: k, token: i.token, class: i.class, fresh: true})
}

func (r *rooms) stopped(k Ref, h int) {
	all := r.on[h].all
	i := slices.IndexFunc(all, func(o occupant) bool { return o.ref == k })
	r.on[h].all = slices.Delete(all, i, i+1)
}

// possible adds to found the hosts outside of a set that are up, meet the constraints of j and, as
// far as amounts can prove, have room for it after preemptions. Sets of hosts are bitmaps.
func (r *rooms) possible(j Ref, value Q, outside, found []uint64) {
	request := &r.instances[j]
	first := 2 * int(request.class) * len(r.on)
	if r.current != nil && value >= r.current.classes[request.class].Mark {
		first += len(r.on)
	}
	rooms := r.all[first:][:len(r.on)]
	for i := range found {
		for left := ^outside[i]; left != 0; left &= left - 1 {
			h := i*64 + bits.TrailingZeros64(left)
			of := &rooms[h]
			if value < of.from || value >= of.below {
				r.update(first+h, value)
			}
			if request.asks.Within(&of.free) && r.meetsConstraints(request, h) {
				found[i] |= left & -left
			}
		}
	}
}

// update computes room i for requests with a value. Without an order it is the whole host.
func (r *rooms) update(i int, value Q) {
	h, pair := i%len(r.on), i/len(r.on)
	of := room{r.hosts[h].Free, math.MinInt64, math.MaxInt64}
	switch {
	case !r.hosts[h].up:
		of.free.CPU = -1
	case r.current == nil:
		of.free = r.hosts[h].All
	default:
		all := r.occupants(h)
		for i := range all {
			switch rule, than := r.rule(pair/2, pair%2 == 1, &all[i]); {
			case rule == Always:
				of.free.Add(&all[i].asks)
			case rule == Lower && than > value:
				of.free.Add(&all[i].asks)
				of.below = min(of.below, than)
			case rule == Lower:
				of.from = max(of.from, than)
			}
		}
	}
	r.all[i] = of
}

// occupants returns the instances of host h. Controllers measured as a whole change the values of
// their instances at any time.
func (r *rooms) occupants(h int) []occupant {
	of := &r.on[h]
	for i := 0; !of.known && i < len(of.all); i++ {
		if o := &of.all[i]; o.fresh || len(r.controllers) > 0 {
			k := &r.instances[o.ref]
			o.base, o.fresh = r.policy.value(r.State, o.ref)-r.gained[o.class], k.fresh
			if r.current != nil {
				o.tie, o.index = r.current.Order.Ties.of(k)
			}
		}
	}
	of.known = true
	return of.all
}

// sorted returns the instances of host h in the order of preemption.
func (r *rooms) sorted(h int) []occupant {
	r.order.all = r.occupants(h)
	if !r.on[h].sorted {
		r.on[h].sorted = true
		sort.Sort(&r.order)
	}
	return r.order.all
}

// valueOf returns the value of an instance in the current pass, and under an order, whether it is
// high.
func (r *rooms) valueOf(o *occupant) (value Q, high bool) {
	return o.base + r.gained[o.class], o.base >= r.marks[o.class]
}

// order sorts instances in the order of preemption.
type order struct {
	*rooms
	all []occupant
}

func (o *order) Len() int      { return len(o.all) }
func (o *order) Swap(i, j int) { o.all[i], o.all[j] = o.all[j], o.all[i] }

// Less compares by the policy itself if controllers exist: its numbers leave out which of their
// instances are idle.
func (o *order) Less(i, j int) bool {
	a, b := &o.all[i], &o.all[j]
	if o.current == nil || len(o.controllers) > 0 {
		return o.policy.VictimBefore(o.State, a.ref, b.ref)
	}
	x, xHigh := o.valueOf(a)
	y, yHigh := o.valueOf(b)
	xPlace, yPlace := o.current.classes[a.class].place(xHigh), o.current.classes[b.class].place(yHigh)
	switch {
	case xPlace != yPlace:
		return xPlace < yPlace
	case x != y:
		return x > y
	case a.tie != b.tie:
		return a.tie < b.tie
	}
	return a.index < b.index
}

// mayPreempt reports whether request j with a value may preempt an instance.
func (r *rooms) mayPreempt(j Ref, value Q, o *occupant) bool {
	if r.current == nil {
		return r.policy.MayPreempt(r.State, j, o.ref)
	}
	class := r.instances[j].class
	rule, of := r.rule(int(class), value >= r.current.classes[class].Mark, o)
	return rule == Always || rule == Lower && value < of
}

// victim returns an instance as a victim.
func (r *rooms) victim(k *occupant) Victim {
	q, _ := r.valueOf(k)
	if r.current == nil || !r.current.Order.ByQ {
		q = r.Q(k.ref)
	}
	return Victim{k.ref, q, r.constants[k.class].margin, r.constants[k.class].importance}
}

// rule returns the condition under which requests of a class, with a high or a low value, may
// preempt an instance, and its value.
func (r *rooms) rule(class int, high bool, o *occupant) (rule Permission, value Q) {
	against := &r.current.against[class][o.class]
	value, isHigh := r.valueOf(o)
	switch {
	case isHigh:
		rule = against.High
	case !against.Below || !high:
		rule = against.Low
	}
	if rule != Never && r.current.Order.Protects && r.now < o.until && r.constants[class].importance >= r.constants[o.class].importance {
		rule = Never
	}
	return rule, value
}
