package qos

import "berth/engine/cluster"

// shortlist holds the best hosts with room for one demand, best first. Requests with
// the same demand tend to arrive in a row, and each takes a little of the best host,
// which then falls behind the next one.
type shortlist struct {
	asks  asks
	made  bool
	seen  int64    // number of the first unread log entry
	hosts []listed // includes hosts that became good enough by a change
	all   bool     // no other host had room
	last  listed   // the last host when the list was made, preferred to all hosts outside the list
	found []int32  // scratch memory
}

// asks determines which hosts have room for a request without anti-affinity.
type asks struct {
	cluster.Resources
	constraints uint16
}

// listed is a host in the shortlist. It is valid until the host changes.
type listed struct {
	host, rank int32
	score      float64
	changed    int64
}

// before reports whether host a is preferred to b if both have room.
func (a *listed) before(b *listed) bool {
	return a.score > b.score || a.score == b.score && a.rank < b.rank
}

const (
	shortlistSize = 16 // initial length
	shortlistMost = 64 // above this length the list is rebuilt
)

// shortlistFrom is the minimum number of index nodes visited by a search for a
// shortlist to pay off.
var shortlistFrom = 64

// room returns the best host with room for a request, or -1.
func (f *fast) room(j Ref) int {
	f.s.operations++
	k, s := &f.s.instances[j], &f.short
	now := asks{k.asks, k.constraints}
	if k.antiAffinity || now != s.asks || !s.made && f.index.Looked < shortlistFrom {
		s.asks, s.made = now, false
		return f.search(j)
	}
	f.updateShortlist(j)
	if len(s.hosts) == 0 && !s.all {
		f.makeShortlist(j)
	}
	if len(s.hosts) == 0 {
		return -1
	}
	return int(s.hosts[0].host)
}

// search returns the best host with room from the index, or -1.
func (f *fast) search(j Ref) int {
	f.reindex()
	k := &f.s.instances[j]
	rank := f.index.Best(k.asks.CPU, k.asks.Memory, f.accepts(j))
	if rank < 0 {
		return -1
	}
	return int(f.atRank[rank])
}

// accepts returns a predicate on hosts, by rank, for the request's demands beyond CPU
// and memory; nil if it has none.
func (f *fast) accepts(j Ref) func(rank int) bool {
	k := &f.s.instances[j]
	if k.constraints == 0 && !k.antiAffinity && k.asks.Indexed() {
		return nil
	}
	return func(rank int) bool {
		h := int(f.atRank[rank])
		return f.s.hosts[h].Fits(&k.asks) && f.s.meetsConstraints(k, h)
	}
}

func (f *fast) makeShortlist(j Ref) {
	f.reindex()
	s := &f.short
	s.found = f.index.Top(shortlistSize, s.asks.CPU, s.asks.Memory, f.accepts(j), s.found[:0])
	s.hosts, s.seen, s.made, s.all = s.hosts[:0], f.logEnd(), true, len(s.found) < shortlistSize
	for _, rank := range s.found {
		s.last = f.listed(f.atRank[rank])
		s.hosts = append(s.hosts, s.last)
	}
}

func (f *fast) listed(h int32) listed {
	return listed{h, f.s.hosts[h].rank, f.scores[h], f.changedIn[h]}
}

// updateShortlist inserts hosts whose changes make them good enough and drops changed
// hosts from the front. If the list is unusable or too long, it empties the list.
func (f *fast) updateShortlist(j Ref) {
	s := &f.short
	if !s.made || s.seen < f.logStart || len(s.hosts) > shortlistMost {
		s.hosts, s.all = s.hosts[:0], false
		return
	}
	for ; s.seen < f.logEnd(); s.seen++ {
		h := f.log[s.seen-f.logStart]
		k := &f.s.instances[j]
		if f.changedIn[h] != s.seen || !f.s.hosts[h].up || !f.s.hosts[h].Fits(&k.asks) || !f.s.meetsConstraints(k, int(h)) {
			continue // superseded by a later change, or no room
		}
		if x := f.listed(h); s.all || x.before(&s.last) {
			s.insert(x)
		}
	}
	gone := 0
	for gone < len(s.hosts) && f.changedIn[s.hosts[gone].host] != s.hosts[gone].changed {
		gone++
	}
	s.hosts = s.hosts[:copy(s.hosts, s.hosts[gone:])]
}

func (s *shortlist) insert(x listed) {
	s.hosts = append(s.hosts, x)
	for i := len(s.hosts) - 1; i > 0 && x.before(&s.hosts[i-1]); i-- {
		s.hosts[i-1], s.hosts[i] = s.hosts[i], s.hosts[i-1]
	}
}
