package kube

import (
	"maps"
	"slices"
	"strings"

	"berth/engine/cluster"
)

// Suffixes of the resources of GPUs. Pods may share GPUs of vendors with a count and
// a share: the number of GPUs, and thousandths of one GPU, which apply if the number
// is 1. A node's share is the total over its GPUs.
const (
	wholes = "/gpu-count"
	shares = "/gpu-milli"
	single = "/gpu" // whole GPUs of vendors without sharing
)

// The names for shared GPUs in Alibaba's clusters and in simulators of them. Pods may also have
// annotations with these names. GPUModel is a node's label with the model of its GPUs, and a pod's
// annotation with the accepted models separated by "|".
const (
	GPUCount = "alibabacloud.com" + wholes
	GPUShare = "alibabacloud.com" + shares
	GPUModel = "alibabacloud.com/gpu-card-model"
)

const milli = cluster.Unit / 1000

// MaxGPUs is the largest number of GPUs of a vendor on one node or for one pod.
const MaxGPUs = 1024

// isGPU reports whether an extended resource such as nvidia.com/gpu counts whole
// GPUs.
func isGPU(resource string) bool {
	return strings.HasSuffix(resource, single) || strings.HasSuffix(resource, wholes)
}

// vendorOf returns the vendor part of a resource that counts whole or shared GPUs; ok is false for
// every other resource.
func vendorOf(resource string) (vendor string, ok bool) {
	for _, of := range []string{wholes, shares} {
		if vendor, ok = strings.CutSuffix(resource, of); ok {
			return vendor, true
		}
	}
	return "", false
}

// devices returns a pod's demand for GPUs of a vendor: a share of one GPU, or whole GPUs.
func (r Resources) devices(vendor string) cluster.Amount {
	count, share := r[vendor+wholes], r[vendor+shares]
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
func (r Resources) GPUs() (all cluster.Amount) {
	for name, amount := range r {
		vendor, shared := vendorOf(name)
		_, counted := r[vendor+wholes]
		switch {
		case shared && !(counted && strings.HasSuffix(name, shares)):
			all += r.devices(vendor)
		case !shared && isGPU(name):
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
	for name, share := range r {
		if vendor, ok := strings.CutSuffix(name, shares); ok && r[vendor+wholes] > 1 && share < 1000*r[vendor+wholes] {
			return true
		}
	}
	return false
}

// TooManyGPUs reports whether a node with these resources has more than [MaxGPUs] of
// a vendor.
func (r Resources) TooManyGPUs() bool {
	for name, amount := range r {
		if strings.HasSuffix(name, wholes) && amount > MaxGPUs || strings.HasSuffix(name, shares) && amount > 1000*MaxGPUs {
			return true
		}
	}
	return false
}

// Amount returns a pod's demand for a resource for totals over nodes. A pod that
// shares a GPU demands no whole GPU.
func (r Resources) Amount(resource string) int64 {
	vendor, ok := vendorOf(resource)
	if !ok {
		return r[resource]
	}
	taken := r.devices(vendor)
	if strings.HasSuffix(resource, shares) {
		return int64(taken / milli)
	}
	return int64(taken / cluster.Unit)
}

func (n *Node) gpus(vendor string) int {
	count, counted := n.Allocatable[vendor+wholes]
	if !counted {
		count = n.Allocatable[vendor+shares] / 1000
	}
	return int(min(max(count, 0), MaxGPUs))
}

// Amount returns a node's capacity of a resource, consistent with [Resources.Amount].
func (n *Node) Amount(resource string) int64 {
	vendor, ok := vendorOf(resource)
	switch {
	case !ok:
		return Capacity(n, resource)
	case strings.HasSuffix(resource, shares):
		return 1000 * int64(n.gpus(vendor))
	}
	return int64(n.gpus(vendor))
}

// devices returns, for each node, the GPUs of a vendor that the node's pods leave free. A pod does
// not state which GPU it shares, so devices chooses any assignment that fits. If none fits, the
// node has no free GPUs.
func (s *ClusterState) devices(vendor string) []cluster.Devices {
	free := make([]cluster.Devices, len(s.Nodes))
	for n := range s.Nodes {
		var wanted []cluster.Amount
		for _, pod := range s.pods[n] {
			if need := pod.Shape.Requests.devices(vendor); need > 0 {
				wanted = append(wanted, need)
			}
		}
		free[n] = cluster.NewDevices(s.Nodes[n].gpus(vendor))
		if fits, _ := free[n].TakeAll(wanted); !fits {
			free[n] = nil
		}
	}
	return free
}

// GPUs returns the number of wholly free GPUs on each node.
func (c *Cluster) GPUs() []int64 {
	s, left := c.occupied(), make([]int64, len(c.Nodes))
	for r, resource := range s.resources {
		vendor, shared := vendorOf(resource)
		_, counted := s.number[vendor+wholes]
		switch {
		case shared && !(counted && strings.HasSuffix(resource, shares)):
			for n, free := range s.devices(vendor) {
				_, whole := free.Room()
				left[n] += int64(whole / cluster.Unit)
			}
		case !shared && isGPU(resource):
			for n := range left {
				left[n] += max(0, s.free(n, r))
			}
		}
	}
	return left
}

// shared describes the GPUs of a vendor if pods have shares of them. Totals do not suffice in that
// case, because the total may be free without any single GPU having enough.
type shared struct {
	free []cluster.Devices // by node: GPUs that the running pods leave free
	need []cluster.Amount  // by group: demand of one pod
}

// shareGPUs collects the vendors whose GPUs are shared: some pod has or requests a
// share of one.
func (p *Packer) shareGPUs() {
	all := map[string]bool{} // by vendor: whether some pod requests a share
	for _, g := range p.groups {
		for resource := range g.Shape.Requests {
			if vendor, ok := vendorOf(resource); ok {
				all[vendor] = all[vendor] || isShare(g.Shape.Requests.devices(vendor))
			}
		}
	}
	for _, vendor := range slices.Sorted(maps.Keys(all)) {
		if !all[vendor] && !slices.ContainsFunc(slices.Concat(p.state.pods...), func(pod *Pod) bool {
			return isShare(pod.Shape.Requests.devices(vendor))
		}) {
			continue
		}
		x := shared{p.state.devices(vendor), make([]cluster.Amount, len(p.groups))}
		for g := range p.groups {
			x.need[g] = p.groups[g].Shape.Requests.devices(vendor)
		}
		p.shared = append(p.shared, x)
	}
}

// fit returns how many more pods of a group, up to most, find GPUs on a node next to the placed
// ones, under any assignment of pods to GPUs. It sets unsure if the search for an assignment gave
// up.
func (s *partial) fit(g, n, most int) int {
	for i := range s.shared {
		x := &s.shared[i]
		need := x.need[g]
		if need == 0 {
			continue
		}
		s.wanted = s.wanted[:0]
		for h, other := range x.need {
			for range s.count(n, h) {
				if other > 0 {
					s.wanted = append(s.wanted, other)
				}
			}
		}
		for pods := range most {
			s.wanted = append(s.wanted, need)
			s.devices = append(s.devices[:0], x.free[n]...)
			if fits, sure := s.devices.TakeAll(s.wanted); !fits {
				s.unsure = s.unsure || !sure
				most = pods
				break
			}
		}
	}
	return most
}

// noGPU is the reason if a node has enough free in total but not on any single GPU.
const noGPU = "node(s) had no GPU with enough left"
