// Package hawk schedules long jobs centrally and short jobs by probing, and lets idle workers steal
// from busy ones (Delgado et al., "Hawk: Hybrid Datacenter Scheduling", USENIX ATC 2015). Package
// hybrid has the parts that it shares with Eagle.
//
// A worker that runs out of work asks random workers that may run long tasks, one after the other,
// ten by default. It takes the first group of reservations that wait behind a long task from the
// first worker with such a group. Each question and each answer is a message. Nothing can be stolen
// from a failed worker.
package hawk

import (
	"berth/engine/federate"
	"berth/engine/federate/hybrid"
	"berth/engine/federate/probing"
	"berth/engine/input/workload"
	"berth/engine/parameter"
)

const (
	stealEvent  uint32 = hybrid.FirstKind + iota // an idle worker asks another one
	stolenEvent                                  // the stolen reservations reach the thief
)

type scheduler struct {
	*hybrid.Master
	stealing []bool // by worker: it is asking other workers
	attempts uint32 // limit on the workers that a thief asks
}

// Plugin describes the scheduler for [federate.Register].
var Plugin = federate.Plugin{
	Name: "hawk", Title: "Hawk", Description: "long jobs centrally, short ones by probing, and idle workers steal (Delgado et al. 2015)",
	Parameters: append(hybrid.Parameters("hawk", "Hawk"), parameter.Parameter{
		Name: "hawk.attempts", Title: "workers asked to steal from", Help: "`NUMBER` of workers that an idle worker of Hawk asks for reservations, one after the other", High: 1000, Whole: true, Default: 10,
	}),
	Facts: federate.Facts{
		Slots: true, Estimates: true,
		Memory: func(c *federate.Config, v parameter.Values, load *workload.Tasks) float64 {
			return hybrid.Memory(c, v["hawk.probes"], 0, load) + float64(c.Workers)
		},
	},
	New: newScheduler,
}

func newScheduler(m *federate.Model) federate.Scheduler {
	s := &scheduler{stealing: make([]bool, m.Center.Workers()), attempts: uint32(m.Parameters["hawk.attempts"])}
	probes := int(m.Parameters["hawk.probes"])
	s.Master = hybrid.NewMaster(m, "hawk", probing.Discipline{Next: s.next, Idle: s.steal}, hybrid.Variant{
		Short: func(tasks []int32, constraints uint64) { s.Probe(tasks, constraints, probes) },
	})
	return s
}

// next serves the reservations in order of arrival.
func (s *scheduler) next(worker int32) int32 {
	i := s.Pop(worker)
	s.Begin(i)
	return i
}

// steal makes an idle worker ask its first victim.
func (s *scheduler) steal(thief int32) {
	if !s.stealing[thief] && s.attempts > 0 {
		s.stealing[thief] = true
		s.ask(thief, 1, s.Config.Delay)
	}
}

func (s *scheduler) ask(thief int32, attempt uint32, way federate.Time) {
	s.Counters.Messages++
	s.At(s.Now()+way, stealEvent, uint32(thief), attempt)
}

// Handle implements [federate.Scheduler].
func (s *scheduler) Handle(e federate.Event) {
	switch e.Kind {
	case stealEvent:
		s.asked(int32(e.Ref), e.Mark)
	case stolenEvent:
		thief := int32(e.Mark)
		s.stealing[thief] = false
		for i := int32(e.Ref); i != federate.None; {
			next := s.Places[i].Next
			s.Tell(federate.ReservationStolen, s.Batches[s.Places[i].Batch].Tasks[0], thief, -1)
			s.Move(i, thief)
			i = next
		}
	default:
		s.Master.Handle(e)
	}
}

// asked answers a thief for a random worker that may run long tasks.
func (s *scheduler) asked(thief int32, attempt uint32) {
	victim := s.Long + int32(s.Random.IntN(s.Center.Workers()-int(s.Long)))
	s.Own.Count("attempts to steal", 1)
	s.Counters.Messages++
	if first, count := s.group(victim, thief); first != federate.None {
		s.Own.Count("reservations stolen", count)
		s.At(s.Now()+s.Config.Delay, stolenEvent, uint32(first), uint32(thief))
		return
	}
	if attempt == s.attempts || s.Busy(thief) {
		s.stealing[thief] = false
		return
	}
	s.ask(thief, attempt+1, 2*s.Config.Delay)
}

// group removes from the victim's queue the first reservations behind a long task that the thief
// can serve. Place.Next links them.
func (s *scheduler) group(victim, thief int32) (first int32, count int64) {
	if s.Down(victim) || victim == thief {
		return federate.None, 0
	}
	i := s.First(victim)
	skip := func(short bool) {
		for i != federate.None && (s.Places[i].Task() == federate.None) == short {
			i = s.Places[i].Next
		}
	}
	if !s.RunsLong(victim) {
		skip(true)
	}
	skip(false)
	first, last := int32(federate.None), int32(federate.None)
	for i != federate.None && s.Places[i].Task() == federate.None {
		next := s.Places[i].Next
		if !s.Center.Satisfies(thief, s.Kind(s.Batches[s.Places[i].Batch].Tasks[0]).Constraints) {
			i = next
			continue
		}
		s.Take(i)
		s.Places[i].Next = federate.None
		if last == federate.None {
			first = i
		} else {
			s.Places[last].Next = i
		}
		last, i = i, next
		count++
	}
	return first, count
}
