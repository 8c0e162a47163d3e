package placementkind

import (
	"math"
	"slices"
	"strings"
	"testing"

	"berth/engine/placement"
	"berth/engine/scenario"
)

// A placement by hand costs the same as in the search. A move changes the cost by the reported
// amount, and each refused job is named.
func TestAPlacementByHand(t *testing.T) {
	s := testScenario(StrategyRun{Name: "heuristic"})
	Of(s).Deployments = Of(s).Deployments[:1]
	e, r := runTest(t, s, scenario.Env{})
	report := ReportOf(r).Strategies[0]
	placed := report.Deployments[0].Placement
	first := placed[0].Job
	hand, err := e.Hand(t.Context(), HandQuery{Placement: placed, Job: first})
	if err != nil || hand.Cost == nil || *hand.Cost != float64(report.Total.Total) || len(hand.Refused) > 0 || len(hand.Moves) == 0 {
		t.Fatalf("the heuristic's placement by hand: %+v, %v, want the cost %v", hand, err, report.Total.Total)
	}
	for _, m := range hand.Moves {
		moved := slices.Clone(placed)
		moved[0].Cluster = m.Cluster
		after, err := e.Hand(t.Context(), HandQuery{Placement: moved})
		switch {
		case err != nil:
			t.Fatal(err)
		case m.Change != nil && (after.Cost == nil || math.Abs(*after.Cost-*hand.Cost-*m.Change) > 1e-9):
			t.Errorf("on %s the cost changes by %v to %v", m.Cluster, *m.Change, after.Cost)
		case m.Kind != "" && (after.Cost != nil || !slices.ContainsFunc(after.Refused, func(r placement.Move) bool { return strings.HasPrefix(r.Name, first) })):
			t.Errorf("%s refuses %s, but by hand it is %+v", m.Cluster, first, after)
		}
	}
	for _, wrong := range []Assignment{nil, {{Job: first, Cluster: "nowhere"}}, append(placed[:0:0], Assigned{"no job", placed[0].Cluster})} {
		if _, err := e.Hand(t.Context(), HandQuery{Placement: wrong}); err == nil {
			t.Errorf("%v is a placement", wrong)
		}
	}
}
