package federatekind

import (
	"context"
	"fmt"
	"slices"

	"berth/engine/event"
	"berth/engine/federate"
)

// Limits of a run that can be played back.
const (
	MaxPlayedWorkers = 200
	MaxPlayedTasks   = 5000
	MaxPlayedEvents  = 500_000
)

// SchedulerQuery asks about the run of one scheduler with the first seed.
type SchedulerQuery struct {
	Scheduler string // "" means the first one
}

// Playback holds all events of a small run. Their kinds are [federate.Actions]: the thing is a
// task, the place a worker, and the cause a master; see [federate.Record]. Masters, workers, tasks,
// jobs and users are numbered from 0; −1 means none. Times are in nanoseconds from the first
// arrival.
type Playback struct {
	Scheduler string
	// Only schedulers with masters of their own have numbers here. Pigeon's groups and Hydra's
	// sub-clusters count as LMs, without GMs.
	GMs int
	LMs int

	// GMOfWorker is the GM whose partition has the worker.
	GMOfUser, GMOfWorker, LMOfWorker []int32 `json:"-"`

	Job, User []int32 `json:"-"` // by task of the workload

	event.Log
}

// Playback returns the events that the last run of a scheduler recorded, or runs the scheduler
// again and records them. It returns an error if there are more workers or tasks than it can play
// back.
func (e *Prepared) Playback(ctx context.Context, q SchedulerQuery) (*Playback, error) {
	s, err := e.asked(q.Scheduler)
	if err != nil {
		return nil, err
	}
	if e.played != nil && e.played.Scheduler == s.scheduler {
		return e.played, nil
	}
	if err := s.played(); err != nil {
		return nil, err
	}
	p := s.playback(MaxPlayedEvents)
	if _, err := e.again(ctx, s, p.note); err != nil {
		return nil, err
	}
	e.played = p
	return p, nil
}

// played rejects runs that are too large to play back.
func (s *simulation) played() error {
	if s.config.Workers > MaxPlayedWorkers || len(s.load.Durations) > MaxPlayedTasks {
		return fmt.Errorf("runs of up to %d workers and %d tasks can be played back; this one has %d workers and %d tasks",
			MaxPlayedWorkers, MaxPlayedTasks, s.config.Workers, len(s.load.Durations))
	}
	return nil
}

// asked returns the simulation of a scheduler with the first seed. The name "" selects the first
// scheduler.
func (e *Prepared) asked(scheduler string) (*simulation, error) {
	i := 0
	if scheduler != "" {
		i = slices.Index(e.document.Schedulers, scheduler)
	}
	if i < 0 {
		return nil, fmt.Errorf("scheduler: %q is not one of the document's", scheduler)
	}
	return e.simulation(i, 0)
}

// again repeats a run and passes every event to trace.
func (e *Prepared) again(ctx context.Context, s *simulation, trace func(federate.Record)) (*federate.Result, error) {
	return s.run(ctx, federate.Options{Trace: trace, Progress: telling(e.env.Tell)})
}

// playback returns an empty playback that records at most this number of events.
func (s *simulation) playback(most int) *Playback {
	c, load := s.config, s.load
	p := &Playback{Scheduler: s.scheduler, GMOfUser: []int32{}, Log: event.Log{Most: most}}
	users := federate.Users(&c, load)
	for _, job := range jobsOf(load) {
		p.Job, p.User = append(p.Job, int32(job)), append(p.User, federate.UserOf(job, &load.Jobs[job], users))
	}
	plugin, _ := c.Plugin(s.scheduler)
	if plugin.Facts.Masters == nil {
		p.GMOfWorker, p.LMOfWorker = slices.Repeat([]int32{-1}, c.Workers), slices.Repeat([]int32{-1}, c.Workers)
		return p
	}
	if plugin.Facts.Configure != nil {
		plugin.Facts.Configure(&c)
	}
	p.GMOfWorker, p.LMOfWorker = plugin.Facts.Masters(&c, federate.Values(&plugin, &c))
	p.GMs, p.LMs, users = c.GMs, c.LMs, federate.Users(&c, load)
	for u := 0; p.GMs > 0 && u < users; u++ {
		p.GMOfUser = append(p.GMOfUser, federate.GMOfUser(u, users, p.GMs))
	}
	return p
}

func (p *Playback) note(r federate.Record) {
	p.Add(event.Event{At: int64(r.At), What: uint8(r.Action), Thing: r.Task, On: r.Worker, By: r.Master})
}

// Describe implements [event.Names].
func (p *Playback) Describe(i int) (task, worker, words string) {
	e, lm, gm := p.Event(i), int32(-1), int32(-1)
	worker = "a worker of its own"
	if e.On >= 0 {
		worker, lm, gm = fmt.Sprintf("worker %d", e.On+1), p.LMOfWorker[e.On], p.GMOfWorker[e.On]
	}
	if e.Thing >= 0 {
		task = fmt.Sprintf("task %d", e.Thing+1)
	}
	return task, worker, federate.Actions[e.What].Say(e.By, e.By+1, worker, lm+1, gm+1)
}

// Events plays every scheduler and returns its events for [event.CSV] and [event.Perfetto].
func (e *Prepared) Events(ctx context.Context) (all []event.Run, err error) {
	for _, scheduler := range e.document.Schedulers {
		p, err := e.Playback(ctx, SchedulerQuery{Scheduler: scheduler})
		if err != nil {
			return nil, err
		}
		all = append(all, event.Run{Name: scheduler, Log: &p.Log, Names: p, Kinds: federate.Actions, PerSecond: float64(federate.Second), End: p.Last()})
	}
	return all, nil
}

// columns returns the columns that the attachment of the playback holds.
func (p *Playback) columns() event.Columns {
	return append(event.Columns{&p.GMOfUser, &p.GMOfWorker, &p.LMOfWorker, &p.Job, &p.User}, p.Columns()...)
}

// Attachment implements [scenario.Attached].
func (p *Playback) Attachment() []byte { return p.columns().Pack() }

// Attach implements [scenario.Attached].
func (p *Playback) Attach(data []byte) error { return p.columns().Unpack(data) }
