package main

import (
	"cmp"
	"math"
	"runtime/debug"

	"berth/engine/budget"
	"berth/engine/scenario"
)

// load returns the budget of all files that a command reads as a whole, with what
// --memory says if that is set where it is first asked for.
func (c *call) load(memory int64) *budget.Budget {
	if c.budget == nil {
		c.budget = scenario.NewLoad(memory)
	}
	return c.budget
}

// besideRuns is what a command takes beside its runs: texts and tables.
const besideRuns = 64 << 20

// keepWithin makes some runs at a time keep to what --memory says each may take, 0 if it
// says nothing. What they are let in for is what they use: left to itself, the collector
// would let as much again lie about, so it works harder near the limit.
func keepWithin(each int64, runs int) {
	each = cmp.Or(each, scenario.NativeMemory)
	all := int64(math.MaxInt64)
	if each <= (all-besideRuns)/int64(runs) {
		all = each*int64(runs) + besideRuns
	}
	if all < debug.SetMemoryLimit(-1) { // that of GOMEMLIMIT may be lower
		debug.SetMemoryLimit(all)
	}
}
