package conservative

import (
	"slices"

	"berth/engine/federate"
	"berth/engine/federate/central"
)

// hole is a span of time in which workers became idle after the promises were made.
type hole struct {
	from, to  federate.Time
	most      int       // highest number of idle workers within it
	stretches []stretch // stretches[n−1] describes n idle workers
	version   int       // a stretch with another version is outdated
}

// stretch summarises the spans in and next to a hole in which at least a given number of workers
// are idle.
type stretch struct {
	version     int
	first, last federate.Time // start of the first span and end of the last one
	longest     federate.Time // length of the longest span
}

// free adds idle workers to the profile in [from, to) and opens a hole there.
func (s *scheduler) free(from, to federate.Time, workers int) {
	s.idle.add(from, to, workers)
	s.open(from, to)
}

// advance has the result of [scheduler.plan] if workers have only become idle. Every promise is the
// earliest time that the promises before it allow: at each earlier time too few workers are idle
// for the job, and the busy workers run, or will run, jobs that plan serves first. So only a job
// that would overlap a hole can start earlier. The workers that it no longer needs at its old time
// form another hole, which matters only to later jobs.
func (s *scheduler) advance() {
	s.measure(s.Now(), central.Never)
	for p := range s.promises.walk(place{}) {
		at := p.at
		if from := s.reached(*p); from < at {
			at = s.idle.move(from, s.Model, *p)
		}
		if at == p.at {
			continue
		}
		s.measure(at, at+p.longest)
		s.open(max(p.at, at+s.idle.spans[0]), p.at+p.longest)
		s.moves = append(s.moves, move{*p, at})
	}
	for _, m := range s.moves {
		s.promises.remove(s.place(m.promise))
		m.at = m.to
		s.promises.insert(s.place(m.promise), m.promise)
	}
	s.moves, s.holes = s.moves[:0], s.holes[:0]
}

// move is a promise that became earlier, and its new time.
type move struct {
	promise
	to federate.Time
}

// open adds a hole in [from, to), unless that is empty.
func (s *scheduler) open(from, to federate.Time) {
	if from >= to {
		return
	}
	if len(s.holes) == cap(s.holes) {
		s.holes = append(s.holes, hole{})
	} else {
		s.holes = s.holes[:len(s.holes)+1] // reuses the memory of an earlier hole
	}
	h := &s.holes[len(s.holes)-1]
	h.from, h.to = from, to
	s.idle.measure(h)
}

// measure updates the holes that overlap [from, to), after a job has taken workers there. It
// removes holes without idle workers.
func (s *scheduler) measure(from, to federate.Time) {
	for i := 0; i < len(s.holes); i++ {
		h := &s.holes[i]
		if h.from >= to || h.to <= from {
			continue
		}
		if s.idle.measure(h); h.most == 0 {
			last := len(s.holes) - 1
			s.holes[i], s.holes[last] = s.holes[last], s.holes[i]
			s.holes = s.holes[:last]
			i--
		}
	}
}

// measure recomputes the highest number of idle workers in a hole, and invalidates its stretches.
func (p *profile) measure(h *hole) {
	h.version++
	h.most = 0
	for step := range p.walk(p.of(h.from)) {
		if step.At >= h.to {
			break
		}
		h.most = max(h.most, step.Workers)
	}
	if n := len(h.stretches); n < h.most {
		h.stretches = slices.Grow(h.stretches, h.most-n)[:h.most]
	}
}

// reached returns the earliest start at which a job would overlap a hole; [central.Never] if it
// cannot.
func (s *scheduler) reached(p promise) federate.Time {
	from := central.Never
	for i := range s.holes {
		h := &s.holes[i]
		if h.from >= p.at || p.least > h.most {
			continue
		}
		stretch := &h.stretches[p.least-1]
		if stretch.version != h.version {
			*stretch = s.idle.stretch(h, p.least)
		}
		if p.longest <= stretch.longest || p.at <= stretch.last {
			from = min(from, stretch.first)
		}
	}
	return from
}

// stretch computes the spans around a hole in which at least the given number of workers are idle.
func (p *profile) stretch(h *hole, workers int) stretch {
	i := p.of(h.from)
	for before, found := p.before(i); found && p.at(i).Workers >= workers && p.at(before).Workers >= workers; before, found = p.before(i) {
		i = before
	}
	x, began := stretch{version: h.version, first: central.Never}, central.Never
	for step := range p.walk(i) {
		if step.Workers < workers {
			if began != central.Never {
				x.last = step.At
				x.longest, began = max(x.longest, x.last-began), central.Never
			}
			if step.At >= h.to {
				return x
			}
		} else if began == central.Never {
			if step.At >= h.to {
				return x
			}
			began = step.At
			x.first = min(x.first, began)
		}
	}
	if began != central.Never {
		x.last, x.longest = central.Never, central.Never
	}
	return x
}
