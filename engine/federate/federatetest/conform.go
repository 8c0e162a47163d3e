package federatetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"berth/engine/federate"
	"berth/engine/input/workload"
)

// Conform checks a registered scheduler against the contract of [federate.Scheduler]: no task is
// lost or runs twice, no capacity is exceeded, constraints are met, the components of the
// allocation time are not negative and add up, gangs start together, no task starts before the
// tasks that it waits for have ended, and equal seeds give equal runs. Every task that can run in
// an empty data centre ends, even if messages and decisions take no time.
//
// Cases with features that the scheduler does not support are refused.
func Conform(t *testing.T, plugin federate.Plugin) {
	for seed := range uint64(3) {
		all := slices.Concat(Cases(t, seed), Gangs(t, seed), Speeds(t, seed), Dependent(t, seed), Unlike(t, seed))
		if seed == 0 {
			all = append(all, Moving(t, 1)...)
		}
		for _, c := range all {
			check := conform
			if !c.suits(plugin) {
				check = refused
			}
			t.Run(c.Name, func(t *testing.T) { check(t, plugin, c) })
		}
	}
	t.Run("cancelled", func(t *testing.T) { cancelled(t, plugin) })
	t.Run("stopped", func(t *testing.T) { stopped(t, plugin) })
	if plugin.Facts.Gangs || plugin.Facts.Rigid {
		t.Run("too large a gang", func(t *testing.T) { refused(t, plugin, largeGang(t)) })
	}
}

// suits reports whether a scheduler supports the features of a case.
func (c *Case) suits(plugin federate.Plugin) bool {
	unlike := slices.ContainsFunc(c.Config.Classes, func(class federate.WorkerClass) bool {
		return !slices.Equal(class.Capacity, c.Config.Classes[0].Capacity)
	})
	shares := federate.NewCenter(&c.Config, c.Load).Devices >= 0
	f := &plugin.Facts
	return (f.Unlike || !unlike) && (f.Moves || c.Config.Changes == nil) && (f.Pooled || !shares) && (!f.Slots || c.Slots)
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
	ideal, err := federate.Run(t.Context(), "ideal", c.Config, c.Load, federate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if first.JobCompletion.Mean < ideal.JobCompletion.Mean {
		t.Errorf("jobs take %v s on average, less than the ideal %v s", first.JobCompletion.Mean, ideal.JobCompletion.Mean)
	}
	addUp(t, first)
}

// Same reports whether two results are equal. Quantiles of no jobs are NaN, which counts as equal
// to NaN here.
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
	r, err := federate.Run(t.Context(), plugin.Name, c.Config, c.Load, federate.Options{Trace: checker.Record})
	if err != nil {
		t.Fatal(err)
	}
	if err := checker.Finish(r); err != nil {
		t.Fatal(err)
	}
	return r, checker.Records
}

// oneGang reports whether a rigid scheduler can start a job as one gang.
func oneGang(c *Case, job *workload.TaskJob) bool {
	constrained := slices.ContainsFunc(c.Load.KindOf[job.First:job.First+job.Count], func(k int32) bool { return c.Load.Kinds[k].Constraints != 0 })
	slots := federate.NewCenter(&c.Config, c.Load).Total[0] / c.Load.Kinds[c.Load.KindOf[job.First]].Request[0]
	return job.Count <= int32(slots) && !constrained
}

// stopped checks a run that is cancelled while it is under way: its progress never goes back, and
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

// largeGang returns a case with a job that can never fit. If it were accepted, other jobs would
// wait behind it forever.
func largeGang(t *testing.T) Case {
	c := Gangs(t, 0)[0]
	for j := range c.Load.Jobs {
		c.Load.Jobs[j].Gang = true
	}
	c.Config.Workers = int(slices.MaxFunc(c.Load.Jobs, func(a, b workload.TaskJob) int { return int(a.Count - b.Count) }).Count) - 1
	return c
}
