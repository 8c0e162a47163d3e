package megha_test

import (
	"strings"
	"testing"

	"berth/engine/megha"
	"berth/engine/sim"
	"berth/engine/workload"
)

// lazy never starts a task.
type lazy struct{}

func (lazy) Submit(int32)              {}
func (lazy) Handle(sim.Event)          {}
func (lazy) Ended(int32, int32)        {}
func (lazy) Outage(megha.Outage, bool) {}

// restless takes every task off its worker before it ends.
type restless struct {
	lazy
	m *megha.Model
}

func (r restless) Submit(int32) { r.m.At(r.m.Now(), megha.FirstKind, 0, 0) }

func (r restless) Handle(e sim.Event) {
	if e.Mark > 0 {
		r.m.Stop(0)
		r.m.Counters.Preemptions++
	}
	r.m.Start(0, 0)
	r.m.At(r.m.Now()+megha.Millisecond, megha.FirstKind, 0, 1)
}

func TestRunsThatCannotProgressEnd(t *testing.T) {
	for name, test := range map[string]struct {
		scheduler func(*megha.Model) megha.Scheduler
		reason    string
	}{
		"lazy":     {func(*megha.Model) megha.Scheduler { return lazy{} }, "nothing that would make room"},
		"restless": {func(m *megha.Model) megha.Scheduler { return restless{m: m} }, "preempted each other"},
	} {
		if err := megha.Register(megha.Plugin{Name: name, New: test.scheduler}); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { megha.Unregister(name) })
		r, err := megha.Run(t.Context(), name, megha.Default(2, 1, 1), oneTask(), megha.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Stalled) != 1 || r.Stalled[0].Tasks != 1 || !strings.Contains(r.Stalled[0].Reason, test.reason) {
			t.Errorf("%s: %+v", name, r.Stalled)
		}
	}
}

func TestRunsEndWithTheClock(t *testing.T) {
	load := oneTask()
	load.Jobs[0].Count = 10_000
	load.Durations, load.KindOf = make([]megha.Time, 10_000), make([]int32, 10_000)
	c := megha.Default(1, 1, 1)
	c.Delay, c.LaunchDelay = 1_000_000*megha.Second, 1_000_000*megha.Second
	for _, name := range []string{"megha", "sparrow", "pigeon"} {
		r, err := megha.Run(t.Context(), name, c, load, megha.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Stalled) != 1 || r.Tasks+r.Stalled[0].Tasks != 10_000 || r.Tasks < 1000 || !strings.Contains(r.Stalled[0].Reason, "the clock of a simulation ends") {
			t.Errorf("%s: %d tasks have ended, left: %+v", name, r.Tasks, r.Stalled)
		}
	}
}

