package fragment

import (
	"berth/engine/cluster"
	"berth/engine/plugin"
	"berth/engine/stats"
)

// Policy chooses nodes for pods. Its constructor is a function that scores a node with room for the
// pod, from 0 to 100.
type Policy = plugin.Plugin[Facts, func(r *run, n *node, pod *kind) int]

// Facts are optional parts of a policy.
type Facts struct {
	// device chooses the GPU for a pod that takes part of one. If nil, the pod takes the GPU with
	// the least free share that has room.
	device func(r *run, n *node, pod *kind) int
	draws  bool // breaks ties at random at each arrival instead of by the order of nodes
}

var registry = plugin.NewRegistry("fragment", "policy",
	Policy{Name: "fgd", Description: "the node whose fragmentation for the typical pods grows least", New: gradient, Facts: Facts{device: steepest}},
	Policy{Name: "best-fit", Description: "the node with the least free CPU and GPUs", New: bestFit},
	Policy{Name: "gpu-packing", Description: "shared devices first, then used nodes, then free ones", New: packs},
	Policy{Name: "gpu-clustering", Description: "nodes that run pods asking for as many GPUs", New: clusters},
	Policy{Name: "dot-product", Description: "the node whose free CPU and GPUs have the smallest product with the request", New: dotProduct},
	Policy{Name: "random", Description: "any node and device with room", New: func(*run, *node, *kind) int { return 0 }, Facts: Facts{device: anyDevice, draws: true}},
)

// Names returns the names of the policies.
func Names() []string { return registry.Names() }

// Lookup returns the policy with a name, or an error that lists the known names.
func Lookup(name string) (*Policy, error) {
	p, ok := registry.Lookup(name)
	if !ok {
		return nil, registry.Unknown(name)
	}
	return &p, nil
}

// gradient is fragmentation gradient descent (FGD) of the paper. A placement that does not change
// the node's fragmentation scores 50.
func gradient(r *run, n *node, pod *kind) int {
	_, score := r.steepestOf(n, pod)
	return score
}

func steepest(r *run, n *node, pod *kind) int {
	device, _ := r.steepestOf(n, pod)
	return device
}

// steepestOf returns the GPU on which a share scores highest, and its score. Of several equal GPUs
// it returns the first. For a pod without a share, device is -1.
func (r *run) steepestOf(n *node, pod *kind) (device, score int) {
	if pod.gpu == 0 || pod.gpu >= cluster.Unit {
		return -1, r.scoreOn(n, pod, -1)
	}
	device = -1
	for i, free := range n.gpus {
		if free < pod.gpu {
			continue
		}
		if s := r.scoreOn(n, pod, i); device < 0 || s > score {
			device, score = i, s
		}
	}
	return device, score
}

// scoreOn returns 100 times the sigmoid of the decrease in the node's fragmentation, in GPUs, if
// the pod takes a share of the given device. Device -1 means that the pod takes whole GPUs.
func (r *run) scoreOn(n *node, pod *kind, device int) int {
	r.after = append(r.after[:0], n.gpus...)
	if device >= 0 {
		r.after[device] -= pod.gpu
	} else {
		r.after.Take(pod.gpu)
	}
	fall := n.fragment - r.typical.fragment(n.model, n.cpu-pod.cpu, r.after)
	return int(100 / (1 + stats.Exp(-fall)))
}

// The largest node of the openb trace. Best-fit and dot-product normalize amounts by its resources.
const mostCPU, mostGPUs = 128, 8

func bestFit(_ *run, n *node, pod *kind) int {
	cpu, gpu := (n.cpu-pod.cpu).Units()/mostCPU, (freeOf(n.gpus)-pod.gpu).Units()/mostGPUs
	return max(0, int(100-float64(50*(float64(cpu)+float64(gpu)))))
}

func dotProduct(_ *run, n *node, pod *kind) int {
	cpu := n.cpu.Units() / mostCPU * (pod.cpu.Units() / mostCPU)
	gpu := freeOf(n.gpus).Units() / mostGPUs * (pod.gpu.Units() / mostGPUs)
	return max(0, int(100-float64(50*(float64(cpu)+float64(gpu)))))
}

// clusters prefers nodes whose pods all have the pod's tag (see tagOf), then nodes that run such
// pods among others, then empty nodes. Within each class it prefers fuller nodes. Pods without GPUs
// may go to any node.
func clusters(_ *run, n *node, pod *kind) int {
	if pod.gpu == 0 {
		return 0
	}
	sorts := 0
	for _, pods := range n.running {
		if pods > 0 {
			sorts++
		}
	}
	score := int(25 * (mostGPUs*cluster.Unit - freeOf(n.gpus)) / (mostGPUs * cluster.Unit))
	switch same := n.running[pod.tag] > 0; {
	case same && sorts == 1:
		score += 75
	case same:
		score += 50
	case sorts == 0:
		score += 25
	}
	return max(0, score)
}

// packs prefers partly used GPUs with little free, then free GPUs of used nodes, then nodes whose
// GPUs are all free.
func packs(_ *run, n *node, pod *kind) int {
	if pod.gpu == 0 {
		return 0
	}
	_, whole := n.gpus.Room()
	idle := int(whole / cluster.Unit)
	if idle == len(n.gpus) {
		return max(33-idle, min(idle, 100))
	}
	least := cluster.Amount(-1)
	for _, free := range n.gpus {
		if free >= pod.gpu && (least < 0 || free < least) {
			least = free
		}
	}
	if pod.gpu >= cluster.Unit || least == cluster.Unit {
		return max(50-max(1, tagOf(pod.gpu)), 33)
	}
	return max(100-int(100*least/cluster.Unit)/10, 50)
}

func anyDevice(r *run, n *node, pod *kind) (device int) {
	room := 0
	for i, free := range n.gpus {
		if free >= pod.gpu {
			if room++; r.random.IntN(room) == 0 {
				device = i
			}
		}
	}
	return device
}
