package examples_test

import (
	"testing"

	_ "berth/engine/kinds"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/examples"
)

// With its default steps, strategy best proves the cost of the best placement of each example of up
// to 50 jobs, or that there is none. The page says so when the example opens.
func TestTheBestPlacementOfExamplesIsProved(t *testing.T) {
	const most = 50
	proved := 0
	for _, e := range examples.List() {
		if e.Scenario.Kind != placementkind.Name {
			continue
		}
		d := *placementkind.Of(e.Scenario)
		if d.Federation.Recipe != nil {
			continue // generated examples have more jobs
		}
		d.Strategies, d.Keep = []placementkind.StrategyRun{{Name: "best"}}, false
		s := e.Scenario
		s.Body = &d
		r, err := scenario.Run(t.Context(), s, scenario.Env{})
		if err != nil {
			t.Errorf("%s: %v", e.Name, err)
			continue
		}
		body := placementkind.ReportOf(r)
		for i, x := range body.Strategies[0].Deployments {
			if body.Deployments[i].Jobs > most {
				continue
			}
			proved++
			if x.Proved == placement.NoProof {
				t.Errorf("%s: %s costs %v, at least %v", e.Name, x.Name, x.Cost.Total, *x.Bound)
			}
		}
	}
	if proved < 6 {
		t.Errorf("only %d deployments have up to %d jobs", proved, most)
	}
}
