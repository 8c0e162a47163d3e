package placementkind

import (
	"slices"
	"strings"
	"testing"

	"berth/engine/placement"
	"berth/engine/scenario"
)

// Of deployments that fit alone but not together, what cannot hold together is told
// with the names of both, and each drawing marks its own.
func TestTheCoreOfAllAtOnce(t *testing.T) {
	e, report := runTest(t, New("apart", Document{
		Federation: Source{Name: "f.dot", Text: `graph { eu [cpu=10, cpu_cost=1]; }`},
		Deployments: []Source{
			{Name: "one.dot", Text: `graph { small [request=1, limit=1]; a [request=6, limit=6]; }`},
			{Name: "two.dot", Text: `graph { b [request=6, limit=6]; }`},
		},
		Strategies: []StrategyRun{{Name: "exact"}}, Joint: true,
	}), scenario.Env{})
	j := ReportOf(report).Strategies[0].Joint
	if j.Proved != placement.ProvedInfeasible || !slices.Equal(j.CoreJobs, []string{"one.dot/a", "two.dot/b"}) || !slices.Equal(j.CoreClusters, []string{"eu"}) {
		t.Fatalf("at once: %+v", j)
	}
	placed, err := e.placed(0, AllDeployments)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]int{{1}, {0}} {
		if got := placed[i]; !slices.Equal(got.Core, want) || !slices.Equal(got.CoreClusters, []int{0}) {
			t.Errorf("of deployment %d the jobs %v are marked, and the clusters %v", i, got.Core, got.CoreClusters)
		}
	}
	var b strings.Builder
	ReportOf(report).WriteText(&b, nil)
	if !strings.Contains(b.String(), "  a and b request 12 cpu together, of which eu has 10 left, since these cannot hold together:\n") {
		t.Errorf("the text is\n%s", b.String())
	}
}
