package placement_test

import (
	"testing"

	"berth/engine/golden"
	"berth/engine/placement"
	"berth/engine/placement/placementtest"
)

// The points of a front are placements that satisfy every constraint. None is worse than another
// one in both measures, and no placement is below the certified edges.
func TestFrontsAreCertified(t *testing.T) {
	points, tight := 0, 0
	for i, shape := range placementtest.Ruled {
		shape.Clusters, shape.Rules, shape.Traffic = 4, 1, i%2 == 0
		for _, seed := range golden.Seeds(8) {
			d, f := shape.Generate(seed)
			for j := range shape.Clusters {
				f.Clusters().Set(j, "carbon", float64(1+(j*7+int(seed))%5))
			}
			p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{}))
			exact, _ := placement.Named("exact", nil)
			for _, m := range placement.Measures[1:] {
				if p.Lacks(m) != "" {
					continue
				}
				front := p.Pareto(t.Context(), placement.Whole{Strategy: exact}, m, placement.Options{Phi: placement.DefaultPhi, Steps: 200_000})
				for k, x := range front.Points {
					points++
					if err := placementtest.Check(d, f, x.Cluster, false); err != nil {
						t.Fatalf("shape %d seed %d, %s: %v", i, seed, m, err)
					}
					if x.Cost != p.Measure(placement.Cost, x.Cluster) || x.Measure != p.Measure(m, x.Cluster) || x.Bound > x.Cost*(1+1e-12) {
						t.Errorf("shape %d seed %d, %s: %+v", i, seed, m, x)
					}
					if k > 0 && !(x.Cost > front.Points[k-1].Cost && x.Measure < front.Points[k-1].Measure) {
						t.Errorf("shape %d seed %d, %s: point %d is worse than the one before", i, seed, m, k)
					}
					if x.Cost-x.Bound <= 1e-6*x.Cost {
						tight++
					}
				}
				everyPlacement(shape.Jobs, shape.Clusters, func(cluster []int32) {
					cost, measure := p.Measure(placement.Cost, cluster), p.Measure(m, cluster)
					for _, e := range front.Below {
						if cost < e.At(measure)*(1-1e-12) && placementtest.Check(d, f, cluster, false) == nil {
							t.Fatalf("shape %d seed %d, %s: %v costs %v with %v, below %+v", i, seed, m, cluster, cost, measure, e)
						}
					}
				})
			}
		}
	}
	if !testing.Short() && (points < 200 || tight < points/3) {
		t.Errorf("%d points, %d of them on the edge: too easy, or too loose", points, tight)
	}
}

// everyPlacement calls do for all ways to put jobs on clusters.
func everyPlacement(jobs, clusters int, do func(cluster []int32)) {
	cluster := make([]int32, jobs)
	for {
		do(cluster)
		at := 0
		for ; at < jobs; at++ {
			if cluster[at]++; int(cluster[at]) < clusters {
				break
			}
			cluster[at] = 0
		}
		if at == jobs {
			return
		}
	}
}
