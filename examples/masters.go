package examples

import (
	"berth/engine/federate/federatekind"
	"berth/engine/workload"
)

// masterExamples are schedulers that share a data centre, small enough to be
// played step by step.
func masterExamples() []Example {
	return []Example{
		masters("three-masters", "Three masters share 60 workers",
			"60 jobs in bursts: copies of the state are stale, resources are borrowed from other partitions.",
			func(*federatekind.Document) {}),
		masters("four-shares", "Four users with unequal shares",
			"10, 25, 15 and 50 % of 60 workers: who has less than its share preempts who has more.",
			func(d *federatekind.Document) {
				d.Shares = []float64{0.1, 0.25, 0.15, 0.5}
				d.Schedulers = []string{"megha", "megha-1"}
			}),
		masters("stale", "How old may a copy of the state be?",
			"Megha with a heartbeat every 0.1 to 30 seconds, over five seeds with their intervals of confidence.",
			func(d *federatekind.Document) {
				d.Schedulers, d.Seeds = []string{"megha", "megha-1"}, 5
				d.Sweep = []federatekind.Sweep{{Parameter: "heartbeat", Values: []float64{0.1, 0.3, 1, 3, 10, 30}}}
			}),
	}
}

// masters is the same small data centre and workload with a change.
func masters(name, title, description string, change func(*federatekind.Document)) Example {
	d := federatekind.Document{
		Trace: generated("60 jobs in bursts", workload.Recipe{
			Generator: workload.JobsGenerator, Preset: "yahoo", Seed: 3,
			Parameters: map[string]float64{
				"jobs": 60, "interarrival": 1, "max_tasks": 40, "tasks_shape": 0.5,
				"min_duration": 2, "max_duration": 40, "duration_shape": 0.9,
			},
		}),
		Workers: 60, GMs: 3, LMs: 3,
		Schedulers: []string{"megha", "megha-1", "sparrow", "pigeon", "ideal"},
		Pigeon:     &federatekind.Pigeon{GroupSize: new(20), Reserved: new(2), Cutoff: new(10.0), Weight: new(100)},
		Seed:       1,
	}
	change(&d)
	return Example{Name: name, Title: title, Description: description, Scenario: federatekind.New(title, d)}
}
