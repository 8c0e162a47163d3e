package federate_test

import (
	"math"
	"testing"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/parameter"
)

// Tasks run in the sub-cluster that they were sent to, and each sub-cluster gets its part of them.
func TestHydraSplitsRequests(t *testing.T) {
	load := poisson(3, 4000, 1, exponential)
	c := with(federate.Default(100, 1, 3), of("hydra", parameter.Values{"headroom": 0}))
	to, got := make([]int32, len(load.Durations)), make([]int, 3)
	lm := func(worker int32) int32 { // the parts have 34, 33 and 33 workers
		return min((worker-1)/33, 2)
	}
	_, err := federate.Run(t.Context(), "hydra", c, load, federate.Options{Trace: func(r federate.Record) {
		switch r.Action {
		case federate.Routed:
			to[r.Task] = r.Master
			got[r.Master]++
		case federate.Started:
			if lm(r.Worker) != to[r.Task] {
				t.Fatalf("task %d runs on worker %d, and was sent to LM %d", r.Task, r.Worker, to[r.Task])
			}
		}
	}})
	if err != nil || math.Abs(float64(got[0])-1360) > 1 || math.Abs(float64(got[1])-1320) > 1 {
		t.Errorf("the sub-clusters get %v of 4000 tasks: %v", got, err)
	}
}

// No task goes to a failed master as long as another one works.
func TestHydraLeavesMastersAloneThatHaveFailed(t *testing.T) {
	load, c := poisson(3, 500, 1, exponential), federate.Default(40, 1, 4)
	c.Outages = []federate.Outage{{Subject: federate.LMOutage, Index: 2, At: 100 * federate.Second, Duration: 200 * federate.Second}}
	during, after := 0, 0
	_, err := federate.Run(t.Context(), "hydra", c, load, federate.Options{Trace: func(r federate.Record) {
		if r.Action == federate.Routed && r.Master == 2 {
			if s := r.At / federate.Second; s >= 100 && s < 300 {
				during++
			} else if s >= 300 {
				after++
			}
		}
	}})
	if err != nil || during > 0 || after == 0 {
		t.Errorf("the master that has failed gets %d tasks, and %d later: %v", during, after, err)
	}
}

// With sub-clusters tasks wait longer than in one queue. They wait less if they go where there is
// room than if each sub-cluster gets its part (M/M/5 with every fourth arrival).
func TestHydraWaitsBetweenOneQueueAndMany(t *testing.T) {
	load := poisson(6, 100_000, 16, exponential)
	c := still(20)
	c.LMs = 4
	wait := func(headroom float64) float64 {
		return float64(simulate(t, "hydra", with(c, of("hydra", parameter.Values{"headroom": headroom})), load).Allocation.Mean)
	}
	one, room, parts := float64(simulate(t, "fcfs", still(20), load).Allocation.Mean), wait(1), wait(0)
	if !(one < room && room < parts) {
		t.Errorf("tasks wait for %v s in one queue, for %v s by headroom and for %v s by parts", one, room, parts)
	}
}

// Users that always want more have their shares of the data centre, in whatever sub-cluster their
// tasks run.
func TestHydraKeepsSharesOverSubClusters(t *testing.T) {
	load := demands(3000, [2]int{1, 2}, [2]int{1, 2})
	for task := range load.Durations {
		load.Durations[task] = federate.Time(20+task%41) * federate.Second
	}
	c := federate.Default(20, 2, 4)
	c.Capacity = []cluster.Amount{9 * cluster.Unit, 18 * cluster.Unit}
	c.Shares = []float64{0.25, 0.75}
	r := simulate(t, "hydra", c, load)
	share, spans := [2]float64{}, len(r.Series.Share[0])/4
	for span := 1; span < spans; span++ {
		for u := range share {
			share[u] += r.Series.Share[u][span] / float64(spans-1)
		}
	}
	if math.Abs(share[0]-0.25) > 0.03 || math.Abs(share[1]-0.75) > 0.03 {
		t.Errorf("users with shares of %v have %v", c.Shares, share)
	}
}
