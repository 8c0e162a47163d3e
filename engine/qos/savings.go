package qos

import (
	"fmt"
	"math"
	"slices"

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
	if p.Host != nil && *s != (Savings{}) {
		return fmt.Errorf("the policy %s chooses hosts itself, and the optimisations know nothing of that: run it without them", p.Name)
	}
	return nil
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
	scores    []float64        // by host
	changes   int64            // number of changes so far
	logged    int64            // number of changes before this pass
	log       []int            // hosts changed since, in order
	cache     map[cacheKey]*verdicts
	spare     []*verdicts      // for reuse
	alone     *verdicts        // of a request that shares none
	asking    map[cacheKey]int // number of requests of this pass by class, if known
	random    *sim.Random
	rooms     *rooms
	drawn     []int    // scratch memory: all hosts in random order
	possible  []uint64 // scratch memory: bitmap of the hosts that may be feasible
}

// verdicts holds the evaluations of hosts for a request or an equivalence class. Sets of hosts are
// bitmaps.
type verdicts struct {
	visited  []uint64           // hosts evaluated since their latest change, and the bits of no host
	feasible []uint64           // hosts found feasible
	ranked   []uint64           // hosts with a choice
	choices  []*choice          // by host
	at       []sim.Milliseconds // by host: time of its evaluation
	seen     int64              // number of the latest change known
}

// cacheKey identifies a request, or an equivalence class of requests, within a job if
// WithinJob.
type cacheKey struct {
	groupKey
	q       Q
	request uint32 // its index + 1; 0 for a class
}

func newSaving(s *system, savings Savings) *saving {
	a := &saving{
		literal: literal{s: s}, Savings: savings, versions: make([]int64, len(s.hosts)), scores: make([]float64, len(s.hosts)),
		validity: sim.Milliseconds(math.Round(savings.CacheValidity * 1000)), tolerance: toQ(math.Round(savings.QTolerance * 1000)),
		cache: map[cacheKey]*verdicts{}, random: sim.NewRandom(s.config.Seed, relaxedStream), rooms: newRooms(s),
		drawn: make([]int, len(s.hosts)), possible: newBits(len(s.hosts)), asking: map[cacheKey]int{},
	}
	a.alone = a.verdicts()
	for h := range s.hosts {
		a.hostChanged(h)
	}
	return a
}

func (a *saving) started(r Ref) {
	h := int(a.s.instances[r].host)
	a.rooms.started(r, h)
	a.changed(r, h)
}

func (a *saving) stopped(r Ref, h int) {
	a.rooms.stopped(r, h)
	a.changed(r, h)
}

func (a *saving) hostChanged(h int) {
	a.changes++
	a.versions[h] = a.changes
	a.log = append(a.log, h)
	a.scores[h] = a.s.Score(h)
	a.rooms.changed(h)
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
	a.begin(policy)
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

// begin starts a pass under a policy.
func (a *saving) begin(policy *Policy) {
	a.rooms.begin(policy)
	a.logged, a.log = a.changes, a.log[:0]
	if !a.ScoreCaching {
		for _, v := range a.cache {
			a.spare = append(a.spare, v)
		}
		clear(a.cache)
	}
}

// try looks for a host for j unless the failed requests prove that none exists. again reports
// whether failed requests should be tried again.
func (a *saving) try(policy *Policy, j Ref, failed *[]reference) (placed, again bool) {
	if a.pruned(policy, *failed, j) {
		return false, false
	}
	c, ok := a.chooseThriftily(policy, j)
	if !ok {
		*failed = a.remember(*failed, a.reference(policy, j))
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
func (a *saving) pruned(policy *Policy, failed []reference, j Ref) bool {
	switch asks := &a.s.instances[j].asks; {
	case len(failed) == 0:
		return false
	case a.Pruning == PruneAsPrinted:
		return asks.CPU >= failed[0].asks.CPU && asks.Memory >= failed[0].asks.Memory
	}
	r := a.reference(policy, j)
	return slices.ContainsFunc(failed, func(f reference) bool { return f.asks.Within(&r.asks) && r.alike(f) })
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

// known returns what is known for a request about hosts that have not changed.
func (a *saving) known(policy *Policy, j Ref) *verdicts {
	k := a.key(policy, j)
	if !a.ScoreCaching && !a.EquivalenceClass || a.asking[k] == 1 {
		return a.reset(a.alone) // no other request can use it
	}
	v := a.cache[k]
	if v == nil {
		v = a.reset(a.verdicts())
		a.cache[k] = v
	}
	if v.seen < a.logged {
		for h, version := range a.versions {
			if version > v.seen {
				v.forget(h)
			}
		}
		v.seen = a.logged
	}
	for _, h := range a.log[v.seen-a.logged:] {
		v.forget(h)
	}
	v.seen = a.changes
	for h := range v.at {
		if a.s.now-v.at[h] >= a.validity {
			v.forget(h)
		}
	}
	return v
}

// verdicts returns memory for verdicts.
func (a *saving) verdicts() *verdicts {
	if n := len(a.spare); n > 0 {
		v := a.spare[n-1]
		a.spare = a.spare[:n-1]
		return v
	}
	hosts := len(a.s.hosts)
	v := &verdicts{visited: newBits(hosts), feasible: newBits(hosts), ranked: newBits(hosts), choices: make([]*choice, hosts)}
	if a.validity > 0 {
		v.at = make([]sim.Milliseconds, hosts)
	}
	return v
}

// reset empties the verdicts.
func (a *saving) reset(v *verdicts) *verdicts {
	copy(v.visited, a.rooms.beyond)
	clear(v.feasible)
	clear(v.ranked)
	v.seen = a.changes
	return v
}

// forget removes the verdict on host h.
func (v *verdicts) forget(h int) {
	keep := ^(uint64(1) << (h % 64))
	v.visited[h/64] &= keep
	v.feasible[h/64] &= keep
	v.ranked[h/64] &= keep
}
