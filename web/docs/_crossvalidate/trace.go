package main

import (
	"bytes"
	"fmt"

	"berth/engine/federate"
	"berth/engine/input/workload"
	"berth/engine/sim"
)

const (
	workers = 3000    // compiled into Pigeon's simulator, in 30 groups
	cutoff  = 90.5811 // seconds: longest mean task duration of a short job, compiled into Pigeon's simulator
)

// mixes are the recipes of the traces. The durations of a recipe are scaled so that its cutoff, from
// the papers on Hawk and Eagle, becomes the common one.
var mixes = []struct {
	preset string
	cutoff float64 // seconds
}{{"yahoo-mix", 90.5811}, {"google-mix", 1129.532}, {"facebook-mix", 76.6}, {"cloudera", 272.783}}

// loads are relative to all workers, during the arrivals; above 1 queues grow until the last arrival.
var loads = []float64{0.6, 0.8, 1, 1.3, 1.6}

func traces() int { return len(mixes) * len(loads) }

// trace is the same jobs for Berth, and as the text that the simulators read.
type trace struct {
	tasks *workload.Tasks
	text  []byte
}

// newTrace generates jobs by a mix at a load; k is below [traces]. Tasks take whole seconds because
// the simulators truncate fractions, and no two jobs arrive at once because the simulators would move
// the second one.
func newTrace(k, jobs int) (*trace, error) {
	mix, load := mixes[k/len(loads)], loads[k%len(loads)]
	tasks, err := workload.Jobs(workload.Recipe{
		Generator: workload.JobsGenerator, Preset: mix.preset, Seed: 1, Parameters: map[string]float64{"jobs": float64(jobs)},
	}, nil)
	if err != nil {
		return nil, err
	}
	work := federate.Time(0)
	for i, d := range tasks.Durations {
		d = federate.Span(seconds(d) * cutoff / mix.cutoff)
		tasks.Durations[i] = max(d/federate.Second, 1) * federate.Second
		work += tasks.Durations[i]
	}
	spread := seconds(work) / (load * workers) / seconds(tasks.Jobs[jobs-1].Arrival)
	t, before := &trace{tasks: tasks}, sim.Nanoseconds(-1)
	var text bytes.Buffer
	for i := range tasks.Jobs {
		job := &tasks.Jobs[i]
		arrival := federate.Span(seconds(job.Arrival) * spread)
		job.Arrival = max(arrival/federate.Millisecond*federate.Millisecond, before+federate.Millisecond)
		before = job.Arrival
		durations := tasks.Durations[job.First : job.First+job.Count]
		sum := federate.Time(0)
		for _, d := range durations {
			sum += d
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

func (t *trace) longest(job int) float64 {
	most := federate.Time(0)
	for _, d := range t.tasks.Durations[t.tasks.Jobs[job].First:][:t.tasks.Jobs[job].Count] {
		most = max(most, d)
	}
	return seconds(most)
}
