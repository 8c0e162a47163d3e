package federate_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/input/workload"
	"berth/engine/kube"
	"berth/engine/parameter"
	"berth/engine/sim"
)

// free makes the decisions of kubernetes cost nothing.
func free(c federate.Config, values parameter.Values) federate.Config {
	all := parameter.Values{"decision": 0, "look": 0}
	for own, x := range values {
		all[own] = x
	}
	return with(c, of("kubernetes", all))
}

// A sample of workers is as large as kube-scheduler's numFeasibleNodesToFind says: all of fewer
// than 100, then 50 % − 1 % for each 125 workers, but at least 5 % and at least 100.
func TestKubernetesLooksAtASample(t *testing.T) {
	for _, test := range []struct{ workers, percent, want int }{
		{10, 0, 10}, {99, 0, 99}, {100, 0, 100}, {150, 0, 100}, {1000, 0, 420}, {5000, 0, 500}, {6000, 0, 300}, {5000, 20, 1000}, {5000, 100, 5000}, {200, 1, 100},
	} {
		load := poisson(1, 1, 1, exponential)
		r := simulate(t, "kubernetes", free(still(test.workers), parameter.Values{"sample": float64(test.percent)}), load)
		if got := counted(t, r, "looks at workers"); got != int64(test.want) {
			t.Errorf("of %d workers and for %d %%, it looks at %d, want %d", test.workers, test.percent, got, test.want)
		}
	}
}

// A decision takes its own time plus the time of its looks at workers, and tasks wait as in the
// queue M/D/1. A worker that has not changed costs no second look.
func TestKubernetesTakesTimeToDecide(t *testing.T) {
	load := poisson(1, 50_000, 7, func(*sim.Random) float64 { return 0.5 })
	for _, test := range []struct{ decision, look, cache, within float64 }{{0.1, 0, 16, 0.05}, {0.05, 0.001, 0, 0.05}} {
		r := simulate(t, "kubernetes", with(still(50), of("kubernetes", parameter.Values{"decision": test.decision, "look": test.look, "cache": test.cache})), load)
		if got, want := float64(r.Allocation.Mean), 0.1+0.1*0.7/2/(1-0.7); math.Abs(got/want-1) > test.within {
			t.Errorf("%+v: a task waits for %v s, want %v s as in M/D/1", test, got, want)
		}
	}
	r := simulate(t, "kubernetes", still(50), load)
	if looks, decisions := counted(t, r, "looks at workers"), counted(t, r, "decisions"); looks > 3*decisions {
		t.Errorf("with a cache there are %d looks for %d decisions", looks, decisions)
	}
}

// sizes returns jobs of tasks of four sizes.
func sizes(t *testing.T) *workload.Tasks {
	load := demands(1, [2]int{1, 1}, [2]int{2, 6}, [2]int{4, 2}, [2]int{3, 3})
	load.Users, load.Jobs, load.Durations, load.KindOf = nil, nil, nil, nil
	r := sim.NewRandom(5, 0)
	for j := range 600 {
		load.Jobs = append(load.Jobs, workload.TaskJob{Arrival: federate.Time(j) * federate.Second, First: int32(3 * j), Count: 3, User: -1, Priority: int16(r.IntN(3))})
		for range 3 {
			load.Durations = append(load.Durations, federate.Time(20+r.IntN(60))*federate.Second)
			load.KindOf = append(load.KindOf, int32(r.IntN(4)))
		}
	}
	return load
}

// The cache changes how many workers are evaluated and nothing else.
func TestTheCacheOfKubernetesChangesNoDecision(t *testing.T) {
	load, c := sizes(t), federate.Default(16, 1, 1)
	c.Capacity = []cluster.Amount{16 * cluster.Unit, 32 * cluster.Unit}
	last, looks := []federate.Time(nil), int64(math.MaxInt64)
	for _, kept := range []float64{0, 1, 16} {
		c := free(c, parameter.Values{"cache": kept})
		starts := startsOf(t, "kubernetes", c, load)
		now := counted(t, simulate(t, "kubernetes", c, load), "looks at workers")
		if last != nil && !slices.Equal(starts, last) || now >= looks {
			t.Errorf("with %v classes in the cache there are %d looks, %d with fewer, or tasks start at other times", kept, now, looks)
		}
		last, looks = starts, now
	}
}

