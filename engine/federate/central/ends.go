package central

import (
	"cmp"
	"math"
	"slices"

	"berth/engine/federate"
)

// Never is later than every time.
const Never federate.Time = math.MaxInt64

// Ends holds the expected ends of running tasks.
type Ends struct {
	Steps []Step          // number of workers that become idle, in order of time
	of    []federate.Time // by running task
}

// Step is a number of workers and the time at which it changes or applies.
type Step struct {
	At      federate.Time
	Workers int
}

// NewEnds returns an empty Ends.
func NewEnds(m *federate.Model) Ends { return Ends{of: make([]federate.Time, len(m.Load.Durations))} }

// Expect adds a task that is expected to end at a moment.
func (e *Ends) Expect(task int32, at federate.Time) {
	e.of[task] = at
	e.change(at, 1)
}

// Of returns the expected end of a running task.
func (e *Ends) Of(task int32) federate.Time { return e.of[task] }

// Ended removes a task.
func (e *Ends) Ended(task int32) { e.change(e.of[task], -1) }

func (e *Ends) change(at federate.Time, by int) {
	i, found := slices.BinarySearchFunc(e.Steps, at, func(s Step, at federate.Time) int { return cmp.Compare(s.At, at) })
	if !found {
		e.Steps = slices.Insert(e.Steps, i, Step{At: at})
	}
	e.Steps[i].Workers += by
	if e.Steps[i].Workers == 0 {
		e.Steps = slices.Delete(e.Steps, i, i+1)
	}
}
