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

// Options configure one run of a strategy.
type Options struct {
	Seed   uint64  // of all random draws
	Phi    float64 // a in Φ; see DefaultPhi
	Budget int64   // expansions after which the search ends; see DefaultBudget
	Steps  int64   // of a strategy that improves; 0 chooses by problem size
	// Progress, if set, is called occasionally with the number of placed jobs.
	Progress func(placed, jobs int, expansions int64)
	// Reached, if set, is called often by strategies that improve, with the best so far. cluster is
	// nil before the first placement; the callee must copy it to keep it.
	Reached func(i Improvement, cluster []int32)
	log     *Playback // records a job-by-job search; nil records nothing
	// Enough, if set, reports that the time is up. A strategy that improves then ends as if its
	// steps were used up, and its certificate has the number of steps taken. If Steps is 0, only
	// Enough ends the search.
	Enough func() bool
	// Paused, if not nil, receives the search of strategy best when it ends. A later run of the
	// same problem with the same options and more steps resumes it.
	Paused *Paused
}

// Paused holds a search that can be resumed; the zero value holds none.
type Paused struct{ search *improvement }

// Begun reports whether there is a search to resume.
func (p *Paused) Begun() bool { return p != nil && p.search != nil }

// Status is the outcome of a search.
type Status string

// Words returns the status with spaces instead of hyphens.
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
	Reason Reason // why there is no placement or no proof; nil if Status is Placed

	// Order lists the jobs in the order in which the strategy tried them; for the heuristic this is
	// SJ.
	Order []int32
	// Cluster has the cluster of each job. Without a placement it has the longest attempt, and -1
	// for the other jobs.
	Cluster []int32

	// ByPA says that each job tried its clusters in the order of PA: all clusters before its own
	// were tried without success.
	ByPA bool
	// Draws has the random seed of the cluster order of each step; nil if nothing was drawn.
	Draws []uint64

	NodeCost, LinkCost     float64 // of a complete placement
	Expansions, Backtracks int64

	Own plugin.Own // the strategy's own counts and notes

	Certificate *Certificate // nil if the strategy has no bound

	// Until is set on a cancelled solution. It is the result of an uncancelled run that is limited
	// to the steps taken; nil if unknown.
	Until *Solution
}

// Complete reports whether all jobs are placed. A strategy that must prove its placement may return
// BudgetExhausted with a complete one.
func (s *Solution) Complete() bool {
	return s.Status == Placed || s.Status == BudgetExhausted && !slices.Contains(s.Cluster, -1)
}

// Cost returns the total cost of a complete placement.
func (s *Solution) Cost() float64 { return s.NodeCost + s.LinkCost }

// cancelled returns the solution as Cancelled, with the original in Until.
func (s Solution) cancelled(ctx context.Context) Solution {
	until := s
	s.Status, s.Reason, s.Until = Cancelled, Stopped{context.Cause(ctx)}, &until
	return s
}

// Strategy finds a placement. It respects every constraint, changes neither deployment nor
// capacity, and returns the same solution for the same problem and options. When ctx is cancelled
// it returns Cancelled with the attempt so far. A strategy that places job by job can use an
// [Attempt].
type Strategy interface {
	Place(ctx context.Context, p *Problem, o Options) Solution
}
