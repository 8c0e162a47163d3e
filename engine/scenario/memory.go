package scenario

import (
	"fmt"
	"runtime"

	"berth/engine/budget"
	"berth/engine/show"
)

// What a run may take of memory where [Env] does not say: a tab has 4 GiB in all
// for what was read, what is computed and what is not yet collected.
const (
	NativeMemory = 8 << 30
	WorkerMemory = 2 << 30
)

// limitOf is how many bytes a run may take that was given so many, 0 for none.
func limitOf(memory int64) int64 {
	switch {
	case memory > 0:
		return memory
	case runtime.GOARCH == "wasm":
		return WorkerMemory
	}
	return NativeMemory
}

// NewLoad returns the budget of all texts that are read at once. What is read may take
// as much memory as a run; 0 is the default of [Env].
func NewLoad(memory int64) *budget.Budget { return budget.New(budget.Limits{Memory: limitOf(memory)}) }

// Affords says that a run would take too many bytes, nil if it does not. They are those
// in use at a time: the caller sets a limit for the collector, so that what is not yet
// collected fits in, too.
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
