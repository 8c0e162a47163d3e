package qos

import (
	"berth/engine/cluster"
	"berth/engine/sim"
)

// groupKey is what waiting requests have in common that nothing but their
// place in the queue tells apart: where the first of them does not fit, the
// others do not fit either.
type groupKey struct {
	cpu, memory cluster.Amount
	job         int64 // of requests with anti-affinity
	constraints uint16
	class       uint8
	apart       bool // anti-affinity
	gpus        cluster.Amount
}

func keyOf(k *instance) groupKey {
	key := groupKey{cpu: k.cpu, memory: k.memory, constraints: k.constraints, class: k.class, apart: k.antiAffinity, gpus: k.gpus}
	if key.apart {
		key.job = k.job
	}
	return key
}

// entry is a place in the queue, in a level of it. What the requests of a class rank by
// is their value without what changes with time, so that it stays as it is.
type entry struct {
	rank     Q
	admitted sim.Milliseconds
	index    uint32
	ref      Ref
}

func (e *entry) before(f *entry) bool {
	if e.rank != f.rank {
		return e.rank < f.rank
	}
	return e.earlier(f)
}

func (e *entry) earlier(f *entry) bool {
	if e.admitted != f.admitted {
		return e.admitted < f.admitted
	}
	return e.index < f.index
}

// backoff is a time before which a request that ranks at rank or behind it is out of
// luck. It is in milliseconds times slow: for one that ranks before it by some value
// it ends sooner, but by no more than that, since what is waited for comes by slow or
// more in a millisecond. With Q, no value falls faster than Q_j, by 1 s/s.
type backoff struct{ until, rank Q }

// lasts says whether a request of a rank must wait for longer than now.
func (f *fast) lasts(s *backoff, rank Q) bool { return f.expires(s, rank) >= Q(f.now+1)*f.slow }

// expires returns when that is over, in the same unit.
func (f *fast) expires(s *backoff, rank Q) Q {
	if f.brittle && rank < s.rank {
		return 0
	}
	return s.until - max(0, s.rank-rank)
}

// and returns a backoff that lasts no longer than either.
func (s backoff) and(t backoff) backoff { return backoff{min(s.until, t.until), max(s.rank, t.rank)} }

// unknown is no change of a host.
const unknown = -2

// refusal says that a host cannot take the first request of a group for a
// while, unless it changes.
type refusal struct {
	backoff
	changed int64 // which change of the host it takes into account
}

// group is a part of the queue with one key.
type group struct {
	key   groupKey
	place int // in the list of groups
	level int // in the queue of the pass under way
	aged  Q   // see [fast.aged]
	queue heap[entry, *entry]
	fresh []entry // the ones that are new in this pass, in order
	// passed over in this pass, because what came free did so after their turn
	passed        []entry
	unschedulable bool      // in this pass: its first request found no host
	marked        bool      // to be looked at again after the decision under way
	refusals      []refusal // by host; empty until the group first looks at them
	backoff       backoff   // while it lasts, all refusals of hosts that have not changed do
	seen          int64     // how much of the log of changes is known; up to there, no host had room
	full          int64     // how much of the log is known to have no room, behind what was seen
	// candidates are hosts for the first request, evaluated in the pass candidatesIn.
	candidates   []candidate
	candidatesIn int64
	costs        []float64 // of the candidates
}

func (g *group) empty() bool { return len(g.queue) == 0 && len(g.fresh) == 0 }

// head returns the first in the queue of a group that is not empty.
func (g *group) head() *entry {
	if len(g.fresh) > 0 && (len(g.queue) == 0 || g.fresh[0].before(&g.queue[0])) {
		return &g.fresh[0]
	}
	return &g.queue[0]
}

// pop removes the head.
func (g *group) pop() entry {
	e := *g.head()
	if len(g.fresh) > 0 && e == g.fresh[0] {
		g.fresh = g.fresh[1:]
		return e
	}
	g.queue.drop()
	return e
}

// turn is a group in the order in which groups are served: that of their heads.
type turn struct{ *group }

func (t *turn) before(u *turn) bool { return t.goesFirst(t.head(), u.group, u.head()) }

// goesFirst says whether e, of the group, goes before o, of h.
func (g *group) goesFirst(e *entry, h *group, o *entry) bool {
	if g.level != h.level {
		return g.level < h.level
	}
	if a, b := e.rank+g.aged, o.rank+h.aged; a != b {
		return a < b
	}
	return e.earlier(o)
}
