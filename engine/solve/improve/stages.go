package improve

import (
	"math"

	"berth/engine/solve"
	"berth/engine/solve/exact"
)

// stepWork is the work of a step in the units of a walk: about 200 ns natively.
const stepWork = 200

// cellsPerStep is how many cells of a bound take about as long as a step.
const cellsPerStep = 100

// fewest is how many steps a part of a search counts at least, so that half of all steps
// tell where it ended.
const fewest = 2

// cellsOf is how many steps one evaluation of the bound takes.
func cellsOf(p *solve.Problem) int64 {
	return fewest + int64(p.Jobs)*int64(p.Clusters)/cellsPerStep
}

// Unit is how many steps suit the size of a problem.
func Unit(jobs, clusters int) int64 {
	unit := round(jobs, clusters)
	return max(unit+unit/4, min(8*unit, 40e6))
}

// round is how many steps a first round takes that shares out jobs.
func round(jobs, clusters int) int64 { return 1 + int64(jobs)*int64(min(3500, 100*clusters)) }

// turn is how many steps a walk takes at least before others get theirs.
func turn(jobs int) int64 { return 16_000 + 480*int64(jobs) }

// pricing raises the bound by prices of rooms, and once there is a placement where links count, by
// tightening it.
type pricing struct{ tightened bool }

func (x *pricing) share(s *Search) int64 {
	switch {
	case s.round == 0:
		return Unit(s.p.Jobs, s.p.Clusters)/4 + 1
	case x.tightened || !s.placed() || s.binding:
		return 0
	}
	return 1
}

func (x *pricing) run(s *Search, _ int64) int64 {
	if s.round > 0 {
		worked, ok := s.bounder.Tighten(Unit(s.p.Jobs, s.p.Clusters)/8*3*cellsPerStep, s.hears)
		if !ok {
			return 0 // as if that had not begun
		}
		x.tightened = true
		s.raise(s.bounder.Bound())
		return fewest + worked/cellsPerStep
	}
	if s.bounder.Settled() {
		return 0
	}
	s.bounder.Step()
	s.raise(s.bounder.Bound())
	return cellsOf(s.p)
}

// proving goes through the tree of a problem: the whole of it if the problem is small. Of another
// one it takes some steps, which go to the bound of the root, once there is a placement.
type proving struct{ tree *exact.Tree }

// provedJobs and provedCells limit the jobs, and jobs × clusters, of a problem that is proved;
// fewestProving is the least number of steps of a turn, and closeEnough is the gap, as a part of
// the cost, below which the bound of a problem with dependencies is not worth its steps.
const (
	provedJobs    = 60
	provedCells   = 5000
	fewestProving = 20_000
	closeEnough   = 0.003
)

// provable says whether the tree of a problem is small enough to go through.
func provable(p *solve.Problem) bool {
	return p.Jobs <= provedJobs && p.Jobs*p.Clusters <= provedCells
}

func (x *proving) share(s *Search) int64 {
	small, linked := provable(s.p), len(s.p.Dependencies) > 0
	if x.tree == nil {
		if !small && (s.round == 0 || !s.placed() || linked && s.cost-s.bound < closeEnough*s.cost || !exact.Suits(s.p)) {
			return 0
		}
		x.tree = exact.NewTree(s.p, s.best)
	}
	taken := x.tree.Result().Steps
	var due int64
	switch {
	case small: // the larger the problem, the less likely a proof is
		due = 5*(s.steps-taken)/(4*max(1, int64(s.p.Jobs/10)-1)) - taken
	case linked:
		due = Unit(s.p.Jobs, s.p.Clusters)/4*3 - taken
	default: // there is less to see: the search has more of the steps
		due = Unit(s.p.Jobs, s.p.Clusters)/8 - taken
	}
	if due < fewestProving {
		return 0
	}
	x.tree.Offer(s.best, s.cost)
	return due
}

func (x *proving) run(s *Search, steps int64) int64 {
	before := x.tree.Result().Steps
	x.tree.Run(before + steps)
	if x.tree.Result().Steps-before >= s.left && !provable(s.p) {
		x.tree.Stop() // and the bound takes what the root had come to
	}
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
