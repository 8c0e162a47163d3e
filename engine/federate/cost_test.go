package federate_test

import (
	"runtime"
	"testing"

	"berth/engine/federate"
)

// If nothing else costs time, the processing time of a task is the number of words that its
// searches visited.
func TestATaskCostsNoMoreThanTheWordsOfAPartition(t *testing.T) {
	words := func(workers int) float64 {
		c, load := loaded(t, workers)
		c.Costs = federate.Costs{Word: federate.Nanosecond}
		return float64(simulate(t, "megha", c, load).Components.Processing) * 1e9
	}
	// The partitions have 1 and 4 words.
	small, large := words(5000), words(25_000)
	if small < 1 || large > 4*small {
		t.Errorf("a task looks at %v words in a small data centre, at %v in one with 4 times the words", small, large)
	}
}

// The total bytes that a run allocates are an upper bound on the bytes that it uses at any time.
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

// If each answer has the state of all workers of an LM, a GM spends more time on it the more
// workers there are. If it has only changes, the number of workers makes no difference.
func TestTheWholeStateCostsMoreInALargeDataCentre(t *testing.T) {
	waiting := func(workers int, full bool) float64 {
		c, load := loaded(t, workers)
		c.Costs, c.FullState = federate.Costs{Adopt: federate.Microsecond}, full
		return float64(simulate(t, "megha", c, load).Components.Queueing)
	}
	small, large, changed := waiting(5000, true), waiting(25_000, true), waiting(25_000, false)
	if large < 3*small {
		t.Errorf("with the whole state tasks wait for %v s with 5,000 workers and for %v s with 25,000", small, large)
	}
	if changed > large/100 {
		t.Errorf("with what has changed tasks wait for %v s, with the whole state for %v s", changed, large)
	}
}
