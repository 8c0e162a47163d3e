package fragment

import (
	"cmp"
	"slices"

	"berth/engine/cluster"
)

// popular is the part of all pods that the typical ones stand for, at least.
const popular = 0.95

// typical is a sort of pods that a cluster usually gets. Memory does not count.
type typical struct {
	cpu, gpu cluster.Amount
	part     float64 // of all typical pods
	accepts  []bool  // by model of nodes
}

type typicals []typical

// chooseTypical takes the most frequent sorts of pods until they are the popular part of
// all, as the paper has it; of equally frequent ones those that ask for more (the
// order is that of the simulator).
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

// fragment is how much of the free GPUs of a node a typical pod cannot use, in the mean over
// the typical pods, in devices, as the paper measures it. All that is free is
// fragmented for a pod that does not fit, or asks for no GPU; for one that fits, it is what
// lies on devices that have less than it asks for of each.
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

// freeOf is how much of all devices is free.
func freeOf(gpus cluster.Devices) (free cluster.Amount) {
	for _, d := range gpus {
		free += max(d, 0)
	}
	return free
}
