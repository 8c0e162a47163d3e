package conservative

import (
	"slices"

	"berth/engine/federate"
	"berth/engine/federate/central"
)

// hole is a span of time in which workers have become idle since the promises were made.
type hole struct {
	from, to  federate.Time
	most      int       // highest number of idle workers in it
	stretches []stretch // stretches[n−1] is for n idle workers
	version   int       // a stretch with another version is out of date
}

// stretch summarises the spans in and next to a hole in which at least a given number of workers
// are idle.
type stretch struct {
	version     int
	first, last federate.Time // start of the first span and end of the last one
	longest     federate.Time // length of the longest span
}

// free adds idle workers to the profile in [from, to) and records the hole.
func (s *scheduler) free(from, to federate.Time, workers int) {
	s.idle.add(from, to, workers)
	s.open(from, to)
}

// advance does the work of [scheduler.plan] when workers have only become idle. Every promise is
// the earliest time that the promises before it allow: at each earlier moment too few workers are
// idle for the job, and the busy ones run or will run jobs that plan serves first. So only a job
// that reaches into a hole can start earlier, and the workers that it no longer needs at its old
// time are another hole, which matters only to the jobs behind it.
func (s *scheduler) advance() {
	s.measure(s.Now(), central.Never)
	kept := s.promises[:0]
	for _, p := range s.promises {
		at := p.at
		if from := s.reached(p); from < at {
			at = s.idle.move(from, s.Model, p)
		}
		if at == p.at {
			kept = append(kept, p)
			continue
		}
		s.measure(at, at+p.longest)
		s.open(max(p.at, at+s.idle.spans[0]), p.at+p.longest)
		p.at = at
		s.sooner = append(s.sooner, p)
	}
	s.promises = kept
	for _, p := range s.sooner {
		s.insert(p)
	}
	s.sooner, s.holes = s.sooner[:0], s.holes[:0]
}

// open records a hole.
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

// measure updates the holes that overlap [from, to), in which a job has taken workers, and removes
// holes without idle workers.
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

// measure updates the highest number of idle workers in a hole, which invalidates its stretches.
func (p *profile) measure(h *hole) {
	h.version++
	h.most = 0
	for i := p.index(h.from); i < len(p.steps) && p.steps[i].At < h.to; i++ {
		h.most = max(h.most, p.steps[i].Workers)
	}
	if n := len(h.stretches); n < h.most {
		h.stretches = slices.Grow(h.stretches, h.most-n)[:h.most]
	}
}

// reached returns the earliest start at which a job would overlap a hole; [central.Never] if it
// overlaps none.
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

// stretch computes the spans around a hole in which at least that many workers are idle.
func (p *profile) stretch(h *hole, workers int) stretch {
	i := p.index(h.from)
	for i > 0 && p.steps[i].Workers >= workers && p.steps[i-1].Workers >= workers {
		i--
	}
	x, began := stretch{version: h.version, first: central.Never}, central.Never
	for ; i < len(p.steps); i++ {
		step := &p.steps[i]
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
