package examples

import (
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
)

// clusterExamples are of what is read beside graphs in DOT: manifests with the nodes
// of clusters, what becomes of them, and a network.
func clusterExamples() []Example {
	shop := example("clusters", "A shop on three clusters, by their manifests",
		"Twelve services as Kubernetes YAML, on the nodes of two clusters in Europe and one in Virginia; the only GPU is tainted.",
		manifests())
	return []Example{
		shop,
		whatIf(shop.Scenario, "clusters-drain", "A node of the shop is drained",
			"Against the shop as it stands: whose pods fit nowhere else in Frankfurt move, and no others.", "drain frankfurt-1"),
		whatIf(shop.Scenario, "clusters-failure", "A cluster of the shop fails",
			"Against the shop as it stands: all of Frankfurt moves, and what that costs.", "fail frankfurt"),
		example("on-call", "A cluster, before a node is drained",
			"Zones, a volume in one of them, host ports, and a budget that blocks a drain; two pods are pending.",
			placementkind.Document{
				Federation: file("kubernetes/on-call.yaml"), Federations: []placementkind.Source{file("kubernetes/on-call.dot")},
				Deployments: []placementkind.Source{file("kubernetes/search.yaml")},
				Strategies:  []placementkind.StrategyRun{{Name: "exact"}, {Name: "heuristic"}}, Seed: 1,
			}),
		example("research-network", "Five sites of a research network",
			"A pipeline of six jobs on a network in GraphML, whose latencies are estimated by distance.",
			placementkind.Document{
				Federation: file("network.graphml"), Federations: []placementkind.Source{file("network-sites.dot")},
				Deployments: []placementkind.Source{file("network-deployment.dot")},
				Strategies:  []placementkind.StrategyRun{{Name: "heuristic"}, {Name: "exact"}}, Seed: 1,
			}),
	}
}

// manifests is the shop of the directory kubernetes.
func manifests() placementkind.Document {
	return placementkind.Document{
		Federation:  file("kubernetes/frankfurt.yaml"),
		Federations: []placementkind.Source{file("kubernetes/milan.yaml"), file("kubernetes/virginia.yaml"), file("kubernetes/prices.dot")},
		Deployments: []placementkind.Source{file("kubernetes/shop.yaml")},
		Strategies:  []placementkind.StrategyRun{{Name: "exact"}, {Name: "heuristic"}}, Seed: 1,
	}
}

// whatIf is a pair: the shop before a change, and after it with few moves.
func whatIf(before scenario.Scenario, name, title, description, change string) Example {
	d := manifests()
	d.WhatIf, d.Keep = []string{change}, true
	e := example(name, title, description, d)
	e.Before = &before
	return e
}