// timesOf returns when something happens to a task.
func timesOf(t *testing.T, c megha.Config, load *workload.Tasks, action megha.Action, task int32) (times []megha.Time, r *megha.Result) {
	t.Helper()
	r, err := megha.Run(t.Context(), "megha", c, load, megha.Options{Trace: func(r megha.Record) {
		if r.Action == action && r.Task == task {
			times = append(times, r.At)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	return times, r
}

// later is one task that arrives five seconds after another.
func later() *workload.Tasks {
	load := oneTask()
	load.Jobs = append(load.Jobs, workload.TaskJob{Arrival: 5 * megha.Second, First: 1, Count: 1, User: -1})
	load.Durations = append(load.Durations, 10*megha.Second)
	load.KindOf = append(load.KindOf, 0)
	return load
}

func single() megha.Config {
	c := megha.Default(1, 1, 1)
	c.Costs = megha.Costs{}
	return c
}

// A GM that failed waits for a heartbeat that every LM has sent since; they are
// due at 10 s and 20 s.
func TestGMRebuildsItsCopyFromHeartbeats(t *testing.T) {
	c := single()
	for duration, heartbeat := range map[megha.Time]megha.Time{
		2 * megha.Second:                10 * megha.Second,
		6*megha.Second + c.Delay/2:      20 * megha.Second, // the first is under way
		6*megha.Second + megha.Second/2: 20 * megha.Second,
	} {
		c.Outages = []megha.Outage{{Subject: megha.GMOutage, At: 4 * megha.Second, Duration: duration}}
		times, r := timesOf(t, c, later(), megha.Requested, 1)
		if want := heartbeat + c.Delay; len(times) != 1 || times[0] != want {
			t.Errorf("an outage of %d ns: the task is matched at %v ns, want %d", duration, times, want)
		}
		if got := r.Parts[1][megha.Queueing]; got != heartbeat-5*megha.Second+c.Delay {
			t.Errorf("an outage of %d ns: it has queued for %d ns", duration, got)
		}
	}
}

func TestLMTakesOverAndLosesNothing(t *testing.T) {
	c := single()
	c.Outages = []megha.Outage{{Subject: megha.LMOutage, At: 4 * megha.Second, Duration: 3 * megha.Second}}
	times, _ := timesOf(t, c, later(), megha.Verified, 1)
	if want := 7 * megha.Second; len(times) != 1 || times[0] != want {
		t.Errorf("the request is verified at %v ns, want %d", times, want)
	}
}

func TestWorkerRestartsItsTasks(t *testing.T) {
	c := single()
	c.Outages = []megha.Outage{{Subject: megha.WorkerOutage, At: 8 * megha.Second, Duration: 2 * megha.Second}}
	for keeps, want := range map[bool]megha.Time{
		false: 10*megha.Second + c.LaunchDelay + 10*megha.Second,
		true:  10*megha.Second + c.LaunchDelay + 10*megha.Second - (3*megha.Second - c.Delay - c.LaunchDelay),
	} {
		c.KeepProgress = keeps
		times, r := timesOf(t, c, later(), megha.Ended, 1)
		if len(times) != 1 || times[0] != want {
			t.Errorf("progress kept %t: the task ends at %v ns, want %d", keeps, times, want)
		}
		if got := r.Parts[1]; got[megha.WorkerQueue] != 2*megha.Second || r.Waits[1] != 2*megha.Second+c.Delay+2*c.LaunchDelay {
			t.Errorf("it has waited %d ns: %v", r.Waits[1], got)
		}
	}
}

// All GMs have to hear that a worker is back, though nothing else happens.
func TestTasksWaitForTheOnlyWorker(t *testing.T) {
	c := single()
	c.Outages = []megha.Outage{{Subject: megha.WorkerOutage, At: 2 * megha.Second, Duration: 1000 * megha.Second}}
	load := later()
	load.Durations[0] = megha.Second
	times, r := timesOf(t, c, load, megha.Started, 1)
	if want := 1010*megha.Second + 2*c.Delay + c.LaunchDelay; len(times) != 1 || times[0] != want {
		t.Errorf("the task starts at %v ns, want %d; stalled: %v", times, want, r.Stalled)
	}
}

func TestIdleTimeCostsNothing(t *testing.T) {
	load := later()
	load.Durations[0] = 10_000_000 * megha.Second
	load.Jobs[1].Arrival = 90_000_000 * megha.Second
	c := megha.Default(1000, 10, 10)
	r, err := megha.Run(t.Context(), "megha", c, load, megha.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Tasks != 2 || r.Counters.Events > 5000 {
		t.Errorf("%d tasks have ended after %d events", r.Tasks, r.Counters.Events)
	}
}

func TestSeriesAddUp(t *testing.T) {
	load := readTrace(t, "YH_small.tr")
	c := megha.Default(100, 4, 5)
	r, err := megha.Run(t.Context(), "megha", c, load, megha.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var work, used, byUsers float64
	for _, d := range load.Durations {
		work += float64(d) / 100
	}
	for b, u := range r.Series.Utilisation[0] {
		span := float64(r.Series.Width)
		if b == len(r.Series.Utilisation[0])-1 {
			continue // shorter: below
		}
		used += u * span
		for _, share := range r.Series.Share {
			byUsers += share[b] * span
		}
		if r.Jain[b] < 0.25-1e-9 || r.Jain[b] > 1+1e-9 {
			t.Errorf("Jain's index of four users is %v", r.Jain[b])
		}
	}
	if used > work || used < 0.95*work || byUsers < used*(1-1e-9) || byUsers > used*(1+1e-9) {
		t.Errorf("%v in use, %v by users, of %v", used, byUsers, work)
	}
	n := r.Histogram.Zero
	for _, count := range r.Histogram.Count {
		n += count
	}
	if n != len(load.Durations) {
		t.Errorf("the histogram has %d of %d tasks", n, len(load.Durations))
	}
}

// A task that is preempted comes back to its GM with the news that its room is
// taken: nothing is asked for in vain.
func TestPreemptedTasksComeBackWithTheState(t *testing.T) {
	load := later()
	load.Jobs[0].Count, load.Jobs[1].First = 2, 2
	load.Durations = []megha.Time{100 * megha.Second, 100 * megha.Second, 10 * megha.Second}
	load.KindOf = []int32{0, 0, 0}
	c := single()
	c.Workers, c.GMs, c.Shares = 2, 2, []float64{0.5, 0.5}
	times, r := timesOf(t, c, load, megha.Refused, 1)
	if len(times) != 0 || r.Counters.Preemptions != 1 {
		t.Errorf("refused at %v ns after %d preemptions, %d inconsistencies", times, r.Counters.Preemptions, r.Counters.Inconsistencies)
	}
}
