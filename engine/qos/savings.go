package qos

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"berth/engine/input/workload"
	"berth/engine/sim"
)

// Savings are the optimisations of the literal scheduler from section 7.1 of the
// thesis. Experiments use them to count operations; the fast scheduler ignores them.
// Times are in seconds.
type Savings struct {
	// ScoreCaching keeps the evaluation of a host for a request until the host
	// changes.
	ScoreCaching bool `json:"scoreCaching,omitempty"`
	// CacheValidity limits the age of cached evaluations; 0 is unlimited. Policies whose decisions
	// change with time require a limit, because the cache changes their decisions.
	CacheValidity float64 `json:"cacheValidity,omitempty"`
	// EquivalenceClass evaluates a host once for all requests with equal demand,
	// class and constraints, and equal Q if the policy depends on it.
	EquivalenceClass bool `json:"equivalenceClass,omitempty"`
	// WithinJob restricts equivalence classes to requests of one job.
	WithinJob bool `json:"withinJob,omitempty"`
	// QTolerance widens equivalence classes to values of Q in the same interval of
	// this length; 0 requires equal Q. It changes decisions.
	QTolerance float64 `json:"qTolerance,omitempty"`
	// Relaxed visits hosts in random order and stops once this fraction of all hosts
	// is feasible; 0 visits all hosts. It changes decisions.
	Relaxed float64 `json:"relaxed,omitempty"`
	// Pruning says when a request is skipped because an earlier one has failed; "" or
	// NoPruning: never.
	Pruning string `json:"pruning,omitempty"`
}

// The ways of pruning the queue.
const (
	NoPruning = "none"
	// PruneAsPrinted skips a request that asks for no less CPU and memory than the last failed one.
	// If the request is more important or less constrained, it might have found a host.
	PruneAsPrinted = "printed"
	// PruneSafely compares a request only with failed ones of the same importance,
	// class, constraints and anti-affinity, and changes no decision.
	PruneSafely = "safe"
)

func (s *Savings) check(p *Policy) error {
	if s.ScoreCaching && p.ChangesWithTime() && s.CacheValidity == 0 {
		return fmt.Errorf("score caching needs a time of validity with the policy %s, whose verdicts change with time", p.Name)
	}
	if p.Host != nil && *s != (Savings{}) {
		return fmt.Errorf("the policy %s chooses hosts itself, and the optimisations know nothing of that: run it without them", p.Name)
	}
	return cmp.Or(
		bounded("part of the hosts that are enough", s.Relaxed, 0, 1),
		bounded("validity of the cache", s.CacheValidity, 0, seconds(workload.MaxTime)), bounded("tolerance on Q", s.QTolerance, 0, seconds(workload.MaxTime)))
}

// Exact reports whether the literal scheduler makes the same decisions with and without
// the savings.
func (s *Savings) Exact(p *Policy) bool {
	return s.Relaxed == 0 && s.QTolerance == 0 && s.Pruning != PruneAsPrinted && !(s.ScoreCaching && p.ChangesWithTime())
}

// saving is the literal scheduler with savings.
type saving struct {
	literal
	Savings
	validity  sim.Milliseconds // CacheValidity
	tolerance Q                // QTolerance
	versions  []int64          // by host: number of its latest change
	changes   int64            // number of changes so far
	recent    recency          // hosts by their latest change
	cache     map[cacheKey]*hostVerdicts
	random    *sim.Random
	all       []int // all hosts in order
	rooms     *rooms
	asking    map[cacheKey]int // number of requests in this pass by class, if known
	drawn     []int            // scratch memory: all hosts in random order
	spare     [2]choice        // scratch memory: a host, and the best host, of a request without a row
}

// hostVerdicts holds the verdicts on all hosts for a request or an equivalence class.
type hostVerdicts struct {
	verdicts []verdict
	// barren means that no host was feasible when change number seen was the latest. Only the hosts
	// that have changed since need another check.
	barren bool
	seen   int64
}

// cacheKey identifies a request, or an equivalence class of requests, within a job if
// WithinJob.
type cacheKey struct {
	groupKey
	q       Q
	request uint32 // its index + 1; 0 for a class
}

