package federatekind

import (
	"context"
	"fmt"
	"slices"

	"berth/engine/federate"
	"berth/engine/figure"
	"berth/engine/input/workload"
)

// MaxTaskEvents limits the number of events in the report of a task.
const MaxTaskEvents = 1000

// TaskQuery asks about one task under one scheduler, which is selected as in [SchedulerQuery].
type TaskQuery struct {
	Scheduler string
	Task      int // index in the workload, from 0
}

// TaskReport describes what happened to one task. Times are in seconds from the first arrival.
type TaskReport struct {
	Scheduler string
	Task      int
	Job       int
	User      int
	Kind      string // its request, in words
	Arrival   float64
	Duration  float64
	Never     bool // no worker can ever run the task; the fields below are empty

	Time       float64
	Components federate.Components // they add up to Time
	Events     []TaskEvent         // in order, at most MaxTaskEvents
	Left       int
}

// TaskEvent is one event of a task.
type TaskEvent struct {
	At     float64
	Action string // name of a federate.Action
	Text   string
}

// Task repeats a run and reports the events of one task.
func (e *Prepared) Task(ctx context.Context, q TaskQuery) (*TaskReport, error) {
	s, err := e.asked(q.Scheduler)
	if err != nil {
		return nil, err
	}
	load := s.load
	if q.Task < 0 || q.Task >= len(load.Durations) {
		return nil, fmt.Errorf("task: there is no task %d: expected 0 to %d", q.Task, len(load.Durations)-1)
	}
	never, err := federate.FindNever(s.config, load)
	if err != nil {
		return nil, err
	}
	p, kind := s.playback(MaxTaskEvents), load.KindOf[q.Task]
	job := int(p.Job[q.Task])
	r := &TaskReport{
		Scheduler: s.scheduler, Task: q.Task, Job: job, User: int(p.User[q.Task]),
		Kind: load.KindString(kind), Events: []TaskEvent{},
		Arrival: workload.Seconds(load.Jobs[job].Arrival - load.Jobs[0].Arrival), Duration: workload.Seconds(load.Durations[q.Task]),
		Never: slices.ContainsFunc(never, func(x federate.Never) bool { return x.Number == kind }),
	}
	if r.Never {
		return r, nil
	}
	result, err := e.again(ctx, s, func(of federate.Record) {
		if concerns(&of, q.Task, load, p.Job) {
			p.note(of)
		}
	})
	if err != nil {
		return nil, err
	}
	r.Left = p.Left
	for i := range p.At {
		_, _, words := p.Describe(i)
		r.Events = append(r.Events, TaskEvent{workload.Seconds(federate.Time(p.At[i])), federate.Actions[p.What[i]].Name, words})
	}
	r.Time, r.Arrival = workload.Seconds(result.Waits[q.Task]), workload.Seconds(result.Arrivals(load)[q.Task])
	for i, part := range result.Parts[q.Task] {
		*r.Components.Of(federate.Component(i)) = figure.Number(workload.Seconds(part))
	}
	return r, nil
}

// concerns reports whether a record is about a task. A reservation concerns all tasks of its job
// that have the same constraints.
func concerns(r *federate.Record, task int, load *workload.Tasks, jobs []int32) bool {
	switch r.Action {
	case federate.Arrived: // the report contains the arrival time
		return false
	case federate.ReservationMade, federate.ReservationRefused, federate.ReservationStolen:
		constraints := func(task int) uint64 { return load.Kinds[load.KindOf[task]].Constraints }
		return jobs[r.Task] == jobs[task] && constraints(int(r.Task)) == constraints(task)
	}
	return int(r.Task) == task
}
