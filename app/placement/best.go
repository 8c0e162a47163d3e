package placement

import (
	"slices"

	"berth/engine/placement"
	"berth/engine/placement/placementkind"
)

// strategies are the strategies of the inputs, and the search beside them.
func (r *result) strategies() []placementkind.StrategyRun {
	all := r.Inputs.options.Strategies
	if r.best != nil {
		all = append(slices.Clip(all), placementkind.StrategyRun{Name: bestName})
	}
	return all
}

// cheapest is the strategy whose first seed placed everything for the lowest cost, or, where
// none placed everything, the one that placed the most jobs; -1 before any has run.
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

// placedJobs is how many jobs a strategy placed with its first seed.
func (r *result) placedJobs(s *placementkind.StrategyReport) int {
	n := 0
	for i := range s.Deployments {
		if s.Deployments[i].Placed() {
			n += r.deployments()[i].Jobs
		}
	}
	return n
}

// refuted is the report that proves the deployments missing from the shown strategy infeasible,
// or the strategy's own report.
func (v *View) refuted() *placementkind.StrategyReport {
	s, found := v.result.report(v.shown), v.result.found()
	if s != nil && found != nil && !complete(s) && s.Deployments[0].Proved == placement.NoProof && found.Deployments[0].Proved == placement.ProvedInfeasible {
		return found
	}
	return s
}
