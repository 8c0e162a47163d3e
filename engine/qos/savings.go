package qos

import (
	"fmt"

	"berth/engine/sim"
)

// Savings are the optimisations of section 7.1 of the thesis, for the literal
// scheduler. They exist to count operations; the fast scheduler needs none.
type Savings struct {
	// ScoreCaching keeps what was found out about a host for a request until
	// the host changes.
	ScoreCaching bool
	// CacheValidity bounds that; a policy that depends on Q needs a bound, and it
	// changes its decisions. 0 is for ever.
	CacheValidity sim.Milliseconds
	// EquivalenceClass looks at a host once for all requests of equal demand,
	// class and constraints; for a policy that depends on Q, of equal Q as well.
	EquivalenceClass bool
	// WithinJob ends the classes at the job: only requests of one job share one.
	WithinJob bool
	// QTolerance makes classes of requests whose Q lies in the same interval of
	// this many milliseconds; 0 asks for equal Q. It changes decisions.
	QTolerance sim.Milliseconds
	// Relaxed stops, among hosts in random order, once this part of all hosts
	// can take the request; 0 looks at all. It changes decisions.
	Relaxed float64
	Pruning Pruning
}

// Pruning says when a request is not tried because one before it has failed.
type Pruning uint8

// The ways of pruning the queue.
const (
	NoPruning Pruning = iota
	// PruneAsPrinted compares CPU and memory with the last request that failed.
	// A later request that is more important or less constrained may have fit.
	PruneAsPrinted
	// PruneSafely keeps a reference for each importance, constraints and
	// anti-affinity, and changes no decision.
	PruneSafely
)

func (s *Savings) check(p *Policy) error {
	if s.ScoreCaching && p.ChangesWithTime() && s.CacheValidity == 0 {
		return fmt.Errorf("score caching needs a time of validity with the policy %s, whose verdicts change with time", p.Name)
	}
	if p.Host != nil && *s != (Savings{}) {
		return fmt.Errorf("the policy %s chooses hosts itself, and the optimisations know nothing of that: run it without them", p.Name)
	}
	if !(s.Relaxed >= 0 && s.Relaxed <= 1) {
		return fmt.Errorf("relaxed randomisation to %v of the hosts is not in [0, 1]", s.Relaxed)
	}
	if s.CacheValidity < 0 || s.QTolerance < 0 {
		return fmt.Errorf("the validity of the cache, %d ms, and the tolerance on Q, %d ms, must not be negative", s.CacheValidity, s.QTolerance)
	}
	return nil
}

// Exact says whether the decisions are those of the literal scheduler.
func (s *Savings) Exact(p *Policy) bool {
	return s.Relaxed == 0 && s.QTolerance == 0 && s.Pruning != PruneAsPrinted && !(s.ScoreCaching && p.ChangesWithTime())
}

// saving is the literal scheduler with the optimisations.
type saving struct {
	literal
	Savings
	versions []int64 // by host, up with each change
	cache    map[cacheKey][]verdict
	random   *sim.Random
	all      []int  // hosts in order, when the order is not random
	rooms    *rooms // nil until the first pass
}

// cacheKey is a request, or a class of requests that get the same verdicts.
type cacheKey struct {
	groupKey
	q       Q
	request uint32 // its index + 1, or 0 for a class
	job     int64  // of a class within a job, else 0
}

// verdict is what was found out about a host.
type verdict struct {
	version int64 // of the host + 1; 0: nothing is known
	at      sim.Milliseconds
	choice  *choice // nil: the host cannot take it
}

func newSaving(s *system, savings Savings) *saving {
	a := &saving{
		literal: literal{system: s}, Savings: savings, versions: make([]int64, len(s.hosts)),
		cache: map[cacheKey][]verdict{}, random: sim.NewRandom(s.config.Seed, relaxedStream), all: make([]int, len(s.hosts)),
	}
	for h := range a.all {
		a.all[h] = h
	}
	return a
}

func (a *saving) started(r Ref)        { a.changed(r, int(a.instances[r].host)) }
func (a *saving) stopped(r Ref, h int) { a.changed(r, h) }
func (a *saving) hostChanged(h int)    { a.versions[h]++ }

// changed notes that a host did, and those where the Q of other instances of
// the same controller did.
func (a *saving) changed(r Ref, h int) {
	a.versions[h]++
	if c := a.together(r); c != nil {
		for at := range c.on {
			a.versions[at]++
		}
	}
}

