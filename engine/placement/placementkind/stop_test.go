package placementkind

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"berth/engine/placement"
	"berth/engine/scenario"
)

// A search that improves and is stopped leaves the best placement that it had, and
// what was placed before it.
func TestAStoppedSearchLeavesTheBestSoFar(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := testScenario(StrategyRun{Name: "anytime"})
	d := Of(s)
	d.Steps = 1_000_000_000_000
	var many strings.Builder
	for i := range 30 {
		fmt.Fprintf(&many, "j%d [request=%d, limit=%d]; ", i, 30+i, 40+i)
		if i > 0 {
			fmt.Fprintf(&many, "j%d -- j%d [latency=20]; ", i/2, i)
		}
	}
	d.Deployments = []Source{d.Deployments[0], {Name: "many", Text: "graph { " + many.String() + "}"}, d.Deployments[0]}
	d.Federation.Text = `graph { a [cpu=900, cpu_cost=1]; b [cpu=900, cpu_cost=2]; c [cpu=900, cpu_cost=3]; a -- b [latency=10, latency_cost=7]; b -- c [latency=10, latency_cost=5]; a -- c [latency=10, latency_cost=3]; }`
	told := 0
	report, err := scenario.Run(ctx, s, scenario.Env{Progress: func(p scenario.Progress) {
		if told++; p.Phase == "placing" && told > 200 {
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	all := ReportOf(report).Strategies[0].Deployments
	if !report.Partial || len(all) != 3 || all[0].Status != placement.Placed || len(all[1].Placement) != 30 || all[2].Status != placement.Cancelled {
		t.Errorf("partial %v: %s, %s with %d placed, %s", report.Partial, all[0].Status, all[1].Status, len(all[1].Placement), all[2].Status)
	}
}
