package kubernetes

import (
	"cmp"
	"math/bits"
	"slices"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/federate/central"
	"berth/engine/score"
	"berth/engine/workload"
)

// The scores of workers that have none.
const (
	full    = -1 // it has no room
	unknown = -2
)

// nodes chooses workers.
type nodes struct {
	center  *federate.Center
	load    *workload.Tasks
	pool    *central.Pool
	random  interface{ IntN(int) int }
	fit     score.Fit
	scored  []int // the resources that count: all but devices
	scale   []cluster.Amount
	sample  int     // workers with room that are scored
	start   int     // the worker where the next decision starts
	cached  []cache // by equivalence class modulo their number
	keep    bool    // what is in the cache
	log     []int32 // of workers that have changed
	forgets int     // how often the log was emptied
	uses    []score.Use
	best    []group // scratch: the workers with the best score
}

// group is some of the 64 workers of a word.
type group struct {
	word    int
	workers uint64 // a bit for each
}

// cache is the scores of workers for tasks of a kind.
type cache struct {
	kind    int32
	upTo    int // of the log
	forgets int
	score   []int16
	words   []word // for each 64 workers
}

// word is what is known of 64 workers, with a bit for each.
type word struct {
	may  uint64 // they may have room
	news uint64 // their scores are not known
	top  uint64 // those with the best score, if that is known
	most int16  // that score; unknown until it is asked for
}

// The bounds of kube-scheduler on how many nodes it scores.
const (
	leastNodes, leastPercent, usualPercent, nodesPerPercent = 100, 5, 50, 125
)

// sampleOf is how many of so many nodes with room are scored; a percentage of 0 is that of
// kube-scheduler (numFeasibleNodesToFind).
func sampleOf(nodes, percent int) int {
	percent = cmp.Or(percent, max(usualPercent-nodes/nodesPerPercent, leastPercent))
	return min(nodes, max(nodes*percent/100, leastNodes))
}

func newNodes(m *federate.Model, pool *central.Pool, strategy score.Strategy, percent, classes int) nodes {
	x := nodes{
		center: m.Center, load: m.Load, pool: pool, random: m.Random, fit: score.Fit{Strategy: strategy}, sample: sampleOf(m.Center.Workers(), percent),
		cached: make([]cache, max(1, min(classes, len(m.Load.Kinds)))), keep: classes > 0,
	}
	for r, name := range m.Load.Resources {
		if name != workload.GPUResource || len(m.Load.Resources) == 1 {
			x.scored = append(x.scored, r)
			x.scale = append(x.scale, 1+m.Center.Capacity[r]/mostAmount)
		}
	}
	for i := range x.cached {
		x.cached[i].kind = none
	}
	return x
}

// mostAmount bounds amounts that are multiplied by a score.
const mostAmount = 1 << 56

// changed notes that a worker has more or less free than before.
func (x *nodes) changed(worker int32) {
	if len(x.log) > 4*x.center.Workers() {
		x.log = x.log[:0]
		x.forgets++
	}
	x.log = append(x.log, worker)
}

// scores returns what is known of the scores for tasks of a kind.
func (x *nodes) scores(kind int32) *cache {
	c, n := &x.cached[int(kind)%len(x.cached)], x.center.Workers()
	if c.score == nil {
		c.score, c.words = make([]int16, n), make([]word, (n+63)/64)
	}
	if !x.keep || c.kind != kind || c.forgets != x.forgets || len(x.log)-c.upTo > n {
		c.kind, c.forgets = kind, x.forgets
		for i := range c.words {
			all := below(n - i*64)
			c.words[i] = word{may: all, news: all, most: unknown}
		}
	} else {
		for _, w := range x.log[c.upTo:] {
			of, bit := &c.words[w/64], uint64(1)<<(w%64)
			of.may, of.news, of.most = of.may|bit, of.news|bit, unknown
		}
	}
	c.upTo = len(x.log)
	return c
}

// below has the bits below one, which may be more than there are.
func below(bit int) uint64 {
	if bit >= 64 {
		return ^uint64(0)
	}
	return 1<<max(bit, 0) - 1
}

