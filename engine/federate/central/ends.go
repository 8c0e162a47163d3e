package central

import (
	"math"
	"slices"

	"berth/engine/federate"
)

// Never is after every time.
const Never federate.Time = math.MaxInt64

// Ends are when running tasks are expected to end, in order.
type Ends struct {
	Steps []Step
	of    []federate.Time // of each task that runs
}

// Step is a moment and a number of workers.
type Step struct {
	At      federate.Time
	Workers int
}

// NewEnds returns the ends of no task.
func NewEnds(m *federate.Model) Ends { return Ends{of: make([]federate.Time, len(m.Load.Durations))} }

// Expect adds a task.
func (e *Ends) Expect(task int32, at federate.Time) {
	e.of[task] = at
	e.change(at, 1)
}

// Of returns when a task that runs is expected to end.
func (e *Ends) Of(task int32) federate.Time { return e.of[task] }

// Ended removes a task.
func (e *Ends) Ended(task int32) { e.change(e.of[task], -1) }

func (e *Ends) change(at federate.Time, by int) {
	i, found := FindStep(e.Steps, at)
	if !found {
		e.Steps = slices.Insert(e.Steps, i, Step{At: at})
	}
	e.Steps[i].Workers += by
	if e.Steps[i].Workers == 0 {
		e.Steps = slices.Delete(e.Steps, i, i+1)
	}
}

// FindStep returns the first step at a moment or later, and whether it is at that moment.
func FindStep(steps []Step, at federate.Time) (int, bool) {
	low, high := 0, len(steps)
	for low < high {
		if middle := (low + high) / 2; steps[middle].At < at {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(steps) && steps[low].At == at
}
