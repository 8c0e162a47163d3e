package federate_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/parameter"
	"berth/engine/sim"
)

// of returns parameters of one scheduler.
func of(name string, values parameter.Values) parameter.Values {
	all := parameter.Values{}
	for own, x := range values {
		all["parameters."+name+"."+own] = x
	}
	return all
}

func counted(t *testing.T, r *federate.Result, name string) int64 {
	t.Helper()
	value, _ := r.Own.Counter(name)
	return value
}

// As long as there is room, a scheduler is busy for t_job + t_task times the tasks of each
// job, and there are no conflicts; jobs wait as in the queue M/D/1.
func TestDecisionsTakeWhatTheirFormulaSays(t *testing.T) {
	load := poisson(1, 100_000, 7, func(*sim.Random) float64 { return 0.5 })
	r := simulate(t, "omega", with(still(2000), of("omega", parameter.Values{"schedulers": 1, "cutoff": 0, "longJob": 0.09, "longTask": 0.01})), load)
	if got := counted(t, r, "busyness, ‰"); got < 690 || got > 710 {
		t.Errorf("the scheduler is busy for %d ‰ of the time, want 7 × 100 ms in a second", got)
	}
	if got := counted(t, r, "conflicts"); got != 0 {
		t.Errorf("one scheduler has %d conflicts", got)
	}
	if got, want := float64(r.Allocation.Mean), 0.1+0.1*0.7/2/(1-0.7); math.Abs(got/want-1) > 0.05 {
		t.Errorf("a task waits for %v s, want %v s as in M/D/1", got, want)
	}
}

// contended has jobs of several users that take most of a small cell.
func contended(t *testing.T) *workload.Tasks {
	return jobs(t, workload.JobRecipe{
		Seed: 3, Jobs: 2000, Interarrival: 1, Users: 8,
		Tasks: workload.Pareto{Least: 4, Most: 80, Shape: 1}, Duration: workload.Pareto{Least: 2, Most: 60, Shape: 1},
	})
}

// More schedulers have more conflicts, and sequence numbers cause more conflicts too.
func TestConflictsOfOmega(t *testing.T) {
	load := contended(t)
	run := func(values parameter.Values) *federate.Result {
		values["cutoff"] = 1e6
		return simulate(t, "omega", with(federate.Default(170, 1, 1), of("omega", values)), load)
	}
	one, two, eight := run(parameter.Values{"schedulers": 2}), run(parameter.Values{"schedulers": 3}), run(parameter.Values{"schedulers": 9})
	if a, b, c := counted(t, one, "conflicts"), counted(t, two, "conflicts"), counted(t, eight, "conflicts"); a != 0 || b == 0 || c <= b {
		t.Errorf("one scheduler has %d conflicts, two have %d, eight have %d", a, b, c)
	}
	load = jobs(t, workload.JobRecipe{
		Seed: 3, Jobs: 2000, Interarrival: 0.1, Users: 8, Tasks: workload.Pareto{Least: 4, Most: 40, Shape: 1},
		Duration: workload.Pareto{Least: 2, Most: 60, Shape: 1}, CPU: [2]float64{0.1, 1}, Memory: [2]float64{0.1, 1},
	})
	c := federate.Default(40, 1, 1)
	c.Capacity = []cluster.Amount{64 * cluster.Unit, 64 * cluster.Unit}
	fits := simulate(t, "omega", with(c, of("omega", parameter.Values{"schedulers": 9, "cutoff": 1e6})), load)
	numbers := simulate(t, "omega", with(c, of("omega", parameter.Values{"schedulers": 9, "cutoff": 1e6, "sequence": 1})), load)
	if a, b := counted(t, fits, "conflicts"), counted(t, numbers, "conflicts"); b <= a {
		t.Errorf("%d conflicts by sequence numbers, %d by what fits", b, a)
	}
}

// A commit with a conflict places the other tasks, unless it is all or nothing.
func TestCommitsOfOmegaAreAllOrNothingIfAskedFor(t *testing.T) {
	load := contended(t)
	jobOf := make([]int, len(load.Durations))
	for j, job := range load.Jobs {
		for task := job.First; task < job.First+job.Count; task++ {
			jobOf[task] = j
		}
	}
	for _, whole := range []float64{0, 1} {
		type commit struct {
			at  federate.Time
			job int
		}
		conflicted, together := map[commit]bool{}, 0
		c := with(federate.Default(170, 1, 1), of("omega", parameter.Values{"schedulers": 9, "cutoff": 1e6, "whole": whole}))
		must.Get(federate.Run(t.Context(), "omega", c, load, federate.Options{Trace: func(r federate.Record) {
			switch r.Action {
			case federate.Conflicted:
				conflicted[commit{r.At, jobOf[r.Task]}] = true
			case federate.Started:
				if conflicted[commit{r.At, jobOf[r.Task]}] {
					together++
				}
			}
		}}))(t)
		if len(conflicted) == 0 || (together > 0) != (whole == 0) {
			t.Errorf("whole %v: %d commits have conflicts, and %d tasks start with them", whole, len(conflicted), together)
		}
	}
}

// A job that is given up keeps its tasks, and the result says so.
func TestOmegaGivesJobsUp(t *testing.T) {
	load := contended(t)
	r := must.Get(federate.Run(t.Context(), "omega", with(federate.Default(170, 1, 1), of("omega", parameter.Values{"schedulers": 9, "cutoff": 1e6, "attempts": 1, "whole": 1})), load, federate.Options{}))(t)
	if up := counted(t, r, "jobs given up"); up == 0 || int64(r.Jobs)+up != int64(len(load.Jobs)) || len(r.Stalled) == 0 || len(r.Own.Notes) != 1 {
		t.Errorf("%d jobs are given up, %d end, of %d; stalled %v, notes %q", up, r.Jobs, len(load.Jobs), r.Stalled, r.Own.Notes)
	}
}

// Two frameworks that always want more have equal dominant shares in the long run (dominant
// resource fairness), whatever they request.
func TestFrameworksOfMesosHaveEqualDominantShares(t *testing.T) {
	for _, requests := range [][2][2]int{{{1, 4}, {3, 1}}, {{1, 1}, {2, 6}}} {
		load := demands(3000, requests[0], requests[1])
		for task := range load.Durations {
			load.Durations[task] = federate.Time(20+task%41) * federate.Second
		}
		c := with(federate.Default(20, 1, 1), of("mesos", parameter.Values{"schedulers": 3, "cutoff": 1e6, "task": 0.0001}))
		c.Capacity = []cluster.Amount{9 * cluster.Unit, 18 * cluster.Unit}
		ends := make([]federate.Time, 2)
		r := must.Get(federate.Run(t.Context(), "mesos", c, load, federate.Options{Trace: func(r federate.Record) {
			if r.Action == federate.Ended {
				ends[r.Task/3000] = r.At
			}
		}}))(t)
		share := [2]float64{}
		spans := int(float64(slices.Min(ends)) / (1e9 * r.Series.Width))
		for span := spans / 10; span < spans; span++ {
			for u := range share {
				share[u] += r.Series.Share[u][span] / float64(spans-spans/10)
			}
		}
		if math.Abs(share[0]/share[1]-1) > 0.1 || share[0] < 0.4 {
			t.Errorf("frameworks that ask for %v have dominant shares of %v", requests, fmt.Sprint(share))
		}
	}
}
