package federate_test

import (
	"math"
	"slices"
	"testing"

	"berth/engine/federate"
	"berth/engine/input/workload"
	"berth/engine/parameter"
)

// Guaranteed tasks start as if there were no queueable tasks, because they preempt those.
func TestGuaranteedTasksOfMercuryStartAsIfAlone(t *testing.T) {
	load := jobs(t, workload.JobRecipe{
		Seed: 4, Jobs: 600, Interarrival: 2, Tasks: workload.Pareto{Least: 2, Most: 60, Shape: 1}, Duration: workload.Pareto{Least: 2, Most: 3000, Shape: 0.6},
	})
	long := &workload.Tasks{Resources: load.Resources, Kinds: load.Kinds}
	var of []int32
	for _, job := range load.Jobs {
		if job.Mean <= federate.Cutoff {
			continue
		}
		first := job.First
		job.First = int32(len(long.Durations))
		long.Jobs = append(long.Jobs, job)
		for task := first; task < first+job.Count; task++ {
			of = append(of, task)
			long.Durations, long.KindOf = append(long.Durations, load.Durations[task]), append(long.KindOf, 0)
		}
	}
	c := federate.Default(120, 1, 1)
	all, alone := startsOf(t, "mercury", c, load), startsOf(t, "fcfs", c, long)
	origin := long.Jobs[0].Arrival - load.Jobs[0].Arrival
	for i, task := range of {
		if all[task] != alone[i]+origin {
			t.Fatalf("the guaranteed task %d starts at %d ns, alone at %d ns", task, all[task], alone[i]+origin)
		}
	}
	if r := simulate(t, "mercury", c, load); r.Counters.Preemptions == 0 {
		t.Error("nothing is preempted")
	}
}

// No queue exceeds its bound, long queues are shortened, and returned tasks run elsewhere.
func TestQueuesOfMercuryAreBounded(t *testing.T) {
	load := contended(t)
	c := with(federate.Default(150, 1, 1), of("mercury", parameter.Values{"cutoff": 1e6, "mostQueue": 4, "leastQueue": 1, "deviations": 0.5, "heartbeat": 5}))
	waits, at, back := make([]int, 150), slices.Repeat([]int32{-1}, len(load.Durations)), 0
	r, err := federate.Run(t.Context(), "mercury", c, load, federate.Options{Trace: func(r federate.Record) {
		switch r.Action {
		case federate.Queued:
			at[r.Task] = r.Worker
			if waits[r.Worker]++; waits[r.Worker] > 4 {
				t.Fatalf("%d tasks wait at worker %d", waits[r.Worker], r.Worker)
			}
		case federate.Started, federate.SentBack:
			if r.Action == federate.SentBack {
				back++
			}
			if at[r.Task] >= 0 {
				waits[at[r.Task]]--
				at[r.Task] = -1
			}
		}
	}})
	if err != nil || r.Tasks != len(load.Durations) || back == 0 {
		t.Errorf("%d of %d tasks end, %d are sent back: %v", r.Tasks, len(load.Durations), back, err)
	}
	if moved, full := counted(t, r, "tasks that leave long queues"), counted(t, r, "tasks that found a full queue"); moved == 0 || moved+full != int64(back) {
		t.Errorf("%d tasks leave long queues and %d found full ones, %d are sent back", moved, full, back)
	}
}

// With reports of the queues, queueable tasks wait less than on workers with separate queues and
// equal parts of the arrivals (M/M/1), and more than in one queue. Fresh reports are better than
// old ones.
func TestLoadShapingOfMercuryByNews(t *testing.T) {
	load := poisson(6, 100_000, 16, exponential)
	wait := func(heartbeat float64) float64 {
		return float64(simulate(t, "mercury", with(still(20), of("mercury", parameter.Values{"cutoff": 1e6, "heartbeat": heartbeat, "nodes": 5})), load).Allocation.Mean)
	}
	one := float64(simulate(t, "fcfs", still(20), load).Allocation.Mean)
	last := one
	for _, heartbeat := range []float64{0.01, 0.1, 0.4} {
		now := wait(heartbeat)
		t.Logf("with heartbeats every %v s a task waits for %.3f s, in one queue for %.3f s", heartbeat, now, one)
		if now <= last || now >= 0.8/(1-0.8) || math.IsNaN(now) {
			t.Errorf("with heartbeats every %v s a task waits for %v s, with more of them %v s", heartbeat, now, last)
		}
		last = now
	}
}
