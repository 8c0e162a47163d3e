package main

import (
	"bytes"
	"fmt"

	"berth/engine/federate"
	"berth/engine/input/workload"
	"berth/engine/sim"
)

const (
	workers = 3000     // compiled into Pigeon's simulator, in 30 groups
	cutoff  = 90.5811  // seconds: longest mean task duration of a short job
	load    = 1.6      // relative to all workers, so queues grow
	full    = 7 * 1300 // interarrival time in seconds × number of workers at which the recipe gives full load
)

// trace is the same jobs for Berth, and as the text that the simulators read.
type trace struct {
	tasks *workload.Tasks
	text  []byte
}

// newTrace generates jobs like those in the Yahoo trace. Tasks take whole seconds because the
// simulators truncate fractions, and no two jobs arrive at once because the simulators would move
// the second one.
func newTrace(seed uint64, jobs int) (*trace, error) {
	tasks, err := workload.Jobs(workload.Recipe{
		Generator: workload.JobsGenerator, Preset: "yahoo-mix", Seed: seed,
		Parameters: map[string]float64{"jobs": float64(jobs), "interarrival": full / (load * workers)},
	}, nil)
	if err != nil {
		return nil, err
	}
	t, before := &trace{tasks: tasks}, sim.Nanoseconds(-1)
	var text bytes.Buffer
	for i := range tasks.Jobs {
		job := &tasks.Jobs[i]
		job.Arrival = max(job.Arrival/federate.Millisecond*federate.Millisecond, before+federate.Millisecond)
		before = job.Arrival
		durations := tasks.Durations[job.First : job.First+job.Count]
		sum := federate.Time(0)
		for k, d := range durations {
			durations[k] = max(d/federate.Second, 1) * federate.Second
			sum += durations[k]
		}
		job.Mean = sum / federate.Time(job.Count)
		fmt.Fprintf(&text, "%.3f %d %.6f", seconds(job.Arrival), job.Count, seconds(job.Mean))
		for _, d := range durations {
			fmt.Fprintf(&text, " %d", d/federate.Second)
		}
		text.WriteByte('\n')
	}
	t.text = text.Bytes()
	return t, nil
}

func seconds(t federate.Time) float64 { return float64(t) / float64(federate.Second) }

// longest returns the duration of the longest task of a job, in seconds.
func (t *trace) longest(job int) float64 {
	most := federate.Time(0)
	for _, d := range t.tasks.Durations[t.tasks.Jobs[job].First:][:t.tasks.Jobs[job].Count] {
		most = max(most, d)
	}
	return seconds(most)
}
