package placementkind

import (
	"slices"
	"strings"
	"testing"

	"berth/engine/must"
	"berth/engine/placement"
	"berth/engine/scenario"
)

// If deployments fit alone but not together, the conflict set names both, and each drawing marks
// its own part.
func TestTheCoreOfAllAtOnce(t *testing.T) {
	e, report := runTest(t, New("apart", Document{
		Federation: GraphSource{Name: "f.dot", Text: `graph { eu [cpu=10, cpu_cost=1]; }`},
		Deployments: []GraphSource{
			{Name: "one.dot", Text: `graph { small [request=1, limit=1]; a [request=6, limit=6]; }`},
			{Name: "two.dot", Text: `graph { b [request=6, limit=6]; }`},
		},
		Strategies: []StrategyRun{{Name: "exact"}}, Joint: true,
	}), scenario.Env{})
	j := ReportOf(report).Strategies[0].Joint
	if j.Proved != placement.ProvedInfeasible || !slices.Equal(j.CoreJobs, []string{"one.dot/a", "two.dot/b"}) || !slices.Equal(j.CoreClusters, []string{"eu"}) {
		t.Fatalf("at once: %+v", j)
	}
	placed := must.Get(e.placed(0, AllDeployments))(t)
	for i, want := range [][]int{{1}, {0}} {
		if got := placed[i]; !slices.Equal(got.Core, want) || !slices.Equal(got.CoreClusters, []int{0}) {
			t.Errorf("of deployment %d the jobs %v are marked, and the clusters %v", i, got.Core, got.CoreClusters)
		}
	}
	var b strings.Builder
	ReportOf(report).WriteText(&b, nil)
	if !strings.Contains(b.String(), "  a and b request 12 cpu together; eu has 10 left. Conflict set:\n") {
		t.Errorf("the text is\n%s", b.String())
	}
}

// The row of one deployment does not list the clusters that were tried, because that list is for
// the jobs of all.
func TestARowOfOneDeploymentIsNotTheOrderOfAll(t *testing.T) {
	e, _ := runTest(t, New("apart", Document{
		Federation: GraphSource{Name: "f.dot", Text: `graph { a [cpu=10, cpu_cost=1]; b [cpu=10, cpu_cost=2]; a -- b [latency=1, latency_cost=1] }`},
		Deployments: []GraphSource{
			{Name: "one.dot", Text: `graph { x [request=2, limit=2] }`},
			{Name: "two.dot", Text: `graph { y [request=2, limit=2] }`},
		},
		Strategies: []StrategyRun{{Name: "random"}, {Name: "heuristic"}}, Joint: true,
	}), scenario.Env{})
	for strategy := range 2 {
		for deployment := range 2 {
			x, err := e.Explain(ExplainQuery{Strategy: strategy, Deployment: deployment})
			if err != nil || x.Order != "" || slices.ContainsFunc(x.PA, func(c placement.Candidate) bool { return c.Tried }) {
				t.Errorf("strategy %d, deployment %d: order %q of %+v, %v", strategy, deployment, x.Order, x.PA, err)
			}
		}
	}
}
