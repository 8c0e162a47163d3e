package replay

import (
	"maps"
	"slices"
	"strings"

	"berth/engine/kube/packing"
)

// Pod is a running or pending pod.
type Pod struct {
	Name     string
	Shape    *packing.Shape // shared by the pods of a workload
	Owner    packing.Owner  // for a pod without a controller, the pod itself
	Priority int32
	Polite   bool  // never preempts (preemptionPolicy Never)
	Created  int64 // Unix seconds; orders pods of equal priority in the queue
	Started  int64 // Unix seconds of its start on a node: preemption compares victims by it. The largest if unknown
	Ending   bool  // being deleted
	Starting bool  // its containers have not started: phase Pending
	Unready  bool
	Local    bool     // has emptyDir volumes, which are lost when it leaves its node
	Waits    string   // why a container of it waits to run: "ImagePullBackOff"; "" for none
	Beyond   string   // why the replay cannot say where it goes; "" if it can
	Gates    []string // scheduling gates, which keep it out of the queue
	On       string   // name of its node; "" if pending
	Promised string   // name of the node that it preempts pods on while it is pending (nominatedNodeName); "" if none
	Yields   bool     // being deleted, since the scheduler preempted it

	class *class
	node  int // current node; -1: none
}

// Namespace is the namespace of the pod.
func (p *Pod) Namespace() string { return p.Shape.Namespace }

// ClusterState holds the nodes of a cluster and the pods on them, updated pod by pod.
type ClusterState struct {
	Nodes   []packing.Node // ordered by name
	profile Profile
	objects packing.Objects
	volumes *packing.Binder

	resources []string
	number    map[string]int
	total     [][]int64  // capacity by node and resource
	used      [][]int64  // requests by node and resource
	assumed   [][2]int64 // by node: CPU and memory in scores
	pods      [][]*Pod   // by node

	attached []map[packing.Attached]int64 // by node: pods that use each volume
	promised map[string][]*Pod            // pending pods by the name of the node that is promised to them

	topologies map[string]*packing.Topology
	classes    []*class
	known      map[*packing.Shape]*class
	changed    []int32 // changed nodes in the order of the changes
	images     map[string]int
	asked      int // number of classes with scheduling data
	found      []int32
	sums       []int64
}

// New returns a state without pods.
func New(nodes []packing.Node, objects packing.Objects, profile Profile) *ClusterState {
	s := &ClusterState{
		Nodes: slices.Clone(nodes), profile: profile, objects: objects, number: map[string]int{},
		topologies: map[string]*packing.Topology{}, known: map[*packing.Shape]*class{}, images: map[string]int{}, promised: map[string][]*Pod{},
	}
	s.attached = make([]map[packing.Attached]int64, len(nodes))
	s.volumes = packing.NewBinder(&s.objects, true)
	slices.SortStableFunc(s.Nodes, func(a, b packing.Node) int { return strings.Compare(a.Name, b.Name) })
	names := map[string]bool{packing.CPU: true, packing.Memory: true, packing.Pods: true}
	for i := range s.Nodes {
		for resource := range s.Nodes[i].Allocatable {
			names[resource] = true
		}
		for image := range s.Nodes[i].Images {
			s.images[image]++
		}
	}
	s.resources = slices.Sorted(maps.Keys(names))
	for r, name := range s.resources {
		s.number[name] = r
	}
	s.total, s.used = make([][]int64, len(s.Nodes)), make([][]int64, len(s.Nodes))
	s.assumed, s.pods = make([][2]int64, len(s.Nodes)), make([][]*Pod, len(s.Nodes))
	for n := range s.Nodes {
		s.total[n], s.used[n] = make([]int64, len(s.resources)), make([]int64, len(s.resources))
		for r, name := range s.resources {
			s.total[n][r] = packing.Capacity(&s.Nodes[n], name)
		}
	}
	return s
}

// Node returns the index of a node, or -1.
func (s *ClusterState) Node(name string) int {
	n, found := slices.BinarySearchFunc(s.Nodes, name, func(n packing.Node, name string) int { return strings.Compare(n.Name, name) })
	if !found {
		return -1
	}
	return n
}

// Cordon cordons or uncordons a node. A cordoned node accepts only pods that tolerate
// that.
func (s *ClusterState) Cordon(n int, cordoned bool) {
	s.Nodes[n].Cordoned = cordoned
	for _, c := range s.classes {
		if c.asked != nil {
			c.asked.fixed[n] = s.fixedOf(c.shape, &s.Nodes[n])
		}
	}
	s.changed = append(s.changed, int32(n))
}

// Put places a pod on a node without checking that it fits.
func (s *ClusterState) Put(p *Pod, n int) {
	p.class, p.node = s.class(p.Shape), n
	s.pods[n] = append(s.pods[n], p)
	s.count(p, 1)
	if p.class.binds {
		s.volumes.Bind(p.Shape, &s.Nodes[n])
	}
}

// Take removes a pod from its node and returns the node's index.
func (s *ClusterState) Take(p *Pod) int {
	n := p.node
	s.count(p, -1)
	if p.class.binds {
		s.volumes.Release(p.Shape, &s.Nodes[n])
	}
	i := slices.Index(s.pods[n], p)
	s.pods[n] = slices.Delete(s.pods[n], i, i+1)
	p.node = -1
	return n
}

// Where returns the name of a pod's node, or "".
func (s *ClusterState) Where(p *Pod) string {
	if p.class == nil || p.node < 0 {
		return ""
	}
	return s.Nodes[p.node].Name
}

// count adds a pod to all sums and tallies, or removes it if sign is −1.
func (s *ClusterState) count(p *Pod, sign int64) {
	c, n := p.class, p.node
	for r, need := range c.need {
		s.used[n][r] += sign * need
	}
	s.assumed[n][0] += sign * c.assumed[0]
	s.assumed[n][1] += sign * c.assumed[1]
	for _, v := range c.attaches {
		if s.attached[n] == nil {
			s.attached[n] = map[packing.Attached]int64{}
		}
		s.attached[n][v] += sign
	}
	for _, x := range c.counted {
		if x.always || !p.Ending {
			x.in.add(n, sign*x.weight)
		}
	}
	s.changed = append(s.changed, int32(n))
}

// topology returns the topology of a label, creating it if necessary.
func (s *ClusterState) topology(key string) *packing.Topology {
	if s.topologies[key] == nil {
		s.topologies[key] = packing.NewTopology(key, s.Nodes)
	}
	return s.topologies[key]
}
