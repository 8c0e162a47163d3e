package greedy_test

import (
	"context"
	"testing"

	"berth/engine/must"
	"berth/engine/parameter"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/placement/placementtest/greedy"
	"berth/engine/scenario"
)

// noting records the problems that it is given.
type noting struct {
	placement.Strategy
	problems *[]*placement.Problem
}

func (n noting) Place(ctx context.Context, p *placement.Problem, o placement.Options) placement.Solution {
	*n.problems = append(*n.problems, p)
	return n.Strategy.Place(ctx, p, o)
}

// Strategies and seeds share the compiled problem of the first deployment. Each of the others is
// placed on what is left.
func TestStrategiesAndSeedsShareTheFirstProblem(t *testing.T) {
	var problems []*placement.Problem
	plugin := greedy.Plugin
	plugin.Name, plugin.New = "noting", func(v parameter.Values) placement.Strategy {
		return noting{greedy.Plugin.New(v), &problems}
	}
	must.Do(t, placement.Register(plugin))
	s := must.Get(scenario.Decode([]byte(document)))(t)
	d := placementkind.Of(s)
	d.Strategies = []placementkind.StrategyRun{{Name: "noting", Seeds: 3}, {Name: "noting", Parameters: parameter.Values{"scarcity": 1}}}
	d.Deployments = append(d.Deployments, placementkind.GraphSource{Name: "more.dot", Text: "graph { more [request=1, limit=1]; }"})
	must.Get(scenario.Run(t.Context(), s, scenario.Env{}))(t)
	shared := 0
	for _, p := range problems {
		if p == problems[0] {
			shared++
		}
	}
	if len(problems) < 8 || shared != len(problems)/2 {
		t.Errorf("of %d problems, 4 for each deployment at least, %d are the first one", len(problems), shared)
	}
}
