package federatekind_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/scenario"
)

// small is a document with contention: four users under every scheduler that knows resources.
func small() *federatekind.Document {
	return &federatekind.Document{
		Trace: scenario.Source{Name: "google-like", Recipe: &workload.Recipe{
			Generator: workload.JobsGenerator, Preset: "google", Seed: 1, Parameters: map[string]float64{"jobs": 100},
		}},
		Workers: 30, GMs: 3, LMs: 2, Shares: []float64{0.1, 0.25, 0.15, 0.5},
		Schedulers: []string{"megha", "megha-1", "ideal"}, Seed: 1,
	}
}

// slots is a document of tasks that take one worker each, under all schedulers.
func slots() *federatekind.Document {
	return &federatekind.Document{
		Trace:   scenario.Source{Name: "jobs.tr", Text: "0 3 10 5 10 15\n1 2 1 1 1\n2 4 20 20 20 20 20\n"},
		Workers: 6, GMs: 2, LMs: 2, Schedulers: []string{"megha", "megha-1", "sparrow", "pigeon", "ideal"}, Seed: 1,
	}
}

// carriedOut runs an experiment and returns how long each run took. progress may be nil.
func carriedOut(t *testing.T, ctx context.Context, e *federatekind.Prepared, progress func(scenario.Progress)) (*federatekind.Report, [][]float64) {
	t.Helper()
	r := &scenario.Report{}
	body := must.Get(r.RunRows(ctx, federatekind.Kind, e, &scenario.Env{Progress: progress}))(t)
	return body.(*federatekind.Report), r.Timings.Running
}

func prepare(t *testing.T, d *federatekind.Document, env scenario.Env) *federatekind.Prepared {
	t.Helper()
	must.Do(t, federatekind.New("", *d).Validate())
	return must.Get(federatekind.Prepare(t.Context(), d, env))(t)
}

func run(t *testing.T, d *federatekind.Document) *federatekind.Report {
	t.Helper()
	r, times := carriedOut(t, t.Context(), prepare(t, d, scenario.Env{}), nil)
	if len(times) != len(d.Schedulers) {
		t.Errorf("times of %d schedulers", len(times))
	}
	return r
}

func text(t *testing.T, v any) string {
	t.Helper()
	data := must.Get(json.Marshal(v))(t)
	return string(data)
}

func TestReport(t *testing.T) {
	r := run(t, small())
	if r.Workload.Tasks != 500 || r.Workload.Jobs != 100 || len(r.Workload.Users) != 4 || len(r.Schedulers) != 3 {
		t.Fatalf("%+v", r.Workload)
	}
	for _, s := range r.Schedulers {
		counted := s.Distribution.Zero
		for _, n := range s.Distribution.Count {
			counted += n
		}
		if counted != s.Tasks || s.Tasks != 500 || s.Jobs != 100 {
			t.Errorf("%s: %d tasks in %d jobs, %d in the distribution", s.Name, s.Tasks, s.Jobs, counted)
		}
		c := s.Components
		if sum := float64(c.Queueing + c.Processing + c.Worker + c.Communication); math.Abs(sum-float64(s.Allocation.Mean)) > 1e-9*sum {
			t.Errorf("%s: the components add up to %v, the mean is %v", s.Name, sum, s.Allocation.Mean)
		}
		if len(s.Series.Share) != 4 || len(s.Series.Jain) != len(s.Series.Share[0]) {
			t.Errorf("%s: shares of %d users", s.Name, len(s.Series.Share))
		}
		if len(s.Slowest) != federatekind.MaxSlowest || s.Slowest[0].Time != float64(s.Allocation.At("max")) ||
			!slices.IsSortedFunc(s.Slowest, func(a, b federatekind.Slow) int { return int(math.Copysign(1, b.Time-a.Time)) }) && s.Name != "ideal" {
			t.Errorf("%s: slowest %v, the longest is %v", s.Name, s.Slowest, float64(s.Allocation.At("max")))
		}
	}
	if m, ideal := &r.Schedulers[0], &r.Schedulers[2]; m.Preemptions == 0 || m.Repartitions == 0 || m.End < ideal.End || float64(ideal.Allocation.At("max")) != 0 {
		t.Errorf("no contention: %+v", m)
	}
}

