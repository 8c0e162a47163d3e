package conservative

import (
	"math/rand/v2"
	"slices"
	"testing"

	"berth/engine/federate"
	"berth/engine/federate/central"
	"berth/engine/golden"
	"berth/engine/input/workload"
	"berth/engine/must"
)

// watched checks after every decision that no promise has become later.
type watched struct {
	*scheduler
	t        *testing.T
	promised map[central.Part]federate.Time
}

func (w *watched) Decide() {
	w.scheduler.Decide()
	for _, p := range w.promises {
		if before, known := w.promised[p.part]; known && p.at > before {
			w.t.Fatalf("tasks %d to %d are promised %d ns, before %d ns", p.part.First, p.part.End, p.at, before)
		}
		w.promised[p.part] = p.at
	}
}

// An early end makes no promise later. Estimates are up to five times too long.
func TestNoPromiseBecomesLater(t *testing.T) {
	for _, seed := range golden.Seeds(100) {
		random := rand.New(rand.NewPCG(seed, 5))
		c := federate.Default(4+random.IntN(20), 1, 1)
		load := must.Get(workload.GenerateJobs(workload.JobRecipe{
			Seed: seed, Jobs: 20 + random.IntN(100), Interarrival: []float64{0.2, 2, 5}[random.IntN(3)],
			Tasks: workload.Pareto{Least: 1, Most: float64(1 + random.IntN(2*c.Workers)), Shape: 0.7}, Duration: workload.Pareto{Least: 1, Most: 60, Shape: 0.6},
		}))(t)
		for j := range load.Jobs {
			job := &load.Jobs[j]
			job.Gang = random.IntN(2) == 0 && int(job.Count) <= c.Workers
			job.Estimate = slices.Max(load.Durations[job.First:job.First+job.Count]) * federate.Time(1+random.IntN(5))
		}
		if random.IntN(3) == 0 {
			c.Classes = []federate.WorkerClass{{Capacity: c.Capacity, Speed: 1}, {Capacity: c.Capacity, Speed: 2}}
			for w := range c.Workers {
				c.ClassOf = append(c.ClassOf, uint16(w%2))
			}
		}
		plugin := Plugin
		plugin.New = func(m *federate.Model) federate.Scheduler {
			w := &watched{newScheduler(m), t, map[central.Part]federate.Time{}}
			return w.Follow(w)
		}
		c.Written = []federate.Plugin{plugin}
		if r := must.Get(federate.Run(t.Context(), plugin.Name, c, load, federate.Options{}))(t); r.Tasks != len(load.Durations) {
			t.Errorf("seed %d: %d of %d tasks end", seed, r.Tasks, len(load.Durations))
		}
	}
}
