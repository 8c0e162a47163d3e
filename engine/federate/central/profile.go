package central

import (
	"math"
	"slices"
	"sort"

	"berth/engine/federate"
	"berth/engine/workload"
)

// Never is after every time.
const Never federate.Time = math.MaxInt64

// Profile is how many workers are idle from each moment on until the next one.
type Profile struct {
	steps []Step
	spans []federate.Time // scratch: how long the tasks of a job take, in order
}

// Begin begins at a moment with so many idle workers, and adds those of tasks when these
// are expected to end; one that should have ended is expected to do so at once.
func (p *Profile) Begin(at federate.Time, idle int, ends []Step) {
	p.steps = append(p.steps[:0], Step{at, idle})
	for _, end := range ends {
		idle += end.Workers
		if end.At = max(end.At, at+1); end.At == p.steps[len(p.steps)-1].At {
			p.steps[len(p.steps)-1].Workers = idle
		} else {
			p.steps = append(p.steps, Step{end.At, idle})
		}
	}
}

// Forget forgets what was before a moment.
func (p *Profile) Forget(at federate.Time) {
	i, found := find(p.steps, at)
	if !found && i > 0 {
		i--
		p.steps[i].At = at
	}
	p.steps = slices.Delete(p.steps, 0, i)
}

// Now is how many are idle first.
func (p *Profile) Now() int { return p.steps[0].Workers }

// Take takes workers for tasks that start together, at the earliest moment from one on at
// which there are enough as long as each of them is estimated to run; [Never] if there is
// none.
func (p *Profile) Take(from federate.Time, m *federate.Model, part Part) federate.Time {
	p.spans = p.spans[:0]
	for task := part.First; task < part.End; task++ {
		p.spans = append(p.spans, m.LongestEstimate(task))
	}
	slices.Sort(p.spans)
	at := p.earliest(from)
	if at > workload.MaxClock {
		at = Never // nothing starts after the end of the clock
	} else {
		p.change(at, -len(p.spans))
		for begin, i := 0, 1; i <= len(p.spans); i++ {
			if i == len(p.spans) || p.spans[i] != p.spans[begin] {
				p.change(at+p.spans[begin], i-begin)
				begin = i
			}
		}
	}
	return at
}

// earliest looks at each step once: where one has too few workers for a job that starts
// before it, it has too few for one that starts later, which has ended less of its tasks.
func (p *Profile) earliest(at federate.Time) federate.Time {
	for i, step := range p.steps {
		if need := p.running(max(step.At-at, 0)); step.Workers < need {
			if i+1 == len(p.steps) {
				return Never
			}
			at = p.steps[i+1].At
		} else if need == 0 {
			break
		}
	}
	return at
}

// running is how many of the tasks run so long after their start; all of them at first.
func (p *Profile) running(since federate.Time) int {
	if since == 0 {
		return len(p.spans)
	}
	return len(p.spans) - sort.Search(len(p.spans), func(i int) bool { return p.spans[i] > since })
}

// change changes the number from a moment on.
func (p *Profile) change(from federate.Time, by int) {
	i, found := find(p.steps, from)
	if !found {
		before := p.steps[i-1].Workers
		p.steps = slices.Insert(p.steps, i, Step{from, before})
	}
	for ; i < len(p.steps); i++ {
		p.steps[i].Workers += by
	}
}