// Demand does not depend on the scheduler: it is the use under the ideal scheduler.
func TestDemandIsWhatTheIdealUses(t *testing.T) {
	d := small()
	d.Schedulers = []string{"ideal"}
	r := run(t, d)
	ideal := &r.Schedulers[0]
	for i, capacity := range []float64{64, 16} {
		var area float64
		for _, v := range r.Workload.Demand.Values[i] {
			area += v * r.Workload.Demand.Width
		}
		if want := ideal.Utilisation[i] * ideal.End * capacity * float64(d.Workers); math.Abs(area-want) > 1e-6*want {
			t.Errorf("%s: %v unit-seconds, the ideal uses %v", r.Workload.Resources[i], area, want)
		}
		if peak := r.Workload.Demand.Peak[i]; peak < slices.Max(r.Workload.Demand.Values[i]) {
			t.Errorf("%s: the peak %v is below a mean", r.Workload.Resources[i], peak)
		}
	}
}

func TestSummariesAreOverSeeds(t *testing.T) {
	d := small()
	d.Seeds = 4
	r := run(t, d)
	s := r.Schedulers[0]
	if s.Summary == nil || s.Summary.Runs != 4 {
		t.Fatalf("summary %+v", s.Summary)
	}
	if e := s.Summary.Metrics["allocation.mean"]; !(e.HalfWidth > 0) || e.Mean == s.Allocation.Mean {
		t.Errorf("the mean over seeds is %+v, of the first %v", e, s.Allocation.Mean)
	}
	d.Seed += 1
	d.Trace.Recipe.Seed++
	d.Seeds = 1
	alone := run(t, d)
	if reflect.DeepEqual(alone.Schedulers[0].Allocation, s.Allocation) {
		t.Error("another seed gives the same")
	}
}

func TestLoadMakesJobsArriveFaster(t *testing.T) {
	d := small()
	slow := run(t, d)
	twice := 2.0
	d.Load = &twice
	fast := run(t, d)
	if got, want := fast.Workload.LastArrival, slow.Workload.LastArrival/2; math.Abs(got-want) > 1e-8 {
		t.Errorf("the last job arrives at %v s, want %v s", got, want)
	}
}

// A cancelled run gives a result that is marked as cancelled, and starts no more runs.
func TestCancelledRunIsPartial(t *testing.T) {
	d := small()
	d.Trace.Recipe.Parameters["jobs"] = 300
	d.Seeds = 2
	ctx, cancel := context.WithCancel(t.Context())
	r, _ := carriedOut(t, ctx, prepare(t, d, scenario.Env{}), func(p scenario.Progress) {
		if p.Phase == "running" && p.Fraction > 0.1 {
			cancel()
		}
	})
	if !r.Partial() || r.Complete() || len(r.Schedulers) != 1 || !r.Schedulers[0].Partial {
		t.Fatalf("partial %t, %d schedulers", r.Partial(), len(r.Schedulers))
	}
	if s := r.Schedulers[0]; s.Tasks == 0 || s.Tasks >= 1500 || s.Summary.Runs != 0 || s.End <= 0 {
		t.Errorf("%d tasks until %v s, %d runs", s.Tasks, s.End, s.Summary.Runs)
	}
}

