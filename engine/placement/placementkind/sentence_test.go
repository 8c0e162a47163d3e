package placementkind

import (
	"strings"
	"testing"

	"berth/engine/placement"
	"berth/engine/scenario"
)

func TestMoney(t *testing.T) {
	for _, c := range []struct {
		in   float64
		want string
	}{
		{0, "0"}, {2321.2, "2 321.2"}, {4671.8071, "4 671.8"}, {507, "507"}, {0.04, "0"}, {0.96, "1"}, {999.96, "1 000"}, {3350099.7, "3 350 099.7"},
	} {
		if got := strings.ReplaceAll(Money(c.in), "\u202f", " "); got != c.want {
			t.Errorf("Money(%v) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestOutcome(t *testing.T) {
	size := []DeploymentSummary{{Jobs: 12}, {Jobs: 3}}
	total := 7.0
	placed := DeploymentReport{Status: placement.Placed, Cost: Cost{Total: &total}}
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
	if says, _ := ReportOf(r).Sentences(); r.Headline == "" || r.Headline != says || !strings.Contains(r.Headline, " · cost "+Money(*ReportOf(r).Strategies[0].Total.Total)) {
		t.Errorf("the headline is %q", r.Headline)
	}
	if !strings.Contains(string(r.Text()), r.Headline) {
		t.Errorf("the text is %s", r.Text())
	}
}
