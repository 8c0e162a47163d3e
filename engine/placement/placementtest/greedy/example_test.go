package greedy_test

import (
	"context"
	"fmt"

	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/placement/placementtest/greedy"
	"berth/engine/scenario"
)

const document = `{
  "version": 1,
  "kind": "placement",
  "placement": {
    "federation": {"name": "federation.dot", "dot": "graph { eu [cpu=80, cpu_cost=1]; us [cpu=100, cpu_cost=2]; eu -- us [latency=80, latency_cost=0.1]; }"},
    "deployments": [{"name": "shop.dot", "dot": "graph { api [request=60, limit=60]; db [request=30, limit=30]; api -- db [latency=100]; }"}],
    "strategies": [{"name": "greedy"}, {"name": "greedy", "parameters": {"scarcity": 100}}]
  }
}`

func init() {
	scenario.Register(placementkind.Kind)
	if err := placement.Register(greedy.Plugin); err != nil {
		panic(err)
	}
}

// A strategy of another package is registered, and a scenario uses it with its parameter. If excess
// costs much, the heavier job leaves the cheap cluster.
func Example() {
	s, err := scenario.Decode([]byte(document))
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := scenario.Run(context.Background(), s, scenario.Env{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range placementkind.ReportOf(report).Strategies {
		d := s.Deployments[0]
		fmt.Println(s.Strategy, d.Status, d.Cost.Total, d.Placement)
	}
	// Output:
	// greedy placed 120.1 [{api eu} {db us}]
	// greedy(100) placed 150.1 [{api us} {db eu}]
}
