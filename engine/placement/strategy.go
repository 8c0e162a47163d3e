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
	// Progress, if set, is called now and then with the number of placed jobs.
	Progress func(placed, jobs int, expansions int64)
	// Reached, if set, is called often by strategies that improve, with the best so far; cluster
	// is nil without a placement, and changes later.
	Reached func(i Improvement, cluster []int32)
	log     *Playback // of a search by jobs; nil for none
	// Enough, if set, says that the time is up. A strategy that improves then ends as if its
	// steps were used up, and its certificate has the steps taken. Without Steps, time alone
	// ends it.
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

// Solution is the result of a strategy.
type Solution struct {
	Status Status
	Reason Reason // why not; nil if placed

	// Order lists the jobs in the order in which the strategy tried them; for the heuristic this
	// is SJ.
	Order []int32
	// Cluster has the cluster of each job; without a placement the jobs of the longest attempt,
	// and -1 for the others.
	Cluster []int32

	// ByPA says that each job tried its clusters in the order of PA, so that all clusters before
	// its own led nowhere.
	ByPA bool
	// Draws has the seed of the cluster order of each step; nil if nothing was drawn.
	Draws []uint64

	NodeCost, LinkCost     float64 // of a placement
	Expansions, Backtracks int64

	Own plugin.Own // what the strategy counts and notes itself

	Certificate *Certificate // nil from a strategy that knows none

	// Until is set on a cancelled solution: the solution with as many steps as it had taken, nil
	// if unknown.
	Until *Solution
}

// Complete says whether all jobs are placed. A strategy that must prove its placement may be
// BudgetExhausted with a complete one.
func (s *Solution) Complete() bool {
	return s.Status == Placed || s.Status == BudgetExhausted && !slices.Contains(s.Cluster, -1)
}

// Cost is the total cost of a placement.
func (s *Solution) Cost() float64 { return s.NodeCost + s.LinkCost }

// cancelled marks a solution as stopped and keeps it as Until.
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
