package main

import (
	"fmt"
	"os"
	"runtime/metrics"
	"strings"
	"testing"

	"berth/engine/must"
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

// This runs 100,000 runs of a millisecond on all processors.
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
	metrics.Read(used) // roughly the most memory ever taken from the system
	b.ReportMetric(float64(used[0].Value.Uint64())/(1<<20), "MiB")
}
