package placementkind

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"berth/engine/must"
	"berth/engine/placement"
	"berth/engine/scenario"
)

// many is a deployment that takes long to prove optimal.
func many() string {
	var jobs strings.Builder
	for i := range 30 {
		fmt.Fprintf(&jobs, "j%d [request=%d, limit=%d]; ", i, 30+i, 40+i)
		if i > 0 {
			fmt.Fprintf(&jobs, "j%d -- j%d [latency=20]; ", i/2, i)
		}
	}
	return "graph { " + jobs.String() + "}"
}

// three is a federation for it.
const three = `graph { a [cpu=900, cpu_cost=1]; b [cpu=900, cpu_cost=2]; c [cpu=900, cpu_cost=3]; a -- b [latency=10, latency_cost=7]; b -- c [latency=10, latency_cost=5]; a -- c [latency=10, latency_cost=3]; }`

// A stopped search that improves keeps the best placement so far, and the earlier deployments.
func TestAStoppedSearchLeavesTheBestSoFar(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := testScenario(StrategyRun{Name: "best"})
	d := Of(s)
	d.Steps = 1_000_000_000_000
	d.Deployments = []GraphSource{d.Deployments[0], {Name: "many", Text: many()}, d.Deployments[0]}
	d.Federation.Text = three
	told := 0
	report := must.Get(scenario.Run(ctx, s, scenario.Env{Progress: func(p scenario.Progress) {
		told++
		if p.Phase == "placing" && told > 200 {
			cancel()
		}
	}}))(t)
	all := ReportOf(report).Strategies[0].Deployments
	if !report.Partial || len(all) != 3 || all[0].Status != placement.Placed || len(all[1].Placement) != 30 || all[2].Status != placement.Cancelled {
		t.Errorf("partial %v: %s, %s with %d placed, %s", report.Partial, all[0].Status, all[1].Status, len(all[1].Placement), all[2].Status)
	}
}

// A run that was stopped after some steps is not repeated for a request with that number of steps,
// and its report is the same as for that number.
func TestAStoppedRunIsTheOneWithItsSteps(t *testing.T) {
	ctx, cancel := context.WithCancel(scenario.Share(t.Context(), &scenario.Shared{}))
	s := testScenario(StrategyRun{Name: "best"})
	d := Of(s)
	d.Deployments, d.Steps = d.Deployments[:1], MaxBudget
	d.Deployments[0].Text, d.Federation.Text = many(), three
	report := must.Get(scenario.Run(ctx, s, scenario.Env{Progress: func(p scenario.Progress) {
		var r Reached
		if p.Interim != nil && p.Interim.Decode(&r) == nil && r.Steps > 100_000 {
			if len(r.Placements) != 1 || len(r.Placements[0]) != 30 || !r.Cost.Defined() {
				t.Errorf("it has come to %+v", r)
			}
			cancel()
		}
	}}))(t)
	stopped := ReportOf(report).Strategies[0].Deployments[0]
	if !report.Partial || stopped.Steps < 100_000 {
		t.Fatalf("partial %v after %d steps", report.Partial, stopped.Steps)
	}
	d.Steps = stopped.Steps
	for made, ctx := range map[bool]context.Context{false: context.WithoutCancel(ctx), true: t.Context()} {
		told := 0
		again := must.Get(scenario.Run(ctx, s, scenario.Env{Progress: func(p scenario.Progress) {
			if p.Interim != nil {
				told++
			}
		}}))(t)
		if got := ReportOf(again).Strategies[0].Deployments[0]; again.Partial || !reflect.DeepEqual(got, stopped) {
			t.Errorf("with %d steps:\n%+v\nstopped:\n%+v", d.Steps, got, stopped)
		}
		if (told > 0) != made {
			t.Errorf("it was told %d times of a run, made again %v", told, made)
		}
	}

	// With more steps it continues from there.
	d.Steps = 2 * stopped.Steps
	first := int64(0)
	further := must.Get(scenario.Run(context.WithoutCancel(ctx), s, scenario.Env{Progress: func(p scenario.Progress) {
		var r Reached
		if p.Interim != nil && p.Interim.Decode(&r) == nil && first == 0 {
			first = r.Steps
		}
	}}))(t)
	fresh := must.Get(scenario.Run(t.Context(), s, scenario.Env{}))(t)
	if first <= stopped.Steps || further.Results != fresh.Results {
		t.Errorf("it went on after %d steps, it was stopped after %d; results %s, in one go %s", first, stopped.Steps, further.Results, fresh.Results)
	}
}

// A search that ends by its time limit is the same as one with the number of steps in its result.
func TestTimeEndsASearch(t *testing.T) {
	for _, strategy := range []string{"best", "exact"} {
		s := testScenario(StrategyRun{Name: strategy})
		d := Of(s)
		d.Deployments = d.Deployments[:1]
		d.Deployments[0].Text, d.Federation.Text = many(), three
		placed := func(within float64) *Report {
			now := 0.0
			e := must.Get(scenario.Prepare(t.Context(), s, scenario.Env{Now: func() float64 { now++; return now }}))(t)
			work := must.Get(scenario.WorkOf[*Prepared](e))(t)
			work.Within(within)
			r := must.Get(e.Run(t.Context()))(t)
			return ReportOf(r)
		}
		timed := placed(600)
		got := timed.Strategies[0].Deployments[0]
		if d.Steps = got.Steps; d.Steps < 1000 {
			t.Fatalf("%s took %d steps", strategy, d.Steps)
		}
		if lines := timed.Reproduced(); len(lines) != 1 || !strings.Contains(lines[0], fmt.Sprintf("--steps %d gives", d.Steps)) {
			t.Errorf("it says %q", lines)
		}
		if again := placed(0).Strategies[0].Deployments[0]; !reflect.DeepEqual(again, got) {
			t.Errorf("%s: in %d steps\n%+v, when its time was up\n%+v", strategy, d.Steps, again, got)
		}
	}
}

// A document from before anytime was renamed runs strategy best.
func TestARenamedStrategyOpensAsItsPresentName(t *testing.T) {
	now := testScenario(StrategyRun{Name: "best", Seeds: 2})
	before := strings.Replace(string(scenario.Encode(now)), `"best"`, `"anytime"`, 1)
	opened := must.Get(scenario.Decode([]byte(before)))(t)
	if opened.Hash() != now.Hash() {
		t.Errorf("it opens as %s", scenario.Encode(opened))
	}
	if _, err := scenario.Decode([]byte(strings.Replace(before, "seeds", "seed", 1))); err == nil || !strings.Contains(err.Error(), "strategies[0].seed: unknown field") {
		t.Errorf("a misspelt field gives %v", err)
	}
}
