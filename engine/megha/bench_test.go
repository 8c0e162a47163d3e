package megha_test

import (
	"os"
	"path/filepath"
	"testing"

	"berth/engine/cluster"
	"berth/engine/megha"
	"berth/engine/workload"
)

// readTrace reads one of the published traces.
func readTrace(t testing.TB, name string) *workload.Tasks {
	t.Helper()
	data := os.Getenv("BERTH_DATA")
	if data == "" {
		t.Skip("BERTH_DATA is not set: the published traces are not there")
	}
	file, err := os.Open(filepath.Join(data, "traces", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	load, err := workload.ReadTrace(name, file)
	if err != nil {
		t.Fatal(err)
	}
	return load
}

func BenchmarkYahoo(b *testing.B) {
	load := readTrace(b, "YH1_sub.tr")
	for _, name := range megha.Names() {
		b.Run(name, func(b *testing.B) { benchmark(b, name, megha.Default(5000, 10, 10), load) })
	}
}

func benchmark(b *testing.B, name string, c megha.Config, load *workload.Tasks) {
	b.ReportAllocs()
	var events int64
	for b.Loop() {
		r, err := megha.Run(b.Context(), name, c, load, megha.Options{})
		if err != nil {
			b.Fatal(err)
		}
		events += r.Counters.Events
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}

// large is 50,000 workers with 10 GMs and 10 LMs, and 100,000 tasks with
// constraints that take 80 % of them.
func large(t testing.TB) (megha.Config, *workload.Tasks) {
	t.Helper()
	const (
		workers  = 50_000
		tasks    = 100_000
		duration = 100.0 // s
		cpu      = 32.5
		load     = 0.8
	)
	c := megha.Default(workers, 10, 10)
	c.Capacity = []cluster.Amount{64 * cluster.Unit, 16 * cluster.Unit}
	var err error
	if c.Machines, err = workload.Machines(1, megha.WorkersOf(c.Workers, c.LMs), workload.ConstraintTables()); err != nil {
		t.Fatal(err)
	}
	jobs, err := workload.GenerateJobs(workload.JobRecipe{
		Seed: 1, Jobs: tasks / 10, Interarrival: 10 * duration * cpu / (64 * workers * load),
		Tasks: workload.Pareto{Least: 10, Most: 10}, Duration: workload.Pareto{Least: duration, Most: duration},
		CPU: [2]float64{1, 64}, Memory: [2]float64{0.25, 8}, Constraints: workload.TaskConstraints(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return c, jobs
}

func BenchmarkLarge(b *testing.B) {
	c, load := large(b)
	for _, name := range []string{"megha", "centralised"} {
		b.Run(name, func(b *testing.B) { benchmark(b, name, c, load) })
	}
}
