package scenario_test

import (
	"context"
	"fmt"

	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
)

const document = `{
  "version": 1,
  "kind": "placement",
  "placement": {
    "federation": {"name": "federation.dot", "dot": "graph { eu [cpu=100, cpu_cost=1]; us [cpu=100, cpu_cost=2]; eu -- us [latency=80, latency_cost=0.1]; }"},
    "deployments": [{"name": "shop.dot", "dot": "graph { api [request=60, limit=60]; db [request=30, limit=30]; api -- db [latency=20]; }"}],
    "strategies": [{"name": "heuristic"}]
  }
}`

func ExampleRun() {
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
	for _, d := range placementkind.ReportOf(report).Strategies[0].Deployments {
		fmt.Println(d.Name, d.Status, d.Cost.Total, d.Placement)
	}
	// Output: shop.dot placed 90 [{api eu} {db eu}]
}

func ExampleDecode() {
	_, err := scenario.Decode([]byte(`{
  "version": 1,
  "kind": "placement",
  "placement": {"federaton": {}}
}`))
	fmt.Println(err)
	// Output: scenario:4:30: placement.federaton: unknown field; known: federation, deployments, strategies, phi, seed, budget, steps, joint, center, strict, consumeBandwidth, shortestPaths, federations, clusterBy, noInferred, inferredLatency, split, undirected, freePrices, inferred, rules, maxMoves, pareto, pools, whatIf, keep
}

func ExampleDecodeLink() {
	s, err := scenario.Decode([]byte(document))
	if err != nil {
		fmt.Println(err)
		return
	}
	link, err := scenario.EncodeLink(s)
	if err != nil {
		fmt.Println(err)
		return
	}
	back, err := scenario.DecodeLink("https://berth.example/#s=" + link)
	fmt.Println(placementkind.Of(back).Deployments[0].Name, err)
	_, err = scenario.DecodeLink("3.abc")
	fmt.Println(err)
	// Output:
	// shop.dot <nil>
	// the link is of version 3, newer than this Berth, which reads up to version 2; update it or reload the page
}
