// Package conservative is conservative backfilling of rigid jobs (Mu'alem and Feitelson 2001). All
// tasks of a job start together. When a job arrives, it is promised the earliest time at which it
// fits, according to the estimates, without delaying a job with an earlier promise. If a task ends
// at a different time than expected, the jobs get new promises in the order of the old ones; an
// early end makes no promise later. Promises ignore constraints and assume that every worker is as
// slow as the slowest one.
package conservative

import (
	"cmp"
	"slices"

	"berth/engine/federate"
	"berth/engine/federate/central"
	"berth/engine/input/workload"
	"berth/engine/parameter"
)

// promise is the promised start of a job.
type promise struct {
	part central.Part
	at   federate.Time
}

type scheduler struct {
	*central.Master
	arrived  []central.Part // parts without a promise
	promises []promise      // ordered by time, then by arrival
	ends     central.Ends
	idle     profile // workers that are expected to be idle and not promised
	wrong    bool    // a task ended at a different time than expected
}

// Plugin describes the scheduler for [federate.Register].
var Plugin = federate.Plugin{
	Name: "conservative", Title: "Conservative", Description: "conservative backfilling of rigid jobs: no job that waits is delayed",
	Facts: federate.Facts{
		Slots: true, Unlike: true, Moves: true, Rigid: true, Estimates: true,
		Memory: func(c *federate.Config, _ parameter.Values, load *workload.Tasks) float64 {
			tasks := len(load.Durations)
			return federate.PoolMemory(c, load) + federate.Bytes[federate.Time](tasks) + federate.BytesGrown[central.Step](c.Workers+tasks) +
				federate.BytesGrown[central.Part](tasks) + federate.BytesGrown[promise](tasks) + federate.BytesGrown[finding](tasks)
		},
	},
	New: func(m *federate.Model) federate.Scheduler {
		s := newScheduler(m)
		return s.Follow(s)
	},
}

func newScheduler(m *federate.Model) *scheduler {
	s := &scheduler{Master: central.NewMaster(m), ends: central.NewEnds(m)}
	s.idle.begin(0, s.Pool.Idle(), nil)
	return s
}

// Arrived implements [central.Planner].
func (s *scheduler) Arrived(job int32) { s.arrived = s.AppendParts(s.arrived, job) }

// Over implements [central.Listener].
func (s *scheduler) Over(task int32) {
	s.wrong = s.wrong || s.ends.Of(task) != s.Now()
	s.ends.Ended(task)
}

// Lost implements [central.Resumer].
func (s *scheduler) Lost(task, _ int32) {
	s.ends.Ended(task)
	s.wrong = true
	s.arrived = append(s.arrived, central.Part{First: task, End: task + 1})
}

// Decide implements [central.Planner].
func (s *scheduler) Decide() {
	s.idle.forget(s.Now())
	if s.wrong || s.idle.steps[0].Workers+s.due() != s.Pool.Idle() {
		s.plan()
	}
	for _, part := range s.arrived {
		s.promise(part)
	}
	s.arrived = s.arrived[:0]
	for len(s.promises) > 0 && s.promises[0].at <= s.Now() && s.start(s.promises[0].part) {
		s.promises = s.promises[1:]
	}
}

// due returns the number of workers for the jobs that are promised to start by now.
func (s *scheduler) due() (workers int) {
	for _, p := range s.promises {
		if p.at > s.Now() {
			break
		}
		workers += p.part.Size()
	}
	return workers
}

// plan makes new promises for all waiting jobs from the current state.
func (s *scheduler) plan() {
	s.wrong = false
	s.idle.begin(s.Now(), s.Pool.Idle(), s.ends.Steps)
	before := s.promises
	s.promises = nil
	for _, p := range before {
		s.promise(p.part)
	}
}

// promise promises a part the earliest time at which it fits.
func (s *scheduler) promise(part central.Part) {
	p := promise{part: part, at: s.idle.take(s.Now(), s.Model, part)}
	i, _ := slices.BinarySearchFunc(s.promises, p, func(a, b promise) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.part.First, b.part.First))
	})
	s.promises = slices.Insert(s.promises, i, p)
}

func (s *scheduler) start(part central.Part) bool {
	if !s.LaunchAll(part) {
		return false
	}
	for task := part.First; task < part.End; task++ {
		span := s.EstimateOn(task, s.Worker(task))
		s.wrong = s.wrong || span != s.LongestEstimate(task)
		s.ends.Expect(task, s.Now()+span)
	}
	return true
}
