package scenario

import (
	"fmt"
	"runtime"
)

// What a run may take of memory where [Env] does not say: a tab has 4 GiB in all
// for what was read, what is computed and what is not yet collected.
const (
	NativeMemory = 8 << 30
	WorkerMemory = 2 << 30
)

// Affords says that a run would take too many bytes, nil if it does not. They are
// those in use at a time: whoever runs it sets a limit for the collector, so that
// what is not yet collected fits in, too.
func (e *Env) Affords(bytes float64) error {
	limit, advice := int64(NativeMemory), "raise the limit with --memory"
	if runtime.GOARCH == "wasm" {
		limit, advice = WorkerMemory, "run it with the command line, which takes more"
	}
	if e.Memory > 0 {
		limit = e.Memory
	}
	if bytes <= float64(limit) {
		return nil
	}
	return fmt.Errorf("the run may take %.3g GB of memory, and the limit is %.3g GB: make it smaller, or %s", bytes/1e9, float64(limit)/1e9, advice)
}
