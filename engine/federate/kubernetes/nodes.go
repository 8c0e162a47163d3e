package kubernetes

import (
	"cmp"
	"math/bits"
	"slices"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/input/workload"
	"berth/engine/kube/score"
)

// Special values of a score.
const (
	full    = -1 // no room
	unknown = -2
)

// nodes selects workers for tasks.
type nodes struct {
	fit     score.Fit
	scored  []int // resources that enter the score: all but devices
	scale   []cluster.Amount
	sample  int     // workers with room to score per decision
	start   int     // worker at which the next decision starts
	cached  []cache // kind k uses entry k mod len(cached)
	keep    bool    // the cache survives from one decision to the next
	log     []int32 // workers that have changed, in order
	forgets int     // number of times the log was emptied
	uses    []score.Use
	best    []group // scratch: workers with the best score
}

// group is a subset of the 64 workers of a word.
type group struct {
	word    int
	workers uint64 // one bit per worker
}

// cache holds the scores of all workers for one kind of task.
type cache struct {
	kind    int32
	upTo    int // length of the log that it includes
	forgets int // nodes.forgets when it was filled
	score   []int16
	words   []word // one for each 64 workers
}

// word describes 64 workers with one bit each.
type word struct {
	may  uint64 // may have room
	news uint64 // score is unknown or out of date
	top  uint64 // have the score most; valid if most is known
	most int16  // best score of the word; unknown until computed
}

// Limits of kube-scheduler on the number of nodes that it scores.
const (
	leastNodes, leastPercent, usualPercent, nodesPerPercent = 100, 5, 50, 125
)

// sampleOf returns how many nodes with room a decision scores. A percentage of 0 selects the
// default of kube-scheduler (numFeasibleNodesToFind).
func sampleOf(nodes, percent int) int {
	percent = cmp.Or(percent, max(usualPercent-nodes/nodesPerPercent, leastPercent))
	return min(nodes, max(nodes*percent/100, leastNodes))
}

func newNodes(m *federate.Model, strategy score.Strategy, percent, classes int) nodes {
	x := nodes{
		fit: score.Fit{Strategy: strategy}, sample: sampleOf(m.Center.Workers(), percent),
		cached: make([]cache, max(1, min(classes, len(m.Load.Kinds)))), keep: classes > 0,
	}
	for r, name := range m.Load.Resources {
		if name != workload.GPUResource || len(m.Load.Resources) == 1 {
			x.scored = append(x.scored, r)
			x.scale = append(x.scale, 1+m.Center.Capacity[r]/mostAmount)
		}
	}
	for i := range x.cached {
		x.cached[i].kind = federate.None
	}
	return x
}

// mostAmount limits amounts so that their product with a score does not overflow.
const mostAmount = 1 << 56

// changed notes that the free resources of a worker have changed.
func (s *scheduler) changed(worker int32) {
	if len(s.log) > 4*s.Center.Workers() {
		s.log = s.log[:0]
		s.forgets++
	}
	s.log = append(s.log, worker)
}

// scores returns the cache of a kind, with the changes of the log marked.
func (s *scheduler) scores(kind int32) *cache {
	c, n := &s.cached[int(kind)%len(s.cached)], s.Center.Workers()
	if c.score == nil {
		c.score, c.words = make([]int16, n), make([]word, (n+63)/64)
	}
	if !s.keep || c.kind != kind || c.forgets != s.forgets || len(s.log)-c.upTo > n {
		c.kind, c.forgets = kind, s.forgets
		for i := range c.words {
			all := below(n - i*64)
			c.words[i] = word{may: all, news: all, most: unknown}
		}
	} else {
		for _, w := range s.log[c.upTo:] {
			of, bit := &c.words[w/64], uint64(1)<<(w%64)
			of.may, of.news, of.most = of.may|bit, of.news|bit, unknown
		}
	}
	c.upTo = len(s.log)
	return c
}

// below returns a mask of the bits below a bit, which may be negative or above 63.
func below(bit int) uint64 {
	if bit >= 64 {
		return ^uint64(0)
	}
	return 1<<max(bit, 0) - 1
}

// choose returns a worker for a task, or none if no worker has room. looked is the number of
// workers that it had to evaluate because their scores were unknown. It breaks ties at random.
func (s *scheduler) choose(task int32) (worker int32, looked int) {
	c, n := s.scores(s.Load.KindOf[task]), s.Center.Workers()
	s.nodes.best = s.nodes.best[:0]
	ties, most, left, start := 0, int16(full), s.sample, s.nodes.start
	for _, part := range [2][2]int{{start, n}, {0, start}} {
		for at := part[0] / 64; at*64 < part[1] && left > 0; at++ {
			found := c.words[at].may & below(part[1]-at*64) &^ below(part[0]-at*64)
			if found == 0 {
				continue
			}
			found, looks := s.filter(c, at, found, left, task)
			looked += looks
			left -= bits.OnesCount64(found)
			if left == 0 {
				s.nodes.start = (at*64 + bits.Len64(found)) % n
			}
			score, best := c.best(at, found)
			if score > most {
				ties, most, s.nodes.best = 0, score, s.nodes.best[:0]
			}
			if score == most && best != 0 {
				ties += bits.OnesCount64(best)
				s.nodes.best = append(s.nodes.best, group{at, best})
			}
		}
	}
	if ties == 0 {
		return federate.None, looked
	}
	return s.pick(s.Random.IntN(ties)), looked
}

// pick returns one of the equally good best workers, by its number from 0.
func (s *scheduler) pick(number int) int32 {
	for _, g := range s.nodes.best {
		if n := bits.OnesCount64(g.workers); number >= n {
			number -= n
			continue
		}
		for ; number > 0; number-- {
			g.workers &= g.workers - 1
		}
		return int32(g.word*64 + bits.TrailingZeros64(g.workers))
	}
	return federate.None
}

// filter returns the first left workers of some that have room, and the number of workers that it
// evaluated.
func (s *scheduler) filter(c *cache, at int, some uint64, left int, task int32) (found uint64, looked int) {
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
		if c.score[w] = s.evaluate(task, int32(w)); c.score[w] == full {
			of.may &^= bit
			some &^= bit
		}
	}
	for n := bits.OnesCount64(some); n > left; n-- {
		some &^= 1 << (bits.Len64(some) - 1)
	}
	return some, looked
}

// best returns the best score among some workers, and the workers that have it.
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

// highest returns the highest cached score among some workers, and the workers that have it.
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

// evaluate returns the score of a worker for a task, or full.
func (s *scheduler) evaluate(task, worker int32) int16 {
	if !s.Pool.Fits(task, worker) {
		return full
	}
	capacity, free, request := s.Center.CapacityOf(worker), s.Pool.Free(worker), s.Load.Kinds[s.Load.KindOf[task]].Request
	s.uses = s.uses[:0]
	for i, r := range s.scored {
		s.uses = append(s.uses, score.Use{Requested: int64((capacity[r] - free[r] + request[r]) / s.scale[i]), Allocatable: int64(capacity[r] / s.scale[i]), Weight: 1})
	}
	sum := s.fit.Of(s.uses)
	if len(s.uses) > 1 && slices.ContainsFunc(s.scored[:2], func(r int) bool { return request[r] > 0 }) {
		sum += score.Balanced(s.uses[0], s.uses[1])
	}
	return int16(sum)
}
