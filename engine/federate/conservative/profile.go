package conservative

import (
	"slices"
	"sort"

	"berth/engine/federate"
	"berth/engine/federate/central"
	"berth/engine/input/workload"
)

// profile is the number of idle workers over time. Each step applies until the next one.
type profile struct {
	steps []central.Step
	spans []federate.Time // scratch: ascending estimates of a job's tasks
	part  []federate.Time // scratch: equal estimates that stand for a subset of spans
	searched
}

// begin resets the profile to a number of idle workers at a time, and adds the workers of running
// tasks at their expected ends. A task that should have ended is expected to end right after that
// time.
func (p *profile) begin(at federate.Time, idle int, ends []central.Step) {
	p.searched.forget()
	p.steps = append(p.steps[:0], central.Step{At: at, Workers: idle})
	for _, end := range ends {
		idle += end.Workers
		if end.At = max(end.At, at+1); end.At > p.steps[len(p.steps)-1].At {
			p.steps = append(p.steps, central.Step{At: end.At})
		}
		p.steps[len(p.steps)-1].Workers = idle
	}
}

// of returns the index of the step that contains a time.
func (p *profile) of(at federate.Time) int {
	return sort.Search(len(p.steps), func(i int) bool { return p.steps[i].At > at }) - 1
}

// forget drops the profile before a time.
func (p *profile) forget(at federate.Time) {
	p.steps = p.steps[p.of(at):]
	p.steps[0].At = at
}

// take reserves workers for the tasks of a part, which start together. It chooses the earliest
// time, at or after from, at which enough workers are idle for the estimate of each task. It
// returns that time, or [central.Never].
func (p *profile) take(from federate.Time, m *federate.Model, part central.Part) federate.Time {
	p.spans = p.spans[:0]
	for task := part.First; task < part.End; task++ {
		p.spans = append(p.spans, m.LongestEstimate(task))
	}
	slices.Sort(p.spans)
	at := p.soonest(from)
	if at > workload.MaxClock {
		return central.Never // no job starts after the end of the clock
	}
	p.hold(at)
	return at
}

// hold reserves workers for the tasks in spans from a time on.
func (p *profile) hold(at federate.Time) {
	for begin, i := 0, 1; i <= len(p.spans); i++ {
		if i == len(p.spans) || p.spans[i] != p.spans[begin] {
			p.reserve(at, at+p.spans[begin], i-begin)
			begin = i
		}
	}
}

// soonest returns the first time, at or after from, at which the profile has enough workers for the
// job in spans. It first searches for subsets: the n longest tasks, each shortened to the shortest
// of the n. Such a search resumes where earlier searches for a subset of that size ended. The
// search for the whole job begins where all subsets fit.
func (p *profile) soonest(from federate.Time) federate.Time {
	latest := from
	for n := len(p.spans); n > 0; n /= 2 {
		span := p.spans[len(p.spans)-n]
		p.part = p.part[:0]
		for range n {
			p.part = append(p.part, span)
		}
		at := p.earliest(p.part, p.searched.from(from, p.part))
		p.note(n, span, at)
		latest = max(latest, at)
		if span == p.spans[len(p.spans)-1] {
			break // smaller subsets fit wherever this one does
		}
	}
	return p.earliest(p.spans, latest)
}

// earliest returns the first time at or after a time at which there are enough workers for tasks
// with these spans, or [central.Never]. It visits each step once. If a step has too few workers for
// a job that starts before it, it has too few for any later start as well, because fewer tasks of
// the job have ended by then.
func (p *profile) earliest(spans []federate.Time, at federate.Time) federate.Time {
	late := false // too few workers are idle before the next step
	for _, step := range p.steps[p.of(at):] {
		if late {
			at = step.At
		}
		need := running(spans, max(step.At-at, 0))
		if need == 0 {
			return at
		}
		late = step.Workers < need
	}
	if late {
		return central.Never
	}
	return at
}

// running returns how many tasks still run at a time after their common start. spans has their
// running times in ascending order. At time 0 all of them run.
func running(spans []federate.Time, since federate.Time) int {
	n := len(spans)
	switch {
	case since == 0 || since < spans[0]:
		return n
	case since >= spans[n-1]:
		return 0
	}
	return n - sort.Search(n, func(i int) bool { return spans[i] > since })
}

// reserve takes idle workers in [from, to).
func (p *profile) reserve(from, to federate.Time, workers int) {
	if from >= to {
		return
	}
	p.split(to)
	for i := p.split(from); p.steps[i].At < to; i++ {
		p.steps[i].Workers -= workers
	}
	p.join(to)
	p.join(from)
}

// split makes a step begin at a time and returns its index.
func (p *profile) split(at federate.Time) int {
	i := p.of(at)
	if step := p.steps[i]; step.At < at {
		i++
		p.steps = slices.Insert(p.steps, i, central.Step{At: at, Workers: step.Workers})
	}
	return i
}

// join removes the step that begins at a time if the previous step has as many workers.
func (p *profile) join(at federate.Time) {
	if i := p.of(at); i > 0 && p.steps[i-1].Workers == p.steps[i].Workers {
		p.steps = slices.Delete(p.steps, i, i+1)
	}
}
