package federate_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"berth/engine/federate"
	"berth/engine/federate/federatetest"
	"berth/engine/growth"
	"berth/engine/input/trace"
	"berth/engine/input/workload"
	"berth/engine/must"
)

// readTrace reads one of the published traces.
func readTrace(t testing.TB, name string) *workload.Tasks {
	t.Helper()
	data := os.Getenv("BERTH_DATA")
	if data == "" {
		t.Skip("BERTH_DATA is not set: the published traces are not there")
	}
	file := must.Get(os.Open(filepath.Join(data, "traces", name)))(t)
	defer file.Close()
	return must.Get(trace.ReadTrace(name, file, workload.Window{}))(t)
}

func BenchmarkYahoo(b *testing.B) {
	load := readTrace(b, "YH1_sub.tr")
	for _, name := range federate.Names() {
		b.Run(name, func(b *testing.B) { benchmark(b, name, federate.Default(5000, 10, 10), load) })
	}
}

// yahooLike has about as many jobs and tasks as YH1_sub.tr, with similarly distributed sizes.
func yahooLike(t testing.TB) *workload.Tasks {
	t.Helper()
	return must.Get(workload.GenerateJobs(workload.JobRecipe{
		Seed: 1, Jobs: 2910, Interarrival: 8.87,
		Tasks: workload.Pareto{Least: 6, Most: 3000, Shape: 0.9}, Duration: workload.Pareto{Least: 5, Most: 17_000, Shape: 0.33},
	}))(t)
}

func BenchmarkYahooLike(b *testing.B) {
	load := yahooLike(b)
	for _, name := range federate.Names() {
		b.Run(name, func(b *testing.B) { benchmark(b, name, federate.Default(5000, 10, 10), load) })
	}
}

// saturated requests about twice the capacity of its workers, in tasks of different durations:
// nearly all wait, and no two end at the same time.
func saturated(t testing.TB, workers, jobs int) *workload.Tasks {
	t.Helper()
	const mean = 29.6 * 36.2 // worker seconds of a job
	return must.Get(workload.GenerateJobs(workload.JobRecipe{
		Seed: 1, Jobs: jobs, Interarrival: mean / (2 * float64(workers)),
		Tasks: workload.Pareto{Least: 4, Most: 3000, Shape: 0.95}, Duration: workload.Pareto{Least: 10, Most: 1000, Shape: 1.2},
	}))(t)
}

func BenchmarkSaturated(b *testing.B) {
	load := saturated(b, 5000, 10_000)
	for _, name := range federate.Names() {
		b.Run(name, func(b *testing.B) { benchmark(b, name, federate.Default(5000, 10, 10), load) })
	}
}

// This measures how time grows with the jobs under each scheduler. 200 workers get 0.9, 1.5 or 2
// times the work that they can do, so from 1 on the queues grow with the jobs. Under megha the
// workers also grow with the jobs, and half of the tasks wait at every size.
func BenchmarkGrowth(b *testing.B) {
	run := func(b *testing.B, name string, workers int, load *workload.Tasks) func() {
		return func() {
			must.Get(federate.Run(b.Context(), name, federate.Default(workers, 10, 10), load, federate.Options{}))(b)
		}
	}
	for _, load := range []float64{0.9, 1.5, 2} {
		for _, name := range federate.Names() {
			b.Run(fmt.Sprintf("load=%v/%s", load, name), func(b *testing.B) {
				growth.Bench(b, []int{2000, 4000, 8000, 16_000}, func(b *testing.B, jobs int) func() {
					return run(b, name, 200, heavyTailed(b, 200, jobs, load))
				})
			})
		}
	}
	b.Run("workers", func(b *testing.B) {
		growth.Bench(b, []int{100, 300, 1000, 3000, 10_000}, func(b *testing.B, jobs int) func() {
			return run(b, "megha", jobs/2, saturated(b, jobs/2, jobs))
		})
	})
}

// heavyTailed returns jobs of 1 to 100 tasks of 2 to 200 seconds. load is their work relative to
// the capacity of the workers.
func heavyTailed(t testing.TB, workers, jobs int, load float64) *workload.Tasks {
	t.Helper()
	const mean = 4.65 * 20.0 // worker seconds of a job
	return must.Get(workload.GenerateJobs(workload.JobRecipe{
		Seed: 1, Jobs: jobs, Interarrival: mean / (load * float64(workers)),
		Tasks: workload.Pareto{Least: 1, Most: 100, Shape: 1}, Duration: workload.Pareto{Least: 2, Most: 200, Shape: 0.5},
	}))(t)
}

func benchmark(b *testing.B, name string, c federate.Config, load *workload.Tasks) {
	b.ReportAllocs()
	var events int64
	for b.Loop() {
		r := must.Get(federate.Run(b.Context(), name, c, load, federate.Options{}))(b)
		events += r.Counters.Events
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}

// loaded has 10 GMs and 10 LMs, and twice as many tasks with constraints as workers.
// The tasks take 80 % of the workers.
func loaded(t testing.TB, workers int) (federate.Config, *workload.Tasks) {
	t.Helper()
	const (
		duration = 100.0 // s
		cpu      = 32.5
		load     = 0.8
	)
	jobs := must.Get(workload.GenerateJobs(workload.JobRecipe{
		Seed: 1, Jobs: workers / 5, Interarrival: 10 * duration * cpu / (64 * float64(workers) * load),
		Tasks: workload.Pareto{Least: 10, Most: 10}, Duration: workload.Pareto{Least: duration, Most: duration},
		CPU: [2]float64{1, 64}, Memory: [2]float64{0.25, 8}, Constraints: workload.TaskConstraints(),
	}))(t)
	return federatetest.Machines(t, workers, 10, 10), jobs
}

// Tasks of four users with shares request about twice the capacity of 2,000 workers, of two
// resources and with constraints, so masters preempt or search for victims.
func BenchmarkShares(b *testing.B) {
	for _, jobs := range []int{2_500, 5_000, 10_000} {
		c, load := federatetest.Contended(b, jobs)
		for _, name := range []string{"megha", "megha-1"} {
			b.Run(fmt.Sprintf("%s/%d", name, jobs), func(b *testing.B) { benchmark(b, name, c, load) })
		}
	}
}

// The cost of a task may grow with the words of a partition. There are 1, 2, 8 and 32 words.
func BenchmarkLoaded(b *testing.B) {
	for _, workers := range []int{5000, 12_500, 50_000, 200_000} {
		c, load := loaded(b, workers)
		b.Run(strconv.Itoa(workers), func(b *testing.B) {
			benchmark(b, "megha", c, load)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(load.Durations)), "ns/task")
		})
	}
}
