package federate_test

import (
	"strings"
	"testing"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/input/workload"
	"berth/engine/must"
)

// lazy never starts a task.
type lazy struct{}

func (lazy) Submit(int32)                 {}
func (lazy) Handle(federate.Event)        {}
func (lazy) Ended(int32, int32)           {}
func (lazy) Outage(federate.Outage, bool) {}

// restless removes every task from its worker before the task ends.
type restless struct {
	lazy
	m *federate.Model
}

func (r restless) Submit(int32) { r.m.At(r.m.Now(), federate.FirstKind, 0, 0) }

func (r restless) Handle(e federate.Event) {
	if e.Mark > 0 {
		r.m.Stop(0)
		r.m.Counters.Preemptions++
	}
	r.m.Start(0, 0)
	r.m.At(r.m.Now()+federate.Millisecond, federate.FirstKind, 0, 1)
}

func TestRunsThatCannotProgressEnd(t *testing.T) {
	for name, test := range map[string]struct {
		scheduler func(*federate.Model) federate.Scheduler
		reason    string
	}{
		"lazy":     {func(*federate.Model) federate.Scheduler { return lazy{} }, "no later event frees capacity"},
		"restless": {func(m *federate.Model) federate.Scheduler { return restless{m: m} }, "preempted each other"},
	} {
		must.Do(t, federate.Register(federate.Plugin{Name: name, New: test.scheduler}))
		t.Cleanup(func() { federate.Unregister(name) })
		r := must.Get(federate.Run(t.Context(), name, federate.Default(2, 1, 1), oneTask(), federate.Options{}))(t)
		if len(r.Stalled) != 1 || r.Stalled[0].Tasks != 1 || !strings.Contains(r.Stalled[0].Reason, test.reason) {
			t.Errorf("%s: %+v", name, r.Stalled)
		}
	}
}

