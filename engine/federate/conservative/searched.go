package conservative

import (
	"slices"
	"sort"

	"berth/engine/federate"
)

// searched stores the results of searches in a profile since workers last became idle. Until more
// workers become idle, a job that needs at least as much as an earlier one cannot start earlier.
type searched struct {
	found [][]finding // by number of tasks, ascending in span and in time
	sizes []int       // numbers of tasks with findings
}

// finding says that a job with some number of tasks of length span cannot start before at.
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

// note records that at is the earliest start of the given number of tasks of length span.
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

// from returns a lower bound, at least at, on the start of tasks with these spans, which must be
// ascending.
func (s *searched) from(at federate.Time, spans []federate.Time) federate.Time {
	for n := 1; n <= min(len(spans), len(s.found)-1); n++ {
		all, span := s.found[n], spans[len(spans)-n]
		if i := sort.Search(len(all), func(i int) bool { return all[i].span > span }); i > 0 {
			at = max(at, all[i-1].at)
		}
	}
	return at
}
