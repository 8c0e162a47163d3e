package conservative

import (
	"slices"
	"sort"

	"berth/engine/federate"
)

// searched keeps the results of searches of a profile since workers last became idle. Until that
// happens again, a job that needs at least as much as another one finds no earlier time than it.
type searched struct {
	found [][]finding // by number of tasks, in increasing order of span and of time
	sizes []int       // numbers of tasks with findings
}

// finding says that a job with that many tasks of length span cannot start before at.
type finding struct {
	span, at federate.Time
}

// forget drops all findings.
func (s *searched) forget() {
	for _, n := range s.sizes {
		s.found[n] = s.found[n][:0]
	}
	s.sizes = s.sizes[:0]
}

// note records that at is the earliest start of a number of tasks of length span.
func (s *searched) note(tasks int, span, at federate.Time) {
	for len(s.found) <= tasks {
		s.found = append(s.found, nil)
	}
	all := s.found[tasks]
	if len(all) == 0 {
		s.sizes = append(s.sizes, tasks)
	}
	first := sort.Search(len(all), func(i int) bool { return all[i].span >= span })
	if first > 0 && all[first-1].at >= at {
		return
	}
	end := first
	for end < len(all) && all[end].at <= at {
		end++
	}
	s.found[tasks] = slices.Replace(all, first, end, finding{span, at})
}

// from returns a lower bound, at least at, on the start of tasks with these spans, which must be in
// increasing order.
func (s *searched) from(at federate.Time, spans []federate.Time) federate.Time {
	for n := 1; n <= min(len(spans), len(s.found)-1); n++ {
		all, span := s.found[n], spans[len(spans)-n]
		if i := sort.Search(len(all), func(i int) bool { return all[i].span > span }); i > 0 {
			at = max(at, all[i-1].at)
		}
	}
	return at
}
