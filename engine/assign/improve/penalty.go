package improve

import (
	"math"

	"berth/engine/stats"
)

// penalties is what a broken constraint of each kind costs a walk.
type penalties struct {
	pair    float64
	room    []float64 // by resource, per mean job
	counter []float64 // by counter

	seen   int   // looks since they changed
	broken []int // how often, by kind: pairs, rooms, counters
}

// looks is after how many looks penalties change.
const looks = 8

func newPenalties(m *model, counters int) penalties {
	return penalties{
		room: make([]float64, m.resources), counter: make([]float64, counters),
		broken: make([]int, 1+m.resources+counters),
	}
}

// each goes over all penalties.
func (x *penalties) each(f func(kind int, penalty *float64)) {
	f(0, &x.pair)
	for r := range x.room {
		f(1+r, &x.room[r])
	}
	for i := range x.counter {
		f(1+len(x.room)+i, &x.counter[i])
	}
}

// plan is how a round of a walk goes: the temperatures that it begins and ends with,
// between what penalties are kept, and its work.
type plan struct {
	hot, cold       float64
	lowest, highest float64
	work            int64
}

// stepsAtOnce is how many moves are tried between two looks at what is broken.
const stepsAtOnce = 100

// round walks on for a while, f of the way through a plan from 0 to 1: the temperature
// falls, and penalties adapt.
func (w *walk) round(p plan, f float64) {
	w.temperature = float64(p.hot * stats.Exp2(f*stats.Log2(p.cold/p.hot)))
	for range stepsAtOnce {
		w.step()
	}
	w.look()
	if w.penalty.seen == looks {
		w.penalty.adapt(p)
	}
}

// look notes which kinds of constraints are broken.
func (w *walk) look() {
	x := &w.penalty
	x.seen++
	if w.broken > 0 {
		x.broken[0]++
	}
	for r, over := range w.over {
		if over > 0 {
			x.broken[1+r]++
		}
	}
	for i, c := range w.counters {
		if c.excess() > 0 {
			x.broken[1+len(w.over)+i]++
		}
	}
}

// adapt raises the penalties of what is broken most of the time and lowers those of
// what is kept as often.
func (x *penalties) adapt(p plan) {
	const factor = 1.1
	x.each(func(kind int, penalty *float64) {
		switch broken := x.broken[kind]; {
		case 4*broken > 3*looks:
			*penalty *= factor
		case 2*broken < looks:
			*penalty /= factor
		}
		*penalty = min(max(*penalty, p.lowest), p.highest)
	})
	x.seen = 0
	clear(x.broken)
}

// warmRounds is how many rounds, and one less, begin warm once there is a placement: the
// first one may be dear.
const warmRounds = 3

// plan returns the plan of a round. As long as there is no placement, costs count less
// than constraints: the less the more often rounds have failed, in threes that become longer.
func (w *walk) plan(heat float64, failed int, work int64) plan {
	if failed < 0 {
		hot := 0.15 * heat
		if failed > -warmRounds {
			hot = heat / 2
		}
		return plan{hot, heat / 30, heat / 100, 20 * heat, work}
	}
	urgency := math.Ldexp(heat, 2+2*(failed%3))
	return plan{urgency / 2, urgency / 20, urgency / 4, 4 * urgency, work << min(failed/3, 4)}
}