// Each task goes to a worker with the best score according to the replay of kube-scheduler, which
// other tests compare with the real one.
func TestKubernetesScoresAsTheReplay(t *testing.T) {
	load := sizes(t)
	c := still(30)
	c.Capacity = []cluster.Amount{16 * cluster.Unit, 32 * cluster.Unit}
	c.Classes = []federate.WorkerClass{{Capacity: c.Capacity, Speed: 1}, {Capacity: []cluster.Amount{8 * cluster.Unit, 64 * cluster.Unit}, Speed: 1}, {Capacity: []cluster.Amount{12 * cluster.Unit, 12 * cluster.Unit}, Speed: 1}}
	var nodes []kube.Node
	for w := range c.Workers {
		c.ClassOf = append(c.ClassOf, uint16(w%3))
		of := c.Classes[w%3].Capacity
		nodes = append(nodes, kube.Node{Name: fmt.Sprintf("n%02d", w), Allocatable: kube.Resources{kube.CPU: int64(of[0] / cluster.Unit * 1000), kube.Memory: int64(of[1]/cluster.Unit) << 30}})
	}
	var shapes []*kube.Shape
	for _, k := range load.Kinds {
		shapes = append(shapes, &kube.Shape{Namespace: "default", Requests: kube.Resources{kube.CPU: int64(k.Request[0] / cluster.Unit * 1000), kube.Memory: int64(k.Request[1]/cluster.Unit) << 30}})
	}
	state, pods, started := kube.New(nodes, kube.Objects{}, kube.Default()), map[int32]*kube.Pod{}, 0
	_, err := federate.Run(t.Context(), "kubernetes", free(c, parameter.Values{"preempt": 0}), load, federate.Options{Trace: func(r federate.Record) {
		switch r.Action {
		case federate.Started:
			p := &kube.Pod{Name: fmt.Sprint(r.Task), Shape: shapes[load.KindOf[r.Task]]}
			n := state.Node(fmt.Sprintf("n%02d", r.Worker))
			if !state.Best(p, n) {
				t.Fatalf("task %d starts on worker %d, which has not the best score", r.Task, r.Worker)
			}
			state.Put(p, n)
			pods[r.Task] = p
			started++
		case federate.Ended:
			state.Take(pods[r.Task])
		}
	}})
	if err != nil || started != len(load.Durations) {
		t.Errorf("%d tasks start: %v", started, err)
	}
}

// Tasks of high priority start as if there were no others.
func TestKubernetesPreemptsByPriority(t *testing.T) {
	load := poisson(4, 20_000, 8, exponential)
	high := &workload.Tasks{Resources: load.Resources, Kinds: load.Kinds}
	for j := range load.Jobs {
		if j%2 == 0 {
			load.Jobs[j].Priority = 9
			job := load.Jobs[j]
			job.First = int32(len(high.Jobs))
			high.Jobs = append(high.Jobs, job)
			high.Durations, high.KindOf = append(high.Durations, load.Durations[j]), append(high.KindOf, 0)
		}
	}
	want := startsOf(t, "fcfs", still(6), high)
	for _, preempt := range []float64{1, 0} {
		all := startsOf(t, "kubernetes", free(still(6), parameter.Values{"preempt": preempt}), load)
		var got []federate.Time
		for j := 0; j < len(all); j += 2 {
			got = append(got, all[j])
		}
		if same := slices.Equal(got, want); same != (preempt == 1) {
			t.Errorf("preempt %v: tasks of high priority start as if alone: %t", preempt, same)
		}
	}
	if r := simulate(t, "kubernetes", free(still(6), nil), load); r.Counters.Preemptions == 0 || r.Counters.PreemptionAttempts == 0 {
		t.Errorf("there are %d preemptions", r.Counters.Preemptions)
	}
}

// A task without room does not make the tasks behind it wait.
func TestKubernetesBacksOff(t *testing.T) {
	load := demands(1, [2]int{4, 4}, [2]int{8, 8}, [2]int{1, 1})
	c := still(1)
	c.Capacity = []cluster.Amount{8 * cluster.Unit, 8 * cluster.Unit}
	want := []federate.Time{0, 100 * federate.Second, 0}
	if got := startsOf(t, "kubernetes", free(c, nil), load); !slices.Equal(got, want) {
		t.Errorf("tasks start at %v, want %v", got, want)
	}
}
