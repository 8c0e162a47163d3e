package qos

import "berth/engine/cluster"

// shortlist has the best hosts with room for requests that ask for the same, the
// best first: such requests come one after the other, and each takes a little of
// the best host, which is then behind the next one.
type shortlist struct {
	asks  asks
	made  bool
	seen  int64    // how much of the log of changes is known
	hosts []listed // with others that were good enough when they changed
	all   bool     // no other had room
	last  listed   // the last one when it was made: all others were behind it
	found []int32  // scratch
}

// asks is what decides where there is room for a request without anti-affinity.
type asks struct {
	cpu, memory cluster.Amount
	constraints uint16
	gpus        cluster.Amount
}

// listed is a host, for as long as it does not change.
type listed struct {
	host, rank int32
	score      float64
	changed    int64
}

// before is the order in which hosts with room are preferred.
func (a *listed) before(b *listed) bool {
	return a.score > b.score || a.score == b.score && a.rank < b.rank
}

const (
	shortlistSize = 16 // when it is made
	shortlistMost = 64 // above that it is made again
)

// shortlistFrom is how many nodes of the index a search has to look at for a list
// to pay.
var shortlistFrom = 64

// room returns the best host with room for a request, -1 if there is none.
func (f *fast) room(j Ref) int {
	f.operations++
	k, s := &f.instances[j], &f.short
	now := asks{k.cpu, k.memory, k.constraints, k.gpus}
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

// search asks the index.
func (f *fast) search(j Ref) int {
	f.reindex()
	k := &f.instances[j]
	rank := f.index.Best(k.cpu, k.memory, f.accepts(j))
	if rank < 0 {
		return -1
	}
	return int(f.atRank[rank])
}

// accepts returns what else a host must do for a request than have room for its CPU
// and memory, by rank; nil if that is nothing.
func (f *fast) accepts(j Ref) func(rank int) bool {
	k := &f.instances[j]
	if k.constraints == 0 && !k.antiAffinity && k.gpus == 0 {
		return nil
	}
	return func(rank int) bool {
		h := int(f.atRank[rank])
		return f.hosts[h].gpus.Fits(k.gpus) && f.meetsConstraints(k, h)
	}
}

func (f *fast) makeShortlist(j Ref) {
	f.reindex()
	s := &f.short
	s.found = f.index.Top(shortlistSize, s.asks.cpu, s.asks.memory, f.accepts(j), s.found[:0])
	s.hosts, s.seen, s.made, s.all = s.hosts[:0], f.logEnd(), true, len(s.found) < shortlistSize
	for _, rank := range s.found {
		s.last = f.listed(f.atRank[rank])
		s.hosts = append(s.hosts, s.last)
	}
}

func (f *fast) listed(h int32) listed {
	return listed{h, f.hosts[h].rank, f.scores[h], f.changedIn[h]}
}

// updateShortlist takes in what has changed, and drops hosts from the front that
// have. Where that is too much it leaves nothing.
func (f *fast) updateShortlist(j Ref) {
	s := &f.short
	if !s.made || s.seen < f.logStart || len(s.hosts) > shortlistMost {
		s.hosts, s.all = s.hosts[:0], false
		return
	}
	for ; s.seen < f.logEnd(); s.seen++ {
		h := f.log[s.seen-f.logStart]
		k := &f.instances[j]
		if f.changedIn[h] != s.seen || !f.hosts[h].up || !f.hosts[h].fits(k) || !f.meetsConstraints(k, int(h)) {
			continue // or it changed again later
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
