package main

import (
	"cmp"
	"math"
	"runtime/debug"

	"berth/engine/budget"
	"berth/engine/scenario"
)

// load returns the budget of all files that a command reads as a whole. Only the memory limit of
// the first call counts.
func (c *call) load(memory int64) *budget.Budget {
	if c.budget == nil {
		c.budget = scenario.NewLoad(memory)
	}
	return c.budget
}

// besideRuns is the memory in bytes that a command needs in addition to its runs, for texts and
// tables.
const besideRuns = 64 << 20

// keepWithin limits the memory of the process to runs times each bytes; each 0 means the default.
// The limit of a single run counts only memory in use. By default the garbage collector lets as
// much garbage accumulate as memory is in use. With the limit of the process it works harder near
// the limit.
func keepWithin(each int64, runs int) {
	policyLimit.Store(ofRuns(cmp.Or(each, policyMemory), runs))
	all := ofRuns(cmp.Or(each, scenario.NativeMemory), runs)
	if all < debug.SetMemoryLimit(-1) { // GOMEMLIMIT may be lower
		debug.SetMemoryLimit(all)
	}
}

// ofRuns returns the memory for concurrent runs of each bytes, without overflow.
func ofRuns(each int64, runs int) int64 {
	if each > (math.MaxInt64-besideRuns)/int64(runs) {
		return math.MaxInt64
	}
	return each*int64(runs) + besideRuns
}