func (a *saving) pass() {
	policy := a.sortQueue()
	if !a.ScoreCaching {
		clear(a.cache)
	}
	if a.rooms == nil {
		a.rooms = newRooms(a.system)
	}
	a.rooms.begin(policy)
	queue := a.queue
	a.queue = nil
	var left []Ref
	var failed []reference
	for _, j := range queue {
		if placed, _ := a.try(policy, j, &failed); !placed {
			left = append(left, j)
		}
	}
	a.queue = append(left, a.queue...)
}

// try looks for a host for a request unless one that has failed tells that there
// is none. It reports whether there may be one now for those that have failed.
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
	delete(a.cache, cacheKey{groupKey: keyOf(&a.instances[j]), request: a.instances[j].index + 1})
	again = len(c.victims) > 0 || a.together(j) != nil // there is room, or somebody else to preempt
	if a.Pruning == PruneSafely && again {
		*failed = (*failed)[:0]
	}
	a.allocate(j, &c)
	return true, again
}

// reference is a request that has failed in this pass.
type reference struct {
	groupKey
	importance int
	q          Q // if the policy goes by it
}

func (a *saving) reference(policy *Policy, j Ref) reference {
	r := reference{groupKey: keyOf(&a.instances[j]), importance: a.Importance(j)}
	if policy.ChangesWithTime() {
		r.q = policy.value(&a.State, j)
	}
	return r
}

// pruned says whether a request asks for no less than one that has failed.
func (a *saving) pruned(failed []reference, r reference) bool {
	for _, f := range failed {
		if r.cpu >= f.cpu && r.memory >= f.memory && (a.Pruning == PruneAsPrinted || r.gpus >= f.gpus && r.alike(f)) {
			return true
		}
	}
	return false
}

// alike says that r may preempt no more instances than f and use the same hosts.
// Margins may differ by class, and Q from the order of the queue: that of a
// controller measured together has changed if another of its instances got a host.
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

// chooseThriftily is literal.choose, but it looks at fewer hosts.
func (a *saving) chooseThriftily(policy *Policy, j Ref) (best choice, ok bool) {
	order, enough := a.all, len(a.hosts)
	if a.Relaxed > 0 {
		order = a.random.Permutation(len(a.hosts))
		enough = max(1, int(a.Relaxed*float64(len(a.hosts))))
	}
	known, value := a.known(policy, j), policy.value(&a.State, j)
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
	best.feasible = feasible
	return best, feasible > 0
}

// known returns what is remembered of hosts for a request, nil if nothing is
// ever remembered.
func (a *saving) known(policy *Policy, j Ref) []verdict {
	if !a.ScoreCaching && !a.EquivalenceClass {
		return nil
	}
	k := cacheKey{groupKey: keyOf(&a.instances[j])}
	if !a.EquivalenceClass {
		k.request = a.instances[j].index + 1
	} else if a.WithinJob {
		k.job = a.instances[j].job
	}
	if policy.ChangesWithTime() && a.EquivalenceClass {
		k.q = policy.value(&a.State, j)
		if a.QTolerance > 0 {
			k.q /= timeToQ(a.QTolerance)
		}
	}
	if a.cache[k] == nil {
		a.cache[k] = make([]verdict, len(a.hosts))
	}
	return a.cache[k]
}

// verdict is the choice of host h for j, nil if h cannot take it.
func (a *saving) verdict(policy *Policy, j Ref, value Q, h int, known []verdict) *choice {
	if known != nil {
		v := &known[h]
		if v.version == a.versions[h]+1 && (a.CacheValidity == 0 || a.now-v.at < a.CacheValidity) {
			return v.choice
		}
	}
	a.operations++
	var c *choice
	if a.rooms == nil || a.rooms.mayFit(j, value, h, a.versions[h]) {
		c = a.look(policy, j, h)
	}
	if known != nil {
		known[h] = verdict{a.versions[h] + 1, a.now, c}
	}
	return c
}

// look finds that without what is remembered.
func (a *saving) look(policy *Policy, j Ref, h int) *choice {
	victims, ok := a.feasible(policy, j, h)
	if !ok {
		return nil
	}
	c := &choice{host: h, victims: victims, score: a.score(h)}
	if len(victims) > 0 {
		c.cost = policy.Cost(&a.State, victims, nil)
	}
	return c
}
