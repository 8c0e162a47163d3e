package packing

import (
	"cmp"
	"slices"

	"berth/engine/sorting"
)

// Median returns a shape with the median CPU and the median memory of all pods; the
// lower median for an even number.
func Median(groups []Group) *Shape {
	s := &Shape{Requests: Resources{}}
	for _, resource := range []string{CPU, Memory} {
		type pods struct{ amount, pods int64 }
		var all []pods
		var total int64
		for _, g := range groups {
			if g.Shape != nil && g.Pods > 0 {
				all = append(all, pods{g.Shape.Amount(resource), int64(g.Pods)})
				total += int64(g.Pods)
			}
		}
		sorting.By(all, func(a, b pods) int { return cmp.Compare(a.amount, b.amount) })
		for seen, i := int64(0), 0; i < len(all) && 2*seen < total; i++ {
			seen += all[i].pods
			s.Requests[resource] = all[i].amount
		}
	}
	return s
}

// Fragmentation returns the share of free CPU that is on nodes without room for the
// given pod, over the open nodes; ok is false if no CPU is free. It packs the groups
// first; if they do not fit, it considers the running pods only.
func (p *Packer) Fragmentation(groups []int, pod *Shape) (share float64, ok bool) {
	free := p.free
	if r := p.Pack(groups); r.Verdict == Fits {
		free = r.free
	}
	cpu := slices.Index(p.resources, CPU)
	memory := slices.Index(p.resources, Memory)
	if cpu < 0 {
		return 0, false
	}
	var all, lost int64
	for n := range p.cluster.Nodes {
		if !p.cluster.Nodes[n].open() || free[n][cpu] <= 0 {
			continue
		}
		all += free[n][cpu]
		if free[n][cpu] < pod.Amount(CPU) || memory >= 0 && free[n][memory] < pod.Amount(Memory) {
			lost += free[n][cpu]
		}
	}
	if all == 0 {
		return 0, false
	}
	return float64(lost) / float64(all), true
}
