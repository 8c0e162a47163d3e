package improve

import "berth/engine/solve"

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

// pricing raises the bound by prices of rooms, once.
type pricing struct{}

func (x *pricing) share(s *Search) int64 {
	if s.round > 0 {
		return 0
	}
	return Unit(s.p.Jobs, s.p.Clusters)/4 + 1
}

func (x *pricing) run(s *Search, _ int64) int64 {
	if s.bounder.Settled() {
		return 0
	}
	s.bounder.Step()
	s.raise(s.bounder.Bound())
	return cellsOf(s.p)
}

// tightening raises the bound where links count, once there is a placement.
type tightening struct{ done bool }

func (x *tightening) share(s *Search) int64 {
	if x.done || s.round == 0 || !s.placed() || s.binding {
		return 0
	}
	return 1
}

func (x *tightening) run(s *Search, _ int64) int64 {
	worked, ok := s.bounder.Tighten(Unit(s.p.Jobs, s.p.Clusters)/8*3*cellsPerStep, s.hears)
	if !ok {
		return 0 // as if that had not begun
	}
	x.done = true
	s.raise(s.bounder.Bound())
	return fewest + worked/cellsPerStep
}