// A task without requests takes a slot under a scheduler that has only slots.
func TestATaskThatAsksForNothingRuns(t *testing.T) {
	load := oneTask()
	load.Kinds[0].Request = []cluster.Amount{0}
	for _, name := range federate.Names() {
		config := federate.Default(20, 2, 2)
		if bytes := federate.Memory(name, config, load); bytes > 1e6 {
			t.Errorf("%s takes %.0f bytes", name, bytes)
		}
		if r, err := federate.Run(t.Context(), name, config, load, federate.Options{}); err != nil || r.Tasks != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// On fast workers no job is faster than its longest task on the fastest worker.
func TestNoJobIsFasterThanOnTheFastestWorker(t *testing.T) {
	for _, name := range federate.Names() {
		config := federate.Default(4, 1, 1)
		config.Classes, config.ClassOf = []federate.WorkerClass{{Capacity: config.Capacity, Speed: 2}}, make([]uint16, 4)
		r := must.Get(federate.Run(t.Context(), name, config, oneTask(), federate.Options{}))(t)
		if r.JobDelay.Mean < 0 || r.Slowdown.Mean < 1 || name == "ideal" && r.JobDelay.Mean != 0 {
			t.Errorf("%s: delay %v s, slowdown %v", name, r.JobDelay.Mean, r.Slowdown.Mean)
		}
	}
}

func TestRunsEndWithTheClock(t *testing.T) {
	load := oneTask()
	load.Jobs[0].Count = 10_000
	load.Durations, load.KindOf = make([]federate.Time, 10_000), make([]int32, 10_000)
	c := federate.Default(1, 1, 1)
	c.Delay, c.LaunchDelay = 1_000_000*federate.Second, 1_000_000*federate.Second
	for _, name := range []string{"megha", "sparrow", "pigeon"} {
		r := must.Get(federate.Run(t.Context(), name, c, load, federate.Options{}))(t)
		if len(r.Stalled) != 1 || r.Tasks+r.Stalled[0].Tasks != 10_000 || r.Tasks < 1000 || !strings.Contains(r.Stalled[0].Reason, "the clock of the simulation ends") {
			t.Errorf("%s: %d tasks have ended, left: %+v", name, r.Tasks, r.Stalled)
		}
	}
}

// timesOf returns the times of an action of a task.
func timesOf(t *testing.T, c federate.Config, load *workload.Tasks, action federate.Action, task int32) (times []federate.Time, r *federate.Result) {
	t.Helper()
	r = must.Get(federate.Run(t.Context(), "megha", c, load, federate.Options{Trace: func(r federate.Record) {
		if r.Action == action && r.Task == task {
			times = append(times, r.At)
		}
	}}))(t)
	return times, r
}

// later returns a task and another one that arrives five seconds later.
func later() *workload.Tasks {
	load := oneTask()
	load.Jobs = append(load.Jobs, workload.TaskJob{Arrival: 5 * federate.Second, First: 1, Count: 1, User: -1})
	load.Durations = append(load.Durations, 10*federate.Second)
	load.KindOf = append(load.KindOf, 0)
	return load
}

func single() federate.Config {
	c := federate.Default(1, 1, 1)
	c.Costs = federate.Costs{}
	return c
}

// A GM that failed waits until every LM has sent a heartbeat since; heartbeats are due at 10 s and
// 20 s.
func TestGMRebuildsItsCopyFromHeartbeats(t *testing.T) {
	c := single()
	for duration, heartbeat := range map[federate.Time]federate.Time{
		2 * federate.Second:                   10 * federate.Second,
		6*federate.Second + c.Delay/2:         20 * federate.Second, // the first heartbeat is in transit
		6*federate.Second + federate.Second/2: 20 * federate.Second,
	} {
		c.Outages = []federate.Outage{{Subject: federate.GMOutage, At: 4 * federate.Second, Duration: duration}}
		times, r := timesOf(t, c, later(), federate.Requested, 1)
		if want := heartbeat + c.Delay; len(times) != 1 || times[0] != want {
			t.Errorf("an outage of %d ns: the task is matched at %v ns, want %d", duration, times, want)
		}
		if got := r.Parts[1][federate.Queueing]; got != heartbeat-5*federate.Second+c.Delay {
			t.Errorf("an outage of %d ns: it has queued for %d ns", duration, got)
		}
	}
}

func TestLMTakesOverAndLosesNothing(t *testing.T) {
	c := single()
	c.Outages = []federate.Outage{{Subject: federate.LMOutage, At: 4 * federate.Second, Duration: 3 * federate.Second}}
	times, _ := timesOf(t, c, later(), federate.Verified, 1)
	if want := 7 * federate.Second; len(times) != 1 || times[0] != want {
		t.Errorf("the request is verified at %v ns, want %d", times, want)
	}
}

func TestWorkerRestartsItsTasks(t *testing.T) {
	c := single()
	c.Outages = []federate.Outage{{Subject: federate.WorkerOutage, At: 8 * federate.Second, Duration: 2 * federate.Second}}
	for keeps, want := range map[bool]federate.Time{
		false: 10*federate.Second + c.LaunchDelay + 10*federate.Second,
		true:  10*federate.Second + c.LaunchDelay + 10*federate.Second - (3*federate.Second - c.Delay - c.LaunchDelay),
	} {
		c.KeepProgress = keeps
		times, r := timesOf(t, c, later(), federate.Ended, 1)
		if len(times) != 1 || times[0] != want {
			t.Errorf("progress kept %t: the task ends at %v ns, want %d", keeps, times, want)
		}
		if got := r.Parts[1]; got[federate.WorkerQueue] != 2*federate.Second || r.Waits[1] != 2*federate.Second+c.Delay+2*c.LaunchDelay {
			t.Errorf("it has waited %d ns: %v", r.Waits[1], got)
		}
	}
}

// All GMs must hear that a worker is back, even if nothing else happens.
func TestTasksWaitForTheOnlyWorker(t *testing.T) {
	c := single()
	c.Outages = []federate.Outage{{Subject: federate.WorkerOutage, At: 2 * federate.Second, Duration: 1000 * federate.Second}}
	load := later()
	load.Durations[0] = federate.Second
	times, r := timesOf(t, c, load, federate.Started, 1)
	if want := 1010*federate.Second + 2*c.Delay + c.LaunchDelay; len(times) != 1 || times[0] != want {
		t.Errorf("the task starts at %v ns, want %d; stalled: %v", times, want, r.Stalled)
	}
}

func TestIdleTimeCostsNothing(t *testing.T) {
	load := later()
	load.Durations[0] = 10_000_000 * federate.Second
	load.Jobs[1].Arrival = 90_000_000 * federate.Second
	c := federate.Default(1000, 10, 10)
	r := must.Get(federate.Run(t.Context(), "megha", c, load, federate.Options{}))(t)
	if r.Tasks != 2 || r.Counters.Events > 5000 {
		t.Errorf("%d tasks have ended after %d events", r.Tasks, r.Counters.Events)
	}
}

func TestSeriesAddUp(t *testing.T) {
	load := readTrace(t, "YH_small.tr")
	c := federate.Default(100, 4, 5)
	r := must.Get(federate.Run(t.Context(), "megha", c, load, federate.Options{}))(t)
	var work, used, byUsers float64
	for _, d := range load.Durations {
		work += float64(d) / 100
	}
	for b, u := range r.Series.Utilisation[0] {
		span := 1e9 * r.Series.Width
		if b == len(r.Series.Utilisation[0])-1 {
			continue // shorter: below
		}
		used += u * span
		for _, share := range r.Series.Share {
			byUsers += share[b] * span
		}
		if r.Series.Jain[b] < 0.25-1e-9 || r.Series.Jain[b] > 1+1e-9 {
			t.Errorf("Jain's index of four users is %v", r.Series.Jain[b])
		}
	}
	if used > work || used < 0.95*work || byUsers < used*(1-1e-9) || byUsers > used*(1+1e-9) {
		t.Errorf("%v in use, %v by users, of %v", used, byUsers, work)
	}
	n := r.Distribution.Zero
	for _, count := range r.Distribution.Count {
		n += count
	}
	if n != len(load.Durations) {
		t.Errorf("the histogram has %d of %d tasks", n, len(load.Durations))
	}
}

// full returns two long tasks, and a task of another job that arrives while they run.
func full() *workload.Tasks {
	load := later()
	load.Jobs[0].Count, load.Jobs[1].First = 2, 2
	load.Durations = []federate.Time{100 * federate.Second, 100 * federate.Second, 10 * federate.Second}
	load.KindOf = []int32{0, 0, 0}
	return load
}

// A preempted task returns to its GM with the information that its room is taken, so the GM
// requests nothing in vain.
func TestPreemptedTasksComeBackWithTheState(t *testing.T) {
	load := full()
	c := single()
	c.Workers, c.GMs, c.Shares = 2, 2, []float64{0.5, 0.5}
	times, r := timesOf(t, c, load, federate.Refused, 1)
	if len(times) != 0 || r.Counters.Preemptions != 1 {
		t.Errorf("refused at %v ns after %d preemptions, %d inconsistencies", times, r.Counters.Preemptions, r.Counters.Inconsistencies)
	}
}

// A refusal updates the copy of a GM long before the next heartbeat, so the GM requests no other
// worker that is taken.
func TestARefusalRepairsTheCopy(t *testing.T) {
	load := full()
	c := single()
	c.Workers, c.GMs = 2, 2
	times, r := timesOf(t, c, load, federate.Refused, 2)
	if len(times) != 1 || r.Counters.Inconsistencies != 1 {
		t.Errorf("refused %d times with %d inconsistencies, want 1", len(times), r.Counters.Inconsistencies)
	}
}
