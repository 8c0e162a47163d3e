package qos

import "slices"

// literal is algorithm 1 as it is printed: sort the queue; for each request
// look at every host; rank those that can take it. O(requests · hosts ·
// instances on a host) a pass.
type literal struct {
	*system
	queue []Ref
	// attempt, if not nil, is told of each look for a host, before it has
	// consequences: for the request at a place of the queue, c if ok.
	attempt func(policy *Policy, queue []Ref, place int, c *choice, ok bool)

	eligible []Ref // kept between looks at hosts for its memory
}

func (l *literal) enqueue(r Ref)    { l.queue = append(l.queue, r) }
func (l *literal) started(Ref)      {}
func (l *literal) stopped(Ref, int) {}
func (l *literal) hostChanged(int)  {}
func (l *literal) queueLength() int { return len(l.queue) }
func (l *literal) waiting() []Ref   { return l.queue }

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
		l.allocate(j, &choice) // its victims are enqueued, for the next pass
	}
	l.queue = append(left, l.queue...)
}

// sortQueue puts the queue in the order of the policy for this pass.
func (l *literal) sortQueue() *Policy {
	policy := l.config.Policy.at(len(l.queue))
	slices.SortFunc(l.queue, l.comparing(policy.Before))
	return policy
}

// choice is a host for a request and what it costs.
type choice struct {
	host     int
	feasible int
	victims  []Victim
	cost     []float64
	score    float64
}

// choose does the two steps of 3.3: feasibility checking and ranking. Where a host has been
// found that needs no preemption, one that needs some is not ranked.
func (l *literal) choose(policy *Policy, j Ref) (best choice, ok bool) {
	feasible := 0
	for h := range l.hosts {
		l.operations++
		movable, can := l.movable(policy, j, h)
		if !can {
			continue
		}
		if policy.Host == nil && feasible > 0 && len(best.victims) == 0 && len(movable) > 0 {
			feasible++
			continue
		}
		c := choice{host: h, victims: l.victims(policy, j, h, movable), score: l.score(h)}
		switch {
		case policy.Host != nil:
			if c.cost, can = policy.Host(&l.State, j, h, c.victims); !can {
				continue
			}
		case len(c.victims) > 0:
			c.cost = policy.Cost(&l.State, c.victims, nil)
		}
		feasible++
		if feasible == 1 || l.better(&c, &best) {
			best = c
		}
	}
	best.feasible = feasible
	return best, feasible > 0
}

// feasible (3.3.1) returns the instances that have to leave host h for j, in
// order; ok is false if even then it does not fit.
func (l *literal) feasible(policy *Policy, j Ref, h int) (victims []Victim, ok bool) {
	movable, ok := l.movable(policy, j, h)
	if !ok {
		return nil, false
	}
	return l.victims(policy, j, h, movable), true
}

// movable returns the instances that may lose host h to j, none if it has room; ok is false
// if j does not fit even without them. They are valid until the next call.
func (l *literal) movable(policy *Policy, j Ref, h int) (movable []Ref, ok bool) {
	request, host := &l.instances[j], &l.hosts[h]
	if !host.up || !l.meetsConstraints(request, h) {
		return nil, false
	}
	if host.fits(request) {
		return nil, true
	}
	cpu, memory := host.usedCPU+request.cpu, host.usedMemory+request.memory
	movable = l.eligible[:0]
	for _, k := range host.instances {
		if policy.MayPreempt(&l.State, j, k) {
			movable = append(movable, k)
			cpu -= l.instances[k].cpu
			memory -= l.instances[k].memory
		}
	}
	l.eligible = movable
	if cpu > host.cpu || memory > host.memory {
		return nil, false
	}
	if request.gpus > 0 {
		gpus := slices.Clone(host.gpus)
		for _, k := range movable {
			gpus.Give(l.instances[k].gpus, int(l.instances[k].device))
		}
		return movable, gpus.Fits(request.gpus)
	}
	return movable, true
}

// victims returns those of the instances that may lose host h to j that have to, in order.
// It sorts movable.
func (l *literal) victims(policy *Policy, j Ref, h int, movable []Ref) []Victim {
	if len(movable) == 0 {
		return nil
	}
	request, host := &l.instances[j], &l.hosts[h]
	slices.SortFunc(movable, l.comparing(policy.VictimBefore))
	cpu, memory, gpus, n := host.usedCPU+request.cpu, host.usedMemory+request.memory, slices.Clone(host.gpus), 0
	for fits := false; !fits; n++ {
		k := movable[n]
		cpu -= l.instances[k].cpu
		memory -= l.instances[k].memory
		gpus.Give(l.instances[k].gpus, int(l.instances[k].device))
		fits = cpu <= host.cpu && memory <= host.memory && gpus.Fits(request.gpus)
	}
	all := make([]Victim, n)
	for i, k := range movable[:n] {
		all[i] = Victim{k, l.Q(k), l.Margin(k), l.Importance(k)}
	}
	return all
}

// comparing compares by an order of a policy.
func (s *State) comparing(before func(s *State, a, b Ref) bool) func(a, b Ref) int {
	return func(a, b Ref) int {
		if before(s, a, b) {
			return -1
		}
		return 1
	}
}

// better (3.3.2) says whether a host is to be preferred: one that needs no
// preemption, unless the policy chooses hosts; then the larger tuple of costs; then the higher score; then the
// seeded permutation.
func (l *literal) better(a, b *choice) bool {
	if free := len(a.victims) == 0; l.config.Policy.Host == nil && free != (len(b.victims) == 0) {
		return free
	}
	if order := slices.Compare(a.cost, b.cost); order != 0 {
		return order > 0
	}
	if a.score != b.score {
		return a.score > b.score
	}
	return l.hosts[a.host].rank < l.hosts[b.host].rank
}
