package examples_test

import (
	"os"
	"strings"
	"testing"

	"berth/engine/input/format"
	_ "berth/engine/kinds"
	"berth/engine/kube"
	"berth/engine/kube/manifest"
	"berth/engine/must"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/examples"
)

// placed returns the result of the first strategy of an example, which is exact.
func placed(t *testing.T, s scenario.Scenario) placementkind.StrategyReport {
	t.Helper()
	r := must.Get(scenario.Run(t.Context(), s, scenario.Env{}))(t)
	return placementkind.ReportOf(r).Strategies[0]
}

func TestShopOnThreeClusters(t *testing.T) {
	shop := named(t, "clusters")
	now := placed(t, shop.Scenario)
	d := now.Deployments[0]
	if len(d.Placement) != 12 || d.Status != placement.Placed || d.Proved != placement.ProvedOptimal {
		t.Fatalf("%d of 12 jobs, %s: %s", len(d.Placement), d.Status, d.Reason)
	}
	inFrankfurt := map[string]bool{}
	for _, a := range d.Placement {
		inFrankfurt[a.Job] = a.Cluster == "frankfurt"
		if a.Job == "image-tagger" && a.Cluster != "milan" {
			t.Errorf("the only GPU is in milan, and image-tagger in %s", a.Cluster)
		}
	}

	for _, name := range []string{"clusters-drain", "clusters-failure"} {
		if e := named(t, name); e.Before == nil || e.Before.Hash() != shop.Scenario.Hash() {
			t.Errorf("%s is not compared with the shop as it stands", name)
		}
	}
	drained := placed(t, named(t, "clusters-drain").Scenario).WhatIf
	if moves := drained.Deployments[0].Moves; len(moves) == 0 || len(moves) > 3 {
		t.Errorf("a drain moves %v, want few", moves)
	}
	for _, m := range drained.Deployments[0].Moves {
		if m.From != "frankfurt" {
			t.Errorf("%v moves, though it was not where a node is drained", m)
		}
	}
	if !(drained.After.Total >= drained.Before.Total) {
		t.Errorf("with a node less it costs %v, and before %v", drained.After.Total, drained.Before.Total)
	}

	after := placed(t, named(t, "clusters-failure").Scenario)
	failed := after.WhatIf.Deployments[0]
	for _, m := range failed.Moves {
		delete(inFrankfurt, m.Job)
	}
	for job, was := range inFrankfurt {
		if was {
			t.Errorf("%s was in frankfurt, which failed, and does not move", job)
		}
	}

	if x := after.Against(&now); len(x.Deployments[0].Moves) != len(failed.Moves) || x.Before.Total != after.WhatIf.Before.Total || x.After.Total != after.WhatIf.After.Total || len(x.Clusters) != len(now.Clusters) {
		t.Errorf("against the shop as it stands: %+v, and of the what-if itself: %+v", x, after.WhatIf)
	}

	gpu := shop.Scenario.Clone()
	placementkind.Of(gpu).WhatIf = []string{"drain milan-gpu"}
	none := placed(t, gpu).WhatIf.Deployments[0]
	if none.After != placement.Infeasible || len(none.Refused) != 1 || !strings.Contains(none.Refused[0].Why, "nvidia.com/gpu") {
		t.Errorf("without the GPU: %+v", none)
	}
}

// exact proves the lowest cost, far below the heuristic's, and the jobs are connected over several
// links within their bounds.
func TestResearchNetwork(t *testing.T) {
	r := must.Get(scenario.Run(t.Context(), named(t, "research-network").Scenario, scenario.Env{}))(t)
	all := placementkind.ReportOf(r).Strategies
	heuristic, exact := all[0].Deployments[0], all[1].Deployments[0]
	if exact.Proved != placement.ProvedOptimal || !(exact.Cost.Total < 0.6*(heuristic.Cost.Total)) {
		t.Errorf("exact pays %v (%s) and the heuristic %v", exact.Cost.Total, exact.Proved, heuristic.Cost.Total)
	}
	if r.Diagnostics == nil || !strings.Contains(r.Diagnostics[0].Message(), "estimated") {
		t.Errorf("the latencies are not said to be estimated: %v", r.Diagnostics)
	}
	if n := placementkind.ReportOf(r).Federation.Clusters; n != 15 {
		t.Errorf("%d places, want 15", n)
	}
}

// The cluster on call matches its description: it has pending pods, a drain that ends, one that
// budgets slow down, and one that they block.
func TestClusterOnCall(t *testing.T) {
	text := must.Get(os.ReadFile("kubernetes/on-call.yaml"))(t)
	c, found := manifest.ReadCluster("on-call.yaml", text, format.Options{})
	if c == nil {
		t.Fatal(found)
	}
	pending := kube.Pending(kube.Default(), c)
	if pending.Left() != 2 {
		t.Errorf("%d pods stay pending, want 2: %+v", pending.Left(), pending.Pods)
	}
	for node, want := range map[string][3]int{"n1": {1, 2, 1}, "n2": {2, 2, 0}, "n3": {1, 2, 0}} {
		d, err := kube.Drain(kube.Default(), []string{node}, c)
		if err != nil || [3]int{d.Rounds, len(d.Evicted), len(d.Blocked)} != want || d.Left() != 0 {
			t.Errorf("a drain of %s: %d rounds, %d evicted, %d blocked, %d pending, want %v; %v", node, d.Rounds, len(d.Evicted), len(d.Blocked), d.Left(), want, err)
		}
	}
}

func named(t *testing.T, name string) examples.Example {
	t.Helper()
	for _, e := range examples.List() {
		if e.Name == name {
			return e
		}
	}
	t.Fatalf("there is no example %q", name)
	return examples.Example{}
}
