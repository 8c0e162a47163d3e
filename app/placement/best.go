package placement

import (
	"slices"

	"berth/engine/placement"
	"berth/engine/placement/placementkind"
)

// strategies returns the strategies of the inputs and, as the last one, the search for
// the best placement.
func (r *result) strategies() []placementkind.StrategyRun {
	all := r.Inputs.options.Strategies
	if r.best != nil {
		all = append(slices.Clip(all), placementkind.StrategyRun{Name: bestName})
	}
	return all
}

// cheapest returns the index of the strategy that placed all jobs at the lowest cost
// with its first seed. If none placed all jobs, it returns the one that placed the
// most. It returns −1 before any strategy has run.
func (r *result) cheapest() int {
	best := -1
	for i := range r.strategies() {
		if s := r.report(i); s != nil && (best < 0 || better(s, r.report(best), r)) {
			best = i
		}
	}
	return best
}

func better(a, b *placementkind.StrategyReport, r *result) bool {
	if x, y := r.placedJobs(a), r.placedJobs(b); x != y {
		return x > y
	}
	return float64(a.Total.Total) < float64(b.Total.Total)
}

// placedJobs counts the jobs that a strategy placed with its first seed.
func (r *result) placedJobs(s *placementkind.StrategyReport) int {
	n := 0
	for i := range s.Deployments {
		if s.Deployments[i].Placed() {
			n += r.deployments()[i].Jobs
		}
	}
	return n
}

// refuted returns the report that proves the shown strategy's unplaced deployments
// infeasible; without a proof, the strategy's own report.
func (ss *searches) refuted() *placementkind.StrategyReport {
	s, found := ss.view.result.report(ss.view.shown), ss.view.result.found()
	if s != nil && found != nil && !complete(s) && s.Deployments[0].Proved == placement.NoProof && found.Deployments[0].Proved == placement.ProvedInfeasible {
		return found
	}
	return s
}
