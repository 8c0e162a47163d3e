package improve

import (
	"context"
	"math"

	"berth/engine/assign/exact"
)

// proving goes through the whole tree of a small problem, with more steps each time.
type proving struct {
	times int
	taken int64 // steps
}

// provedJobs and provedCells bound the jobs, and jobs × clusters, of a problem whose tree
// is gone through; firstProof has the steps of the first time: each next one
// takes four times as many.
const (
	provedJobs  = 60
	provedCells = 5000
	firstProof  = 20_000
)

func (x *proving) share(s *Search) float64 {
	// The tree does not see counters.
	if len(s.p.Counters) > 0 || s.p.Jobs > provedJobs || s.p.Jobs*s.p.Clusters > provedCells {
		return 0
	}
	// The larger the problem, the less likely a proof is.
	if others := s.steps - x.taken; others < x.steps()*max(1, int64(s.p.Jobs/10)-1) {
		return 0
	}
	return 1
}

func (x *proving) steps() int64 { return firstProof << (2 * min(x.times, 20)) }

func (x *proving) run(s *Search, _ int64) int64 {
	s.uninterrupted()
	all := x.steps()
	may := min(all, s.end-s.steps)
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	r := exact.Minimize(ctx, s.p, s.best, may, func(exact.Improvement, []int32) {
		if !s.mayGoOn() {
			cancel()
		}
	})
	if r.Cluster != nil {
		s.take(r.Cluster)
	}
	s.raise(r.Bound)
	switch {
	case r.Proved && r.Cluster == nil:
		s.raise(math.Inf(1))
		s.completed()
	case r.Proved:
		s.bound = max(s.bound, s.cost*(1-exact.Rounding))
		s.completed()
	case ctx.Err() == nil && may == all:
		s.completed()
	}
	if s.cut == nil {
		x.times++
		x.taken += r.Steps
	}
	s.left = 0
	return r.Steps + 1 // the last step that it may take ends a tree
}

func (x *proving) judge(bool) {}
