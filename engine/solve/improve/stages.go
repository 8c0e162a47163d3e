package improve

import (
	"math"

	"berth/engine/solve"
	"berth/engine/solve/exact"
)

// stepWork is the work of one step, in units of state.work: about 200 ns natively.
const stepWork = 200

// cellsPerStep is the number of cells of a bound that take about as long as a step.
const cellsPerStep = 100

// fewest is the smallest number of steps that a part of a search counts. A caller that also runs a
// tree halves the sum of both. With at least 2 steps each, different parts keep different totals.
const fewest = 2

// cellsOf returns the number of steps that one evaluation of the bound counts.
func cellsOf(p *solve.Problem) int64 {
	return fewest + int64(p.Jobs)*int64(p.Clusters)/cellsPerStep
}

// Unit returns a number of steps in proportion to the size of a problem.
func Unit(jobs, clusters int) int64 {
	unit := round(jobs, clusters)
	return max(unit+unit/4, min(8*unit, 40e6))
}

// round returns the steps of the first round of a walk that redistributes jobs.
func round(jobs, clusters int) int64 { return 1 + int64(jobs)*int64(min(3500, 100*clusters)) }

// turn returns the smallest number of steps of a walk before the other stages get their turn.
func turn(jobs int) int64 { return 16_000 + 480*int64(jobs) }

// pricing raises the bound with prices of rooms. Once a placement exists and links matter, it also
// tightens the bound; see [solve.Bounder.Tighten].
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
			return 0 // as if the call had not happened
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

// proving searches the tree of a problem. If the problem is small, it searches the whole tree.
// Otherwise it spends some steps on the bound of the root, once a placement exists.
type proving struct{ tree *exact.Tree }

// provedJobs and provedCells limit the jobs, and jobs × clusters, of a problem that counts as
// small. fewestProving is the smallest number of steps of a turn. closeEnough is the gap relative
// to the cost below which a better bound is not worth its steps, for a problem with dependencies.
const (
	provedJobs    = 60
	provedCells   = 5000
	fewestProving = 20_000
	closeEnough   = 0.003
)

// provable reports whether the tree of a problem is small enough to search completely.
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
	case small: // a larger problem is less likely to be proved
		due = 5*(s.steps-taken)/(4*max(1, int64(s.p.Jobs/10)-1)) - taken
	case linked:
		due = Unit(s.p.Jobs, s.p.Clusters)/4*3 - taken
	default: // the bound of the root gains less, so the local search gets more steps
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
		x.tree.Stop() // the bound then includes the progress at the root
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
