package qos

import "slices"

// literal is algorithm 1 as printed: sort the queue; for each request check every
// host and rank the feasible ones. A pass takes O(requests · hosts · instances on a
// host).
type literal struct {
	s     *system
	queue []Ref
	// attempt, if not nil, is called for each attempt to find a host for the request at position
	// place of the queue. The call precedes the allocation; c is the choice if ok.
	attempt func(policy *Policy, queue []Ref, place int, c *choice, ok bool)

	eligible []Ref // scratch memory
}

func (l *literal) enqueue(r Ref)    { l.queue = append(l.queue, r) }
func (l *literal) started(Ref)      {}
func (l *literal) stopped(Ref, int) {}
func (l *literal) hostChanged(int)  {}

func (l *literal) pass() {
	policy := l.sortQueue()
	queue := l.queue
	l.queue = nil
	var left []Ref
	for place, j := range queue {
		choice, ok := l.choose(policy, j)
		if l.attempt != nil {
			l.attempt(policy, queue, place, &choice, ok)
		}
		if !ok {
			left = append(left, j)
			continue
		}
		l.s.allocate(j, &choice) // enqueues the victims for the next pass
	}
	l.queue = append(left, l.queue...)
}

// sortQueue selects the policy for this pass, sorts the queue by it and returns it.
func (l *literal) sortQueue() *Policy {
	policy := l.s.config.Policy.at(len(l.queue))
	slices.SortFunc(l.queue, l.s.comparing(policy.Before))
	return policy
}

// choice is a host for a request with its preemption cost.
type choice struct {
	host     int
	feasible int
	victims  []Victim
	cost     []float64
	score    float64
}

// choose checks feasibility and ranks the feasible hosts (3.3). Once it has found a host that needs
// no preemption, it counts feasible hosts that need preemption without ranking them.
func (l *literal) choose(policy *Policy, j Ref) (best choice, ok bool) {
	feasible := 0
	for h := range l.s.hosts {
		l.s.operations++
		movable, can := l.movable(policy, j, h)
		if !can {
			continue
		}
		if policy.Host == nil && feasible > 0 && len(best.victims) == 0 && len(movable) > 0 {
			feasible++
			continue
		}
		c, taken := l.evaluate(policy, j, h, movable)
		if !taken {
			continue
		}
		feasible++
		if feasible == 1 || l.better(&c, &best) {
			best = c
		}
	}
	best.feasible = feasible
	return best, feasible > 0
}

// evaluate returns host h as a choice for j, which may preempt the movable instances;
// ok is false if the policy refuses the host.
func (l *literal) evaluate(policy *Policy, j Ref, h int, movable []Ref) (c choice, ok bool) {
	c = choice{host: h, victims: l.victims(policy, j, h, movable), score: l.s.Score(h)}
	if policy.Host != nil {
		c.cost, ok = policy.Host(&l.s.State, j, h, c.victims)
		return c, ok
	}
	if len(c.victims) > 0 {
		c.cost = policy.Cost(&l.s.State, c.victims, nil)
	}
	return c, true
}

// movable (3.3.1) returns the instances that j may preempt on host h, none if the host has
// room; ok is false if j does not fit even without them. The slice is valid until the
// next call.
func (l *literal) movable(policy *Policy, j Ref, h int) (movable []Ref, ok bool) {
	request, host := &l.s.instances[j], &l.s.hosts[h]
	if !host.up || !l.s.meetsConstraints(request, h) {
		return nil, false
	}
	if host.Fits(&request.asks) {
		return nil, true
	}
	free := host.Free
	movable = l.eligible[:0]
	for _, k := range host.instances {
		if policy.MayPreempt(&l.s.State, j, k) {
			movable = append(movable, k)
			free.Add(&l.s.instances[k].asks)
		}
	}
	l.eligible = movable
	if !request.asks.Within(&free) || request.asks.Indexed() {
		return movable, request.asks.Within(&free)
	}
	l.s.rest.Copy(&host.Room)
	for _, k := range movable {
		l.s.rest.Give(&l.s.instances[k].asks, l.s.instances[k].token)
	}
	return movable, l.s.rest.Fits(&request.asks)
}

// victims returns the shortest prefix of the movable instances, in order of preemption, that makes
// room for j on host h if preempted. It sorts movable.
func (l *literal) victims(policy *Policy, j Ref, h int, movable []Ref) []Victim {
	if len(movable) == 0 {
		return nil
	}
	request, host := &l.s.instances[j], &l.s.hosts[h]
	slices.SortFunc(movable, l.s.comparing(policy.VictimBefore))
	l.s.rest.Copy(&host.Room)
	n := 0
	for ; !l.s.rest.Fits(&request.asks); n++ {
		k := &l.s.instances[movable[n]]
		l.s.rest.Give(&k.asks, k.token)
	}
	all := make([]Victim, n)
	for i, k := range movable[:n] {
		all[i] = Victim{k, l.s.Q(k), l.s.Margin(k), l.s.Importance(k)}
	}
	return all
}

// comparing converts an order of a policy into a comparison function.
func (s *State) comparing(before func(s *State, a, b Ref) bool) func(a, b Ref) int {
	return func(a, b Ref) int {
		if before(s, a, b) {
			return -1
		}
		return 1
	}
}

// better (3.3.2) reports whether choice a is preferred to b: first a host that needs no preemption,
// unless the policy chooses hosts itself; then the larger cost tuple; then the higher score; then
// the seeded permutation.
func (l *literal) better(a, b *choice) bool {
	if free := len(a.victims) == 0; l.s.config.Policy.Host == nil && free != (len(b.victims) == 0) {
		return free
	}
	if order := slices.Compare(a.cost, b.cost); order != 0 {
		return order > 0
	}
	if a.score != b.score {
		return a.score > b.score
	}
	return l.s.hosts[a.host].rank < l.s.hosts[b.host].rank
}