// verdict is a cached evaluation of a host.
type verdict struct {
	version int64 // version of the host + 1; 0: not evaluated
	at      sim.Milliseconds
	choice  *choice // nil: infeasible
}

func newSaving(s *system, savings Savings) *saving {
	a := &saving{
		literal: literal{s: s}, Savings: savings, versions: make([]int64, len(s.hosts)),
		validity: sim.Milliseconds(math.Round(savings.CacheValidity * 1000)), tolerance: toQ(math.Round(savings.QTolerance * 1000)),
		cache: map[cacheKey]*hostVerdicts{}, random: sim.NewRandom(s.config.Seed, relaxedStream), all: make([]int, len(s.hosts)),
		drawn: make([]int, len(s.hosts)), rooms: newRooms(s), recent: newRecency(len(s.hosts)), asking: map[cacheKey]int{},
	}
	for h := range a.all {
		a.all[h] = h
	}
	return a
}

func (a *saving) started(r Ref)        { a.changed(r, int(a.s.instances[r].host)) }
func (a *saving) stopped(r Ref, h int) { a.changed(r, h) }
func (a *saving) hostChanged(h int) {
	a.changes++
	a.versions[h] = a.changes
	a.recent.touch(int32(h))
}

// changed records a change of host h. If r belongs to a controller measured as a whole, the Q of
// its other instances has changed too, so it also records a change of every host with such an
// instance.
func (a *saving) changed(r Ref, h int) {
	a.hostChanged(h)
	if c := a.s.together(r); c != nil {
		for at := range c.on {
			a.hostChanged(int(at))
		}
	}
}

func (a *saving) pass() {
	policy := a.sortQueue()
	if !a.ScoreCaching {
		clear(a.cache)
	}
	a.rooms.begin(policy)
	queue := a.queue
	a.queue = nil
	var left []Ref
	var failed []reference
	a.count(policy, queue)
	for _, j := range queue {
		if placed, _ := a.try(policy, j, &failed); !placed {
			left = append(left, j)
		}
	}
	a.queue = append(left, a.queue...)
}

// try looks for a host for j unless the failed requests prove that none exists. again reports
// whether failed requests should be tried again.
func (a *saving) try(policy *Policy, j Ref, failed *[]reference) (placed, again bool) {
	r := a.reference(policy, j)
	if a.pruned(*failed, r) {
		return false, false
	}
	c, ok := a.chooseThriftily(policy, j)
	if !ok {
		*failed = a.remember(*failed, r)
		return false, false
	}
	delete(a.cache, cacheKey{groupKey: keyOf(&a.s.instances[j]), request: a.s.instances[j].index + 1})
	again = len(c.victims) > 0 || a.s.together(j) != nil // the victims left room, or other instances may be preempted now
	if a.Pruning == PruneSafely && again {
		*failed = (*failed)[:0]
	}
	a.s.allocate(j, &c)
	return true, again
}

// reference is a request that has failed in this pass. Later requests are pruned by comparison with
// it.
type reference struct {
	groupKey
	importance int
	q          Q // 0 if the policy does not depend on time
}

func (a *saving) reference(policy *Policy, j Ref) reference {
	r := reference{groupKey: keyOf(&a.s.instances[j]), importance: a.s.Importance(j)}
	if policy.ChangesWithTime() {
		r.q = policy.value(&a.s.State, j)
	}
	return r
}

// pruned reports whether a request needs at least as much as one that has failed.
func (a *saving) pruned(failed []reference, r reference) bool {
	return slices.ContainsFunc(failed, func(f reference) bool {
		if a.Pruning == PruneAsPrinted {
			return r.asks.CPU >= f.asks.CPU && r.asks.Memory >= f.asks.Memory
		}
		return f.asks.Within(&r.asks) && r.alike(f)
	})
}

// alike reports whether r can use the same hosts as f and preempt no additional instances. It
// compares classes because their margins differ, and Q because the queue order may be outdated: Q
// of a controller measured as a whole changes when one of its instances gets a host.
func (r reference) alike(f reference) bool {
	return r.q >= f.q && r.importance == f.importance && r.class == f.class && r.constraints == f.constraints && r.apart == f.apart && r.job == f.job
}

