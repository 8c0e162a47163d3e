package placementkind

import (
	"bytes"
	"strings"
	"testing"

	"berth/engine/placement"
	"berth/engine/scenario"
)

// planned places three deployments one after the other. The first takes the large cluster and the
// second the rest of it. The third fits only there.
func planned(t *testing.T, first, second string) *StrategyReport {
	t.Helper()
	_, r := runTest(t, New("preemption", Document{
		Federation: GraphSource{Name: "f.dot", Text: `graph { large [cpu=100, cpu_cost=1]; small [cpu=50, cpu_cost=2]; large -- small [latency=10, latency_cost=0.5]; }`},
		Deployments: []GraphSource{
			{Name: "one.dot", Text: `graph { a [request=40, limit=40` + first + `]; b [request=10, limit=10` + first + `]; a -- b [latency=20] }`},
			{Name: "two.dot", Text: `graph { c [request=30, limit=30` + second + `]; }`},
			{Name: "three.dot", Text: `graph { d [request=60, limit=60]; }`},
		},
		Strategies: []StrategyRun{{Name: "heuristic"}}, Seed: 1,
	}), scenario.Env{})
	return &ReportOf(r).Strategies[0]
}

func TestPreemptibleJobsAreMovedInAPlan(t *testing.T) {
	s := planned(t, ", preemption=1", ", preemption=0")
	d := s.Deployments[2]
	if d.Status != placement.Infeasible || d.Plan == nil {
		t.Fatalf("%+v has the plan %+v", d.Status, d.Plan)
	}
	// Of 100, c keeps 30 and d takes 60, so a must leave and b may stay.
	want := []PlannedMove{{"one.dot", MovedJob{"a", "large", "small"}}}
	if p := d.Plan; p.Status != placement.Placed || len(p.Moves) != 1 || p.Moves[0] != want[0] || p.Cost.Total != 60 || p.MovesCost != 40.5 || p.Preemptible != 2 {
		t.Errorf("the plan is %+v, cost %v, moves cost %v", p, p.Cost.Total, p.MovesCost)
	}
	for i, cluster := range []string{"large", "large"} { // nothing was moved
		if got := s.Deployments[i].Placement[0].Cluster; got != cluster {
			t.Errorf("deployment %d stands on %s", i, got)
		}
	}
	if s.Total.Total != 80 || s.Deployments[0].Plan != nil {
		t.Errorf("the total is %v, and a deployment that was placed has a plan: %v", s.Total.Total, s.Deployments[0].Plan)
	}
}

func TestOnlyPreemptibleJobsAreMoved(t *testing.T) {
	if s := planned(t, "", ""); s.Deployments[2].Plan != nil {
		t.Errorf("without preemptible jobs the plan is %+v", s.Deployments[2].Plan)
	}
	p := planned(t, "", ", preemption=1").Deployments[2].Plan // evicting c alone does not make enough room
	if p == nil || p.Status != placement.Infeasible || len(p.Moves) != 0 || p.Preemptible != 1 {
		t.Errorf("the plan is %+v", p)
	}
}

func TestPlanInWords(t *testing.T) {
	_, r := runTest(t, New("preemption", Document{
		Federation: GraphSource{Name: "f.dot", Text: `graph { large [cpu=100, cpu_cost=1]; small [cpu=50, cpu_cost=2]; large -- small [latency=10, latency_cost=0.5]; }`},
		Deployments: []GraphSource{
			{Name: "one.dot", Text: `graph { a [request=50, limit=50, preemption=1]; }`},
			{Name: "two.dot", Text: `graph { b [request=90, limit=90]; }`},
		},
		Strategies: []StrategyRun{{Name: "first-fit"}}, Seed: 1,
	}), scenario.Env{})
	var b bytes.Buffer
	ReportOf(r).WriteText(&b, nil)
	for _, want := range []string{
		"  it would fit for 90 if 1 preemptible job moved, at a cost of 50; nothing was moved:\n    a of one.dot: large → small\n    b on large\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the text has no %q:\n%s", want, b.String())
		}
	}
}
