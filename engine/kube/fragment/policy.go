package fragment

import (
	"berth/engine/cluster"
	"berth/engine/plugin"
	"berth/engine/stats"
)

// Policy chooses nodes for pods; its constructor is the score of a node with room
// for the pod, from 0 to 100.
type Policy = plugin.Plugin[Facts, func(r *run, n *node, pod *kind) int]

// Facts are the other choices of a policy.
type Facts struct {
	// device chooses the device for a share; nil: the one with the least free that has room.
	device func(r *run, n *node, pod *kind) int
	draws  bool // among equal scores at each arrival
}

var registry = plugin.NewRegistry("fragment", "policy",
	Policy{Name: "fgd", Description: "the node whose fragmentation for the typical pods grows least", New: gradient, Facts: Facts{device: steepest}},
	Policy{Name: "best-fit", Description: "the node with the least free CPU and GPUs", New: bestFit},
	Policy{Name: "gpu-packing", Description: "shared devices first, then used nodes, then free ones", New: packs},
	Policy{Name: "gpu-clustering", Description: "nodes that run pods asking for as many GPUs", New: clusters},
	Policy{Name: "dot-product", Description: "the node whose free CPU and GPUs have the smallest product with the request", New: dotProduct},
	Policy{Name: "random", Description: "any node and device with room", New: func(*run, *node, *kind) int { return 0 }, Facts: Facts{device: anyDevice, draws: true}},
)

// Names lists the policies.
func Names() []string { return registry.Names() }

// Lookup returns the policy with a name.
func Lookup(name string) (*Policy, error) {
	p, ok := registry.Lookup(name)
	if !ok {
		return nil, registry.Unknown(name)
	}
	return &p, nil
}

// gradient is fragmentation gradient descent, as the paper has it: a node where
// fragmentation does not change has a score of 50.
func gradient(r *run, n *node, pod *kind) int {
	_, score := r.steepestOf(n, pod)
	return score
}

func steepest(r *run, n *node, pod *kind) int {
	device, _ := r.steepestOf(n, pod)
	return device
}

// steepestOf returns the device on which a share has the highest score, the first of equal
// ones, with that score; the device is -1 of whole ones.
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

// scoreOn is the sigmoid, in per cent, of how much the fragmentation of a node falls if a pod
// takes a share of a device, or whole devices where it is -1.
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

// The largest node of the trace: best-fit and dot-product divide amounts by its own.
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

// clusters prefers nodes that run only pods of the same sort, then those that run others
// too, then empty ones; among these it prefers fuller ones. A pod without GPUs goes anywhere.
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

// packs prefers shared devices with little free, then free devices of used nodes, then nodes
// that are free altogether.
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
