package improve

import (
	"math"

	"berth/engine/solve"
	"berth/engine/solve/exact"
)

// proving goes through the whole tree of a small problem.
type proving struct{ tree *exact.Tree }

// provedJobs and provedCells bound the jobs, and jobs × clusters, of a problem whose tree
// is gone through; fewestProving bounds the steps of a turn.
const (
	provedJobs    = 60
	provedCells   = 5000
	fewestProving = 20_000
)

// provable says whether the tree of a problem is small enough.
func provable(p *solve.Problem) bool {
	return p.Jobs <= provedJobs && p.Jobs*p.Clusters <= provedCells
}

func (x *proving) share(s *Search) int64 {
	if !provable(s.p) {
		return 0
	}
	if x.tree == nil {
		x.tree = exact.NewTree(s.p, s.best)
	}
	// The larger the problem, the less likely a proof is.
	taken := x.tree.Result().Steps
	due := 5*(s.steps-taken)/(4*max(1, int64(s.p.Jobs/10)-1)) - taken
	if due < fewestProving {
		return 0
	}
	x.tree.Offer(s.best, s.cost)
	return due
}

func (x *proving) run(s *Search, steps int64) int64 {
	before := x.tree.Result().Steps
	x.tree.Run(before + steps)
	r := x.tree.Result()
	if r.Cost < s.cost {
		s.take(r.Cluster)
	}
	s.raise(r.Bound)
	if r.Proved && s.placed() {
		s.raise(s.cost * (1 - exact.Rounding))
	} else if r.Proved {
		s.raise(math.Inf(1))
	}
	return max(fewest, r.Steps-before)
}
