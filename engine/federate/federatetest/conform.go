package federatetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/golden"
	"berth/engine/input/workload"
	"berth/engine/must"
)

// Conform checks a registered scheduler against the contract of [federate.Scheduler]: no task is
// lost or runs twice, no capacity is exceeded, constraints are met, the components of the
// allocation time are not negative and add up, gangs start together, no task starts before the
// tasks that it waits for have ended, and equal seeds give equal runs. Every task that can run in
// an empty data centre ends, even if messages and decisions take no time.
//
// Conform uses the data centres of [Cases], and random ones with any combination of the features
// that the scheduler supports: unlike workers, devices, constraints, shares, gangs, jobs that wait
// for others, outages, and workers that arrive and leave. More of them are drawn with the given
// seeds. Berth must refuse the features that the scheduler does not support.
func Conform(t *testing.T, plugin federate.Plugin, seeds ...uint64) {
	for seed := range uint64(3) {
		for _, c := range Cases(t, seed) {
			check := conform
			if plugin.Facts.Slots && !c.Slots {
				check = refused
			}
			t.Run(c.Name, func(t *testing.T) { check(t, plugin, c) })
		}
	}
	ran := 0
	for _, seed := range append(golden.Seeds(400), seeds...) {
		if c := drawn(t, plugin, seed); canRun(t, plugin, c) {
			ran++
			t.Run(c.Name, func(t *testing.T) { conform(t, plugin, c) })
		}
	}
	if ran < 20 {
		t.Errorf("%d drawn workloads can run", ran)
	}
	for _, c := range unsupported(t, &plugin.Facts) {
		t.Run(c.Name, func(t *testing.T) { refused(t, plugin, c) })
	}
	t.Run("cancelled", func(t *testing.T) { cancelled(t, plugin) })
	t.Run("stopped", func(t *testing.T) { stopped(t, plugin) })
}

// unsupported returns a case for each feature that a scheduler does not support.
func unsupported(t *testing.T, f *federate.Facts) (all []Case) {
	cases := Cases(t, 0)
	addUnless := func(supported bool, name string, of Case, change func(*Case)) {
		if !supported {
			of.Name = name
			change(&of)
			all = append(all, of)
		}
	}
	workers := cases[0]
	if !f.Slots {
		workers = cases[4]
	}
	addUnless(f.Unlike, "unlike workers", workers, func(c *Case) {
		larger := slices.Clone(c.Config.Capacity)
		larger[0] *= 3
		c.Config = unlike(c.Config, federate.WorkerClass{}, federate.WorkerClass{Capacity: larger})
	})
	addUnless(f.Moves, "workers that leave", cases[0], func(c *Case) { c.Config.Changes = []federate.Change{{At: c.Load.Jobs[0].Arrival + 1}} })
	addUnless(f.Pooled || f.Slots, "shares of devices", cases[4], func(c *Case) {
		c.Load = devices(c.Load)
		c.Config.Capacity = append(slices.Clone(c.Config.Capacity), 2*cluster.Unit)
	})
	// If it were accepted, other jobs would wait behind the gang for ever.
	addUnless(!f.Gangs && !f.Rigid, "too large a gang", cases[0], func(c *Case) {
		load := *c.Load
		load.Jobs = slices.Clone(load.Jobs)
		for j := range load.Jobs {
			load.Jobs[j].Gang = true
		}
		c.Config.Workers, c.Load = 4, &load
	})
	return all
}

// refused checks that Berth refuses a case for a scheduler.
func refused(t *testing.T, plugin federate.Plugin, c Case) {
	t.Helper()
	if _, err := federate.Run(t.Context(), plugin.Name, c.Config, c.Load, federate.Options{}); err == nil {
		t.Error("it is run")
	}
}

func conform(t *testing.T, plugin federate.Plugin, c Case) {
	t.Helper()
	first, records := run(t, plugin, c)
	again, _ := run(t, plugin, c)
	if !Same(first, again) {
		t.Errorf("two runs of %d records differ: %+v and %+v", records, first.Allocation, again.Allocation)
	}
	ideal := must.Get(federate.Run(t.Context(), "ideal", c.Config, c.Load, federate.Options{}))(t)
	if first.JobCompletion.Mean < ideal.JobCompletion.Mean {
		t.Errorf("jobs take %v s on average, less than the ideal %v s", first.JobCompletion.Mean, ideal.JobCompletion.Mean)
	}
	addUp(t, first)
}

