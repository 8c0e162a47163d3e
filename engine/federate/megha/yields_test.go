package megha_test

import (
	"testing"

	"berth/engine/federate"
	"berth/engine/federate/federatetest"
	"berth/engine/federate/megha"
	"berth/engine/input/workload"
	"berth/engine/must"
)

// A search for victims that is skipped because it would find none takes as much simulated time as
// one that visits all running tasks.
func TestSparedSearchesTakeAsLong(t *testing.T) {
	attempts := int64(0)
	compare := func(c federate.Config, load *workload.Tasks) {
		run := func(amounts int) *federate.Result {
			defer megha.SetMaxHeld(amounts)()
			return must.Get(federate.Run(t.Context(), "megha", c, load, federate.Options{}))(t)
		}
		through, spared := run(0), run(1<<24)
		if !federatetest.Same(through, spared) {
			t.Errorf("%+v %+v, spared %+v %+v", through.Counters, through.Allocation, spared.Counters, spared.Allocation)
		}
		attempts += through.Counters.PreemptionAttempts
	}
	for seed := range uint64(4) {
		for _, c := range federatetest.Cases(t, seed) {
			compare(c.Config, c.Load)
		}
	}
	compare(federatetest.Contended(t, 3_000))
	if attempts < 1000 {
		t.Errorf("only %d tasks were to be preempted", attempts)
	}
}
