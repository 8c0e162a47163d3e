package placementkind_test

import (
	"slices"
	"strings"
	"testing"

	"berth/engine/must"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
)

// apart is a chain of clusters with an optional link between two of them. Its two jobs are too
// large for one cluster.
func apart(link string) placementkind.Document {
	return placementkind.Document{
		Federation: placementkind.GraphSource{Name: "f.dot", Text: `graph { a [cpu=10, cpu_cost=1]; b [cpu=1, cpu_cost=1]; c [cpu=10, cpu_cost=1];
			a -- b [latency=5, latency_cost=0.5]; ` + link + ` }`},
		Deployments: []placementkind.GraphSource{{Name: "d.dot", Text: `graph { x [request=8, limit=9]; y [request=8, limit=9]; x -- y [latency=20] }`}},
		Strategies:  []placementkind.StrategyRun{{Name: "heuristic"}},
	}
}

func TestShortestPaths(t *testing.T) {
	run := func(d placementkind.Document) placementkind.DeploymentReport {
		r := must.Get(scenario.Run(t.Context(), placementkind.New("", d), scenario.Env{}))(t)
		return placementkind.ReportOf(r).Strategies[0].Deployments[0]
	}
	d := apart(`b -- c [latency=5, latency_cost=0.5]`)
	if got := run(d); got.Status != "infeasible" {
		t.Errorf("over links of their own: %s", got.Status)
	}
	d.ShortestPaths = true
	if got := run(d); got.Status != "placed" || got.Cost.Link != 1 {
		t.Errorf("along the path: %s, %+v", got.Status, got.Cost)
	}
	d.Center = "b"
	_, err := scenario.Run(t.Context(), placementkind.New("", d), scenario.Env{})
	if err == nil || !strings.HasPrefix(err.Error(), "placement.shortestPaths: the federation is a star") {
		t.Errorf("of a star: %v", err)
	}
}

func TestIslandsAreNamed(t *testing.T) {
	const islands = "f.dot:1:1: the clusters form 2 groups without a link between them: a, b | c"
	d := apart("")
	d.Deployments[0].Text = `graph { x [request=1, limit=1]; y [request=1, limit=1]; z [request=1, limit=1]; w [request=1, limit=1];
		alone [request=1, limit=1]; x -- y [latency=20]; z -- w [latency=20] }`
	r := must.Get(scenario.Run(t.Context(), placementkind.New("", d), scenario.Env{}))(t)
	if !slices.Equal(r.Warnings, []string{islands}) {
		t.Errorf("warnings %q", r.Warnings)
	}
	if want := "d.dot:1:1: the jobs are in 2 groups that do not depend on each other: x, y | z, w"; !slices.Equal(r.Notes, []string{want}) {
		t.Errorf("notes %q, want %q", r.Notes, want)
	}
	d.ShortestPaths = true
	d.Federation.Text = strings.Replace(d.Federation.Text, "latency=5, latency_cost=0.5", "bandwidth=5, bandwidth_cost=1", 1)
	d.Deployments[0].Text = `graph { x [request=1, limit=1] }`
	r = must.Get(scenario.Run(t.Context(), placementkind.New("", d), scenario.Env{}))(t)
	if want := "f.dot:1:1: 1 link without a latency: no path uses them"; !slices.Contains(r.Warnings, want) {
		t.Errorf("warnings %q, want %q", r.Warnings, want)
	}
	d.Strict = true
	if _, err := scenario.Run(t.Context(), placementkind.New("", d), scenario.Env{}); err == nil || !strings.Contains(err.Error(), "groups") {
		t.Errorf("strictly: %v", err)
	}
}
