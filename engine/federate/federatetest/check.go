package federatetest

import (
	"fmt"
	"slices"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/input/workload"
)

// Checker follows the records of a run and finds violations of [federate.Scheduler].
type Checker struct {
	config    *federate.Config
	load      *workload.Tasks
	unbounded bool
	center    *federate.Center
	used      []cluster.Amount             // by worker
	on        [][]int32                    // by worker: its running tasks
	gangs     func(*workload.TaskJob) bool // whether a job must start as a gang; nil: no job must
	runs      []runOf                      // by task
	last      federate.Time
	Records   int
	Err       error
}

type runOf struct {
	worker  int32
	running bool
	ended   int
	since   federate.Time // when it arrived or was last stopped
	waited  federate.Time
	first   federate.Time // its first start
	started bool
}

// NewChecker returns a checker of a run. All tasks of the workload must be able to run.
func NewChecker(c *federate.Config, load *workload.Tasks, unbounded bool) *Checker {
	k := &Checker{
		config: c, load: load, unbounded: unbounded, center: federate.NewCenter(c, load), on: make([][]int32, c.Workers),
		used: make([]cluster.Amount, c.Workers*len(c.Capacity)), runs: make([]runOf, len(load.Durations)),
	}
	for _, job := range load.Jobs {
		for t := job.First; t < job.First+job.Count; t++ {
			k.runs[t].since = job.Arrival - load.Jobs[0].Arrival
		}
	}
	return k
}

func (k *Checker) fail(r federate.Record, format string, args ...any) {
	if k.Err == nil {
		k.Err = fmt.Errorf("at %d ns, task %d on worker %d, %v: %s", r.At, r.Task, r.Worker, r.Action, fmt.Sprintf(format, args...))
	}
}

// Record checks one record. The first violation stays in Err.
func (k *Checker) Record(r federate.Record) {
	k.Records++
	if r.At < k.last {
		k.fail(r, "the clock went back from %d ns", k.last)
	}
	k.last = r.At
	switch r.Action {
	case federate.Started:
		k.start(r)
	case federate.Stopped, federate.Ended:
		k.stop(r)
	}
}

func (k *Checker) start(r federate.Record) {
	x := &k.runs[r.Task]
	if !x.started {
		k.released(r)
	}
	switch {
	case x.running:
		k.fail(r, "it runs already, on worker %d", x.worker)
	case x.ended > 0:
		k.fail(r, "it has ended before")
	case r.At < x.since:
		k.fail(r, "it starts before its arrival at %d ns", x.since)
	case !k.unbounded && k.gone(r):
		k.fail(r, "the worker is not there")
	}
	if !x.started {
		x.started, x.first = true, r.At
	}
	x.running, x.worker = true, r.Worker
	x.waited += r.At - x.since
	if k.unbounded {
		return
	}
	kind := &k.load.Kinds[k.load.KindOf[r.Task]]
	if k.config.Machines != nil && kind.Constraints&^k.config.Machines[r.Worker] != 0 {
		k.fail(r, "the worker satisfies %b, the task asks for %b", k.config.Machines[r.Worker], kind.Constraints)
	}
	k.change(r, 1)
}

// released checks that the jobs that a task's job waits for have ended. The task waits for a
// worker from the last of these ends.
func (k *Checker) released(r federate.Record) {
	if k.load.After == nil {
		return
	}
	j := slices.IndexFunc(k.load.Jobs, func(job workload.TaskJob) bool { return r.Task < job.First+job.Count && r.Task >= job.First })
	for _, of := range k.load.After[j] {
		job := &k.load.Jobs[of]
		for t := job.First; t < job.First+job.Count; t++ {
			if k.runs[t].ended == 0 {
				k.fail(r, "task %d, which its job waits for, has not ended", t)
			}
			k.runs[r.Task].since = max(k.runs[r.Task].since, k.runs[t].since)
		}
	}
}

func (k *Checker) stop(r federate.Record) {
	x := &k.runs[r.Task]
	if !x.running || x.worker != r.Worker {
		k.fail(r, "it does not run there")
	}
	x.running, x.since = false, r.At
	if r.Action == federate.Ended {
		x.ended++
	}
	if !k.unbounded {
		k.change(r, -1)
	}
}

func (k *Checker) change(r federate.Record, sign cluster.Amount) {
	for i, amount := range k.load.Kinds[k.load.KindOf[r.Task]].Request {
		used := &k.used[int(r.Worker)*len(k.config.Capacity)+i]
		*used += sign * amount
		if most := k.center.CapacityOf(r.Worker)[i]; *used < 0 || *used > most {
			k.fail(r, "%s in use is %v of %v", k.load.Resources[i], used.Units(), most.Units())
		}
	}
	k.share(r, sign)
}

// share checks that the devices of a worker have room for its running tasks.
func (k *Checker) share(r federate.Record, sign cluster.Amount) {
	d := k.center.Devices
	if d < 0 {
		return
	}
	on := k.on[r.Worker]
	if sign > 0 {
		on = append(on, r.Task)
	} else {
		on = slices.DeleteFunc(on, func(task int32) bool { return task == r.Task })
	}
	k.on[r.Worker] = on
	asks := make([]cluster.Amount, 0, len(on))
	for _, task := range on {
		if ask := k.load.Kinds[k.load.KindOf[task]].Request[d]; ask > 0 {
			asks = append(asks, ask)
		}
	}
	if fits, _ := cluster.NewDevices(int(k.center.CapacityOf(r.Worker)[d] / cluster.Unit)).TakeAll(asks); !fits {
		k.fail(r, "the devices have no room for all its tasks")
	}
}

// gone reports whether a worker is absent both before and after the changes of the record's moment.
func (k *Checker) gone(r federate.Record) bool {
	before, after, first := false, false, true
	for _, change := range k.config.Changes {
		if change.Worker != r.Worker {
			continue
		}
		if first {
			before, after, first = change.There, change.There, false
		}
		if at := change.At - k.load.Jobs[0].Arrival; at < r.At {
			before, after = !change.There, !change.There
		} else if at == r.At {
			after = !change.There
		}
	}
	return before && after
}

// Finish compares the records with the result of the run.
func (k *Checker) Finish(r *federate.Result) error {
	if k.Err != nil {
		return k.Err
	}
	for t, x := range k.runs {
		if x.ended != 1 {
			return fmt.Errorf("task %d has ended %d times; stalled: %v", t, x.ended, r.Stalled)
		}
		var sum federate.Time
		for _, part := range r.Parts[t] {
			if part < 0 {
				return fmt.Errorf("task %d has a negative component in %v", t, r.Parts[t])
			}
			sum += part
		}
		if sum != r.Waits[t] || sum != x.waited {
			return fmt.Errorf("task %d waited %d ns; the result says %d, its components add up to %d: %v", t, x.waited, r.Waits[t], sum, r.Parts[t])
		}
	}
	for j, job := range k.load.Jobs {
		for t := job.First; k.gangs != nil && k.gangs(&job) && t < job.First+job.Count; t++ {
			if at := k.runs[job.First].first; k.runs[t].first != at {
				return fmt.Errorf("job %d starts at %d ns, and its task %d at %d ns", j, at, t, k.runs[t].first)
			}
		}
	}
	if r.Tasks != len(k.runs) || r.Jobs != len(k.load.Jobs) {
		return fmt.Errorf("the result has %d tasks in %d jobs, want %d in %d", r.Tasks, r.Jobs, len(k.runs), len(k.load.Jobs))
	}
	return nil
}
