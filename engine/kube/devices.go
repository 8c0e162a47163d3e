package kube

import (
	"slices"
	"strings"

	"berth/engine/cluster"
)

// The names for shared GPUs in Alibaba's clusters and in simulators of them: the number of GPUs, and
// thousandths of one GPU, which apply if the number is 1. A node's share is the total over its GPUs.
// Pods may also have annotations with these names. GPUModel is a node's label with the model of its
// GPUs, and a pod's annotation with the accepted models separated by "|".
const (
	GPUCount = "alibabacloud.com/gpu-count"
	GPUShare = "alibabacloud.com/gpu-milli"
	GPUModel = "alibabacloud.com/gpu-card-model"
)

const milli = cluster.Unit / 1000

// MaxGPUs is the largest number of shared GPUs on one node or for one pod.
const MaxGPUs = 1024

// isGPU reports whether an extended resource such as nvidia.com/gpu counts whole GPUs that pods
// cannot share.
func isGPU(resource string) bool { return strings.HasSuffix(resource, "/gpu") }

// devices returns a pod's demand for GPUs that may be shared: a share of one GPU, or whole GPUs.
func (r Resources) devices() cluster.Amount {
	count, share := r[GPUCount], r[GPUShare]
	if count <= 1 && share > 0 {
		if share < 1000 {
			return cluster.Amount(share) * milli
		}
		count = max(count, (share-1)/1000+1)
	}
	return cluster.Amount(min(max(count, 0), cluster.MaxGPUs)) * cluster.Unit
}

func isShare(gpus cluster.Amount) bool { return gpus > 0 && gpus < cluster.Unit }

// GPUs returns a pod's demand for GPUs of all vendors: a share of one GPU, or whole GPUs.
func (r Resources) GPUs() cluster.Amount {
	all := r.devices()
	for name, amount := range r {
		if isGPU(name) {
			all += cluster.Amount(min(amount, cluster.MaxGPUs)) * cluster.Unit
		}
	}
	if all > cluster.Unit {
		all = (all + cluster.Unit - 1) / cluster.Unit * cluster.Unit
	}
	return all
}

// SharesSeveral reports whether a pod asks for shares of several GPUs. Berth gives it
// whole GPUs instead.
func (r Resources) SharesSeveral() bool {
	share, shares := r[GPUShare]
	return shares && r[GPUCount] > 1 && share < 1000*r[GPUCount]
}

// TooManyGPUs reports whether a node with these resources has more than [MaxGPUs] that may be
// shared.
func (r Resources) TooManyGPUs() bool { return r[GPUCount] > MaxGPUs || r[GPUShare] > 1000*MaxGPUs }

// Amount returns a pod's demand for a resource for totals over nodes. A pod that
// shares a GPU demands no whole GPU.
func (r Resources) Amount(resource string) int64 {
	switch resource {
	case GPUCount:
		return int64(r.devices() / cluster.Unit)
	case GPUShare:
		return int64(r.devices() / milli)
	}
	return r[resource]
}

// gpus returns the number of the node's GPUs that may be shared.
func (n *Node) gpus() int {
	count, counted := n.Allocatable[GPUCount]
	if !counted {
		count = n.Allocatable[GPUShare] / 1000
	}
	return int(min(max(count, 0), MaxGPUs))
}

// Amount returns a node's capacity of a resource, consistent with [Resources.Amount].
func (n *Node) Amount(resource string) int64 {
	switch resource {
	case GPUCount:
		return int64(n.gpus())
	case GPUShare:
		return 1000 * int64(n.gpus())
	}
	return Capacity(n, resource)
}

// devices returns, for each node, the GPUs that may be shared and that the node's pods leave free. A
// pod does not state which GPU it shares, so devices chooses any assignment that fits. If none
// fits, the node has no free GPUs.
func (s *ClusterState) devices() []cluster.Devices {
	free := make([]cluster.Devices, len(s.Nodes))
	for n := range s.Nodes {
		var wanted []cluster.Amount
		for _, pod := range s.pods[n] {
			if need := pod.Shape.Requests.devices(); need > 0 {
				wanted = append(wanted, need)
			}
		}
		free[n] = cluster.NewDevices(s.Nodes[n].gpus())
		if fits, _ := free[n].TakeAll(wanted); !fits {
			free[n] = nil
		}
	}
	return free
}

// GPUs returns the number of wholly free GPUs on each node.
func (c *Cluster) GPUs() []int64 {
	s, left := c.occupied(), make([]int64, len(c.Nodes))
	for n, free := range s.devices() {
		_, whole := free.Room()
		left[n] = int64(whole / cluster.Unit)
		for r, resource := range s.resources {
			if isGPU(resource) {
				left[n] += max(0, s.free(n, r))
			}
		}
	}
	return left
}

// shared describes the GPUs if pods have shares of them. Totals do not suffice in that case, because
// the total may be free without any single GPU having enough.
type shared struct {
	free []cluster.Devices // by node: GPUs that the running pods leave free; nil: no pod has a share
	need []cluster.Amount  // by group: demand of one pod
}

// shareGPUs fills shared if some group asks for its GPUs, and some pod has or requests a share of
// one.
func (p *Packer) shareGPUs() {
	asked := false
	shares := slices.ContainsFunc(slices.Concat(p.state.pods...), func(pod *Pod) bool { return isShare(pod.Shape.Requests.devices()) })
	for _, g := range p.groups {
		need := g.Shape.Requests.devices()
		p.shared.need = append(p.shared.need, need)
		asked, shares = asked || need > 0, shares || isShare(need)
	}
	if asked && shares {
		p.shared.free = p.state.devices()
	}
}

// fit returns how many more pods of a group, up to most, find GPUs on a node next to the placed
// ones, under any assignment of pods to GPUs. It sets unsure if the search for an assignment gave
// up.
func (s *partial) fit(g, n, most int) int {
	need := s.shared.need[g]
	if s.shared.free == nil || need == 0 {
		return most
	}
	s.wanted = s.wanted[:0]
	for h, other := range s.shared.need {
		for range s.count(n, h) {
			if other > 0 {
				s.wanted = append(s.wanted, other)
			}
		}
	}
	for pods := range most {
		s.wanted = append(s.wanted, need)
		s.devices = append(s.devices[:0], s.shared.free[n]...)
		if fits, sure := s.devices.TakeAll(s.wanted); !fits {
			s.unsure = s.unsure || !sure
			return pods
		}
	}
	return most
}

// noGPU is the reason if a node has enough free in total but not on any single GPU.
const noGPU = "node(s) had no GPU with enough left"
