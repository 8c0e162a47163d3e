package placementkind

import (
	"strings"
	"testing"

	"berth/engine/placement"
	"berth/engine/scenario"
	"berth/engine/show"
)

func TestOutcome(t *testing.T) {
	size := []DeploymentSummary{{Jobs: 12}, {Jobs: 3}}
	placed := DeploymentReport{Status: placement.Placed, Cost: Cost{Total: 7}}
	full := DeploymentReport{Status: placement.BudgetExhausted, Name: "d.dot", Reason: "too hard"}
	for _, c := range []struct {
		deployments []DeploymentReport
		want, why   string
	}{
		{[]DeploymentReport{placed}, "placed 12 of 12 jobs", ""},
		{[]DeploymentReport{full}, "not placed: budget exhausted", "too hard; more search steps may find one"},
		{[]DeploymentReport{placed, full}, "incomplete: placed 12 of 15 jobs, 1 of 2 deployments", "The first one not placed is d.dot: too hard; more search steps may find one"},
	} {
		if got, why := (&Report{Deployments: size[:len(c.deployments)]}).Outcome(&StrategyReport{Deployments: c.deployments}); got != c.want || why != c.why {
			t.Errorf("%q because %q, want %q because %q", got, why, c.want, c.why)
		}
	}
}

// The page, the JSON and the text say the same.
func TestTheReportSaysTheSentence(t *testing.T) {
	_, r := runTest(t, testScenario(StrategyRun{Name: "heuristic"}), scenario.Env{})
	if says, _ := ReportOf(r).Sentences(); r.Headline == "" || r.Headline != says || !strings.Contains(r.Headline, " · cost "+show.Money(ReportOf(r).Strategies[0].Total.Total)) {
		t.Errorf("the headline is %q", r.Headline)
	}
	if !strings.Contains(string(r.Text()), r.Headline) {
		t.Errorf("the text is %s", r.Text())
	}
}