func (a *saving) remember(failed []reference, r reference) []reference {
	switch a.Pruning {
	case PruneAsPrinted:
		return append(failed[:0], r)
	case PruneSafely:
		return append(failed, r)
	}
	return failed
}

// chooseThriftily makes the same choice as literal.choose with fewer evaluations.
func (a *saving) chooseThriftily(policy *Policy, j Ref) (best choice, ok bool) {
	known, enough := a.known(policy, j), len(a.s.hosts)
	if a.Relaxed > 0 {
		enough = max(1, int(a.Relaxed*float64(len(a.s.hosts))))
	}
	value := policy.value(&a.s.State, j)
	if known != nil && known.barren && a.recent.fewerThan(enough, known.seen, a.versions) {
		return a.chooseChanged(policy, j, value, known)
	}
	order := a.all
	if a.Relaxed > 0 {
		order = a.drawn
		a.random.Permute(order)
	}
	if known == nil {
		return a.chooseAlone(policy, j, value, order, enough)
	}
	feasible := 0
	for _, h := range order {
		c := a.verdict(policy, j, value, h, known)
		if c == nil {
			continue
		}
		feasible++
		if feasible == 1 || a.better(c, &best) {
			best = *c
		}
		if feasible == enough {
			break
		}
	}
	known.barren, known.seen = feasible == 0 && a.validity == 0, a.changes
	best.feasible = feasible
	return best, feasible > 0
}

// chooseChanged makes the same choice if no host was feasible before and fewer hosts have changed
// than the search needs feasible ones. It visits only the changed hosts, in any order.
func (a *saving) chooseChanged(policy *Policy, j Ref, value Q, known *hostVerdicts) (best choice, ok bool) {
	if a.Relaxed > 0 {
		for range a.all {
			a.random.Uint64() // the draws of the order
		}
	}
	for h := a.recent.first(); h >= 0 && a.versions[h] > known.seen; h = a.recent.next(h) {
		c := a.verdict(policy, j, value, int(h), known)
		if c == nil {
			continue
		}
		if best.feasible == 0 || a.better(c, &best) {
			feasible := best.feasible
			best = *c
			best.feasible = feasible
		}
		best.feasible++
	}
	known.barren, known.seen = best.feasible == 0, a.changes
	return best, best.feasible > 0
}

// chooseAlone makes the same choice for a request that shares its verdicts with no other. Once a
// host needs no preemption, it counts feasible hosts that need preemption without ranking them.
func (a *saving) chooseAlone(policy *Policy, j Ref, value Q, order []int, enough int) (choice, bool) {
	request, c, best := &a.s.instances[j], &a.spare[0], &a.spare[1]
	exact := a.rooms.current != nil && !request.asks.Indexed()
	feasible := 0
	for _, h := range order {
		a.s.operations++
		if !a.mayTake(j, value, h) {
			continue
		}
		ranked := !exact || feasible == 0 || len(best.victims) > 0 || a.s.hosts[h].Fits(&request.asks)
		if ranked && !a.evaluateInOrder(c, policy, j, h) {
			continue
		}
		feasible++
		if feasible == 1 || ranked && a.better(c, best) {
			c, best = best, c
		}
		if feasible == enough {
			break
		}
	}
	if feasible == 0 {
		return choice{}, false
	}
	return choice{best.host, feasible, append([]Victim(nil), best.victims...), append([]float64(nil), best.cost...), best.score}, true
}

// mayTake reports whether host h is up, meets the constraints of j and may have room for it after
// preemptions, judged by the amounts.
func (a *saving) mayTake(j Ref, value Q, h int) bool {
	return a.s.hosts[h].up && a.rooms.mayFit(j, value, h, a.versions[h]) && a.s.meetsConstraints(&a.s.instances[j], h)
}

