package kube

import (
	"cmp"
	"slices"
)

// Median returns a shape with the median CPU and the median memory of all pods, or the lower of the
// two medians for an even number of pods.
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
		slices.SortFunc(all, func(a, b pods) int { return cmp.Compare(a.amount, b.amount) })
		for seen, i := int64(0), 0; i < len(all) && 2*seen < total; i++ {
			seen += all[i].pods
			s.Requests[resource] = all[i].amount
		}
	}
	return s
}

// Fragmentation returns the share of free CPU that is on nodes without room for the given pod, over
// the open nodes; ok is false if no CPU is free, or no group mentions CPU. It packs the groups
// first; if they do not fit, it considers only the running pods.
func (p *Packer) Fragmentation(groups []int, pod *Shape) (share float64, ok bool) {
	cpu, memory := p.state.number[CPU], p.state.number[Memory]
	if !slices.Contains(p.columns, cpu) {
		return 0, false
	}
	free := make([][2]int64, len(p.state.Nodes))
	for n := range free {
		free[n] = [2]int64{p.state.free(n, cpu), p.state.free(n, memory)}
	}
	packed := p.Packed(groups)
	for i, on := range p.Pack(groups).On {
		for _, x := range on {
			free[x.Node][0] -= int64(x.Pods) * packed[i].Shape.Amount(CPU)
			free[x.Node][1] -= int64(x.Pods) * packed[i].Shape.Amount(Memory)
		}
	}
	var all, lost int64
	for n := range free {
		if !p.state.Nodes[n].open() || free[n][0] <= 0 {
			continue
		}
		all += free[n][0]
		if free[n][0] < pod.Amount(CPU) || slices.Contains(p.columns, memory) && free[n][1] < pod.Amount(Memory) {
			lost += free[n][0]
		}
	}
	if all == 0 {
		return 0, false
	}
	return float64(lost) / float64(all), true
}
