package placement

import (
	"context"
	"errors"
	"slices"
	"strings"

	"berth/engine/graph"
	"berth/engine/plugin"
	"berth/engine/show"
)

// Ranking is the part of a strategy that another package supplies: it orders the jobs, and for each
// job the clusters. [Ranked] places the jobs, so a ranking cannot violate a constraint.
type Ranking interface {
	// Order returns the jobs in placement order, each once.
	Order() ([]int32, error)
	// Rank returns indices into cells, the clusters for the current job, in the order in which to
	// try them. It refuses a cell by omitting it.
	Rank(m *Attempt, cells []Cell) (order []int32, err error)
	// Refusals returns the reasons for cells that Rank left out.
	Refusals() []string
	// Backtracks reports whether the search may remove placed jobs.
	Backtracks() bool
	// Better rates a complete placement; lexicographically smaller is better. If ok is true, the
	// placement is improved by moving single jobs. A ranking that cannot rate placements returns
	// false.
	Better(m *Attempt) (value []float64, ok bool, err error)
	// Own returns the strategy's own counts and notes.
	Own() plugin.Own
}

// Cell is a cluster that has room for a job and links to its placed neighbours.
type Cell struct {
	Cluster     int
	Cost        float64 // of the job there, with its links to placed neighbours (CM)
	LogAffinity float64 // ln NAM: −a times the requests of the job and its neighbours beyond the free amount
}

// Ranked returns a strategy that makes a ranking for each problem. The ranking's context is
// cancelled when the search ends; if the caller cancels it, the search stops.
func Ranked(of func(context.Context, *Problem) (Ranking, error)) Strategy { return ranked{of} }

type ranked struct {
	of func(context.Context, *Problem) (Ranking, error)
}

// Failed is the reason of a search whose strategy returned an error.
type Failed struct{ Cause error }

func (f Failed) String() string { return f.Cause.Error() }

// Place implements [Strategy].
func (r ranked) Place(ctx context.Context, p *Problem, o Options) Solution {
	ctx, end := context.WithCancel(ctx)
	defer end()
	by, solution := &cells{ranked: make([][]int32, len(p.y))}, Solution{Order: fileOrder(len(p.y)), Cluster: slices.Repeat([]int32{-1}, len(p.y))}
	if by.Ranking, by.err = r.of(ctx, p); by.err == nil {
		by.jobs, by.err = by.Order()
	}
	if by.err == nil {
		s := newSearch(p, by, o)
		s.failed = func() bool { return by.err != nil }
		if solution = s.place(ctx); by.err == nil && solution.Status == Placed {
			by.improve(ctx, p, &solution, s.options.Budget)
		}
	}
	stopped := ctx.Err()
	switch {
	case stopped != nil && (by.err == nil || errors.Is(by.err, stopped)):
		solution.Status, solution.Reason = Cancelled, Stopped{context.Cause(ctx)}
		return solution
	case by.err != nil:
		return Solution{Status: Cancelled, Reason: Failed{by.err}, Order: solution.Order, Cluster: solution.Cluster}
	case solution.Certificate != nil && len(by.Refusals()) > 0: // another strategy may use these clusters
		solution.Status, solution.Certificate = BudgetExhausted, nil
		solution.Reason = because(refusedClusters, solution.Reason, show.Lines(strings.Join(by.Refusals(), "; ")))
	}
	solution.Own = by.Own()
	return solution
}

// cells adapts a [Ranking] to the internal interface ranking.
type cells struct {
	Ranking
	jobs   []int32
	cells  []Cell    // scratch
	ranked [][]int32 // by depth: the clusters left to try, in order
	err    error
}

func (c *cells) order(*Problem) []int32 { return c.jobs }

// next asks the ranking once when a job becomes current, and then returns its clusters one by one.
func (c *cells) next(s *search, after candidate) candidate {
	if after == beforeAll {
		c.rank(s)
	}
	best := noCandidate
	if list := c.ranked[s.step]; c.err == nil && len(list) > 0 {
		best.cluster, c.ranked[s.step] = list[0], list[1:]
	}
	s.stuck = best.cluster < 0 && !c.Backtracks()
	return best
}

func (c *cells) rank(s *search) {
	if c.err != nil {
		return
	}
	c.cells = c.cells[:0]
	for j, cost := range s.able {
		c.cells = append(c.cells, Cell{j, cost, -float64(s.phi * s.scratch[j])})
	}
	var order []int32
	order, c.err = c.Rank(s.Attempt, c.cells)
	list := c.ranked[s.step][:0]
	for _, place := range order {
		list = append(list, int32(c.cells[place].Cluster))
	}
	c.ranked[s.step] = list
}

// improve moves single jobs, at most tries times, as long as the ranking rates the result better.
func (c *cells) improve(ctx context.Context, p *Problem, s *Solution, tries int64) {
	now, ok := c.value(p, s.Order, s.Cluster)
	if !ok {
		return
	}
	for improved := true; improved; {
		improved = false
		for _, job := range s.Order {
			for j := range p.capacity.federation.Clusters().Len() {
				if tries == 0 || ctx.Err() != nil {
					return
				}
				tries--
				was := s.Cluster[job]
				if int(was) == j {
					continue
				}
				s.Cluster[job] = int32(j)
				value, ok := c.value(p, s.Order, s.Cluster)
				if c.err != nil {
					return
				}
				if !ok || slices.Compare(value, now) >= 0 {
					s.Cluster[job] = was
					continue
				}
				now, improved = value, true
			}
		}
	}
	s.NodeCost, s.LinkCost = p.Costs(s.Cluster)
}

// value rates a placement; ok is false if the placement violates a constraint.
func (c *cells) value(p *Problem, order, cluster []int32) (value []float64, ok bool) {
	m := p.NewAttempt(order)
	for _, job := range order {
		if !m.Put(int(cluster[job])) {
			return nil, false
		}
	}
	value, ok, c.err = c.Better(m)
	return value, ok && c.err == nil
}

// Problem returns the problem that the attempt places.
func (m *Attempt) Problem() *Problem { return m.problem }

// ClusterOf returns the cluster of a job, -1 before it is placed.
func (m *Attempt) ClusterOf(job int) int { return int(m.cluster[job]) }

// Left returns the free amount of a resource on a cluster, in units; ok is false if no job can
// request that label.
func (m *Attempt) Left(supply *graph.LabelType, cluster int) (amount float64, ok bool) {
	c := m.problem.capacity
	at := slices.IndexFunc(c.resources, func(r resource) bool { return r.supply == supply })
	if at < 0 {
		return 0, false
	}
	free := c.free[at]
	for r := range m.problem.demands {
		if m.problem.demands[r].index == at {
			free = m.free[r]
		}
	}
	return units(free[cluster]), true
}

// Request returns the request of a job in units of cpu. With several resources, the request with
// the largest share of a mean cluster counts. The baselines sort jobs by it.
func (p *Problem) Request(job int) float64 { return units(p.asked(job)) }

// asked returns [Problem.Request] in parts.
func (p *Problem) asked(job int) float64 {
	var request float64
	for r := range p.demands {
		request = max(request, p.relative(r, p.demands[r].need[job]))
	}
	return request
}
