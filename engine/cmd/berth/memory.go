package main

import (
	"cmp"
	"math"
	"runtime/debug"

	"berth/engine/budget"
	"berth/engine/scenario"
)

// load returns the budget of all files that a command reads as a whole. The memory limit of the
// first call applies.
func (c *call) load(memory int64) *budget.Budget {
	if c.budget == nil {
		c.budget = scenario.NewLoad(memory)
	}
	return c.budget
}

// besideRuns is the memory of a command in addition to its runs: texts and tables.
const besideRuns = 64 << 20

// keepWithin limits the memory of the process to the number of concurrent runs times the memory of
// each, 0 for the default. The limit of a run counts memory in use; without a limit the collector
// would let as much garbage accumulate again, so near the limit it works harder.
func keepWithin(each int64, runs int) {
	policyLimit.Store(ofRuns(cmp.Or(each, policyMemory), runs))
	all := ofRuns(cmp.Or(each, scenario.NativeMemory), runs)
	if all < debug.SetMemoryLimit(-1) { // GOMEMLIMIT may be lower
		debug.SetMemoryLimit(all)
	}
}

// ofRuns returns the memory of concurrent runs of each bytes, without overflow.
func ofRuns(each int64, runs int) int64 {
	if each > (math.MaxInt64-besideRuns)/int64(runs) {
		return math.MaxInt64
	}
	return each*int64(runs) + besideRuns
}
