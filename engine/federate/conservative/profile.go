package conservative

import (
	"slices"
	"sort"

	"berth/engine/federate"
	"berth/engine/federate/central"
	"berth/engine/workload"
)

// profile is how many workers are idle from each moment on until the next one.
type profile struct {
	steps []central.Step
	spans []federate.Time // scratch: how long the tasks of a job take, in order
	part  []federate.Time // scratch: how long a part of them takes
	searched
}

// begin begins at a moment with so many idle workers, and adds those of tasks when these
// are expected to end; one that should have ended is expected to do so at once.
func (p *profile) begin(at federate.Time, idle int, ends []central.Step) {
	p.searched.forget()
	p.steps = append(p.steps[:0], central.Step{At: at, Workers: idle})
	for _, end := range ends {
		idle += end.Workers
		if end.At = max(end.At, at+1); end.At == p.steps[len(p.steps)-1].At {
			p.steps[len(p.steps)-1].Workers = idle
		} else {
			p.steps = append(p.steps, central.Step{At: end.At, Workers: idle})
		}
	}
}

// forget forgets what was before a moment.
func (p *profile) forget(at federate.Time) {
	i, found := central.FindStep(p.steps, at)
	if !found && i > 0 {
		i--
		p.steps[i].At = at
	}
	p.steps = p.steps[i:]
}

// now is how many are idle first.
func (p *profile) now() int { return p.steps[0].Workers }

// take takes workers for tasks that start together, at the earliest moment from one on at
// which there are enough as long as each of them is estimated to run; [central.Never] if there is
// none.
func (p *profile) take(from federate.Time, m *federate.Model, part central.Part) federate.Time {
	p.read(m, part)
	at := p.soonest(from)
	if at > workload.MaxClock {
		at = central.Never // nothing starts after the end of the clock
	}
	p.hold(at, -1)
	return at
}

// move has a job start at the earliest moment before the one that it was promised, if it can
// from another one on. All of its workers are idle from the former moment on.
func (p *profile) move(from federate.Time, m *federate.Model, job promise) federate.Time {
	if job.least == job.part.Size() {
		p.spans = repeated(p.spans, job.longest, job.least)
	} else {
		p.read(m, job.part)
	}
	sooner := p.earliest(p.spans, from, job.at)
	if sooner >= min(job.at, workload.MaxClock+1) {
		return job.at
	}
	p.hold(job.at, 1)
	p.hold(sooner, -1)
	return sooner
}

// read notes how long the tasks of a part take.
func (p *profile) read(m *federate.Model, part central.Part) {
	p.spans = p.spans[:0]
	for task := part.First; task < part.End; task++ {
		p.spans = append(p.spans, m.LongestEstimate(task))
	}
	slices.Sort(p.spans)
}

// hold takes the workers of tasks that start at a moment (-1), or gives them back (1).
func (p *profile) hold(at federate.Time, by int) {
	if at == central.Never {
		return
	}
	for begin, i := 0, 1; i <= len(p.spans); i++ {
		if i == len(p.spans) || p.spans[i] != p.spans[begin] {
			p.add(at, at+p.spans[begin], by*(i-begin))
			begin = i
		}
	}
}

// soonest is the first moment from one on at which there are enough workers for the job that
// was read. Each part of it, some of its longest tasks for the span of the shortest of them,
// is searched for before, from where the searches for other jobs with such a part have ended;
// the job itself is searched for from where all parts fit.
func (p *profile) soonest(from federate.Time) federate.Time {
	latest := from
	for n := len(p.spans); n > 0; n /= 2 {
		span := p.spans[len(p.spans)-n]
		p.part = repeated(p.part, span, n)
		at := p.earliest(p.part, p.searched.from(from, p.part), central.Never)
		p.note(n, span, at)
		latest = max(latest, at)
		if span == p.spans[len(p.spans)-1] {
			break // smaller parts are within this one
		}
	}
	return p.earliest(p.spans, latest, central.Never)
}

// repeated is a span n times, in the memory of others.
func repeated(into []federate.Time, span federate.Time, n int) []federate.Time {
	into = slices.Grow(into[:0], n)[:n]
	for i := range into {
		into[i] = span
	}
	return into
}

// earliest returns the first moment from one on at which there are enough workers for tasks
// with these spans until an end, or that end. It looks at each step once: where one has too few workers for a job
// that starts before it, it has too few for one that starts later, which has ended less of
// its tasks.
func (p *profile) earliest(spans []federate.Time, at, end federate.Time) federate.Time {
	for i := p.index(at); i < len(p.steps) && p.steps[i].At < end; i++ {
		need := running(spans, max(p.steps[i].At-at, 0))
		if need == 0 {
			break
		}
		if p.steps[i].Workers < need {
			at = end
			if i+1 < len(p.steps) {
				at = min(p.steps[i+1].At, end)
			}
		}
	}
	return at
}

// last is how long the last tasks of the part take, and how many these are.
func (p *profile) last() (span federate.Time, tasks int) {
	span = p.spans[len(p.spans)-1]
	return span, running(p.spans, span-1)
}

// running is how many tasks with these spans run so long after their start; all of them at first.
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

// add changes the number from a moment on until another one.
func (p *profile) add(from, to federate.Time, by int) {
	if from >= to {
		return
	}
	if by > 0 {
		p.searched.forget()
	}
	p.cut(to)
	i := p.cut(from)
	for j := i; p.steps[j].At < to; j++ {
		p.steps[j].Workers += by
	}
	p.join(to)
	p.join(from)
}

// cut returns the step that begins at a moment.
func (p *profile) cut(at federate.Time) int {
	i, found := central.FindStep(p.steps, at)
	if !found {
		p.steps = slices.Insert(p.steps, i, central.Step{At: at, Workers: p.steps[i-1].Workers})
	}
	return i
}

// join removes a step that has as many workers as the one before it.
func (p *profile) join(at federate.Time) {
	if i, _ := central.FindStep(p.steps, at); i > 0 && p.steps[i].Workers == p.steps[i-1].Workers {
		p.steps = slices.Delete(p.steps, i, i+1)
	}
}

// index returns the step that a moment is in.
func (p *profile) index(at federate.Time) int {
	i, found := central.FindStep(p.steps, at)
	if !found {
		i--
	}
	return i
}
