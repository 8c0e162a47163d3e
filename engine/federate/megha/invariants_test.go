package megha_test

import (
	"runtime"
	"testing"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/federate/federatetest"
	"berth/engine/federate/megha"
	_ "berth/engine/federate/schedulers"
	"berth/engine/input/workload"
	"berth/engine/must"
)

func TestInvariantsHoldAtEveryEvent(t *testing.T) {
	for seed := range uint64(8) {
		for _, c := range federatetest.Cases(t, seed) {
			if _, err := megha.RunWatched(c.Config, c.Load); err != nil {
				t.Errorf("seed %d, %s: %v", seed, c.Name, err)
			}
		}
	}
}

// onOneWorker returns two jobs of one task each, and a data centre with one worker, one GM and one
// LM. Only messages between the GM and the LM take time.
func onOneWorker(first, second, arrival federate.Time) (federate.Config, *workload.Tasks) {
	load := &workload.Tasks{
		Resources: []string{workload.SlotResource}, Kinds: []workload.TaskKind{{Request: []cluster.Amount{cluster.Unit}}},
		Jobs:      []workload.TaskJob{{Count: 1, User: -1}, {Arrival: arrival, First: 1, Count: 1, User: -1}},
		Durations: []federate.Time{first, second}, KindOf: []int32{0, 0},
	}
	c := federate.Default(1, 1, 1)
	c.Costs, c.Delay, c.LaunchDelay, c.Heartbeat = federate.Costs{}, federate.Second, 0, 10*federate.Second
	return c, load
}

// A task ends at 3 s on the only worker. The worker fails at 3.5 s, before the LM hears at 4 s that
// the task has ended. The next task waits at its GM, not on the worker.
func TestWhatEndsBeforeItsWorkerFailsLeavesNoRoomThere(t *testing.T) {
	c, load := onOneWorker(2*federate.Second, federate.Second, 0)
	c.Outages = []federate.Outage{{Subject: federate.WorkerOutage, At: 3500 * federate.Millisecond, Duration: 6500 * federate.Millisecond}}
	if _, err := megha.RunWatched(c, load); err != nil {
		t.Error(err)
	}
	r := must.Get(federate.Run(t.Context(), "megha", c, load, federate.Options{}))(t)
	if waited := r.Parts[1][federate.WorkerQueue]; waited != 0 {
		t.Errorf("it waited %d ns on the worker", waited)
	}
}

// The only worker fails, and the GM hears of it at 11 s. The worker returns at 30 s, while the LM
// is down. The GM hears of that from the LM's first heartbeat after its outage.
func TestHeartbeatsGoOnAfterAnOutageOfTheirLM(t *testing.T) {
	c, load := onOneWorker(federate.Second, federate.Second, 15*federate.Second)
	c.Outages = []federate.Outage{
		{Subject: federate.WorkerOutage, At: 5 * federate.Second, Duration: 25 * federate.Second},
		{Subject: federate.LMOutage, At: 12 * federate.Second, Duration: 93 * federate.Second},
	}
	if _, err := megha.RunWatched(c, load); err != nil {
		t.Error(err)
	}
	r := must.Get(federate.Run(t.Context(), "megha", c, load, federate.Options{}))(t)
	if want := (110 + 1 + 1 - 15) * federate.Second; len(r.Waits) != 2 || r.Waits[1] != want {
		t.Errorf("waits %v, stalled %v; want %d for the second task", r.Waits, r.Stalled, want)
	}
}

// A single GM knows of everything that takes resources.
func TestOneGMIsNeverInconsistent(t *testing.T) {
	for seed := range uint64(8) {
		for _, c := range federatetest.Cases(t, seed) {
			if c.Config.Outages != nil {
				continue
			}
			c.Config.GMs = 1
			for _, delay := range []federate.Time{0, federate.Millisecond, federate.Second} {
				c.Config.Delay = delay
				if delay == 0 {
					c.Config.Costs = federate.Costs{}
				}
				counters, err := megha.RunWatched(c.Config, c.Load)
				if err != nil {
					t.Fatalf("seed %d, %s: %v", seed, c.Name, err)
				}
				// With delays, a task may end while its GM requests its preemption.
				if counters.Inconsistencies > 0 && (c.Config.Shares == nil || delay == 0) {
					t.Errorf("seed %d, %s, delay %d ns: %d inconsistencies", seed, c.Name, delay, counters.Inconsistencies)
				}
			}
		}
	}
}

func TestInAnEmptyDataCentreOnlyMessagesTakeTime(t *testing.T) {
	load := must.Get(workload.GenerateJobs(workload.JobRecipe{
		Seed: 5, Jobs: 50, Interarrival: 100,
		Tasks: workload.Pareto{Least: 1, Most: 20, Shape: 1}, Duration: workload.Pareto{Least: 1, Most: 40, Shape: 1},
	}))(t)
	c := federate.Default(2000, 4, 5)
	c.Costs, c.Delay, c.LaunchDelay = federate.Costs{}, 3*federate.Millisecond, 20*federate.Millisecond
	for name, want := range map[string]federate.Time{
		"megha": c.Delay + c.LaunchDelay, "megha-1": c.Delay + c.LaunchDelay, "pigeon": c.Delay + c.LaunchDelay,
		"sparrow": 2*c.Delay + c.LaunchDelay, "ideal": 0,
	} {
		r := must.Get(federate.Run(t.Context(), name, c, load, federate.Options{}))(t)
		for task, wait := range r.Waits {
			if wait != want {
				t.Fatalf("%s: task %d waits %d ns, want %d", name, task, wait, want)
			}
		}
	}
}

func TestNothingIsAllocatedPerEvent(t *testing.T) {
	load := must.Get(workload.GenerateJobs(workload.JobRecipe{
		Seed: 1, Jobs: 4000, Interarrival: 0.05, CPU: [2]float64{1, 32}, Memory: [2]float64{1, 8}, Constraints: workload.TaskConstraints()[:7],
		Tasks: workload.Pareto{Least: 5, Most: 5}, Duration: workload.Pareto{Least: 1, Most: 1},
	}))(t)
	c := federate.Default(200, 4, 4)
	c.Capacity = append(c.Capacity[:0:0], 64e9, 16e9)
	mallocs := func() uint64 {
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return s.Mallocs
	}
	// Only slices that grow occasionally may allocate.
	if per, err := megha.AllocationsPerEvent(c, load, mallocs); err != nil || per > 0.001 {
		t.Errorf("%v allocations per event, %v", per, err)
	}
}
