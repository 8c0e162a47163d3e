package placementtest

import (
	"fmt"
	"math"

	"berth/engine/graph"
)

// Check returns the first constraint that a placement breaks, nil if it keeps
// them all. It looks at the graphs alone, cell by cell.
func Check(d *graph.Deployment, f *graph.Federation, cluster []int32, consumeBandwidth bool) error {
	if len(cluster) != d.Jobs().Len() {
		return fmt.Errorf("%d jobs, %d placed", d.Jobs().Len(), len(cluster))
	}
	if err := checkClusters(d, f, cluster); err != nil {
		return err
	}
	return checkLinks(d, f, cluster, consumeBandwidth)
}

func checkClusters(d *graph.Deployment, f *graph.Federation, cluster []int32) error {
	for _, t := range graph.Labels(graph.Job) {
		if t.Kind != graph.Demand {
			continue
		}
		used := make([]float64, f.Clusters().Len())
		for i, j := range cluster {
			want := d.Jobs().Values(t, i)
			if want == nil {
				continue
			}
			have := f.Clusters().Values(t.Host(), int(j))
			if have == nil {
				return fmt.Errorf("job %d on cluster %d, which has no %s", i, j, t.HostedBy)
			}
			for _, c := range t.Comparisons {
				demand, supply := want[t.Field(c.Demand)], have[t.Host().Field(c.Supply)]
				if c.Consumes {
					used[j] += demand
					demand = used[j]
				}
				if !c.Op.Holds(demand, supply+1e-9) && !c.Op.Holds(demand, supply-1e-9) {
					return fmt.Errorf("job %d on cluster %d: %s %g against %s %g", i, j, c.Demand, demand, c.Supply, supply)
				}
			}
		}
	}
	return nil
}

func checkLinks(d *graph.Deployment, f *graph.Federation, cluster []int32, consume bool) error {
	used := make([]float64, f.Links().Len())
	for k := range d.Dependencies().Len() {
		a, b := d.Ends(k)
		from, to := int(cluster[a]), int(cluster[b])
		if from == to {
			continue
		}
		legs, ok := f.Path(nil, from, to)
		if !ok {
			return fmt.Errorf("jobs %d and %d on clusters %d and %d, which have no link", a, b, from, to)
		}
		for _, t := range graph.Labels(graph.Dependency) {
			want := d.Dependencies().Values(t, k)
			if want == nil || t.Kind != graph.Demand {
				continue
			}
			for _, c := range t.Comparisons {
				figure, has := f.Figure(t.Host(), t.Host().Field(c.Supply), from, to)
				if !has || !c.Op.Holds(want[t.Field(c.Demand)], figure) {
					return fmt.Errorf("dependency %d: %s %g against %g", k, t.Name, want[0], figure)
				}
				for _, link := range legs {
					if used[link] += want[0]; c.Consumes && consume && used[link] > capacity(f, t, link)+1e-9 {
						return fmt.Errorf("link %d carries %g", link, used[link])
					}
					if !c.Consumes {
						used[link] -= want[0]
					}
				}
			}
		}
	}
	return nil
}

func capacity(f *graph.Federation, t *graph.LabelType, link int) float64 {
	if v := f.Links().Values(t.Host(), link); v != nil {
		return v[0]
	}
	return math.NaN()
}
