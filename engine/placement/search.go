package placement

import (
	"context"
	"fmt"
	"math"
)

// checkEvery is how many expansions lie between two looks at the context.
const checkEvery = 64

// ranking puts the clusters that can take a job in order. It returns the first
// cluster after the one it returned last (after: its key and number), -1 when
// there is none; keys must not depend on what was returned before. Going
// through a row again for each candidate costs no more than the expansion that
// follows it, and spares sorting and storing PA.
type ranking interface {
	order(p *Problem) []int32
	next(s *search, depth int, after candidate) candidate
	goesBack() bool // takes a job back when the next one finds no cluster
}

// candidate is a cluster with its place in PA.
type candidate struct {
	key     float64
	cluster int32
}

var (
	beforeAll   = candidate{key: math.Inf(-1), cluster: -1}
	noCandidate = candidate{key: math.Inf(1), cluster: -1}
)

// precedes is the order of PA: by key, then in file order.
func (c candidate) precedes(key float64, cluster int32) bool {
	return c.key < key || c.key == key && c.cluster < cluster
}

// search is the depth-first search that the strategies share (algorithm 7,
// ended by the first complete placement).
type search struct {
	*rows
	ranking ranking
	options Options
	phi     float64 // a in Φ, per part

	free    [][]float64 // by demand, by cluster
	strips  *strips     // nil where rows are gone through whole
	links   *reservation
	chosen  []candidate // by depth
	number  []int64     // by depth: the expansion that it is
	saved   []float64   // by depth and demand: what was free before
	scratch []float64

	unproved               bool // a cluster was passed over without a proof that it cannot take the job
	expansions, backtracks int64
	deepest                int
	stuck                  bool // at deepest, by a ranking that does not go back
	attempt                []int32
}

func newSearch(p *Problem, r ranking, o Options) *search {
	if o.Budget <= 0 {
		o.Budget = DefaultBudget
	}
	order := r.order(p)
	cluster := make([]int32, len(order))
	for i := range cluster {
		cluster[i] = -1
	}
	s := &search{
		rows: newRows(p, order, cluster), ranking: r, options: o, phi: o.Phi / partsPerUnit,
		links:  newReservation(p),
		chosen: make([]candidate, len(order)), number: make([]int64, len(order)),
		saved:   make([]float64, len(order)*len(p.demands)),
		scratch: make([]float64, p.capacity.federation.Clusters().Len()),
		attempt: append([]int32(nil), cluster...),
	}
	for r := range p.demands {
		s.free = append(s.free, append([]float64(nil), p.capacity.free[p.demands[r].index]...))
	}
	if r == ranking(heuristic{}) {
		s.strips = newStrips(p, s.free)
	}
	return s
}

func place(ctx context.Context, p *Problem, r ranking, o Options) Solution {
	s := newSearch(p, r, o)
	solution := Solution{Status: Infeasible, Order: s.order, Cluster: s.attempt}
	solution.Reason = p.shortage()
	if solution.Reason != "" {
		solution.Certificate = noPlacement()
		return solution
	}
	solution.Status = s.run(ctx)
	solution.Expansions, solution.Backtracks = s.expansions, s.backtracks
	switch solution.Status {
	case Placed:
		solution.Cluster = s.cluster
		solution.NodeCost, solution.LinkCost = p.Costs(s.cluster)
	case Infeasible:
		solution.Certificate, solution.Reason = noPlacement(), s.deadEnd(solution)
	case BudgetExhausted:
		solution.Reason = fmt.Sprintf("no placement among the first %d expansions; there may be one", s.expansions)
		switch {
		case s.stuck:
			solution.Reason = s.deadEnd(solution) + ", and nothing is taken back; there may be a placement"
		case s.unproved:
			solution.Reason += ", since not every packing on nodes was tried"
		}
	case Cancelled:
		solution.Reason = context.Cause(ctx).Error()
	}
	return solution
}

// deadEnd says why the longest attempt came to its end.
func (s *search) deadEnd(solution Solution) string {
	longest, err := repeat(s.problem, solution, s.deepest)
	if err != nil {
		return err.Error()
	}
	return longest.deadEnd()
}

