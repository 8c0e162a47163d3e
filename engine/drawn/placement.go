package drawn

import (
	"fmt"
	"slices"
	"strings"

	"berth/engine/dot"
	"berth/engine/graph"
	"berth/engine/input/workload"
	"berth/engine/placement"
	"berth/engine/placement/graphs"
	"berth/engine/placement/placementkind"
	"berth/engine/placement/placementtest"
	"berth/engine/scenario"
)

// Placement draws a scenario of package placementkind: graphs in DOT, recipes of graphs,
// Kubernetes manifests, or an instance of the generalized assignment problem.
func Placement(seed uint64) scenario.Scenario {
	r := newDraw(seed, placementStream)
	d := &placementkind.Document{
		Seed: r.small(), Budget: int64(pick(r, 20, 500, 5000, 5000)), Steps: int64(pick(r, 20, 200, 1000)),
		Deployments: []placementkind.GraphSource{}, Joint: r.often(20), Strict: r.often(3), ConsumeBandwidth: r.often(40),
	}
	for _, name := range some(r, 3, placement.Names()) {
		d.Strategies = append(d.Strategies, placementkind.StrategyRun{Name: name, Seeds: pick(r, 0, 0, 1, 3)})
	}
	if r.often(10) {
		d.Strategies = append(d.Strategies, placementkind.StrategyRun{Policy: r.written(
			"def order(job):\n    return -job.size\n\ndef score(job, cluster):\n    return cluster.cost\n",
			"backtrack = False\n\ndef order(job):\n    return job.size\n",
		)})
	}
	measures := []placement.Measure{placement.Resilience, placement.Balance}
	switch kind := r.IntN(10); kind {
	case 0:
		r.instance(d)
	case 1, 2:
		r.recipes(d)
	case 3, 4:
		r.manifests(d)
	default:
		measures = append(measures, r.shape(d)...)
	}
	if r.often(20) {
		d.Pareto = []placement.Measure{placement.Cost, pick(r, measures...)}
	}
	d.Keep = len(d.WhatIf) > 0 && !d.Joint && r.often(50)
	s := placementkind.New(fmt.Sprint("drawn ", seed), *d)
	r.turn(s, 10, 1, placementkind.Parameters()[:1]) // turns only Φ: larger budgets and steps would take too long
	return s
}

// shape draws graphs in DOT, often with rules and a what-if. It returns the measures that apply to
// their placements in addition to the general ones.
func (r draw) shape(d *placementkind.Document) (measures []placement.Measure) {
	s := placementtest.Shape{
		Jobs: r.between(2, 9), Dependencies: r.between(0, 9), Clusters: r.between(2, 7), Star: r.often(30), Density: pick(r, 0.4, 0.8, 1),
		Memory: r.often(30), Bandwidth: r.often(40), Traffic: r.often(30), Tightness: pick(r, 0.2, 0.3, 0.5, 0.8, 1.1), Decimals: pick(r, 0, 0, 1, 3), Rules: pick(r, 0, 0, 0, 1, 3),
	}
	dialect := pick(r, dot.Thesis, dot.Plain)
	from, deployments := r.small(), r.between(1, 3)
	for k := range deployments {
		deployment, federation := s.Generate(from + uint64(k))
		d.Deployments = append(d.Deployments, source(fmt.Sprintf("d%d.dot", k), func(b *strings.Builder) error { return dot.WriteDeployment(b, deployment, dialect) }))
		if k > 0 {
			continue
		}
		if carbon := graph.Lookup(graph.Cluster, "carbon"); r.often(30) {
			for j := range s.Clusters {
				federation.Clusters().SetLabel(carbon, j, []float64{float64(r.IntN(500))})
			}
			measures = append(measures, placement.Carbon)
		}
		if deployment.Dependencies().Len() > 0 {
			measures = append(measures, placement.Latency)
		}
		if slices.Contains(deployment.Jobs().Attributes(), graph.Current) {
			measures = append(measures, placement.Moves)
		}
		d.Federation = source("f.dot", func(b *strings.Builder) error { return dot.WriteFederation(b, federation, dialect) })
	}
	d.ShortestPaths = !s.Star && r.often(30)
	if r.often(5) {
		d.Center = "c0"
	}
	if s.Rules > 0 && r.often(50) {
		d.Rules = some(r, 2, []string{"at most 3 clusters", "spread by region skew 2", "never region=r0", "apart j0 j1 by zone", "group=g1: at most 2 clusters"})
	}
	if s.Rules > 0 && r.often(30) {
		d.MaxMoves = new(r.IntN(4))
	}
	if r.often(25) {
		d.WhatIf = some(r, 2, []string{fmt.Sprint("fail c", s.Clusters-1), "price c0 ×1.5", "room c0 ×0.6", "latency ×1.3", "scale j0 2"})
	}
	return measures
}

// source returns the text written by write as a source.
func source(name string, write func(*strings.Builder) error) placementkind.GraphSource {
	var b strings.Builder
	if err := write(&b); err != nil {
		panic(err) // the drawn names are always writable
	}
	return placementkind.GraphSource{Name: name, Text: b.String()}
}

