package mercury

import (
	"berth/engine/federate"
	"berth/engine/federate/central"
)

// refusals holds the tasks for which no queue has room, by kind, in the order of their refusals.
type refusals struct {
	of    []federate.List // by kind
	order []int64         // by refused task
	count int64           // number of tasks refused so far
	turns central.Turns   // kinds that may have room at this heartbeat, by their first refusal
}

func newRefusals(m *federate.Model) refusals {
	kinds := len(m.Load.Kinds)
	return refusals{of: make([]federate.List, kinds), order: make([]int64, len(m.Load.Durations)), turns: central.NewTurns(kinds)}
}

// again sends the refused tasks in the order of their refusals. Meanwhile queues only get longer.
// So if a task is refused again, all later tasks of its kind are refused too, and they keep their
// places.
func (s *scheduler) again() {
	r := &s.refused
	wait := func(kind int32) {
		if first := r.of[kind].First(); first != federate.None {
			r.turns.Put(central.Turn{Order: r.order[first], Flow: kind})
		}
	}
	for kind := range r.of {
		wait(int32(kind))
	}
	for r.turns.Some() {
		kind := r.turns.First().Flow
		r.turns.Drop(kind)
		task := r.of[kind].First()
		workers := s.shortest(task, s.nodes)
		if len(workers) == 0 {
			s.expect()
			continue
		}
		r.of[kind].Pop(s.queues.next)
		s.sendTo(workers, 0, task)
		wait(kind)
	}
	last := int64(-1)
	for kind := range r.of {
		if l := &r.of[kind]; l.First() != federate.None && r.order[l.Last()] > last {
			last, s.full = r.order[l.Last()], int32(kind)
		}
	}
}