func (s *search) run(ctx context.Context) Status {
	depth, descend := 0, true
	for depth < len(s.order) {
		if descend {
			if s.expansions >= s.options.Budget {
				return BudgetExhausted
			}
			if s.expansions%checkEvery == 0 {
				if ctx.Err() != nil {
					return Cancelled
				}
				s.report(depth)
			}
			s.expansions++
			s.number[depth], s.chosen[depth] = s.expansions, beforeAll
		}
		descend = s.placeNext(depth)
		if descend {
			depth++
			s.remember(depth)
			continue
		}
		if depth == 0 && s.unproved {
			return BudgetExhausted
		}
		if depth == 0 {
			return Infeasible
		}
		if !s.ranking.goesBack() {
			s.stuck = true
			return BudgetExhausted
		}
		depth--
		s.undo(depth)
	}
	s.report(depth)
	return Placed
}

func (s *search) report(placed int) {
	if s.options.Progress != nil {
		s.options.Progress(placed, len(s.order), s.expansions)
	}
}

// placeNext puts the job at a depth on its next candidate, if there is one.
func (s *search) placeNext(depth int) bool {
	for {
		c := s.ranking.next(s, depth, s.chosen[depth])
		if c.cluster < 0 {
			return false
		}
		s.chosen[depth] = c
		if !s.links.take(&s.sequence, s.cluster, depth, int(c.cluster)) {
			continue
		}
		why, proved := s.problem.RefusedByNodes(s.cluster, s.order[depth], int(c.cluster))
		if why == "" {
			break
		}
		s.unproved = s.unproved || !proved
		s.links.giveBack(depth)
	}
	job, j := s.order[depth], s.chosen[depth].cluster
	for r := range s.free {
		s.saved[depth*len(s.free)+r] = s.free[r][j]
		s.free[r][j] -= s.problem.demands[r].on(job, int(j))
	}
	s.strips.changed(s.free, j)
	s.cluster[job] = j
	return true
}

func (s *search) undo(depth int) {
	job := s.order[depth]
	for r := range s.free {
		s.free[r][s.cluster[job]] = s.saved[depth*len(s.free)+r]
	}
	s.strips.changed(s.free, s.cluster[job])
	s.cluster[job] = -1
	s.links.giveBack(depth)
	if s.backtracks == 0 && s.strips == nil {
		s.keep()
	}
	s.backtracks++
}

// remember keeps the longest attempt, which explains why there is no placement.
func (s *search) remember(depth int) {
	if depth <= s.deepest {
		return
	}
	s.deepest = depth
	if s.backtracks == 0 { // then only the last job is new
		job := s.order[depth-1]
		s.attempt[job] = s.cluster[job]
		return
	}
	copy(s.attempt, s.cluster)
}

// room returns the scratch row with [Problem.excess].
func (s *search) room(job int32) []float64 {
	s.problem.excess(s.scratch, s.free, job)
	return s.scratch
}

// excess fills x with max(0, y_i − r_j) in parts, the argument of Φ, and +Inf
// where there is no room for the job: NAM is 0 there.
func (p *Problem) excess(x []float64, free [][]float64, job int32) {
	if len(p.demands) == 1 && p.costs == nil {
		excess(x, free[0], p.demands[0].need[job], p.demands[0].y[job])
		return
	}
	clear(x)
	for r := range p.demands {
		w, y := p.demands[r].need[job], p.demands[r].y[job]
		differs := p.demands[r].row(job)
		for j, free := range free[r] {
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
}

// excessOn is excess on one cluster, where requests do not differ.
func (p *Problem) excessOn(free [][]float64, job int32, j int) (x float64, room bool) {
	for r := range p.demands {
		w, y := p.demands[r].need[job], p.demands[r].y[job]
		left := free[r][j]
		if w > left {
			return 0, false
		}
		if y > left {
			x = max(x, p.relative(r, y-left))
		}
	}
	return x, true
}
