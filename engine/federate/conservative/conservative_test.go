package conservative

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"berth/engine/federate"
	"berth/engine/golden"
	"berth/engine/input/workload"
	"berth/engine/must"
)

// When workers become idle early, only the affected jobs get a new promise. The schedule is the
// same as if all jobs got new promises, in the order of their promises.
func TestAdvanceIsAPlan(t *testing.T) {
	literal := Plugin
	literal.Name = "conservative-literal"
	literal.New = func(m *federate.Model) federate.Scheduler { return start(m, false) }
	for _, plugin := range []federate.Plugin{Plugin, literal} {
		must.Do(t, federate.Register(plugin))
	}
	for _, seed := range golden.Seeds(300) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			c, load := drawn(t, seed)
			run := func(plugin federate.Plugin) string {
				r := must.Get(federate.Run(t.Context(), plugin.Name, c, load, federate.Options{}))(t)
				return fmt.Sprint(r.Waits, r.JobCompletion, r.Counters.Events, r.Stalled)
			}
			if got, want := run(Plugin), run(literal); got != want {
				t.Errorf("waits, completion, events and stalled tasks are\n%s, and\n%s if all are promised new times", got, want)
			}
		})
	}
}

// drawn is an overloaded data centre with jobs that may be gangs and have wrong estimates. Workers
// may have different speeds.
func drawn(t *testing.T, seed uint64) (federate.Config, *workload.Tasks) {
	random := rand.New(rand.NewPCG(seed, 5))
	c := federate.Default(4+random.IntN(20), 1, 1)
	c.Seed = seed
	c.EstimateError = []float64{0, 0.5, 0.99}[random.IntN(3)]
	load := must.Get(workload.GenerateJobs(workload.JobRecipe{
		Seed: seed, Jobs: 20 + random.IntN(100), Interarrival: []float64{0.2, 2, 5}[random.IntN(3)],
		Tasks: workload.Pareto{Least: 1, Most: float64(1 + random.IntN(c.Workers)), Shape: 0.7}, Duration: workload.Pareto{Least: 1, Most: 60, Shape: 0.6},
	}))(t)
	equal := random.IntN(2) == 0
	for j := range load.Jobs {
		job := &load.Jobs[j]
		job.Gang = random.IntN(2) == 0
		for task := job.First; equal && task < job.First+job.Count; task++ {
			load.Durations[task] = load.Durations[job.First]
		}
	}
	if random.IntN(3) == 0 {
		c.Classes = []federate.WorkerClass{{Capacity: c.Capacity, Speed: 1}, {Capacity: c.Capacity, Speed: 2}}
		for w := range c.Workers {
			c.ClassOf = append(c.ClassOf, uint16(w%2))
		}
	}
	return c, load
}
