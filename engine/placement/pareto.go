package placement

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Front is the trade-off between cost and another measure. Below is a lower bound: no placement is
// below any of its edges.
type Front struct {
	Measure Measure    // the measure that is traded against cost
	Points  []Tradeoff // the non-dominated placements found, cheapest first
	Below   []Edge
}

// Tradeoff is one placement on a front.
type Tradeoff struct {
	Cluster       []int32
	Cost, Measure float64
	Bound         float64 // lower bound of the cost at this value of the measure or less
}

// Proved reports whether a point costs no more than its bound, up to rounding.
func (x Tradeoff) Proved() bool { return x.Cost-x.Bound <= provedFront*x.Cost }

// provedFront is the rounding error of a slope.
const provedFront = 1e-6

// Edge is a lower bound: a placement with at most Most of the measure costs at least Cost −
// Slope × measure.
type Edge struct{ Most, Cost, Slope float64 }

// At returns the lower bound of the cost at a value of the measure, minus the rounding error; 0 if
// the edge does not apply.
func (e Edge) At(measure float64) float64 {
	if measure > e.Most {
		return 0
	}
	saved := float64(e.Slope * measure)
	return max(0, e.Cost-saved-float64(1e-14*(e.Cost+saved)))
}

// mostRuns limits the solver runs for one front.
const mostRuns = 15

// Pareto computes the front of cost and a measure with a strategy. For an additive measure it
// solves weighted sums between every two neighbours on the front until no new point appears (Aneja
// and Nair, Management Science 25:1, 1979). The bounds of these runs are lines below the front. For
// a maximum it tightens an upper limit step by step (ε-constraint method).
func (p *Problem) Pareto(ctx context.Context, by Strategy, m Measure, o Options) Front {
	f := &front{Front: Front{Measure: m}, problem: p, strategy: by, options: o}
	if m.adds() {
		f.weigh(ctx)
	} else {
		f.tighten(ctx)
	}
	for i := range f.Points {
		for _, e := range f.Below {
			f.Points[i].Bound = max(f.Points[i].Bound, e.At(f.Points[i].Measure))
		}
	}
	slices.SortFunc(f.Points, func(x, y Tradeoff) int { return cmp.Compare(x.Cost, y.Cost) })
	return f.Front
}

// front is a front under construction.
type front struct {
	Front
	problem  *Problem
	strategy Strategy
	options  Options
	runs     int
}

// run solves a variant q of the problem and adds every placement that it finds. ok is false if it
// finds no complete placement.
func (f *front) run(ctx context.Context, q *Problem) (Solution, bool) {
	f.runs++
	o := f.options
	o.Reached = func(_ Improvement, cluster []int32) {
		if cluster != nil && f.problem.stands(cluster) {
			f.add(cluster)
		}
	}
	s := f.strategy.Place(ctx, q, o)
	q.Certify(ctx, &s)
	if s.Complete() {
		f.add(s.Cluster)
	}
	return s, s.Complete() && ctx.Err() == nil
}

// add adds a placement unless another one is at least as good in both figures, and drops the points
// it dominates.
func (f *front) add(cluster []int32) {
	x := Tradeoff{Cost: f.problem.Measure(Cost, cluster), Measure: f.problem.Measure(f.Measure, cluster)}
	if slices.ContainsFunc(f.Points, func(y Tradeoff) bool { return y.Cost <= x.Cost && y.Measure <= x.Measure }) {
		return
	}
	f.Points = slices.DeleteFunc(f.Points, func(y Tradeoff) bool { return x.Cost <= y.Cost && x.Measure <= y.Measure })
	x.Cluster = slices.Clone(cluster)
	f.Points = append(f.Points, x)
}

// weigh minimizes a·cost + b·measure, first at both ends of the front, then in between.
func (f *front) weigh(ctx context.Context) {
	const nearly = 1e-7 // weight of the other figure at an end, where it only breaks ties
	first, ok := f.weighed(ctx, 1, nearly)
	if !ok {
		return
	}
	last, ok := f.weighed(ctx, nearly, 1)
	if ok {
		f.between(ctx, first, last)
	}
}

func (f *front) between(ctx context.Context, x, y Tradeoff) {
	a, b := x.Measure-y.Measure, y.Cost-x.Cost
	if !(a > tiny*x.Measure) || !(b > tiny*x.Cost) || f.runs >= mostRuns {
		return
	}
	a, b = a/(a+b), b/(a+b)
	z, ok := f.weighed(ctx, a, b)
	if line := float64(a*x.Cost) + float64(b*x.Measure); ok && float64(a*z.Cost)+float64(b*z.Measure) < line*(1-tiny) {
		f.between(ctx, x, z)
		f.between(ctx, z, y)
	}
}

func (f *front) weighed(ctx context.Context, a, b float64) (Tradeoff, bool) {
	s, ok := f.run(ctx, f.problem.weighing(f.Measure, a, b))
	if !ok {
		return Tradeoff{}, false
	}
	f.Below = append(f.Below, Edge{Most: math.Inf(1), Cost: s.Certificate.Bound / a, Slope: b / a})
	return Tradeoff{Cost: f.problem.Measure(Cost, s.Cluster), Measure: f.problem.Measure(f.Measure, s.Cluster)}, true
}

// tighten repeatedly limits the measure to less than its value in the cheapest placement so far.
func (f *front) tighten(ctx context.Context) {
	most, q := math.Inf(1), f.problem
	for f.runs < mostRuns {
		s, ok := f.run(ctx, q)
		if bound := s.Certificate.Bound; !math.IsInf(bound, 1) {
			f.Below = append(f.Below, Edge{Most: most, Cost: bound})
		}
		if !ok {
			return
		}
		now := f.problem.Measure(f.Measure, s.Cluster)
		most = now - 1
		if f.Measure == Balance {
			most = float64(now * 0.92)
		}
		if most <= 0 {
			return
		}
		q = f.problem.within(f.Measure, most)
	}
}
