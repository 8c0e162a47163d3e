package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"berth/engine/must"
	"berth/engine/scenario"
	"berth/engine/study"
)

// many writes an experiment with a number of runs of about a millisecond each.
func many(b *testing.B, runs int) {
	b.Helper()
	document := fmt.Sprintf(`{"version": 1, "kind": "experiment", "experiment": {"seeds": %d,
		"base": {"version": 1, "kind": "federate", "federate": {"workers": 60, "gms": 3, "lms": 3, "schedulers": ["megha"],
			"trace": {"name": "t", "recipe": {"generator": "jobs", "preset": "yahoo", "seed": 1, "parameters": {
				"jobs": 20, "interarrival": 1, "max_tasks": 20, "tasks_shape": 0.5, "min_duration": 2, "max_duration": 40, "duration_shape": 0.9}}}}},
		"factors": [{"name": "heartbeat", "path": "/federate/heartbeat", "levels": [0.1, 0.2, 0.3, 0.5, 1, 2, 3, 5, 10, 30]}]}}`, runs/10)
	must.Do(b, os.WriteFile("many.json", []byte(document), 0o666))
}

// 100,000 runs of a millisecond on all processors.
func BenchmarkSweepOf100000Runs(b *testing.B) {
	const runs = 100_000
	b.Chdir(b.TempDir())
	many(b, runs)
	for b.Loop() {
		out, errs, code := exec(b, "", "sweep", "many.json", "--format", "csv")
		if code != statusPlaced || strings.Count(out, "\n") != 1+5*10 {
			b.Fatalf("status %d: %s%s", code, out, errs)
		}
	}
	b.ReportMetric(runs*float64(b.N)/b.Elapsed().Seconds(), "runs/s")
	used := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(used) // what was ever taken from the system, mostly
	b.ReportMetric(float64(used[0].Value.Uint64())/(1<<20), "MiB")
}

// The overhead of a sweep compared with the same runs one after the other.
func BenchmarkSweepOverhead(b *testing.B) {
	const runs = 1000
	b.Chdir(b.TempDir())
	many(b, runs)
	for _, line := range []string{"run many.json", "sweep many.json --workers 1", fmt.Sprint("sweep many.json --workers ", runtime.NumCPU())} {
		b.Run(strings.ReplaceAll(line, " ", "_"), func(b *testing.B) {
			for b.Loop() {
				if _, errs, code := exec(b, "", strings.Fields(line)...); code != statusPlaced {
					b.Fatal(errs)
				}
			}
			b.ReportMetric(1000*b.Elapsed().Seconds()/float64(b.N)/runs, "ms/run")
		})
	}
}

// The speed-up of two workers over one, for runs of about 50 ms. The turns alternate, so that other
// load on the machine hits both. A loop of the same runs on two goroutines, without a sheet or a
// store, measures the speed-up that the machine allows at that time.
func BenchmarkSweepSpeedUp(b *testing.B) {
	const runs, turns = 20, 3
	b.Chdir(b.TempDir())
	document := fmt.Sprintf(`{"version": 1, "kind": "experiment", "experiment": {"seeds": %d, "base": {"version": 1, "kind": "qos", "qos": {
		"workload": {"name": "w", "recipe": {"generator": "requests", "preset": "google-like", "seed": 1, "parameters": {"requests": 20000, "days": 0.272}}},
		"hosts": {"name": "h", "recipe": {"generator": "hosts", "preset": "google-like", "seed": 1, "parameters": {"part": 0.9}}},
		"policies": [{"name": "qos"}, {"name": "priority"}]}}}}`, runs)
	must.Do(b, os.WriteFile("runs.json", []byte(document), 0o666))
	s := must.Get(scenario.Decode([]byte(document)))(b)
	var swept, bare [2]time.Duration
	for b.Loop() {
		for range turns {
			for i := range 2 {
				begun := time.Now()
				if _, errs, code := exec(b, "", "sweep", "runs.json", "--workers", fmt.Sprint(i+1)); code != statusPlaced {
					b.Fatal(errs)
				}
				swept[i] += time.Since(begun)
				begun = time.Now()
				runBare(b, s, i+1)
				bare[i] += time.Since(begun)
			}
		}
	}
	b.ReportMetric(float64(swept[0])/float64(swept[1]), "times")
	b.ReportMetric(float64(bare[0])/float64(bare[1]), "times-bare")
	b.ReportMetric(bare[0].Seconds()*1000/float64(runs*turns*b.N), "ms/run")
}

// runBare carries out all runs of an experiment on some goroutines.
func runBare(b *testing.B, s scenario.Scenario, workers int) {
	plan := must.Get(study.NewPlan(study.Of(s)))(b)
	var group errgroup.Group
	group.SetLimit(workers)
	for i := range plan.Runs() {
		run := plan.Run(i).Scenario
		group.Go(func() error { _, err := study.Execute(b.Context(), run, scenario.Env{}); return err })
	}
	must.Do(b, group.Wait())
}
