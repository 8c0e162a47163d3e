package placement

import (
	"context"
	"slices"
	"strings"

	"berth/engine/plugin"
)

// The defaults of the specification.
const (
	DefaultPhi    = 0.001     // a in Φ(x) = e^(−a·x), per unit of cpu
	DefaultBudget = 1_000_000 // expansions
)

// Options steer a strategy.
type Options struct {
	Seed   uint64  // of all that is random
	Phi    float64 // a in Φ; see DefaultPhi
	Budget int64   // expansions after which the search ends; see DefaultBudget
	Steps  int64   // of a strategy that improves; 0 means as many as suit the problem
	// Progress, if there is one, is told now and then how many jobs stand.
	Progress func(placed, jobs int, expansions int64)
	// Reached, if there is one, is told by strategies that improve what they have come
	// to, often; the clusters by job are nil without a placement, and change later.
	Reached func(i Improvement, cluster []int32)
	log     *Playback // of a search by jobs; nil for none
	// Enough, if there is one, says that the time is up: a strategy that improves then ends
	// as if its steps were used up, and has those that it took in its certificate. Without
	// Steps, time alone ends it.
	Enough func() bool
	// Paused, if it is not nil, keeps the search of best when it ends. The same problem with the
	// same options and more steps goes on from there.
	Paused *Paused
}

// Paused is a search that has ended and can go on; the zero value is none.
type Paused struct{ search *improvement }

// Begun reports whether there is a search to go on with.
func (p *Paused) Begun() bool { return p != nil && p.search != nil }

// Status says how a search ended.
type Status string

// Words writes a status as people say it.
func (s Status) Words() string { return strings.ReplaceAll(string(s), "-", " ") }

const (
	Placed          Status = "placed"
	Infeasible      Status = "infeasible"
	BudgetExhausted Status = "budget-exhausted"
	Cancelled       Status = "cancelled"
)

// Solution is what a strategy found.
type Solution struct {
	Status Status
	Reason Reason // why not; nil if placed

	// Order has the jobs in the order in which they were tried; for the
	// heuristic this is SJ.
	Order []int32
	// Cluster is where each job stands: all of them if there is a placement, else
	// the jobs of the longest attempt, -1 for the others.
	Cluster []int32

	// ByPA says that each job tried its clusters in the order of PA, so that those
	// before the one it stands on led nowhere.
	ByPA bool
	// Draws has of each step what the order of its clusters was drawn from; nil where
	// nothing was drawn.
	Draws []uint64

	NodeCost, LinkCost     float64 // of a placement
	Expansions, Backtracks int64

	Own plugin.Own // what the strategy counts and notes itself

	Certificate *Certificate // nil from a strategy that knows none

	// Until is of one that was cancelled the solution with as many steps as it came
	// to, nil where that is not known.
	Until *Solution
}

// Complete says whether there is a placement: one that was not improved to the end
// within the budget is BudgetExhausted, too.
func (s *Solution) Complete() bool {
	return s.Status == Placed || s.Status == BudgetExhausted && !slices.Contains(s.Cluster, -1)
}

// Cost is what a placement costs in all.
func (s *Solution) Cost() float64 { return s.NodeCost + s.LinkCost }

// cancelled is a solution that was stopped, where it is known what it would be with
// as many steps as it came to.
func (s Solution) cancelled(ctx context.Context) Solution {
	until := s
	s.Status, s.Reason, s.Until = Cancelled, Stopped{context.Cause(ctx)}, &until
	return s
}

// Strategy finds a placement. It respects every constraint, changes neither
// deployment nor capacity, and gives the same solution for the same problem and
// options. When ctx ends it returns Cancelled with the attempt it has. One that places
// jobs one by one can do so with an [Attempt].
type Strategy interface {
	Place(ctx context.Context, p *Problem, o Options) Solution
}
