package federate_test

import (
	"slices"
	"testing"

	"berth/engine/federate"
	"berth/engine/federate/federatetest"
	"berth/engine/must"
)

// onGrid rounds all times of a case to a grid, so that many events happen at the same time.
func onGrid(c federatetest.Case) federatetest.Case {
	const step = 100 * federate.Millisecond
	load := *c.Load
	load.Jobs, load.Durations = slices.Clone(load.Jobs), slices.Clone(load.Durations)
	for i := range load.Jobs {
		load.Jobs[i].Arrival -= load.Jobs[i].Arrival % step
	}
	for i := range load.Durations {
		load.Durations[i] -= load.Durations[i] % step
	}
	c.Load, c.Config.Delay, c.Config.LaunchDelay = &load, step, step
	c.Config.Costs = federate.Costs{Take: step, Verify: step}
	return c
}

// A run that is watched does every retry.
func TestRetriesInARowAreWhatTheyAreOneByOne(t *testing.T) {
	all := 0
	for seed := range uint64(8) {
		for _, c := range federatetest.Cases(t, seed) {
			all += oneByOne(t, seed, c) + oneByOne(t, seed, onGrid(c))
		}
	}
	if all < 10_000 {
		t.Errorf("%d retries are too few to tell", all)
	}
}

// oneByOne compares both kinds of runs and returns the number of retries.
func oneByOne(t *testing.T, seed uint64, c federatetest.Case) (retries int) {
	t.Helper()
	count := func(r federate.Record) {
		if r.Action == federate.Reinserted {
			retries++
		}
	}
	each := must.Get(federate.Run(t.Context(), "megha", c.Config, c.Load, federate.Options{Trace: count}))(t)
	together := must.Get(federate.Run(t.Context(), "megha", c.Config, c.Load, federate.Options{}))(t)
	if !federatetest.Same(each, together) {
		t.Errorf("seed %d, %s, %d retries: %+v %+v, together %+v %+v", seed, c.Name, retries, each.Counters, each.Allocation, together.Counters, together.Allocation)
	}
	return retries
}
