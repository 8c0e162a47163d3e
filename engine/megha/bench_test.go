package megha_test

import (
	"os"
	"path/filepath"
	"testing"

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
