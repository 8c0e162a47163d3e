package placement

import (
	"context"
	"math"
	"slices"
)

// checkEvery is the number of expansions between two checks of the context.
const checkEvery = 64

// ranking orders the clusters that can take the current job. Bandwidth, counters and nodes are
// checked later. next returns the first cluster after the candidate after, and cluster -1 if none
// is left. A key must not depend on earlier answers. Scanning a row again for each candidate costs
// no more than the expansion that follows, and avoids sorting and storing PA.
type ranking interface {
	order(p *Problem) []int32
	next(s *search, after candidate) candidate
}

// candidate is a cluster with its sort key in PA.
type candidate struct {
	key     float64
	cluster int32
}

var (
	beforeAll   = candidate{key: math.Inf(-1), cluster: -1}
	noCandidate = candidate{key: math.Inf(1), cluster: -1}
)

// precedes reports whether c comes first in PA: by key, then in file order.
func (c candidate) precedes(key float64, cluster int32) bool {
	return c.key < key || c.key == key && c.cluster < cluster
}

// search is the depth-first search of all strategies that place job by job (algorithm 7): the
// current attempt and the state of its ranking.
type search struct {
	*rows
	ranking ranking
	options Options
	phi     float64 // a in Φ, per part

	strips  *strips     // nil if next scans whole rows
	chosen  []candidate // by depth
	number  []int64     // by depth: the number of its expansion
	scratch []float64   // by cluster: the result of room

	deepest int
	longest []int32     // the clusters of the deepest attempt
	stuck   bool        // a ranking that does not backtrack found no cluster
	failed  func() bool // if set, reports whether the ranking returned an error
	found   func()      // if set, receives each placement, and the search continues
}

func newSearch(p *Problem, r ranking, o Options) *search {
	if o.Budget <= 0 {
		o.Budget = DefaultBudget
	}
	if o.log != nil {
		o.log.problem = p
	}
	attempt := p.NewAttempt(r.order(p))
	s := &search{
		rows: newRows(attempt), ranking: r, options: o, phi: o.Phi / partsPerUnit,
		chosen: make([]candidate, len(attempt.order)), number: make([]int64, len(attempt.order)),
		scratch: make([]float64, p.capacity.federation.Clusters().Len()),
		longest: slices.Clone(attempt.cluster),
	}
	if r == ranking(heuristic{}) {
		s.strips = newStrips(p, s.free)
	}
	return s
}

// place runs the search and returns its result.
func (s *search) place(ctx context.Context) Solution {
	solution := Solution{Status: Infeasible, Order: s.order, Cluster: s.longest}
	if s.problem.shortage() == nil {
		solution.Status = s.run(ctx)
	}
	solution.Expansions, solution.Backtracks = s.expansions, s.backtracks
	switch solution.Status {
	case Placed:
		solution.Cluster = s.cluster
		solution.NodeCost, solution.LinkCost = s.problem.Costs(s.cluster)
	case Infeasible:
		solution.Certificate, solution.Reason = noPlacement(), s.deadEnd()
	case BudgetExhausted:
		switch {
		case s.stuck:
			solution.Reason = because(stuck, s.deadEnd())
		case s.unproved:
			solution.Reason = because(nodesUnproved, s.expansions)
		default:
			solution.Reason = because(outOfExpansions, s.expansions)
		}
	case Cancelled:
		solution.Reason = Stopped{context.Cause(ctx)}
	}
	return solution
}

// deadEnd replays the longest attempt and says why it ended.
func (s *search) deadEnd() Reason {
	s.follow(s.longest, s.deepest)
	return s.Attempt.deadEnd()
}

// run searches until it has a placement, has tried everything, or the budget is used up.
func (s *search) run(ctx context.Context) Status {
	for descend := true; ; {
		if descend {
			if ended := s.descend(ctx); ended != "" {
				return ended
			}
		}
		if descend = s.placeNext(); descend {
			s.remember()
			continue
		}
		switch {
		case s.failed != nil && s.failed():
			return Cancelled
		case s.step == 0 && s.unproved:
			return BudgetExhausted
		case s.step == 0:
			return Infeasible
		case s.stuck:
			return BudgetExhausted
		}
		s.Back()
		s.options.log.add(PlayedBack, s, s.step, s.chosen[s.step].cluster)
		s.strips.changed(s.free, s.chosen[s.step].cluster)
	}
}

// descend starts the next job. It returns a status if the search ends here, and "" otherwise.
func (s *search) descend(ctx context.Context) (ended Status) {
	switch {
	case s.step == len(s.order):
		s.report()
		if s.found == nil {
			return Placed
		}
		s.found()
		return ""
	case s.expansions >= s.options.Budget:
		return BudgetExhausted
	case s.expansions%checkEvery == 0:
		if ctx.Err() != nil {
			return Cancelled
		}
		s.report()
	}
	s.expansions++
	s.number[s.step], s.chosen[s.step] = s.expansions, beforeAll
	s.options.log.begins(s)
	return ""
}

func (s *search) report() {
	if s.options.Progress != nil {
		s.options.Progress(s.step, len(s.order), s.expansions)
	}
}

// placeNext puts the current job on its next candidate that takes it. It returns false if none is
// left.
func (s *search) placeNext() bool {
	for s.step < len(s.order) {
		c := s.ranking.next(s, s.chosen[s.step])
		if c.cluster < 0 {
			return false
		}
		s.chosen[s.step] = c
		if s.put(int(c.cluster)) {
			s.options.log.add(PlayedPlaced, s, s.step-1, c.cluster)
			s.strips.changed(s.free, c.cluster)
			return true
		}
		s.options.log.add(PlayedRefused, s, s.step, c.cluster)
	}
	return false
}

// remember keeps the deepest attempt, which explains why there is no placement.
func (s *search) remember() {
	if s.step <= s.deepest {
		return
	}
	s.deepest = s.step
	if s.backtracks == 0 { // so far only the last job is new
		job := s.order[s.step-1]
		s.longest[job] = s.cluster[job]
		return
	}
	copy(s.longest, s.cluster)
}

// able yields the clusters that can take the current job, by its row and the free amounts, with CM.
// scratch then has the excess on each cluster.
func (s *search) able(yield func(j int, cost float64) bool) {
	row, x := s.row(), s.room()
	for j, cost := range row[:len(x)] {
		if !math.IsInf(cost, 1) && !math.IsInf(x[j], 1) && !yield(j, cost) {
			return
		}
	}
}

// room fills scratch for the current job with max(0, y_i − r_j) in parts, the argument of Φ. A
// cluster without room for the job gets +Inf, so its NAM is 0.
func (s *search) room() []float64 {
	p, job, x := s.problem, s.order[s.step], s.scratch
	if len(p.demands) == 1 && p.form.Resources[0].Amount.Cells == nil {
		excess(x, s.free[0], p.demands[0].need[job], p.demands[0].y[job])
		return x
	}
	clear(x)
	for r := range p.demands {
		w, y := p.demands[r].need[job], p.demands[r].y[job]
		differs := p.amounts(r, int(job))
		for j, free := range s.free[r] {
			if differs != nil {
				w, y = differs[j], differs[j]
			}
			if w > free {
				x[j] = math.Inf(1)
			} else if y > free {
				x[j] = max(x[j], p.relative(r, y-free))
			}
		}
	}
	return x
}