// choose returns the worker of a task, −1 if none has room, and how many were looked at
// whose score was not known. Of equally good ones it is a random one.
func (x *nodes) choose(task int32) (worker int32, looked int) {
	c, n := x.scores(x.load.KindOf[task]), x.center.Workers()
	x.best = x.best[:0]
	ties, most, left, start := 0, int16(full), x.sample, x.start
	for _, part := range [2][2]int{{start, n}, {0, start}} {
		for at := part[0] / 64; at*64 < part[1] && left > 0; at++ {
			found := c.words[at].may & below(part[1]-at*64) &^ below(part[0]-at*64)
			if found == 0 {
				continue
			}
			found, looks := x.filter(c, at, found, left, task)
			looked += looks
			left -= bits.OnesCount64(found)
			if left == 0 {
				x.start = (at*64 + bits.Len64(found)) % n
			}
			score, best := c.best(at, found)
			if score > most {
				ties, most, x.best = 0, score, x.best[:0]
			}
			if score == most && best != 0 {
				ties += bits.OnesCount64(best)
				x.best = append(x.best, group{at, best})
			}
		}
	}
	if ties == 0 {
		return none, looked
	}
	return x.pick(x.random.IntN(ties)), looked
}

// pick is one of the best workers by its number.
func (x *nodes) pick(number int) int32 {
	for _, g := range x.best {
		if n := bits.OnesCount64(g.workers); number >= n {
			number -= n
			continue
		}
		for ; number > 0; number-- {
			g.workers &= g.workers - 1
		}
		return int32(g.word*64 + bits.TrailingZeros64(g.workers))
	}
	return none
}

// filter returns the first workers of some that have room, up to a number, and how many
// were looked at for that.
func (x *nodes) filter(c *cache, at int, some uint64, left int, task int32) (found uint64, looked int) {
	of := &c.words[at]
	for news := of.news & some; news != 0; news &= news - 1 {
		bit := news & -news
		if bits.OnesCount64(some&(bit-1)) >= left {
			break
		}
		looked++
		w := at*64 + bits.TrailingZeros64(news)
		of.news &^= bit
		of.most = unknown
		if c.score[w] = x.evaluate(task, int32(w)); c.score[w] == full {
			of.may &^= bit
			some &^= bit
		}
	}
	for n := bits.OnesCount64(some); n > left; n-- {
		some &^= 1 << (bits.Len64(some) - 1)
	}
	return some, looked
}

// best is the best score of some workers, and those that have it.
func (c *cache) best(at int, some uint64) (score int16, best uint64) {
	of := &c.words[at]
	if of.news == 0 && of.most == unknown {
		of.most, of.top = c.highest(at, of.may)
	}
	if best = of.top & some; of.news == 0 && best != 0 {
		return of.most, best
	}
	return c.highest(at, some)
}

// highest is the highest of some scores that are known, and whose it is.
func (c *cache) highest(at int, some uint64) (score int16, whose uint64) {
	score = full
	for ; some != 0; some &= some - 1 {
		bit := some & -some
		switch s := c.score[at*64+bits.TrailingZeros64(some)]; {
		case s > score:
			score, whose = s, bit
		case s == score:
			whose |= bit
		}
	}
	return score, whose
}

// evaluate filters and scores a worker.
func (x *nodes) evaluate(task, worker int32) int16 {
	if !x.pool.Fits(task, worker) {
		return full
	}
	capacity, free, request := x.center.CapacityOf(worker), x.pool.Free(worker), x.load.Kinds[x.load.KindOf[task]].Request
	x.uses = x.uses[:0]
	for i, r := range x.scored {
		x.uses = append(x.uses, score.Use{Requested: int64((capacity[r] - free[r] + request[r]) / x.scale[i]), Allocatable: int64(capacity[r] / x.scale[i]), Weight: 1})
	}
	sum := x.fit.Of(x.uses)
	if len(x.uses) > 1 && slices.ContainsFunc(x.scored[:2], func(r int) bool { return request[r] > 0 }) {
		sum += score.Balanced(x.uses[0], x.uses[1])
	}
	return int16(sum)
}
