package improve

import (
	"cmp"
	"math"
	"slices"
)

// lineage is a sequence of rounds. Each begins at the best placement of the rounds before it.
type lineage struct {
	best []int32
	cost float64 // +Inf without a placement: best is where the first round begins
}

// keep takes a placement if it costs less than the best.
func (l *lineage) keep(cluster []int32, cost float64) {
	if cost < l.cost {
		copy(l.best, cluster)
		l.cost = cost
	}
}

// contest has lineages take turns. After a few laps, the better half of them goes on with rounds
// twice as long (Karnin, Koren, Somekh 2013: sequential halving), down to one. Then a contest
// begins whose rounds are twice as long as in the one before, and in which the best placement of
// all takes part. So an unlucky first round does not decide, and a search that goes on for long
// looks elsewhere, too.
type contest struct {
	first  []int32 // where fresh lineages begin
	size   int     // lineages at the beginning, a power of 2
	lines  []lineage
	at     int // the lineage under way
	lap    int
	held   int   // contests begun
	length int64 // of a round, in shortest ones
}

const laps = 3 // of each part of a contest

// line is the lineage under way.
func (c *contest) line() *lineage { return &c.lines[c.at] }

// next goes to the next lineage. The best placement of all, nil without one, joins a new contest:
// not the first one, where all lineages would draw from the same neighbourhood, unless there is
// one lineage alone.
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
