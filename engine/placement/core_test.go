package placement_test

import (
	"math"
	"slices"
	"testing"

	"berth/engine/graph"
	"berth/engine/placement"
	"berth/engine/placement/placementtest"
)

// holds tries every placement of the jobs among the members of a core, and checks only the
// constraints that are members.
func holds(d *graph.Deployment, f *graph.Federation, members []placement.CoreMember) bool {
	has := func(kind placement.CoreKind, index int) bool {
		return slices.ContainsFunc(members, func(m placement.CoreMember) bool { return m.Kind == kind && m.Index == index })
	}
	// rest is the deployment without the parts that are no members.
	rest, at := graph.NewDeployment(), map[int]int{}
	for j := range d.Jobs().Len() {
		if !has(placement.CoreJob, j) {
			continue
		}
		at[j] = rest.AddJob(d.Jobs().ID(j))
		for _, t := range graph.Labels(graph.Job) {
			if values := d.Jobs().Values(t, j); values != nil {
				rest.Jobs().SetLabel(t, at[j], values)
			}
		}
	}
	for k := range d.Dependencies().Len() {
		a, b := d.Ends(k)
		if !has(placement.CoreDependency, k) || !has(placement.CoreJob, a) || !has(placement.CoreJob, b) {
			continue
		}
		k2, _ := rest.AddDependency(at[a], at[b])
		for _, t := range graph.Labels(graph.Dependency) {
			if values := d.Dependencies().Values(t, k); values != nil {
				rest.Dependencies().SetLabel(t, k2, values)
			}
		}
	}
	cluster := make([]int32, rest.Jobs().Len())
	room := func(j int) bool { // room of the cluster beside the jobs there
		for _, t := range graph.Labels(graph.Job) {
			if t.Kind != graph.Demand {
				continue
			}
			supply := f.Clusters().Values(t.Host(), j)
			for _, c := range t.Comparisons {
				var used float64
				for i, to := range cluster {
					want := rest.Jobs().Values(t, i)
					if int(to) != j || want == nil {
						continue
					}
					if want := want[t.Field(c.Demand)]; c.Consumes && has(placement.CoreCluster, j) {
						used += math.Round(want * 1e4)
					} else if !c.Consumes && has(placement.CoreRange, j) && (supply == nil || !c.Op.Holds(want, supply[t.Host().Field(c.Supply)])) {
						return false
					}
				}
				amount := 0.
				if supply != nil && c.Consumes {
					amount = math.Round(supply[t.Host().Field(c.Supply)] * 1e4)
				}
				if used > amount {
					return false
				}
			}
		}
		return true
	}
	var try func(job int) bool
	try = func(job int) bool {
		if job == len(cluster) {
			for j := range f.Clusters().Len() {
				if !room(j) {
					return false
				}
			}
			return placementtest.CheckLinks(rest, f, cluster, false) == nil
		}
		for j := range f.Clusters().Len() {
			cluster[job] = int32(j)
			if try(job + 1) {
				return true
			}
		}
		return false
	}
	return try(0)
}

// A conflict set that Berth reports is impossible, and no member of it can be removed.
func TestCoresAreMinimal(t *testing.T) {
	cores, kinds := 0, map[placement.CoreKind]int{}
	for i, shape := range placementtest.Shapes {
		shape.Jobs, shape.Clusters, shape.Dependencies = min(shape.Jobs, 4), min(shape.Clusters, 4), min(shape.Dependencies, 5)
		shape.Tightness = 0.9
		for seed := range uint64(60) {
			d, f := shape.Generate(seed)
			p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{}))
			s := placeBy(t, "heuristic", p, placement.Options{Phi: 0.05})
			p.Certify(t.Context(), &s)
			if (s.Status == placement.Infeasible) != (s.Certificate.Core != nil) {
				t.Fatalf("shape %d seed %d: %s with the core %v", i, seed, s.Status, s.Certificate.Core)
			}
			core := s.Certificate.Core
			if core == nil {
				continue
			}
			if s.Certificate.CoreText == "" {
				t.Errorf("shape %d seed %d: no words for %v", i, seed, core)
			}
			cores++
			if !s.Certificate.Minimal {
				t.Errorf("shape %d seed %d: not known to be minimal", i, seed)
			}
			if holds(d, f, core) {
				t.Fatalf("shape %d seed %d: these can hold together: %v", i, seed, core)
			}
			for k, m := range core {
				kinds[m.Kind]++
				if m.Text == "" {
					t.Errorf("shape %d seed %d: no words for %v", i, seed, m)
				}
				if !holds(d, f, slices.Concat(core[:k], core[k+1:])) {
					t.Fatalf("shape %d seed %d: %v could be spared of %v", i, seed, m, core)
				}
			}
		}
	}
	if cores < 100 || len(kinds) < 4 {
		t.Errorf("%d cores of %v: too few to tell", cores, kinds)
	}
}
