// Package hawk schedules long jobs centrally and short ones by probing, where idle workers
// steal from busy ones (Delgado et al., "Hawk: Hybrid Datacenter Scheduling", USENIX ATC
// 2015). See package hybrid for what it shares with Eagle.
//
// A worker that has served and has nothing left asks up to ten random workers of those
// that run long tasks, one after the other, and takes from the first one that has any the
// first group of reservations that wait behind a long task. Each question is a message,
// and so is the answer. A worker that has failed gives nothing.
package hawk

import (
	"berth/engine/federate"
	"berth/engine/federate/hybrid"
	"berth/engine/federate/probing"
	"berth/engine/parameter"
	"berth/engine/workload"
)

// The events of Hawk.
const (
	stealEvent  uint32 = hybrid.FirstKind + iota // an idle worker asks another one
	stolenEvent                                  // what it has stolen reaches it
)

type scheduler struct {
	*hybrid.Master
	stealing []bool // of each worker: it has asked another one
	attempts uint32 // workers that are asked in a row
}

// Plugin is what [federate.Register] takes.
var Plugin = federate.Plugin{
	Name: "hawk", Title: "Hawk", Description: "long jobs centrally, short ones by probing, and idle workers steal (Delgado et al. 2015)",
	Slots: true, Estimates: true, New: newScheduler,
	Parameters: append(hybrid.Parameters("hawk", "Hawk"), parameter.Parameter{
		Name: "hawk.attempts", Title: "workers asked to steal from", Help: "`NUMBER` of workers that an idle worker of Hawk asks for reservations, one after the other", High: 1000, Whole: true, Default: 10,
	}),
	Memory: func(c *federate.Config, v parameter.Values, load *workload.Tasks) float64 {
		return hybrid.Memory(c, v["hawk.probes"], 0, load) + float64(c.Workers)
	},
}

func newScheduler(m *federate.Model) federate.Scheduler {
	s := &scheduler{stealing: make([]bool, m.Center.Workers()), attempts: uint32(m.Parameters["hawk.attempts"])}
	probes := int(m.Parameters["hawk.probes"])
	s.Master = hybrid.NewMaster(m, "hawk", probing.Rule{Next: s.next, Idle: s.steal}, hybrid.Rule{
		Short: func(tasks []int32, constraints uint64) { s.Probe(tasks, constraints, probes) },
	})
	return s
}

// next serves first come, first served.
func (s *scheduler) next(worker int32) int32 {
	i := s.Pop(worker)
	s.Begin(i)
	return i
}

// steal lets an idle worker ask the first one.
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
		for i := int32(e.Ref); i != probing.None; {
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
	if first, count := s.group(victim, thief); first != probing.None {
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

// group takes the first reservations behind a long task that the thief can serve out of a
// queue; the Next of each leads to the one behind it.
func (s *scheduler) group(victim, thief int32) (first int32, count int64) {
	if s.Down(victim) || victim == thief {
		return probing.None, 0
	}
	i := s.First(victim)
	skip := func(short bool) {
		for i != probing.None && (s.Places[i].Task() == probing.None) == short {
			i = s.Places[i].Next
		}
	}
	if !s.RunsLong(victim) {
		skip(true)
	}
	skip(false)
	first, last := int32(probing.None), int32(probing.None)
	for i != probing.None && s.Places[i].Task() == probing.None {
		next := s.Places[i].Next
		if !s.Center.Satisfies(thief, s.Kind(s.Batches[s.Places[i].Batch].Tasks[0]).Constraints) {
			i = next
			continue
		}
		s.Take(i)
		s.Places[i].Next = probing.None
		if last == probing.None {
			first = i
		} else {
			s.Places[last].Next = i
		}
		last, i = i, next
		count++
	}
	return first, count
}
