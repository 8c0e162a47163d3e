package improve

import (
	"context"
	"math"

	"berth/engine/assign"
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

// provable says whether the tree of a problem is small enough.
func provable(p *assign.Problem) bool {
	return p.Jobs <= provedJobs && p.Jobs*p.Clusters <= provedCells
}

func (x *proving) share(s *Search) float64 {
	if !provable(s.p) {
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
	s.left = 0
	if !s.placed() {
		return x.place(s)
	}
	s.uninterrupted()
	// The tree depends on how many steps it may take: it always has the same, and is
	// stopped where the search must end.
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	most := s.end - s.steps
	r := exact.Minimize(ctx, s.p, s.best, x.steps(), func(i exact.Improvement, _ []int32) {
		if i.Steps >= most || !s.mayGoOn() {
			cancel()
		}
	})
	s.take(r.Cluster)
	s.raise(r.Bound)
	if r.Proved {
		s.raise(s.cost * (1 - exact.Rounding))
	}
	if r.Proved || ctx.Err() == nil {
		x.completed(s, r.Steps)
	}
	return max(fewest, r.Steps)
}

// place looks for any placement, in a part of the steps, and is never cut short.
func (x *proving) place(s *Search) int64 {
	const part = 4
	cluster, answer, taken := exact.Feasible(context.Background(), s.p, x.steps()/part)
	switch answer {
	case exact.Yes:
		s.take(cluster)
	case exact.No:
		s.raise(math.Inf(1))
	}
	x.completed(s, taken)
	return max(fewest, taken)
}

func (x *proving) completed(s *Search, steps int64) {
	s.cut = nil
	x.times++
	x.taken += steps
}

func (x *proving) judge(bool) {}
