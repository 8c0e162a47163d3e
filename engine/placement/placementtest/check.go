package placementtest

import (
	"fmt"
	"math/big"
	"strconv"
	"sync"

	"berth/engine/graph"
)

// Check returns an error for the first constraint that a placement violates, nil if there is none.
// It uses only the graphs and exact decimals, independently of package placement.
func Check(d *graph.Deployment, f *graph.Federation, cluster []int32, consumeBandwidth bool) error {
	if len(cluster) != d.Jobs().Len() {
		return fmt.Errorf("%d jobs, %d placed", d.Jobs().Len(), len(cluster))
	}
	if err := checkClusters(d, f, cluster); err != nil {
		return err
	}
	for _, r := range d.Rules {
		if err := checkRule(r, d, f, cluster); err != nil {
			return err
		}
	}
	return CheckLinks(d, f, cluster, consumeBandwidth)
}

func checkClusters(d *graph.Deployment, f *graph.Federation, cluster []int32) error {
	for _, t := range graph.Labels(graph.Job) {
		if t.Kind != graph.Demand {
			continue
		}
		used := make([]big.Rat, f.Clusters().Len())
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
				if !c.Op.Holds(demand, supply) {
					return fmt.Errorf("job %d on cluster %d: %s %g against %s %g", i, j, c.Demand, demand, c.Supply, supply)
				}
				if c.Consumes && used[j].Add(&used[j], Decimal(demand)).Cmp(Decimal(supply)) > 0 {
					return fmt.Errorf("cluster %d: %s %v against %s %g", j, c.Demand, &used[j], c.Supply, supply)
				}
			}
		}
	}
	return nil
}

// CheckLinks is [Check] for dependencies only.
func CheckLinks(d *graph.Deployment, f *graph.Federation, cluster []int32, consume bool) error {
	used := make([]big.Rat, f.Links().Len())
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
				bound, field := Decimal(want[t.Field(c.Demand)]), t.Host().Field(c.Supply)
				figure, has := Figure(f, t.Host(), field, from, to)
				if order := bound.Cmp(figure); !has || c.Op == graph.AtMost && order > 0 || c.Op == graph.AtLeast && order < 0 {
					return fmt.Errorf("dependency %d: %s %v against %v", k, t.Name, bound, figure)
				}
				if !c.Consumes || !consume {
					continue
				}
				for _, link := range legs {
					if used[link].Add(&used[link], bound).Cmp(Decimal(f.Links().Values(t.Host(), link)[field])) > 0 {
						return fmt.Errorf("link %d carries %v", link, &used[link])
					}
				}
			}
		}
	}
	return nil
}

// Figure returns a figure of the path between two clusters, derived over its links; ok is false if
// there is no path or a link lacks the label.
func Figure(f *graph.Federation, t *graph.LabelType, field, a, b int) (figure *big.Rat, ok bool) {
	figure = new(big.Rat)
	legs, ok := f.Path(nil, a, b)
	if !ok {
		return figure, false
	}
	for i, link := range legs {
		values := f.Links().Values(t, link)
		if values == nil {
			return figure, false
		}
		switch leg := Decimal(values[field]); {
		case t.Fields[field].Through == graph.Sum:
			figure = new(big.Rat).Add(figure, leg)
		case i == 0 || leg.Cmp(figure) < 0:
			figure = leg
		}
	}
	return figure, true
}

var decimals sync.Map // of *big.Rat, by float64

// Decimal returns the shortest decimal that parses to v, exactly.
func Decimal(v float64) *big.Rat {
	if r, known := decimals.Load(v); known {
		return r.(*big.Rat)
	}
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(v, 'g', -1, 64))
	if !ok {
		panic(fmt.Sprintf("%v is not finite", v))
	}
	decimals.Store(v, r)
	return r
}
