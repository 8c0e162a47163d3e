// Package easy is EASY backfilling of rigid jobs (Lifka 1995; Mu'alem and Feitelson 2001). All
// tasks of a job start together, first come first served. If the first job does not fit, it is
// promised the earliest time at which it can start according to the estimates of the running tasks.
// A later job may start before it unless that delays the first job: it must end by the promised
// time, or use workers that the first job will not need. Promises ignore constraints and assume
// that every worker is as slow as the slowest one.
package easy

import (
	"math"

	"berth/engine/federate"
	"berth/engine/federate/central"
	"berth/engine/input/workload"
	"berth/engine/parameter"
)

type scheduler struct {
	*central.Master
	arrived []central.Part
	queue   queue
	ends    central.Ends
}

// Plugin describes the scheduler for [federate.Register].
var Plugin = federate.Plugin{
	Name: "easy", Title: "EASY", Description: "EASY backfilling of rigid jobs: the first that waits is not delayed",
	Facts: federate.Facts{
		Slots: true, Unlike: true, Moves: true, Rigid: true, Estimates: true,
		Memory: func(c *federate.Config, _ parameter.Values, load *workload.Tasks) float64 {
			return federate.PoolMemory(c, load) + federate.Bytes[federate.Time](len(load.Durations)) +
				federate.BytesGrown[central.Step](c.Workers) + float64(3*federate.BytesGrown[waiting](len(load.Durations)))
		},
	},
	New: func(m *federate.Model) federate.Scheduler {
		s := &scheduler{Master: central.NewMaster(m), ends: central.NewEnds(m)}
		return s.Follow(s)
	},
}

// Arrived implements [central.Planner].
func (s *scheduler) Arrived(job int32) {
	s.arrived = s.AppendParts(s.arrived[:0], job)
	for _, part := range s.arrived {
		s.queue.add(s.wait(part))
	}
}

func (s *scheduler) wait(part central.Part) waiting {
	w := waiting{Part: part, shortest: math.MaxInt64}
	for task := part.First; task < part.End; task++ {
		estimate := s.LongestEstimate(task)
		if estimate > w.longest || task == part.First {
			w.longest, w.last = estimate, 0
		}
		if estimate == w.longest {
			w.last++
		}
		w.shortest = min(w.shortest, estimate)
	}
	return w
}

// Over implements [central.Listener].
func (s *scheduler) Over(task int32) { s.ends.Ended(task) }

// Lost implements [central.Resumer].
func (s *scheduler) Lost(task, _ int32) {
	s.ends.Ended(task)
	s.queue.renew([]waiting{s.wait(central.Part{First: task, End: task + 1})})
}

// Decide implements [central.Planner].
func (s *scheduler) Decide() {
	for s.queue.count > 0 && s.start(s.queue.places[s.queue.first].Part) {
		s.queue.remove(s.queue.first)
	}
	if s.queue.count > 1 && s.Pool.Idle() > 0 {
		s.backfill()
	}
}

// backfill starts jobs behind the first one that do not delay it. Most calls find too few idle
// workers for any job, and return before computing the promise.
func (s *scheduler) backfill() {
	q, idle := &s.queue, s.Pool.Idle()
	i := q.fits(q.first+1, idle, math.MaxInt, central.Never)
	if i < 0 {
		return
	}
	promised, spare := s.promise()
	for i = q.fits(i, idle, spare, promised-s.Now()); i >= 0; i = q.fits(i+1, idle, spare, promised-s.Now()) {
		w := &q.places[i]
		if late := s.after(w, promised, spare); late <= spare && s.start(w.Part) {
			idle, spare = s.Pool.Idle(), spare-late
			q.remove(i)
		}
	}
}

// start starts a job if enough workers are idle.
func (s *scheduler) start(part central.Part) bool {
	if part.Size() > s.Pool.Idle() || !s.LaunchAll(part) {
		return false
	}
	for task := part.First; task < part.End; task++ {
		s.ends.Expect(task, s.Now()+s.EstimateOn(task, s.Worker(task)))
	}
	return true
}

// promise returns the promised start of the first waiting job, and how many workers then remain
// idle. A task that runs longer than its estimate is expected to end now. While workers are down,
// there may be no such time; then promise returns [central.Never].
func (s *scheduler) promise() (at federate.Time, spare int) {
	idle, need := s.Pool.Idle(), s.queue.places[s.queue.first].Size()
	for i, step := range s.ends.Steps {
		at = max(s.Now(), step.At)
		idle += step.Workers
		if next := i + 1; idle >= need && (next == len(s.ends.Steps) || s.ends.Steps[next].At > at) {
			return at, idle - need
		}
	}
	return central.Never, 0
}

// after returns how many tasks of a job that starts now are expected to run beyond a time. It stops
// counting above most.
func (s *scheduler) after(w *waiting, at federate.Time, most int) (late int) {
	switch now := s.Now(); {
	case now+w.longest <= at:
		return 0
	case now+w.shortest > at:
		return w.Size()
	case most == 0:
		return 1
	}
	for task := w.First; task < w.End && late <= most; task++ {
		if s.Now()+s.LongestEstimate(task) > at {
			late++
		}
	}
	return late
}