func (r draw) recipes(d *placementkind.Document) {
	d.Federation = placementkind.GraphSource{Name: "star", Recipe: &workload.Recipe{
		Generator: graphs.FederationGenerator, Preset: pick(r, graphs.ThesisPreset, graphs.ListingPreset, graphs.AuthorPreset), Seed: r.small(),
		Parameters: map[string]float64{"n_nodes": float64(r.between(2, 12)), "max_amount": pick(r, 1500.0, 3000)},
	}}
	for k := range r.between(1, 3) {
		recipe := &workload.Recipe{Generator: graphs.DeploymentGenerator, Preset: pick(r, graphs.ThesisPreset, graphs.ListingPreset), Seed: r.small()}
		recipe.Parameters = map[string]float64{"n_nodes": float64(r.between(1, 10)), "max_latency": pick(r, 80.0, 120)}
		if recipe.Preset == graphs.ThesisPreset {
			recipe.Index = r.IntN(graphs.Deployments)
		}
		d.Deployments = append(d.Deployments, placementkind.GraphSource{Name: fmt.Sprint("deployment ", k), Recipe: recipe})
	}
}

// instance draws an instance of the generalized assignment problem.
func (r draw) instance(d *placementkind.Document) {
	agents, jobs := r.between(2, 5), r.between(2, 9)
	numbers := []any{agents, jobs}
	for range 2 * agents * jobs { // costs and amounts
		numbers = append(numbers, r.between(5, 25))
	}
	for range agents {
		numbers = append(numbers, r.between(10, 20)*(1+jobs/agents))
	}
	d.Federation = placementkind.GraphSource{Name: "gap.txt", Text: fmt.Sprintln(numbers...)}
}

// manifests draws the nodes of two clusters and pods for them.
func (r draw) manifests(d *placementkind.Document) {
	for i, cluster := range []string{"eu", "us"} {
		var b strings.Builder
		for n := range r.between(1, 4) {
			fmt.Fprintf(&b, "---\n{apiVersion: v1, kind: Node, metadata: {name: %s%d, labels: {kubernetes.io/hostname: %[1]s%[2]d, topology.kubernetes.io/zone: z%d, disk: %s}}, spec: {%s}, status: {allocatable: {cpu: \"%d\", memory: %dGi, pods: \"%d\"}}}\n",
				cluster, n, r.IntN(3), pick(r, "ssd", "hdd"), pick(r, "", "", "taints: [{key: k, effect: NoSchedule}]", "unschedulable: true"), r.between(1, 8), r.between(2, 16), pick(r, 3, 110))
		}
		if s := (placementkind.GraphSource{Name: cluster + "=" + cluster + ".yaml", Text: b.String()}); i == 0 {
			d.Federation = s
		} else {
			d.Federations = append(d.Federations, s)
		}
	}
	if r.often(80) {
		text := fmt.Sprintf("graph { eu [cpu_cost=%v, memory_cost=0.001]; us [cpu_cost=0.3]; eu -- us [latency=%d, latency_cost=2]; }", r.tenths(1, 9), r.between(10, 80))
		d.Federations = append(d.Federations, placementkind.GraphSource{Name: "prices.dot", Text: text})
	}
	var b strings.Builder
	for i := range r.between(1, 5) {
		fmt.Fprintf(&b, "---\n{apiVersion: apps/v1, kind: Deployment, metadata: {name: a%d}, spec: {replicas: %d, selector: {matchLabels: {app: a%[1]d}}, template: {metadata: {labels: {app: a%[1]d}}, spec: {%[3]s containers: [{name: main, env: [{name: OTHER, value: \"a0:80\"}], resources: {requests: {cpu: %[4]dm, memory: %[5]dMi}}}]}}}}\n",
			i, r.between(1, 4), strings.ReplaceAll(pick(r, "", "nodeSelector: {disk: ssd}, ", "tolerations: [{operator: Exists}], ",
				"affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {matchLabels: {app: aN}}, topologyKey: kubernetes.io/hostname}]}},",
				"topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: aN}}}],"), "aN", fmt.Sprint("a", i)),
			100*r.between(1, 20), 128*r.between(1, 20))
	}
	b.WriteString("---\n{apiVersion: v1, kind: Service, metadata: {name: a0}, spec: {selector: {app: a0}, ports: [{port: 80}]}}\n")
	d.Deployments = []placementkind.GraphSource{{Name: "pods.yaml", Text: b.String()}}
	d.Split, d.NoInferred = r.often(20), r.often(20)
	if r.often(30) {
		d.InferredLatency = new(float64(r.between(5, 60)))
	}
	if r.often(30) {
		d.Pools = []placementkind.Pool{{Type: "m", Allocatable: map[string]string{"cpu": "4", "memory": "16Gi", "pods": "110"}, Price: 0.2, Maximum: 3}}
	}
	if r.often(40) {
		d.WhatIf = some(r, 2, []string{"drain eu0", "add more ×2 like eu0", "fail us", "price eu ×2", "scale a0 5"}[:pick(r, 4, 5)])
	}
}
