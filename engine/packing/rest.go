package packing

import (
	"cmp"
	"slices"

	"berth/engine/sorting"
)

// Median is the median pod of some groups: the median of cpu and that of memory,
// the lower one of an even number.
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

// Fragmentation is the share of the free cpu that is on nodes without room for a pod,
// among the nodes that take pods; ok is false where no cpu is free. Groups are packed
// in addition to what runs; where they do not fit, the share is that of what runs
// alone.
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