func TestTasksThatNeverRunAreSaidBeforeAndCountedAfter(t *testing.T) {
	d := slots()
	d.Trace.Text = "arrival,duration,cpu,memory\n0,1,65,1\n0,1,1,1\n1,1,1,17\n"
	d.Schedulers = []string{"megha"}
	e := prepare(t, d, scenario.Env{})
	r, _ := carriedOut(t, t.Context(), e, nil)
	if len(r.Warnings) != 2 || !strings.Contains(r.Warnings[0], "1 task of cpu 65, memory 1 (the first in job 1) can never run: no worker has that much") {
		t.Errorf("warnings %q", r.Warnings)
	}
	s := r.Schedulers[0]
	if s.Tasks != 1 || len(s.Never) != 2 || s.Never[1].Job != 2 || r.Complete() {
		t.Errorf("%d tasks, never %+v", s.Tasks, s.Never)
	}
	if x, err := e.Task(t.Context(), federatekind.TaskQuery{Task: 2}); err != nil || !x.Never {
		t.Errorf("%+v, %v", x, err)
	}
	if x, err := e.Task(t.Context(), federatekind.TaskQuery{Task: 1}); err != nil || x.Never || x.Time != float64(s.Allocation.Mean) || len(x.Events) == 0 {
		t.Errorf("%+v, %v", x, err)
	}
	p, err := e.Playback(t.Context(), federatekind.SchedulerQuery{})
	if err != nil || slices.Contains(p.Thing, 0) || !slices.Contains(p.Thing, 1) {
		t.Errorf("the playback is of tasks %v (%v)", p.Thing, err)
	}
}

// idle is a scheduler that starts nothing.
type idle struct{}

func (idle) Submit(int32)                 {}
func (idle) Handle(federate.Event)        {}
func (idle) Ended(task, worker int32)     {}
func (idle) Outage(federate.Outage, bool) {}

// A run that is stuck ends, and says which tasks wait.
func TestStalledRunSaysWhichTasksWait(t *testing.T) {
	must.Do(t, federate.Register(federate.Plugin{Name: "idle", New: func(*federate.Model) federate.Scheduler { return idle{} }}))
	d := slots()
	d.Schedulers = []string{"idle"}
	r := run(t, d)
	s := r.Schedulers[0]
	if s.Tasks != 0 || s.Allocation.Mean.Defined() || len(s.Stalled) != 2 || s.Stalled[0].Tasks != 7 || r.Complete() || r.Partial() {
		t.Errorf("%d tasks, stalled %+v", s.Tasks, s.Stalled)
	}
	if _, warnings := r.Remarks(); len(warnings) != 2 || !strings.Contains(warnings[0], "idle: 7 tasks of user 1 that ask for slots 1 have not ended: no later event frees") {
		t.Errorf("warnings %q", warnings)
	}
	for _, table := range federatekind.Tables {
		if len(table.CSV(r)) == 0 {
			t.Errorf("%s is empty", table.Name)
		}
	}
}

// Doubtful traces give warnings, and they run.
func TestDoubtfulTracesAreWarnedOf(t *testing.T) {
	for _, text := range []string{"2 2 1 0 2\n1 1 1 1\n", "arrival,duration\n2,0\n1,2\n1,1\n"} {
		d := slots()
		d.Trace.Text = text
		want := []string{"1 task has a duration of 0 and ends as it starts", "the jobs are not in order of arrival: Berth sorted them"}
		if e := prepare(t, d, scenario.Env{}); !slices.Equal(e.Warnings(), want) {
			t.Errorf("%q: got %q", text, e.Warnings())
		}
		if r := run(t, d); r.Schedulers[0].Tasks != 3 {
			t.Errorf("%q: %d tasks have ended", text, r.Schedulers[0].Tasks)
		}
	}
	if e := prepare(t, slots(), scenario.Env{}); len(e.Warnings()) > 0 {
		t.Errorf("of a trace in order: %q", e.Warnings())
	}
}

// The memory for every part is checked before any part starts.
func TestMemoryIsBounded(t *testing.T) {
	d := slots()
	d.Workers = 1e6
	_, err := federatekind.Prepare(t.Context(), d, scenario.Env{Memory: 50e6})
	want := "federate: megha with 9 tasks: the run may take 0.0635 GB of memory, and the limit is 0.05 GB: make it smaller, or raise the limit with --memory"
	if input, ok := errors.AsType[*scenario.InputError](err); !ok || strings.Replace(input.Error(), "run it on the command line, where the limit is higher", "raise the limit with --memory", 1) != want {
		t.Errorf("got %v", err)
	}
	prepare(t, d, scenario.Env{Memory: 1e9})
}
