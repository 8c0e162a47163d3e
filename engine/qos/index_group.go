package qos

import (
	"berth/engine/cluster"
	"berth/engine/sim"
)

// groupKey identifies a group of waiting requests that differ only in their queue position: if the
// first of them does not fit on a host, neither do the others.
type groupKey struct {
	asks        cluster.Resources
	job         int64 // set for requests with anti-affinity only
	constraints uint16
	class       uint8
	apart       bool // anti-affinity
}

func keyOf(k *instance) groupKey {
	key := groupKey{asks: k.asks, constraints: k.constraints, class: k.class, apart: k.antiAffinity}
	if key.apart {
		key.job = k.job
	}
	return key
}

// entry is a queue position within a level. Its rank is the request's value without the part that
// changes over time equally for all waiting requests of the class, so a rank never changes.
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

// backoff means that requests with a rank of at least rank cannot be placed before the time until,
// in milliseconds times slow. For a request whose rank is lower by d, the backoff ends up to d
// sooner: the gap for which it waits closes by slow or more each millisecond. With Q, no value
// falls faster than Q_j, by 1 s/s.
type backoff struct{ until, rank Q }

// lasts reports whether a request of a rank must still wait after now.
func (f *fast) lasts(s *backoff, rank Q) bool { return f.expires(s, rank) >= Q(f.s.now+1)*f.slow }

// expires returns the end of the backoff for a request of a rank, in milliseconds
// times slow.
func (f *fast) expires(s *backoff, rank Q) Q {
	if f.brittle && rank < s.rank {
		return 0
	}
	return s.until - max(0, s.rank-rank)
}

// and returns a backoff that holds whenever both s and t hold.
func (s backoff) and(t backoff) backoff { return backoff{min(s.until, t.until), max(s.rank, t.rank)} }

// unknown is a change number that no host has.
const unknown = -2

// refusal records that a host cannot take the first request of a group during a
// backoff, unless the host changes.
type refusal struct {
	backoff
	changed int64 // log number of the host's latest change when it refused
}

// group is the part of the queue with one key.
type group struct {
	key   groupKey
	place int // index in the list of groups
	level int // queue level in the current pass
	aged  Q   // see [fast.aged]
	queue heap[entry, *entry]
	fresh heap[entry, *entry] // requests that are new in this pass
	// passed are requests whose turn was over when room became free in this pass.
	passed        []entry
	unschedulable bool      // its first request found no host in this pass
	refusals      []refusal // by host; empty until the group first checks hosts
	backoff       backoff   // during it, the refusals of all unchanged hosts are valid, too
	seen          int64     // number of the first unread log entry; hosts had no room at any entry before it
	full          int64     // log entries from seen up to full leave no room
	// candidates are the hosts evaluated for the first request in pass candidatesIn.
	candidates   []candidate
	candidatesIn int64
	costs        []float64 // cost tuples of the candidates, concatenated
}

func (g *group) empty() bool { return len(g.queue) == 0 && len(g.fresh) == 0 }

// head returns the first request of a non-empty group.
func (g *group) head() *entry {
	if len(g.fresh) > 0 && (len(g.queue) == 0 || g.fresh[0].before(&g.queue[0])) {
		return &g.fresh[0]
	}
	return &g.queue[0]
}

// pop removes and returns the first request.
func (g *group) pop() entry {
	e := *g.head()
	if len(g.fresh) > 0 && e == g.fresh[0] {
		g.fresh.drop()
		return e
	}
	g.queue.drop()
	return e
}

// turn orders groups by their first requests.
type turn struct{ *group }

func (t *turn) before(u *turn) bool { return t.goesFirst(t.head(), u.group, u.head()) }

// goesFirst reports whether entry e of group g precedes entry o of group h.
func (g *group) goesFirst(e *entry, h *group, o *entry) bool {
	if g.level != h.level {
		return g.level < h.level
	}
	if a, b := e.rank+g.aged, o.rank+h.aged; a != b {
		return a < b
	}
	return e.earlier(o)
}
