package fragment

import (
	"cmp"
	"slices"

	"berth/engine/cluster"
)

// popular is the minimum share of all pods that the typical pods cover.
const popular = 0.95

// typical is a frequent kind of pods. It disregards memory, as the paper does.
type typical struct {
	cpu, gpu cluster.Amount
	part     float64 // share of all typical pods
	accepts  []bool  // by model of nodes: accepts the pods
}

type typicals []typical

// chooseTypical returns the most frequent kinds of pods that together cover the share popular, as
// in the paper. Among equally frequent kinds it prefers larger requests, as in the authors'
// simulator.
func (r *run) chooseTypical() typicals {
	type counted struct {
		kindKey
		pods, kind int
	}
	places := map[kindKey]int{}
	var all []counted
	for _, k := range r.of {
		pod := &r.kinds[k]
		key := kindKey{pod.cpu, 0, pod.gpu, pod.constraints}
		i, ok := places[key]
		if !ok {
			i = len(all)
			places[key] = i
			all = append(all, counted{key, 0, k})
		}
		all[i].pods++
	}
	slices.SortFunc(all, func(a, b counted) int {
		return -cmp.Or(cmp.Compare(a.pods, b.pods), cmp.Compare(a.cpu, b.cpu), cmp.Compare(a.gpu, b.gpu), cmp.Compare(a.constraints, b.constraints))
	})
	taken, n := 0, 0
	for float64(taken) < popular*float64(len(r.of)) {
		taken += all[n].pods
		n++
	}
	var list typicals
	for _, c := range all[:n] {
		list = append(list, typical{c.cpu, c.gpu, float64(c.pods) / float64(taken), r.kinds[c.kind].accepts})
	}
	return list
}

// fragment returns the amount of a node's free GPUs that a typical pod cannot use, in GPUs,
// averaged over the typical pods (the fragmentation measure of the paper). If a pod does not fit on
// the node or requests no GPU, it can use none of the free GPUs. Otherwise it cannot use GPUs with
// less free than it needs on each GPU.
func (all typicals) fragment(model int, cpu cluster.Amount, gpus cluster.Devices) float64 {
	free := freeOf(gpus)
	if free == 0 {
		return 0
	}
	one, whole := gpus.Room()
	lost := 0.0
	for i := range all {
		t := &all[i]
		part := free
		if t.gpu > 0 && cpu >= t.cpu && t.accepts[model] && (t.gpu < cluster.Unit && t.gpu <= one || t.gpu <= whole) {
			part = 0
			for _, d := range gpus {
				if d > 0 && d < min(t.gpu, cluster.Unit) {
					part += d
				}
			}
		}
		lost += float64(t.part * part.Units())
	}
	return lost
}

// freeOf returns the total free share of all devices.
func freeOf(gpus cluster.Devices) (free cluster.Amount) {
	for _, d := range gpus {
		free += max(d, 0)
	}
	return free
}
