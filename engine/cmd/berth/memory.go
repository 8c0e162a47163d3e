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
	policyLimit.Store(ofRuns(cmp.Or(each, policyMemory), runs))
	all := ofRuns(cmp.Or(each, scenario.NativeMemory), runs)
	if all < debug.SetMemoryLimit(-1) { // that of GOMEMLIMIT may be lower
		debug.SetMemoryLimit(all)
	}
}

// ofRuns is what some runs at a time take that may take so many bytes each.
func ofRuns(each int64, runs int) int64 {
	if each > (math.MaxInt64-besideRuns)/int64(runs) {
		return math.MaxInt64
	}
	return each*int64(runs) + besideRuns
}
