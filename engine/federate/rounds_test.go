package federate_test

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/input/workload"
	"berth/engine/parameter"
)

// tasks returns a job of one task for each set of constraints. One job arrives every at; each takes
// a slot and runs for duration.
func tasks(at, duration federate.Time, constraints ...uint64) *workload.Tasks {
	load := &workload.Tasks{Resources: []string{workload.SlotResource}}
	for i, set := range constraints {
		load.Kinds = append(load.Kinds, workload.TaskKind{Request: []cluster.Amount{cluster.Unit}, Constraints: set})
		load.KindOf = append(load.KindOf, int32(i))
		load.Durations = append(load.Durations, duration)
		load.Jobs = append(load.Jobs, workload.TaskJob{Arrival: federate.Time(i) * at, First: int32(i), Count: 1, User: -1, Mean: duration})
	}
	return load
}

// A round takes a + b for each arc. The second task waits for the first round to end. Its own round
// has one more arc, for the running task.
func TestARoundTakesWhatItsArcsTake(t *testing.T) {
	c := with(still(10), of("quincy", parameter.Values{"round": 5, "arc": 0.1}))
	got := startsOf(t, "quincy", c, tasks(federate.Second, 1000*federate.Second, 0, 0))
	first := 5*federate.Second + (2+1+20)*federate.Second/10
	if want := []federate.Time{first, first + 5*federate.Second + (4+2+20)*federate.Second/10}; !slices.Equal(got, want) {
		t.Errorf("tasks start at %v, want %v", got, want)
	}
}

// A round places as many tasks as possible, whatever their constraints: a largest matching.
func TestARoundPlacesAsManyTasksAsCanBe(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 5))
		c := still(1 + random.IntN(6))
		for range c.Workers {
			c.Machines = append(c.Machines, random.Uint64N(8))
		}
		var sets []uint64
		for range 1 + random.IntN(7) {
			sets = append(sets, c.Machines[random.IntN(c.Workers)]&random.Uint64N(8))
		}
		load := tasks(0, federate.Second, sets...)
		want := 0 // over all sets of tasks
		for some := range 1 << len(sets) {
			if n := bits.OnesCount(uint(some)); n > want && matched(sets, c.Machines, some, 0) {
				want = n
			}
		}
		for _, name := range []string{"quincy", "firmament"} {
			starts := startsOf(t, name, with(c, of(name, parameter.Values{"round": 0.5, "arc": 0})), load)
			got := 0
			for _, at := range starts {
				if at == federate.Second/2 {
					got++
				}
			}
			if got != want {
				t.Fatalf("%s, seed %d: the first round places %d of %v on %v, want %d", name, seed, got, sets, c.Machines, want)
			}
		}
	}
}

// matched reports whether each of some tasks can have a worker that is not used yet.
func matched(sets, machines []uint64, some int, used uint64) bool {
	if some == 0 {
		return true
	}
	task := bits.TrailingZeros(uint(some))
	for w, has := range machines {
		if used>>w&1 == 0 && sets[task]&^has == 0 && matched(sets, machines, some&(some-1), used|1<<w) {
			return true
		}
	}
	return false
}

// Of tasks that want the same worker, the round places the one that has waited longest.
func TestWhoWaitsLongestIsPlacedFirst(t *testing.T) {
	c := still(2)
	c.Machines = []uint64{1, 2}
	got := startsOf(t, "quincy", with(c, of("quincy", parameter.Values{"round": 1, "arc": 0})), tasks(federate.Second, 10*federate.Second, 1, 1, 0, 1))
	if !(got[0] < got[1] && got[1] < got[3]) {
		t.Errorf("tasks start at %v", got)
	}
}

// One task is on one of two workers when four more arrive. Load-spreading fills both workers
// equally; Octopus gives all four to the worker without a task.
func TestPoliciesOfFirmament(t *testing.T) {
	c := still(2)
	c.Classes, c.ClassOf = []federate.WorkerClass{{Capacity: []cluster.Amount{4 * cluster.Unit}, Speed: 1}}, []uint16{0, 0}
	load := tasks(federate.Second, 100*federate.Second, 0, 0, 0, 0, 0)
	for i := range load.Jobs[1:] {
		load.Jobs[1+i].Arrival = federate.Second
	}
	for policy, want := range map[float64]int{0: 3, 2: 4} {
		var on [2]int
		_, err := federate.Run(t.Context(), "firmament", with(c, of("firmament", parameter.Values{"policy": policy})), load, federate.Options{Trace: func(r federate.Record) {
			if r.Action == federate.Started {
				on[r.Worker]++
			}
		}})
		if err != nil || max(on[0], on[1]) != want {
			t.Errorf("policy %v: workers get %v tasks, want one with %d: %v", policy, on, want, err)
		}
	}
}

// A task whose worker fails before the end of the round waits for another round.
func TestAWorkerThatFailsDuringARound(t *testing.T) {
	c := still(1)
	c.Outages = []federate.Outage{{Subject: federate.WorkerOutage, At: federate.Second, Duration: 10 * federate.Second}}
	got := startsOf(t, "quincy", with(c, of("quincy", parameter.Values{"round": 2, "arc": 0})), tasks(0, federate.Second, 0))
	if want := 13 * federate.Second; got[0] != want {
		t.Errorf("the task starts at %v, want %v", got[0], want)
	}
}
