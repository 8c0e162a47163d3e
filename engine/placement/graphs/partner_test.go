package graphs_test

import (
	"testing"

	"berth/engine/golden"
	"berth/engine/graph"
	"berth/engine/placement"
	"berth/engine/placement/graphs"
	"berth/engine/placement/placementtest"
)

// Clusters generated for a deployment can take all its jobs, and jobs generated for a federation
// fit on it, whatever resources and bounds they have.
func TestPartnersFit(t *testing.T) {
	for _, shape := range placementtest.Ruled {
		for _, seed := range golden.Seeds(25) {
			d, f := shape.Generate(seed)
			d.Rules = nil
			for what, p := range map[string]*placement.Problem{
				"clusters": problem(d, graphs.ClustersFor(d)), "jobs": problem(graphs.JobsFor(f), f),
			} {
				best, _ := placement.Named("exact", nil)
				if s := best.Place(t.Context(), p, placement.Options{}); !s.Complete() {
					t.Errorf("seed %d: the %s that fit do not: %+v", seed, what, s.Status)
				}
			}
		}
	}
}

func problem(d *graph.Deployment, f *graph.Federation) *placement.Problem {
	return placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{}))
}