// Same reports whether two results are equal. Quantiles of no jobs are NaN, which Same treats as
// equal to NaN.
func Same(a, b *federate.Result) bool { return fmt.Sprintf("%+v", *a) == fmt.Sprintf("%+v", *b) }

func addUp(t *testing.T, r *federate.Result) {
	t.Helper()
	var sum float64
	for part := range federate.Component(federate.Parts) {
		sum += float64(*r.Components.Of(part))
	}
	if !(math.Abs(sum-float64(r.Allocation.Mean)) <= 1e-9*(1+sum)) {
		t.Errorf("the mean components add up to %v s, the mean allocation time is %v s", sum, r.Allocation.Mean)
	}
}

func run(t *testing.T, plugin federate.Plugin, c Case) (*federate.Result, int) {
	t.Helper()
	if never, err := federate.FindNever(c.Config, c.Load); err != nil || never != nil {
		t.Fatalf("the workload has tasks that never run: %v, %v", never, err)
	}
	checker := NewChecker(&c.Config, c.Load, plugin.Facts.Unbounded)
	checker.gangs = func(job *workload.TaskJob) bool {
		return plugin.Facts.Gangs && job.Gang || plugin.Facts.Rigid && oneGang(&c, job)
	}
	r := must.Get(federate.Run(t.Context(), plugin.Name, c.Config, c.Load, federate.Options{Trace: checker.Record}))(t)
	must.Do(t, checker.Finish(r))
	return r, checker.Records
}

// oneGang reports whether a rigid scheduler can start a job as one gang.
func oneGang(c *Case, job *workload.TaskJob) bool {
	constrained := slices.ContainsFunc(c.Load.KindOf[job.First:job.First+job.Count], func(k int32) bool { return c.Load.Kinds[k].Constraints != 0 })
	slots := federate.NewCenter(&c.Config, c.Load).Total[0] / c.Load.Kinds[c.Load.KindOf[job.First]].Request[0]
	return job.Count <= int32(slots) && !constrained
}

// stopped checks a run that is cancelled while it is under way: its progress never decreases, and
// its result covers exactly the tasks that have ended.
func stopped(t *testing.T, plugin federate.Plugin) {
	c := Cases(t, 0)[0]
	c.Load = long(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last federate.Progress
	progress := func(p federate.Progress) {
		if p.Now < last.Now || p.Events <= last.Events || p.Requests < last.Requests || p.RequestsInAll != len(c.Load.Durations) {
			t.Errorf("progress %+v after %+v", p, last)
		}
		last = p
		if p.Requests > 1000 {
			cancel()
		}
	}
	r, err := federate.Run(ctx, plugin.Name, c.Config, c.Load, federate.Options{Progress: progress})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("the error is %v", err)
	}
	if !r.Partial || r.Last != last.Now || r.Tasks != last.Requests || r.Counters.Events != last.Events {
		t.Errorf("partial %t, at %d ns with %d tasks and %d events; want %+v", r.Partial, r.Last, r.Tasks, r.Counters.Events, last)
	}
	counted := r.Distribution.Zero
	for _, n := range r.Distribution.Count {
		counted += n
	}
	if counted != r.Tasks || r.Jobs != r.Tasks { // its jobs have one task
		t.Errorf("%d tasks in the histogram, %d jobs, of %d tasks", counted, r.Jobs, r.Tasks)
	}
	addUp(t, r)
}

// cancelled checks that a run whose context has already ended stops early and returns a partial
// result.
func cancelled(t *testing.T, plugin federate.Plugin) {
	c := Cases(t, 0)[0]
	c.Load = long(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := federate.Run(ctx, plugin.Name, c.Config, c.Load, federate.Options{})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("the error is %v", err)
	}
	if !r.Partial || r.Tasks >= len(c.Load.Durations) || r.Counters.Events == 0 || len(r.Stalled) > 0 {
		t.Errorf("partial %t, %d tasks, %d events, stalled %v", r.Partial, r.Tasks, r.Counters.Events, r.Stalled)
	}
}
