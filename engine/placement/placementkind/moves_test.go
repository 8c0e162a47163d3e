package placementkind

import (
	"slices"
	"strings"
	"testing"

	"berth/engine/scenario"
)

// A dearer cluster is told in words, and so is every job that leaves it.
func TestTheDifferenceOfTwoResults(t *testing.T) {
	s := testScenario(StrategyRun{Name: "heuristic"})
	dear := s.Clone()
	Of(dear).Federation.Text = strings.Replace(Of(s).Federation.Text, "cpu_cost=", "cpu_cost=7", 1)
	Of(dear).Seed++
	_, before := runTest(t, s, scenario.Env{})
	_, after := runTest(t, dear, scenario.Env{})
	d, err := scenario.Compare(before, after)
	if err != nil {
		t.Fatal(err)
	}
	lines := scenario.Changes(s, dear)
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "price of ") || !strings.Contains(lines[0], " → 7") || !strings.HasPrefix(lines[1], "seed ") {
		t.Errorf("the inputs differ in %q", lines)
	}
	if len(d.Moved) == 0 || !strings.HasPrefix(d.Headline, "total cost ") || !strings.HasSuffix(d.Headline, " moved") {
		t.Errorf("%s: %+v", d.Headline, d.Moved)
	}
	for _, m := range d.Moved {
		old := ReportOf(before).Strategies[0].Deployments
		i := slices.IndexFunc(old, func(r DeploymentReport) bool { return r.Name == m.Group })
		if m.From == m.To || m.From != "" && !slices.Contains(old[i].Placement, Assigned{m.Thing, m.From}) {
			t.Errorf("%+v", m)
		}
	}
	same, err := scenario.Compare(before, before)
	if err != nil || len(same.Moved) > 0 || !strings.HasSuffix(same.Headline, "as before: 0 jobs moved") || scenario.Changes(s, s) != nil {
		t.Errorf("with itself: %+v, %v", same, err)
	}
}

// What a figure is of is named where both results have that name, and counted where
// they do not.
func TestFiguresNameTheirDeployment(t *testing.T) {
	s := testScenario(StrategyRun{Name: "heuristic"})
	renamed := s.Clone()
	Of(renamed).Deployments[0].Name = "mine.dot"
	_, before := runTest(t, s, scenario.Env{})
	_, after := runTest(t, renamed, scenario.Env{})
	for _, test := range []struct {
		before *scenario.Report
		want   string
	}{{after, "Whether mine.dot is placed"}, {before, "Whether the first deployment is placed"}} {
		d, err := scenario.Compare(test.before, after)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(d.Metrics, func(c scenario.MetricChange) bool { return c.Metric == "placed.0" && c.Title == test.want }) {
			t.Errorf("no figure says %q: %+v", test.want, d.Metrics)
		}
	}
}
