package placement

import (
	"context"
	"math"
	"slices"

	"berth/engine/parameter"
	"berth/engine/solve/exact"
	"berth/engine/solve/improve"
)

// best goes on from what the heuristic finds, or leaves, as package improve does, until
// something is proved or the steps are used up.
type best struct{}

var bestPlugin = Plugin{
	Name: "best", Title: "best",
	Description: "starts from the heuristic's placement and searches until it is proved optimal, stopped or out of steps; without prices it spreads the load",
	Improves:    true,
	Sought:      true,
	Pairs:       true,
	New:         func(parameter.Values) Strategy { return best{} },
}

// anytimePlugin is the same, for the documents and links that name it.
var anytimePlugin = Plugin{
	Name: "anytime", Title: "anytime",
	Description: "the strategy best, by its former name",
	Improves:    true,
	Sought:      true,
	Pairs:       true,
	New:         func(parameter.Values) Strategy { return best{} },
}

// firstExpansions bounds the heuristic that it begins with.
const firstExpansions = 5000

// DefaultSteps is how many steps best does by default: one to two seconds' for what
// people have.
func (p *Problem) DefaultSteps() int64 {
	form := p.Assignment()
	unit := improve.Unit(form.Jobs, form.Clusters)
	if form.Links.Pair != nil || form.Jobs*form.Clusters <= smallCells {
		return unit + unit/2 + 5e6
	}
	return unit
}

// smallCells is up to how many jobs × clusters a default run has time for a proof,
// whatever the problem.
const smallCells = 5000

// Place implements [Strategy].
func (best) Place(ctx context.Context, p *Problem, o Options) Solution {
	if r := o.Course.resumed(o); r != nil {
		r.run(ctx)
		return r.solution(ctx)
	}
	if !p.Priced() { // no placement is cheaper than another
		if s := spread.Place(ctx, p, o); s.Complete() {
			return s
		}
	}
	r, s := begin(ctx, p, o)
	if r == nil {
		return s
	}
	r.run(ctx)
	if o.Course != nil {
		o.Course.improvement = r
	}
	return r.solution(ctx)
}

// begin begins an improvement of what the heuristic finds; nil where that settles all.
func begin(ctx context.Context, p *Problem, o Options) (*improvement, Solution) {
	first := o
	first.Budget = min(firstExpansions, DefaultBudget)
	if o.Budget > 0 {
		first.Budget = min(first.Budget, o.Budget)
	}
	s := heuristic{}.Place(ctx, p, first)
	s.ByPA = false
	if s.Status == Infeasible || s.Status == Cancelled || len(s.Order) == 0 {
		return nil, s
	}
	return newImprovement(p, o, s), s
}

// resumed returns what goes on with more steps, nil if nothing does.
func (c *Course) resumed(o Options) *improvement {
	if c == nil || c.improvement == nil {
		return nil
	}
	r := c.improvement
	if o.Steps <= r.search.Steps() || r.search.Ended() {
		return nil
	}
	r.options, r.end = o, o.Steps
	return r
}

// improvement is a run of best.
type improvement struct {
	problem *Problem
	options Options
	start   Solution
	search  *improve.Search
	end     int64 // in steps
	trace   []Improvement
	tree    *exact.Tree // beside the search, nil for none
}

func newImprovement(p *Problem, o Options, start Solution) *improvement {
	r := &improvement{problem: p, options: o, start: start, end: o.Steps}
	if r.end == 0 {
		r.end = p.DefaultSteps()
		if o.Enough != nil {
			r.end = endless
		}
	}
	cluster := start.Cluster
	r.search = improve.New(p.Assignment(), cluster, o.Seed, r.record)
	r.record()
	return r
}

func (r *improvement) run(ctx context.Context) {
	r.trace = r.trace[:r.known()]
	r.search.Run(ctx, r.end, r.mayGoOn)
}

// endless is a number of steps that no search comes to.
const endless = 1 << 60

// mayGoOn says whether the time is not up.
func (r *improvement) mayGoOn() bool { return r.options.Enough == nil || !r.options.Enough() }

// known is how many points of the trace the search has not taken back.
func (r *improvement) known() int {
	n := len(r.trace)
	for n > 1 && r.trace[n-1].Steps > r.search.Kept() {
		n--
	}
	return n
}

// now is how far it is, with the best placement.
func (r *improvement) now() ([]int32, Improvement) {
	cluster, cost := r.search.Best()
	now := Improvement{Steps: r.taken(), Cost: cost, Bound: r.search.Bound()}
	if r.tree != nil {
		cluster, now = beside(r.tree.Result(), cluster, now)
	}
	return cluster, now
}

// record notes the best placement and the best bound, if either is better.
func (r *improvement) record() {
	cluster, now := r.now()
	if tell := r.options.Reached; tell != nil {
		tell(now, cluster)
	}
	if tell := r.options.Progress; tell != nil {
		jobs := len(r.start.Order)
		tell(int(float64(jobs)*min(1, float64(now.Steps)/float64(r.end))), jobs, r.start.Expansions)
	}
	if n := len(r.trace); n > 0 && r.trace[n-1].Cost == now.Cost && now.Bound-r.trace[n-1].Bound <= 1e-6*now.Bound {
		return
	}
	r.trace = append(r.trace, now)
}

func (r *improvement) solution(ctx context.Context) Solution {
	s := r.start
	best, now := r.now()
	if best != nil {
		best = slices.Clone(best) // the search may go on
		if node, link := r.problem.Costs(best); s.Status != Placed || node+link < s.Cost() {
			s.Status, s.Reason, s.Cluster, s.NodeCost, s.LinkCost = Placed, nil, best, node, link
		}
	}
	bound, steps := now.Bound, now.Steps
	s.Certificate = &Certificate{Bound: bound, Steps: steps, Trace: slices.Clone(r.trace)}
	switch {
	case s.Status != Placed && math.IsInf(bound, 1):
		s.Status, s.Certificate = Infeasible, noPlacement()
		s.Certificate.Steps = steps
		s.Reason = Ended{How: AllRuledOut}
		if r.search.Refused() {
			s.Reason = Ended{How: JobRefused}
		}
	case s.Status != Placed:
		s.Reason = Ended{OutOfSteps, steps, s.Expansions}
	}
	if ctx.Err() != nil {
		return s.cancelled(ctx)
	}
	return s
}
