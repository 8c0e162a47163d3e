package federate_test

import (
	"runtime"
	"testing"

	"berth/engine/federate"
)

// With nothing else that costs, the time that a task is processed for is the
// number of words that its searches went through.
func TestATaskCostsNoMoreThanTheWordsOfAPartition(t *testing.T) {
	words := func(workers int) float64 {
		c, load := loaded(t, workers)
		c.Costs = federate.Costs{Word: federate.Nanosecond}
		return simulate(t, "megha", c, load).Components[federate.Processing] * 1e9
	}
	// Partitions of 1 and of 4 words.
	small, large := words(5000), words(25_000)
	if small < 1 || large > 4*small {
		t.Errorf("a task looks at %v words in a small data centre, at %v in one with 4 times the words", small, large)
	}
}

// What a run allocates in all is no less than what it needs at any time.
func TestALargeDataCentreFitsIntoMemory(t *testing.T) {
	const limit = 200 << 20 // bytes
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c, load := loaded(t, 50_000)
	simulate(t, "megha", c, load)
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > limit {
		t.Errorf("50,000 workers with 10 GMs and 10 LMs take up to %d MiB, want at most %d", bytes>>20, limit>>20)
	}
}
