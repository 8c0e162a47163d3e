package federate_test

import (
	"math"
	"slices"
	"testing"

	"berth/engine/federate"
	"berth/engine/golden"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/parameter"
	"berth/engine/sim"
)

// with sets parameters of schedulers, by path.
func with(c federate.Config, values parameter.Values) federate.Config {
	c.Schedulers = values
	return c
}

// The simulator of Hawk and Eagle by their authors (github.com/epfl-labos/eagle, commit 371b51f)
// runs the Yahoo trace with 4,000 workers and these settings. Two things were changed: its seed is
// an argument, and its probes are drawn without replacement. The means of three seeds are 2,072 s
// for Sparrow, 466 s for Hawk and 219 s for Eagle; its times are whole seconds.
func TestProbingAgainstTheSimulatorOfTheAuthors(t *testing.T) {
	golden.Long(t)
	load := readTrace(t, "YH1_sub.tr")
	for name, want := range map[string]float64{"sparrow": 2072, "hawk": 466, "eagle": 219} {
		mean := 0.0
		for seed := range uint64(3) {
			c := federate.Default(4000, 1, 1)
			c.Seed = 1 + seed
			mean += float64(simulate(t, name, c, load).JobCompletion.Mean) / 3
		}
		t.Logf("%s: a job takes %.1f s, %.1f s in the simulator of its authors", name, mean, want)
		if math.Abs(mean/want-1) > 0.08 {
			t.Errorf("%s: a job takes %v s on average, want %v s", name, mean, want)
		}
	}
}

// mixed has short jobs of many tasks, and a few long ones that fill most of the workers.
func mixed(t *testing.T, seed uint64) *workload.Tasks {
	return jobs(t, workload.JobRecipe{
		Seed: seed, Jobs: 3000, Interarrival: 1,
		Tasks: workload.Pareto{Least: 2, Most: 60, Shape: 1}, Duration: workload.Pareto{Least: 2, Most: 3000, Shape: 0.6},
	})
}

// A worker with an overdue long task ranks after a worker without one.
func TestAnOverdueTaskIsInTheWay(t *testing.T) {
	load := poisson(1, 3, 1, func(*sim.Random) float64 { return 300 })
	load.Durations[1] = federate.Span(100)
	load.Jobs = []workload.TaskJob{{First: 0, Count: 2, User: -1}, {Arrival: federate.Span(250), First: 2, Count: 1, User: -1}}
	for _, name := range []string{"hawk", "eagle"} {
		c := with(federate.Default(2, 1, 1), parameter.Values{"parameters." + name + ".short": 0})
		if start := startsOf(t, name, c, load)[2]; start > federate.Span(251) {
			t.Errorf("%s: the task waits until %v s for the worker that should have ended at 200 s", name, start/federate.Second)
		}
	}
}

// In these limit cases tasks start when they do under a simpler scheduler.
func TestLimitCasesAreSimplerSchedulers(t *testing.T) {
	long, several := mixed(t, 2), contended(t)
	for _, test := range []struct {
		name, as string
		values   parameter.Values
		load     *workload.Tasks
		workers  int
	}{
		{"hawk", "sparrow", parameter.Values{"cutoff": 1e6, "attempts": 0}, long, 400}, // no long jobs, workers for short tasks and steals
		{"hydra", "fcfs", nil, long, 400},                                              // one sub-cluster and one user
		{"quincy", "fcfs", parameter.Values{"round": 0, "arc": 0}, long, 400},          // rounds take no time, requests are equal
		{"firmament", "fcfs", parameter.Values{"round": 0, "arc": 0}, long, 400},
		{"mercury", "fcfs", parameter.Values{"cutoff": 0}, several, 170},                 // no queueable jobs
		{"kubernetes", "fcfs", parameter.Values{"decision": 0, "look": 0}, several, 170}, // decisions take no time, requests are equal
	} {
		c := federate.Default(test.workers, 1, 1)
		if got := startsOf(t, test.name, with(c, of(test.name, test.values)), test.load); !slices.Equal(got, startsOf(t, test.as, c, test.load)) {
			t.Errorf("%s: tasks start at other times than under %s", test.name, test.as)
		}
	}
}

// With only long jobs on all workers, Hawk and Eagle send each task to the worker where it starts
// first. This is the queue M/M/c, so the mean wait equals fcfs's.
func TestHawkAndEagleWithLongJobsAloneAreOneQueue(t *testing.T) {
	load := poisson(3, 100_000, 16, exponential)
	want := float64(simulate(t, "fcfs", still(20), load).Allocation.Mean)
	for _, name := range []string{"hawk", "eagle"} {
		c := with(still(20), parameter.Values{"parameters." + name + ".cutoff": 0, "parameters." + name + ".short": 0})
		if got := float64(simulate(t, name, c, load).Allocation.Mean); math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%s: the mean wait is %v s, want %v s", name, got, want)
		}
	}
}

// No long task runs where only short ones may, whatever the loads.
func TestWorkersForShortTasksRunNoLongOnes(t *testing.T) {
	load, c := mixed(t, 4), federate.Default(300, 1, 1)
	for _, name := range []string{"hawk", "eagle"} {
		c := with(c, parameter.Values{"parameters." + name + ".short": 0.2})
		long := make([]bool, len(load.Durations))
		for _, job := range load.Jobs {
			for task := job.First; task < job.First+job.Count; task++ {
				long[task] = job.Mean > federate.Span(90.5811)
			}
		}
		short := 0
		must.Get(federate.Run(t.Context(), name, c, load, federate.Options{Trace: func(r federate.Record) {
			if r.Action == federate.Started && r.Worker < 60 {
				short++
				if long[r.Task] {
					t.Fatalf("%s: the long task %d runs on worker %d", name, r.Task, r.Worker)
				}
			}
		}}))(t)
		if short == 0 {
			t.Errorf("%s: nothing runs on the workers for short tasks", name)
		}
	}
}

// Eagle serves jobs of one task on one worker by the least estimate, unless a job would be passed
// for too long. With a slack of 0 this is first come, first served; without a bound it is shortest
// job first.
func TestEagleServesTheShortestJobWithinItsSlack(t *testing.T) {
	load := poisson(5, 50_000, 0.8, func(r *sim.Random) float64 { return float64(1+r.IntN(2)) / 1.5 })
	last := math.Inf(1)
	for _, slack := range []float64{0, 1, 1e6} {
		r := simulate(t, "eagle", with(still(1), parameter.Values{"parameters.eagle.slack": slack, "parameters.eagle.cutoff": 1e6, "parameters.eagle.short": 0}), load)
		if slack == 0 {
			if want := float64(simulate(t, "fcfs", still(1), load).Allocation.Mean); math.Abs(float64(r.Allocation.Mean)/want-1) > 1e-9 {
				t.Errorf("without slack the mean wait is %v s, want %v s as for fcfs", r.Allocation.Mean, want)
			}
		}
		if float64(r.Allocation.Mean) >= last {
			t.Errorf("with a slack of %v the mean wait is %v s, want less than %v s", slack, r.Allocation.Mean, last)
		}
		last = float64(r.Allocation.Mean)
	}
	if want := float64(simulate(t, "sjf", still(1), load).Allocation.Mean); math.Abs(last/want-1) > 1e-9 {
		t.Errorf("without a bound the mean wait is %v s, want %v s as for sjf", last, want)
	}
}
