package placement

import (
	"math"
	"slices"

	"berth/engine/graph"
	"berth/engine/solve"
)

// pathFigures gives one figure, such as the price or latency, of the path between any two clusters.
// It is +Inf if no path joins them or a link of the path lacks the label. On a star, sums and lower
// bounds combine the figures of two legs. Other figures have a row for each cluster, computed on
// first use.
type pathFigures struct {
	federation *graph.Federation
	through    graph.Derivation
	sign       float64   // factor of the figures; -1 turns a lower bound into an upper one
	given      []float64 // by given link
	legs       row       // from the centre of a star; empty if rows are used
	rows       []row     // by cluster; nil if legs are used
	pairs      []float64 // all rows in one slice, after [pathFigures.links]
}

// row has the figures from one cluster to all others: legs[j] + own for sums and max(legs[j], own)
// for [graph.Narrowest]. worst is the largest leg.
type row struct {
	legs       []float64
	own, worst float64
}

func newColumn(f *graph.Federation, through graph.Derivation, sign float64, given []float64) *pathFigures {
	c := &pathFigures{federation: f, through: through, sign: sign, given: given}
	if f.Center() >= 0 && (through == graph.Sum || sign < 0) {
		c.legs = c.reach(f.Center())
	} else {
		c.rows = make([]row, f.Clusters().Len())
	}
	return c
}

func (c *pathFigures) row(m int) row {
	if c.rows == nil {
		return row{c.legs.legs, c.legs.legs[m], c.legs.worst}
	}
	if c.rows[m].legs == nil {
		c.rows[m] = c.reach(m)
	}
	return c.rows[m]
}

// reach computes the row of a cluster. The leg of a star's centre is neutral: it changes no path.
func (c *pathFigures) reach(m int) row {
	f := c.federation
	r := row{legs: slices.Repeat([]float64{math.Inf(1)}, f.Clusters().Len()), worst: math.Inf(-1)}
	put := func(to int, path ...int) {
		figure := c.through.Neutral()
		for _, link := range path {
			figure = c.through.Derive(figure, c.given[link])
		}
		if figure == figure {
			r.legs[to] = c.sign * figure
		}
		r.worst = max(r.worst, r.legs[to])
	}
	put(m)
	if !f.Routed() && (f.Center() < 0 || f.Center() == m) {
		clusters, given := f.Neighbours(m)
		for i, to := range clusters {
			put(int(to), int(given[i]))
		}
		return r
	}
	var path []int
	for to := range r.legs {
		var ok bool
		if path, ok = f.Path(path[:0], max(m, to), min(m, to)); ok { // the same order for both directions, so that the figures are symmetric
			put(to, path...)
		}
	}
	return r
}

// between returns the figure of the path between two different clusters, from the row of b.
func (c *pathFigures) between(a, b int) float64 {
	if c.rows != nil {
		return c.row(b).legs[a]
	}
	legs := c.legs.legs
	if c.through == graph.Narrowest {
		return max(legs[a], legs[b])
	}
	return legs[a] + legs[b]
}

// refuse writes +Inf for the clusters whose path to cluster m exceeds the bound.
func (c *pathFigures) refuse(dst []float64, m int, bound float64) {
	r := c.row(m)
	if c.rows == nil && c.through == graph.Narrowest { // the larger of two legs counts
		if r.own <= bound {
			r.own = 0
		} else {
			r.own = math.Inf(1)
		}
	}
	if !(r.worst+r.own <= bound) {
		refuseAbove(dst, r.legs, r.own, bound)
	}
}

// links returns the figures in the form of package solve.
func (c *pathFigures) links() solve.Links {
	if c.rows == nil {
		return solve.Links{Leg: c.legs.legs}
	}
	if n := len(c.rows); c.pairs == nil {
		c.pairs = make([]float64, n*n)
		for m := range n {
			r := c.row(m)
			r.legs = c.pairs[m*n : m*n+copy(c.pairs[m*n:], r.legs)]
			c.rows[m] = r
		}
	}
	return solve.Links{Pair: c.pairs}
}
