package solve

import (
	"cmp"
	"math"
	"slices"

	"berth/engine/sorting"
)

// patterns looks for what whole sets of jobs are worth on one cluster: groups with
// no dependency between them. Where room has the price at which no group is worth
// more than it takes, a set is worth as much as the whole room less what its groups
// lose and what it leaves empty; those that lose least are looked for under a limit
// that rises.
type patterns struct {
	beside   []jobSet // by job: itself and those that it has dependencies with
	pool     []piece  // that lose least, in that order
	listed   float64  // those that lose less than this are there
	pieces   []piece  // of them, within the limit; the largest first
	smallest float64
	full     float64 // the price of the whole room
	limit    float64
	tried    int64
	stack    []int32
	found    []pattern // by the first job of the largest piece
}

// piece is a group that loses little.
type piece struct {
	at         int32
	size, loss float64
	jobs       jobSet
	beside     jobSet // with those that they have dependencies with
}

type jobSet [mostGrouped / 64]uint64

func newPatterns(p *Problem) patterns {
	f := patterns{beside: make([]jobSet, p.Jobs), found: make([]pattern, p.Jobs)}
	for j := range f.beside {
		f.beside[j].add(int32(j))
	}
	for _, d := range p.Dependencies {
		f.beside[d.A].add(d.B)
		f.beside[d.B].add(d.A)
	}
	return f
}

// pattern has the groups of a set and by how much less than the whole room it is
// worth, +Inf for none.
type pattern struct {
	pieces []int32
	loss   float64
}

const (
	mostPieces = 1 << 12
	variety    = 2       // sets are found that lose up to so many times the least
	mostTried  = 1 << 16 // in a search under one limit
	firstLimit = 0x1p-16 // of what may be lost at most
)

// bestSet returns what a cluster is worth at most with one set of jobs, given a price
// of its room at which no group is worth more than it takes, by how much that is
// more than the price at hand, and what a set is worth that is known. The sets
// found are kept.
func (x *packing) bestSet(k *packed, price, density, known float64) float64 {
	f := &x.sets
	worth := float64(price * (1 + tolerance))
	window := worth - known
	f.full, f.listed = price, window
	for j := range f.found {
		f.found[j].loss = math.Inf(1)
	}
	x.listPieces(k, density)
	least, done := window, 0.0
	for f.limit = min(window*firstLimit, f.listed); ; f.limit = min(2*f.limit, f.listed) {
		f.tried = 0
		f.choose()
		all := f.extend(x.all, 0, 1+tolerance, 0, jobSet{})
		x.worked += f.tried
		if !all {
			break
		}
		for j := range f.found {
			least = min(least, f.found[j].loss)
		}
		done = f.limit
		if done >= min(variety*least, f.listed) {
			break
		}
	}
	return worth - min(done, least)
}

// listPieces lists the groups that lose least on a cluster, in that order.
func (x *packing) listPieces(k *packed, density float64) {
	f, g := &x.sets, x.all
	f.pool = f.pool[:0]
	v := view{room: x.b.p.Resources[0].Capacity[k.cluster] * (1 + tolerance), grouped: k.groups, value: x.value, load: x.load}
	for at := 0; ; at++ {
		next, loss, looked := g.within(at, v, density, f.listed)
		at, x.worked = next, x.worked+int64(looked)
		if at == len(g.job) {
			break
		}
		f.pool = append(f.pool, piece{at: int32(at), size: x.load[at], loss: loss})
		if len(f.pool) == mostPieces {
			f.sort()
			f.pool = f.pool[:mostPieces/2]
			f.listed = f.pool[mostPieces/2-1].loss
		}
	}
	f.sort()
	for i := range f.pool {
		p := &f.pool[i]
		for at := p.at; at >= 0; at = g.parent[at] {
			p.jobs.add(g.job[at])
			p.beside = p.beside.with(&f.beside[g.job[at]])
		}
	}
}

func (f *patterns) sort() {
	sorting.By(f.pool, func(a, b piece) int { return cmp.Or(cmp.Compare(a.loss, b.loss), cmp.Compare(a.at, b.at)) })
}

// choose takes the pieces that lose no more than the limit.
func (f *patterns) choose() {
	n, _ := slices.BinarySearchFunc(f.pool, f.limit, func(p piece, limit float64) int { return cmp.Or(cmp.Compare(p.loss, limit), -1) })
	f.pieces, f.smallest = append(f.pieces[:0], f.pool[:n]...), math.Inf(1)
	for i := range f.pieces {
		f.smallest = min(f.smallest, f.pieces[i].size)
	}
	sorting.By(f.pieces, func(a, b piece) int { return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(a.at, b.at)) })
}

// extend adds pieces, from one on, to those on the stack, of jobs that are not taken
// or beside those that are. It reports false if there
// are too many ways.
func (f *patterns) extend(g *groups, from int, room, loss float64, taken jobSet) bool {
	skipped, _ := slices.BinarySearchFunc(f.pieces[from:], room, func(p piece, room float64) int { return cmp.Or(cmp.Compare(room, p.size), 1) })
	enough := room - (f.limit-loss)/f.full
	for i := from + skipped; i < len(f.pieces); i++ {
		p := &f.pieces[i]
		if p.size < enough && room < 2*f.smallest {
			break // no other fits beside it, or those after it
		}
		f.tried++
		if f.tried > mostTried {
			return false
		}
		if loss+p.loss > f.limit || taken.meets(&p.jobs) {
			continue
		}
		f.stack = append(f.stack, p.at)
		left, all := room-p.size, true
		if lost := loss + p.loss + float64(f.full*max(0, left)); lost < f.limit {
			f.keep(g, lost)
		}
		if left >= f.smallest {
			all = f.extend(g, i+1, left, loss+p.loss, taken.with(&p.beside))
		}
		f.stack = f.stack[:len(f.stack)-1]
		if !all {
			return false
		}
	}
	return true
}

func (s *jobSet) add(job int32) { s[job/64] |= 1 << (job % 64) }

func (s *jobSet) meets(other *jobSet) bool {
	var both uint64
	for w := range s {
		both |= s[w] & other[w]
	}
	return both != 0
}

func (s jobSet) with(other *jobSet) jobSet {
	for w := range s {
		s[w] |= other[w]
	}
	return s
}

// keep keeps the set on the stack if no other that begins with its job loses less.
func (f *patterns) keep(g *groups, loss float64) {
	first := f.stack[0]
	for g.parent[first] >= 0 {
		first = g.parent[first]
	}
	if best := &f.found[g.job[first]]; loss < best.loss {
		best.loss, best.pieces = loss, append(best.pieces[:0], f.stack...)
	}
}
