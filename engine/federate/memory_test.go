package federate_test

import (
	"runtime"
	"testing"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/golden"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/parameter"
	"berth/engine/scenario"
	"berth/engine/sim"
)

// load returns jobs of ten one-second tasks of one slot each, at a rate of jobs per second.
func load(jobs int, rate federate.Time) *workload.Tasks {
	t := &workload.Tasks{
		Resources: []string{workload.SlotResource}, Kinds: []workload.TaskKind{{Request: []cluster.Amount{cluster.Unit}}},
		Durations: make([]federate.Time, 10*jobs), KindOf: make([]int32, 10*jobs),
	}
	for i := range t.Durations {
		t.Durations[i] = federate.Second
	}
	for j := range jobs {
		t.Jobs = append(t.Jobs, workload.TaskJob{
			Arrival: federate.Time(j) * federate.Second / rate, Mean: federate.Second, First: int32(10 * j), Count: 10, User: -1,
		})
	}
	return t
}

func inUse() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// The estimate covers the memory of a run and its workload, and is not much larger for an
// overloaded data centre, where everything waits.
func TestMemoryIsEstimated(t *testing.T) {
	before := inUse()
	tasks := load(3_000, 1_000_000)
	for _, scheduler := range federate.Names() {
		config := federate.Default(500, 4, 4)
		config.Schedulers = parameter.Values{"sparrow.probes": 20}
		most, looks := 0., 0
		must.Get(federate.Run(t.Context(), scheduler, config, tasks, federate.Options{Progress: func(sim.Progress[federate.Time]) {
			looks++
			if looks%20 == 2 {
				most = max(most, inUse()-before)
			}
		}}))(t)
		estimate := federate.Memory(scheduler, config, tasks)
		t.Logf("%s: %.1f MB used, %.1f MB estimated", scheduler, most/1e6, estimate/1e6)
		if most > estimate || most < estimate/4 {
			t.Errorf("%s: %.0f bytes were in use, %.0f estimated", scheduler, most, estimate)
		}
	}
}

// The largest valid trace runs within the default memory of a native run.
func TestTheLargestTraceIsOneThatRuns(t *testing.T) {
	golden.Long(t)
	tasks := load(workload.MaxTasks/10, 1000)
	for _, scheduler := range federate.Names() {
		if bytes := federate.Memory(scheduler, federate.Default(5000, 10, 10), tasks); bytes > scenario.NativeMemory {
			t.Errorf("%s takes %.0f bytes", scheduler, bytes)
		}
	}
}

// Sparrow has reservations for waiting tasks, not for all tasks.
func TestSparrowTakesWhatItNeeds(t *testing.T) {
	tasks := load(10_000, 50)
	config := federate.Default(5000, 1, 1)
	config.Schedulers = parameter.Values{"sparrow.probes": 100}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	must.Get(federate.Run(t.Context(), "sparrow", config, tasks, federate.Options{}))(t)
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 100<<20 {
		t.Errorf("%d bytes were allocated for %d tasks", used, len(tasks.Durations))
	}
}
