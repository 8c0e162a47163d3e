package packing

import (
	"maps"
	"slices"
	"strings"

	"berth/engine/cluster"
)

// Resources of vendors whose GPUs pods may share: how many GPUs, and thousandths of one,
// which count where it is one. On nodes the second is of all GPUs together.
const (
	wholes = "/gpu-count"
	shares = "/gpu-milli"
	single = "/gpu" // of vendors whose GPUs are not shared
)

// What Alibaba's clusters, and simulators of them, call GPUs that pods share. Pods may have
// annotations with these names; GPUModel is the label of nodes with their model and the
// annotation of pods with the models that they accept, divided by bars.
const (
	GPUCount = "alibabacloud.com" + wholes
	GPUShare = "alibabacloud.com" + shares
	GPUModel = "alibabacloud.com/gpu-card-model"
)

const milli = cluster.Unit / 1000

// MaxGPUs is how many GPUs of a vendor one node may have, and one pod may ask for.
const MaxGPUs = 1024

// isGPU says whether an extended resource counts whole GPUs: nvidia.com/gpu.
func isGPU(resource string) bool {
	return strings.HasSuffix(resource, single) || strings.HasSuffix(resource, wholes)
}

// vendorOf is the vendor of GPUs that can be shared.
func vendorOf(resource string) (vendor string, ok bool) {
	for _, of := range []string{wholes, shares} {
		if vendor, ok = strings.CutSuffix(resource, of); ok {
			return vendor, true
		}
	}
	return "", false
}

// devices is what a pod takes of the GPUs of a vendor: a share of one, or whole ones.
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

// GPUs is what a pod takes of GPUs, whatever their vendor: a share of one, or whole ones.
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

// SharesSeveral says whether a pod asks for shares of several GPUs: it takes them as a whole.
func (r Resources) SharesSeveral() bool {
	for name, share := range r {
		if vendor, ok := strings.CutSuffix(name, shares); ok && r[vendor+wholes] > 1 && share < 1000*r[vendor+wholes] {
			return true
		}
	}
	return false
}

// TooManyGPUs says whether a node with these resources has more than [MaxGPUs] of a vendor.
func (r Resources) TooManyGPUs() bool {
	for name, amount := range r {
		if strings.HasSuffix(name, wholes) && amount > MaxGPUs || strings.HasSuffix(name, shares) && amount > 1000*MaxGPUs {
			return true
		}
	}
	return false
}

// Amount is what a pod that asks for these resources takes of one where all nodes are
// taken together. One that shares a GPU takes none as a whole.
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

// gpus is how many GPUs of a vendor a node has.
func (n *Node) gpus(vendor string) int {
	count, counted := n.Allocatable[vendor+wholes]
	if !counted {
		count = n.Allocatable[vendor+shares] / 1000
	}
	return int(min(max(count, 0), MaxGPUs))
}

// Amount is what a node has of a resource for pods that share GPUs.
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

// devices returns what the pods on each node leave of the GPUs of a vendor. Which GPU a
// pod shares is not known: it is the one that has the least left for it. A node on which
// they have no room has nothing left.
func (c *Cluster) devices(vendor string, standing []Running) []cluster.Devices {
	free := make([]cluster.Devices, len(c.Nodes))
	wanted := make([][]cluster.Amount, len(c.Nodes))
	for n := range c.Nodes {
		free[n] = cluster.NewDevices(c.Nodes[n].gpus(vendor))
	}
	for _, pod := range standing {
		if need := pod.Shape.Requests.devices(vendor); need > 0 {
			wanted[pod.Node] = append(wanted[pod.Node], need)
		}
	}
	for n := range free {
		if fits, _ := free[n].TakeAll(wanted[n]); !fits {
			free[n] = nil
		}
	}
	return free
}

// GPUs returns how many whole GPUs each node has left.
func (c *Cluster) GPUs() []int64 {
	names := map[string]bool{}
	for n := range c.Nodes {
		for resource := range c.Nodes[n].Allocatable {
			if vendor, shared := vendorOf(resource); shared {
				names[vendor] = true
			} else if isGPU(resource) {
				names[resource] = true
			}
		}
	}
	left, standing := make([]int64, len(c.Nodes)), c.standing()
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if isGPU(name) {
			for n, free := range c.left([]string{name}, standing) {
				left[n] += max(0, free[0])
			}
			continue
		}
		for n, free := range c.devices(name, standing) {
			_, whole := free.Room()
			left[n] += int64(whole / cluster.Unit)
		}
	}
	return left
}

// shared are the GPUs of a vendor where pods have shares of them: what amounts leave room
// for may fit on no GPU.
type shared struct {
	vendor string
	free   []cluster.Devices // by node: what runs leaves
	need   []cluster.Amount  // by group
}

// shareGPUs prepares the GPUs of each vendor, if some pod has or wants a share of one.
func (p *Packer) shareGPUs() {
	all := map[string]bool{} // by vendor: whether some pod has a share
	for _, g := range p.groups {
		for resource := range g.Shape.Requests {
			if vendor, ok := vendorOf(resource); ok {
				all[vendor] = all[vendor] || isShare(g.Shape.Requests.devices(vendor))
			}
		}
	}
	for _, vendor := range slices.Sorted(maps.Keys(all)) {
		if !all[vendor] && !slices.ContainsFunc(p.standing, func(r Running) bool {
			return isShare(r.Shape.Requests.devices(vendor))
		}) {
			continue
		}
		x := shared{vendor, p.cluster.devices(vendor, p.standing), make([]cluster.Amount, len(p.groups))}
		for g := range p.groups {
			x.need[g] = p.groups[g].Shape.Requests.devices(vendor)
		}
		p.shared = append(p.shared, x)
	}
}

// fit returns how many pods of a group, at most some, find GPUs on a node beside the
// others that were put there, on whatever GPUs these are. It notes where it gave up.
func (s *state) fit(g, n, most int) int {
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

// likeGPUs says whether what runs leaves the same of the GPUs of two nodes.
func (p *Packer) likeGPUs(m, n int) bool {
	return !slices.ContainsFunc(p.shared, func(x shared) bool { return !slices.Equal(x.free[m], x.free[n]) })
}

// noGPU is what is said of a node whose GPUs have enough left together, and none alone.
const noGPU = "node(s) had no GPU with enough left"
