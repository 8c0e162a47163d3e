package mercury

import (
	"cmp"
	"slices"
)

// refusals holds the tasks for which no queue has room, by kind, in the order of their refusals.
type refusals struct {
	of    [][]refusal // by kind
	count int64       // tasks refused up to now
	kinds []int32     // scratch: kinds that may have room at this heartbeat, by their first refusal
}

type refusal struct {
	order int64
	task  int32
}

func (r *refusals) add(task, kind int32) {
	r.of[kind] = append(r.of[kind], refusal{r.count, task})
	r.count++
}

func (r *refusals) byFirst(a, b int32) int { return cmp.Compare(r.of[a][0].order, r.of[b][0].order) }

// again sends the refused tasks in the order of their refusals. Queues only fill up meanwhile, so
// once a task is refused again, all later tasks of its kind are, and they keep their places.
func (s *scheduler) again() {
	r := &s.refused
	r.kinds = r.kinds[:0]
	for kind := range r.of {
		if len(r.of[kind]) > 0 {
			r.kinds = append(r.kinds, int32(kind))
		}
	}
	slices.SortFunc(r.kinds, r.byFirst)
	for len(r.kinds) > 0 {
		kind := r.kinds[0]
		task := r.of[kind][0].task
		r.kinds = slices.Delete(r.kinds, 0, 1)
		workers := s.shortest(task, s.nodes)
		if len(workers) == 0 {
			s.expect()
			continue
		}
		s.sendTo(workers, 0, task)
		if r.of[kind] = r.of[kind][1:]; len(r.of[kind]) > 0 {
			at, _ := slices.BinarySearchFunc(r.kinds, kind, r.byFirst)
			r.kinds = slices.Insert(r.kinds, at, kind)
		}
	}
	last := int64(-1)
	for kind, all := range r.of {
		if n := len(all); n > 0 && all[n-1].order > last {
			last, s.full = all[n-1].order, int32(kind)
		}
	}
}
