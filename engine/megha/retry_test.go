package megha_test

import (
	"reflect"
	"testing"

	"berth/engine/megha"
	"berth/engine/megha/meghatest"
)

// A watched run goes through every retry.
func TestRetriesInARowAreWhatTheyAreOneByOne(t *testing.T) {
	all := 0
	for seed := range uint64(8) {
		for _, c := range meghatest.Cases(t, seed) {
			retries := 0
			count := func(r megha.Record) {
				if r.Action == megha.Reinserted {
					retries++
				}
			}
			each, err := megha.Run(t.Context(), "megha", c.Config, c.Load, megha.Options{Trace: count})
			if err != nil {
				t.Fatal(err)
			}
			together, err := megha.Run(t.Context(), "megha", c.Config, c.Load, megha.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(each, together) {
				t.Errorf("seed %d, %s, %d retries: %+v %+v, together %+v %+v", seed, c.Name, retries, each.Counters, each.Allocation, together.Counters, together.Allocation)
			}
			all += retries
		}
	}
	if all < 10_000 {
		t.Errorf("%d retries are too few to tell", all)
	}
}
