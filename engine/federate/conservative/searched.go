package conservative

import (
	"slices"
	"sort"

	"berth/engine/federate"
)

// searched is what searches of a profile have come to since workers have last become idle:
// from then on a job that needs no less than another one finds no earlier time.
type searched struct {
	found [][]finding // by number of tasks, of increasing spans and times
	sizes []int       // that have some
}

// finding: a job with that many tasks of length span cannot start before at.
type finding struct {
	span, at federate.Time
}

// forget forgets all.
func (s *searched) forget() {
	for _, n := range s.sizes {
		s.found[n] = s.found[n][:0]
	}
	s.sizes = s.sizes[:0]
}

// note notes when a job fits whose tasks take at most a span.
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

// from returns a time before which tasks with these spans, in order, do not fit, or an earlier
// one.
func (s *searched) from(at federate.Time, spans []federate.Time) federate.Time {
	for n := 1; n <= min(len(spans), len(s.found)-1); n++ {
		all, span := s.found[n], spans[len(spans)-n]
		if i := sort.Search(len(all), func(i int) bool { return all[i].span > span }); i > 0 {
			at = max(at, all[i-1].at)
		}
	}
	return at
}
