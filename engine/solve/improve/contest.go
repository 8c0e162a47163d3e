package improve

import (
	"cmp"
	"math"
	"slices"
)

// lineage is a sequence of rounds. Each round starts at the best placement of the earlier ones.
type lineage struct {
	best []int32
	cost float64 // +Inf without a placement: then best is the start of the first round
}

// keep stores a placement if it costs less than the best.
func (l *lineage) keep(cluster []int32, cost float64) {
	if cost < l.cost {
		copy(l.best, cluster)
		l.cost = cost
	}
}

// contest lets several lineages take turns. After a few laps, the better half continues with rounds
// twice as long, until one is left (sequential halving; Karnin, Koren, Somekh 2013). Then a new
// contest begins, with rounds twice as long as in the previous one and with the overall best
// placement as one of its starts. So a single unlucky round is not decisive, and a long search also
// explores elsewhere.
type contest struct {
	first  []int32 // start of new lineages
	size   int     // number of lineages at the start of a contest, a power of 2
	lines  []lineage
	at     int // index of the current lineage
	lap    int
	held   int   // number of contests begun
	length int64 // of a round, relative to the shortest
}

const laps = 3 // rounds of each lineage before a halving

// line returns the current lineage.
func (c *contest) line() *lineage { return &c.lines[c.at] }

// next moves on to the next lineage. The overall best placement (nil if there is none) joins each
// new contest except the first, where all lineages would then explore the same neighbourhood. If
// there is only one lineage, it joins the first contest, too.
func (c *contest) next(best []int32, cost float64) {
	if c.at++; c.at < len(c.lines) {
		return
	}
	c.at = 0
	if c.lap++; c.lap == laps {
		c.lap = 0
		c.length *= 2
		slices.SortStableFunc(c.lines, func(a, b lineage) int { return cmp.Compare(a.cost, b.cost) })
		c.lines = c.lines[:len(c.lines)/2]
	}
	if len(c.lines) == 0 {
		c.lap, c.length = 0, 1<<min(c.held, 30)
		for range c.size {
			c.lines = append(c.lines, lineage{slices.Clone(c.first), math.Inf(1)})
		}
		if best != nil && (c.held > 0 || c.size == 1) {
			c.lines[0].keep(best, cost)
		}
		c.held++
	}
}
