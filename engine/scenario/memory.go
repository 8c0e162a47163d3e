package scenario

import (
	"fmt"
	"runtime"

	"berth/engine/budget"
	"berth/engine/show"
)

// Default limits of memory for a run, in bytes. A tab has 4 GiB for inputs, results and
// garbage together.
const (
	NativeMemory = 8 << 30
	WorkerMemory = 2 << 30
)

// limitOf returns the memory limit of a run. 0 selects the default.
func limitOf(memory int64) int64 {
	switch {
	case memory > 0:
		return memory
	case runtime.GOARCH == "wasm":
		return WorkerMemory
	}
	return NativeMemory
}

// NewLoad returns the budget of all texts that are read at once, with the memory limit of a run. 0
// selects the default.
func NewLoad(memory int64) *budget.Budget { return budget.New(budget.Limits{Memory: limitOf(memory)}) }

// Affords returns an error if a run needs more memory than its limit. bytes counts memory in use;
// the caller limits the garbage collector so that garbage fits, too.
func (e *Env) Affords(bytes float64) error {
	advice := "raise the limit with --memory"
	if runtime.GOARCH == "wasm" {
		advice = "run it on the command line, where the limit is higher"
	}
	limit := limitOf(e.Memory)
	bytes += float64(e.Load().Held())
	if bytes <= float64(limit) {
		return nil
	}
	return fmt.Errorf("the run may take %s GB of memory, and the limit is %s GB: make it smaller, or %s", show.Figure(bytes/1e9), show.Figure(float64(limit)/1e9), advice)
}