// evaluateInOrder makes host h, which is up and meets the constraints of j, a choice for j, like
// literal.evaluate. It reports whether the host is feasible.
func (a *saving) evaluateInOrder(c *choice, policy *Policy, j Ref, h int) bool {
	request, host := &a.s.instances[j], &a.s.hosts[h]
	c.host, c.victims, c.cost, c.score = h, c.victims[:0], c.cost[:0], a.s.Score(h)
	if host.Fits(&request.asks) {
		return true
	}
	a.s.rest.Copy(&host.Room)
	for _, k := range a.rooms.inOrder(h, a.versions[h]) {
		if !policy.MayPreempt(&a.s.State, j, k) {
			continue
		}
		victim := &a.s.instances[k]
		a.s.rest.Give(&victim.asks, victim.token)
		c.victims = append(c.victims, Victim{k, a.s.Q(k), a.s.Margin(k), a.s.Importance(k)})
		if a.s.rest.Fits(&request.asks) {
			c.cost = policy.Cost(&a.s.State, c.victims, c.cost)
			return true
		}
	}
	return false
}

// count counts the requests of a pass by equivalence class, unless later passes or a change of Q in
// this pass may add requests to a class.
func (a *saving) count(policy *Policy, queue []Ref) {
	clear(a.asking)
	if a.ScoreCaching || !a.EquivalenceClass || policy.Order == nil || len(a.s.controllers) > 0 {
		return
	}
	for _, j := range queue {
		a.asking[a.key(policy, j)]++
	}
}

// key returns the cache key of a request's verdicts.
func (a *saving) key(policy *Policy, j Ref) cacheKey {
	k := cacheKey{groupKey: keyOf(&a.s.instances[j])}
	if !a.EquivalenceClass {
		k.request = a.s.instances[j].index + 1
	} else if a.WithinJob {
		k.job = a.s.instances[j].job
	}
	if policy.ChangesWithTime() && a.EquivalenceClass {
		k.q = policy.value(&a.s.State, j) / max(a.tolerance, 1)
	}
	return k
}

// known returns the cached verdicts for a request, or nil if no other request can use them.
func (a *saving) known(policy *Policy, j Ref) *hostVerdicts {
	if !a.ScoreCaching && !a.EquivalenceClass {
		return nil
	}
	k := a.key(policy, j)
	if a.asking[k] == 1 {
		return nil
	}
	if a.cache[k] == nil {
		a.cache[k] = &hostVerdicts{verdicts: make([]verdict, len(a.s.hosts))}
	}
	return a.cache[k]
}

// verdict evaluates host h for j, using the cache; nil if the host is infeasible.
func (a *saving) verdict(policy *Policy, j Ref, value Q, h int, known *hostVerdicts) *choice {
	v := &known.verdicts[h]
	if v.version == a.versions[h]+1 && (a.validity == 0 || a.s.now-v.at < a.validity) {
		return v.choice
	}
	a.s.operations++
	var c *choice
	if a.mayTake(j, value, h) {
		c = new(choice)
		if !a.evaluateInOrder(c, policy, j, h) {
			c = nil
		}
	}
	*v = verdict{a.versions[h] + 1, a.s.now, c}
	return c
}

// recency is the list of all hosts, the most recently changed first.
type recency struct{ before, after []int32 } // the element after the last host is the head

func newRecency(hosts int) recency {
	r := recency{make([]int32, hosts+1), make([]int32, hosts+1)}
	for h := range r.after {
		r.before[h], r.after[h] = int32(h+hosts)%int32(hosts+1), int32(h+1)%int32(hosts+1)
	}
	return r
}

// touch moves a host to the front.
func (r *recency) touch(h int32) {
	r.after[r.before[h]], r.before[r.after[h]] = r.after[h], r.before[h]
	head := int32(len(r.after) - 1)
	first := r.after[head]
	r.before[h], r.after[h] = head, first
	r.before[first], r.after[head] = h, h
}

// first and next walk through the list; -1 is its end.
func (r *recency) first() int32 { return r.next(int32(len(r.after) - 1)) }

func (r *recency) next(h int32) int32 {
	if after := r.after[h]; int(after) < len(r.after)-1 {
		return after
	}
	return -1
}

// fewerThan reports whether fewer than n hosts have changed since change number seen.
func (r *recency) fewerThan(n int, seen int64, versions []int64) bool {
	h := r.first()
	for ; n > 0 && h >= 0 && versions[h] > seen; n-- {
		h = r.next(h)
	}
	return n > 0
}
