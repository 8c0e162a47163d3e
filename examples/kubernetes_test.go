package examples_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "berth/engine/formats"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
)

// clusters places the shop of kubernetes/shop.yaml on its three clusters, exactly,
// after some changes with few moves.
func clusters(t *testing.T, whatIf ...string) placementkind.StrategyReport {
	t.Helper()
	var sources []placementkind.Source
	for _, name := range []string{"frankfurt.yaml", "milan.yaml", "virginia.yaml", "prices.dot", "shop.yaml"} {
		text, err := os.ReadFile(filepath.Join("kubernetes", name))
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, placementkind.Source{Name: name, Text: string(text)})
	}
	r, err := scenario.Run(t.Context(), placementkind.New("", placementkind.Document{
		Federation: sources[0], Federations: sources[1:4], Deployments: sources[4:],
		Strategies: []placementkind.StrategyRun{{Name: "exact"}}, WhatIf: whatIf, Keep: len(whatIf) > 0,
	}), scenario.Env{})
	if err != nil {
		t.Fatal(err)
	}
	return placementkind.ReportOf(r).Strategies[0]
}

func TestShopOnThreeClusters(t *testing.T) {
	now := clusters(t)
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

	drained := clusters(t, "drain frankfurt-1").WhatIf
	if moves := drained.Deployments[0].Moves; len(moves) == 0 || len(moves) > 3 {
		t.Errorf("a drain moves %v, want few", moves)
	}
	for _, m := range drained.Deployments[0].Moves {
		if m.From != "frankfurt" {
			t.Errorf("%v moves, though it was not where a node is drained", m)
		}
	}
	if !(*drained.After.Total >= *drained.Before.Total) {
		t.Errorf("with a node less it costs %v, and before %v", *drained.After.Total, *drained.Before.Total)
	}

	failed := clusters(t, "fail frankfurt").WhatIf.Deployments[0]
	for _, m := range failed.Moves {
		delete(inFrankfurt, m.Job)
	}
	for job, was := range inFrankfurt {
		if was {
			t.Errorf("%s was in frankfurt, which failed, and does not move", job)
		}
	}

	none := clusters(t, "drain milan-gpu").WhatIf.Deployments[0]
	if none.After != placement.Infeasible || len(none.Refused) != 1 || !strings.Contains(none.Refused[0].Why, "nvidia.com/gpu") {
		t.Errorf("without the GPU: %+v", none)
	}
}
