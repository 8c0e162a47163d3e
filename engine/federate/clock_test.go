package federate_test

import (
	"slices"
	"testing"

	"berth/engine/federate"
	"berth/engine/federate/federatetest"
	"berth/engine/golden"
	"berth/engine/input/workload"
	"berth/engine/must"
)

// The clock limits how long a run takes, not the total time of its tasks. Schedulers that retry
// every waiting task get a worker for each task.
func TestWorkThatTheClockDoesNotCount(t *testing.T) {
	for _, seed := range golden.Seeds(20) {
		for _, name := range federate.Names() {
			config := federate.Default(30, 2, 2)
			if slices.Contains([]string{"mesos", "mercury", "quincy", "firmament", "hydra"}, name) {
				config.Workers = 400
			}
			config.Seed = seed
			load := must.Get(workload.GenerateJobs(workload.JobRecipe{
				Seed: seed, Jobs: 80, Interarrival: 1000, Tasks: workload.Pareto{Least: 1, Most: 4, Shape: 1}, Duration: workload.Pareto{Least: 3e7, Most: 1e8, Shape: 0.1},
			}))(t)
			var work float64
			for _, d := range load.Durations {
				work += float64(d)
			}
			checker := federatetest.NewChecker(&config, load, name == federate.Unbounded())
			r, err := federate.Run(t.Context(), name, config, load, federate.Options{Trace: checker.Record})
			if err == nil {
				err = checker.Finish(r)
			}
			if err != nil || work < float64(workload.MaxClock) {
				t.Errorf("%s, %v: %v", name, work, err)
			}
		}
	}
}
