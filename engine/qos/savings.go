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
	// CacheValidity limits the age of cached evaluations; 0 is unlimited. Policies
	// whose decisions change with time require a limit, and the cache then changes
	// their decisions.
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
	// PruneAsPrinted skips a request that asks for no less CPU and memory than the
	// last failed one. This can skip requests that would have fit, if they are more
	// important or less constrained.
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
	versions  []int64          // by host, incremented at each change
	cache     map[cacheKey][]verdict
	random    *sim.Random
	all       []int  // all hosts in order
	rooms     *rooms // nil until the first pass
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
		cache: map[cacheKey][]verdict{}, random: sim.NewRandom(s.config.Seed, relaxedStream), all: make([]int, len(s.hosts)),
	}
	for h := range a.all {
		a.all[h] = h
	}
	return a
}

func (a *saving) started(r Ref)        { a.changed(r, int(a.s.instances[r].host)) }
func (a *saving) stopped(r Ref, h int) { a.changed(r, h) }
func (a *saving) hostChanged(h int)    { a.versions[h]++ }

// changed records a change of host h and, if r belongs to a controller measured as a
// whole, of every host with another of its instances: their Q has changed.
func (a *saving) changed(r Ref, h int) {
	a.versions[h]++
	if c := a.s.together(r); c != nil {
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
		a.rooms = newRooms(a.s)
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

// try looks for a host for j unless the failed requests imply that none exists. The
// result again reports whether failed requests should be tried again.
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
	again = len(c.victims) > 0 || a.s.together(j) != nil // room came free, or other instances may be preempted now
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

// pruned reports whether a request asks for no less than one that has failed.
func (a *saving) pruned(failed []reference, r reference) bool {
	return slices.ContainsFunc(failed, func(f reference) bool {
		if a.Pruning == PruneAsPrinted {
			return r.asks.CPU >= f.asks.CPU && r.asks.Memory >= f.asks.Memory
		}
		return f.asks.Within(&r.asks) && r.alike(f)
	})
}

// alike reports whether r can use the same hosts as f and preempt no additional
// instances. It compares classes because margins differ, and Q because the queue
// order may be outdated: Q of a controller measured as a whole changes when one of
// its instances gets a host.
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
	order, enough := a.all, len(a.s.hosts)
	if a.Relaxed > 0 {
		order = a.random.Permutation(len(a.s.hosts))
		enough = max(1, int(a.Relaxed*float64(len(a.s.hosts))))
	}
	known, value := a.known(policy, j), policy.value(&a.s.State, j)
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

// known returns the cached verdicts by host for a request, or nil if caching is off.
func (a *saving) known(policy *Policy, j Ref) []verdict {
	if !a.ScoreCaching && !a.EquivalenceClass {
		return nil
	}
	k := cacheKey{groupKey: keyOf(&a.s.instances[j])}
	if !a.EquivalenceClass {
		k.request = a.s.instances[j].index + 1
	} else if a.WithinJob {
		k.job = a.s.instances[j].job
	}
	if policy.ChangesWithTime() && a.EquivalenceClass {
		k.q = policy.value(&a.s.State, j)
		k.q /= max(a.tolerance, 1)
	}
	if a.cache[k] == nil {
		a.cache[k] = make([]verdict, len(a.s.hosts))
	}
	return a.cache[k]
}

// verdict evaluates host h for j, using the cache; nil if the host is infeasible.
func (a *saving) verdict(policy *Policy, j Ref, value Q, h int, known []verdict) *choice {
	if known != nil {
		v := &known[h]
		if v.version == a.versions[h]+1 && (a.validity == 0 || a.s.now-v.at < a.validity) {
			return v.choice
		}
	}
	a.s.operations++
	var c *choice
	if a.rooms == nil || a.rooms.mayFit(j, value, h, a.versions[h]) {
		if movable, ok := a.movable(policy, j, h); ok {
			evaluated, _ := a.evaluate(policy, j, h, movable)
			c = &evaluated
		}
	}
	if known != nil {
		known[h] = verdict{a.versions[h] + 1, a.s.now, c}
	}
	return c
}
