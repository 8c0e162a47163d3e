package placement

import (
	"math"
	"slices"

	"berth/engine/graph"
	"berth/engine/solve"
)

// pathFigures has a figure of the path between any two clusters, +Inf where no path joins them or a
// link of it lacks the label. On a star it is made of the legs of both, otherwise there is a row
// for each cluster, made when it is first asked for.
type pathFigures struct {
	federation *graph.Federation
	through    graph.Derivation
	sign       float64 // that the figures of links are multiplied with
	given      []float64
	legs       row // of a star
	rows       []row
	pairs      []float64 // all rows, once [pathFigures.links] has been asked for
}

// row has the figures from one cluster to all, as legs and their own leg, and the largest leg.
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

// reach makes the row of a cluster. The leg of a star's centre leaves every path as it is.
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
		if path, ok = f.Path(path[:0], max(m, to), min(m, to)); ok { // the same there and back
			put(to, path...)
		}
	}
	return r
}

// between returns the figure of the path between two different clusters, from the row of the
// second.
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

// refuse writes +Inf for the clusters whose path to cluster m is over the bound.
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

// links returns the column in the form of package solve.
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
