package federate

import (
	"context"
	"errors"
	"slices"
	"strings"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/input/workload"
	"berth/engine/show"
	"berth/engine/sim"
)

// Options are the callbacks that observe a run.
type Options struct {
	// Progress, if not nil, is called every few thousand events. Its Requests are ended tasks.
	Progress func(Progress)
	// Trace, if not nil, is called for every [Record]. Tasks are numbered as in the workload
	// without tasks that can never run.
	Trace func(Record)
}

// Run runs a workload with one scheduler. The error is a [*diag.Diagnostic] that names the field of
// the configuration, the error of a [Failing] scheduler, or the error of the context. If the
// context stops the run, Run also returns the result so far, marked as partial.
func Run(ctx context.Context, scheduler string, c Config, load *workload.Tasks, o Options) (*Result, error) {
	plugin, ok := c.Plugin(scheduler)
	if !ok {
		return nil, diag.At("scheduler", diag.Unknown, scheduler, strings.Join(Names(), ", "))
	}
	if err := c.Check(load); err != nil {
		return nil, err
	}
	if plugin.Facts.Configure != nil {
		plugin.Facts.Configure(&c)
	}
	if plugin.Facts.Unbounded {
		c.Changes = nil // the scheduler has no workers
	}
	whole := load
	load, numbers, never := given(&plugin, &c, whole)
	if err := awaitNever(whole, never); err != nil {
		return nil, err
	}
	if err := suits(&plugin, &c, load); err != nil {
		return nil, err
	}
	trace := o.Trace
	if trace != nil && numbers != nil {
		trace = func(r Record) {
			if r.Task >= 0 {
				r.Task = numbers[r.Task]
			}
			o.Trace(r)
		}
	}
	m := newModel(&c, load, firstArrival(whole), trace)
	m.Parameters = Values(&plugin, &c)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	m.ctx = ctx
	m.scheduler = plugin.New(m)
	err := m.run(o.Progress)
	if err != nil && !errors.Is(err, ctx.Err()) {
		return nil, err
	}
	r := m.result(err != nil)
	r.Name, r.Never = scheduler, append(r.Never, never...)
	tasks := len(whole.Durations)
	r.Waits, r.Came = renumber(r.Waits, numbers, tasks, -1), renumber(r.Came, numbers, tasks, -1)
	r.Parts = renumber(r.Parts, numbers, tasks, [Parts]Time{})
	return r, err
}

// Suits returns nil if a scheduler can run a workload, otherwise an error with the reason. The
// workload must be valid for the configuration. Tasks that can never run are ignored. An unknown
// scheduler yields nil.
func Suits(scheduler string, c Config, load *workload.Tasks) error {
	plugin, ok := c.Plugin(scheduler)
	if !ok {
		return nil
	}
	load, _, _ = given(&plugin, &c, load)
	return suits(&plugin, &c, load)
}

// given returns the workload that a scheduler receives. It lacks tasks that can never run and, if
// the scheduler only has slots, has one slot for each task that requests nothing. See [without] for
// numbers.
func given(p *Plugin, c *Config, load *workload.Tasks) (kept *workload.Tasks, numbers []int32, never []Never) {
	never = findNever(NewCenter(c, load), load)
	load, numbers = without(load, never, Users(c, load))
	if !p.Facts.Slots || !slices.ContainsFunc(load.Kinds, asksNothing) {
		return load, numbers, never
	}
	classes, _ := c.classes()
	slot := classes[0].Capacity
	if !alike(classes) {
		slot = []cluster.Amount{cluster.Unit} // a worker has several slots
	}
	x := *load
	x.Kinds = slices.Clone(load.Kinds)
	for k := range x.Kinds {
		if asksNothing(x.Kinds[k]) && len(slot) == len(x.Resources) {
			x.Kinds[k].Request = slot
		}
	}
	return &x, numbers, never
}

func asksNothing(k workload.TaskKind) bool {
	return !slices.ContainsFunc(k.Request, func(a cluster.Amount) bool { return a > 0 })
}

func suits(p *Plugin, c *Config, load *workload.Tasks) error {
	classes, _ := c.classes()
	if !alike(classes) && !p.Facts.Unlike && !p.Facts.Slots {
		return diag.At("scheduler", workersDiffer, p.Name)
	}
	if len(c.Changes) > 0 && !p.Facts.Moves {
		return diag.At("scheduler", workersChange, p.Name)
	}
	if sharedResource(load) >= 0 && !p.Facts.Pooled {
		return diag.At("scheduler", sharesAsked, p.Name)
	}
	for i := range classes {
		if p.Facts.Slots && !load.OneSlot(classes[i].Capacity) && !(p.Facts.Unlike && load.OneEach()) {
			return diag.At("scheduler", onlySlots, p.Name, capacity(classes[i].Capacity, load))
		}
	}
	if p.Facts.Rigid || p.Facts.Gangs {
		return suitsGangs(p.Name, NewCenter(c, load), load)
	}
	return nil
}

// suitsGangs returns an error for a gang that does not fit in an empty data centre.
func suitsGangs(name string, d *Center, load *workload.Tasks) error {
	room := map[int32]int32{} // by kind of task
	var g *gangs
	for j, job := range load.Jobs {
		if !job.Gang {
			continue
		}
		kinds := load.KindsOf(int32(j))
		if likeTasks(kinds) {
			kind := kinds[0]
			if _, known := room[kind]; !known {
				room[kind] = d.together(&load.Kinds[kind])
			}
			if job.Count > room[kind] {
				return diag.At("scheduler", noRoomTogether, name, show.Count(int(job.Count), "task"), j+1, room[kind])
			}
			continue
		}
		if g == nil {
			g = newGangs(d, load)
		}
		if g.place(int32(j)) == nil {
			return diag.At("scheduler", noRoomForUnlike, name, show.Count(int(job.Count), "task"), j+1)
		}
	}
	return nil
}

func (m *Model) run(progress func(Progress)) error {
	for i, o := range m.Config.Outages {
		m.queue.Push(Event{At: o.At, Kind: outageEvent, Ref: uint32(i)})
	}
	m.scheduleArrival()
	m.scheduleChange()
	monitor := sim.NewMonitor(m.ctx, progress)
	failing, mayFail := m.scheduler.(Failing)
	for m.queue.Len() > 0 {
		e := m.queue.Pop()
		m.outOfTime = e.At < 0 || e.At > workload.MaxClock
		if m.outOfTime {
			return nil
		}
		m.handle(e)
		if mayFail && failing.Failed() != nil {
			return failing.Failed()
		}
		if !monitor.Due(1) {
			continue
		}
		if monitor.Check(Progress{Now: m.now, Requests: m.done, RequestsInAll: len(m.tasks), Events: m.Counters.Events}) {
			return m.ctx.Err()
		}
		if m.livelocked() {
			return nil
		}
	}
	if mayFail {
		return failing.Failed() // it may have failed while it was being created
	}
	return nil
}
