package kube

import (
	"maps"
	"slices"
)

// ClusterState holds the nodes of a cluster and the pods on them, updated pod by pod.
type ClusterState struct {
	Nodes   []Node
	index   map[string]int // of nodes by name
	profile Profile
	objects Objects
	volumes *Binder
	strict  bool // also checks conditions that kube-scheduler ignores: shares of GPUs, and that a ReadWriteOnce volume is on one node

	resources []string
	number    map[string]int
	total     [][]int64  // capacity by node and resource
	used      [][]int64  // requests by node and resource
	assumed   [][2]int64 // by node: CPU and memory in scores
	pods      [][]*Pod   // by node

	attached []map[attached]int64 // by node: pods that use each volume
	promised map[string][]*Pod    // pending pods by the name of the node that is promised to them
	heeds    *Pod                 // pod whose preemptions are being tested, unless the scheduler skips InterPodAffinity for the pod

	topologies map[string]*Topology
	classes    []*class
	known      map[*Shape]*class
	changed    []int32 // changed nodes in the order of the changes
	images     map[string]int
	asked      []*class // classes with scheduling data
	mostAsked  int
	found      []int32
	sums       []int64
}

// New returns a state without pods that counts resources like kube-scheduler. It chooses the first
// of several nodes with equal scores, so the order of nodes matters.
func New(nodes []Node, objects Objects, profile Profile) *ClusterState {
	return newState(nodes, objects, profile, false)
}

// newState returns an empty state. It also counts the given resources, even if no node has them.
func newState(nodes []Node, objects Objects, profile Profile, strict bool, resources ...string) *ClusterState {
	s := &ClusterState{
		Nodes: slices.Clone(nodes), index: map[string]int{}, profile: profile, objects: objects, strict: strict, number: map[string]int{}, mostAsked: maxAsked,
		topologies: map[string]*Topology{}, known: map[*Shape]*class{}, images: map[string]int{}, promised: map[string][]*Pod{},
	}
	s.attached = make([]map[attached]int64, len(nodes))
	s.volumes = NewBinder(&s.objects, true)
	names := map[string]bool{CPU: true, Memory: true, Pods: true}
	for _, resource := range resources {
		names[resource] = true
	}
	for i := len(s.Nodes) - 1; i >= 0; i-- {
		s.index[s.Nodes[i].Name] = i
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
			s.total[n][r] = Capacity(&s.Nodes[n], name)
			if strict {
				s.total[n][r] = s.Nodes[n].Amount(name)
			}
		}
	}
	return s
}

// Node returns the index of a node, or -1.
func (s *ClusterState) Node(name string) int {
	if n, known := s.index[name]; known {
		return n
	}
	return -1
}

// Cordon cordons or uncordons a node. A cordoned node accepts only pods that tolerate the cordon's
// taint.
func (s *ClusterState) Cordon(n int, cordoned bool) {
	s.Nodes[n].Cordoned = cordoned
	for _, c := range s.asked {
		c.asked.fixed[n] = s.fixedOf(c.shape, &s.Nodes[n])
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
	s.add(c, n, sign, p.Ending)
	s.assumed[n][0] += sign * c.assumed[0]
	s.assumed[n][1] += sign * c.assumed[1]
	for _, v := range c.attaches {
		if s.attached[n] == nil {
			s.attached[n] = map[attached]int64{}
		}
		s.attached[n][v] += sign
	}
	s.changed = append(s.changed, int32(n))
}

// add adds pods of a class to the sums and tallies that filters read.
func (s *ClusterState) add(c *class, n int, pods int64, ending bool) {
	for r, need := range c.need {
		s.used[n][r] += pods * need
	}
	for _, x := range c.counted {
		if x.always || !ending {
			x.in.add(n, pods*x.weight)
		}
	}
}

// free returns how much of a resource is free on a node.
func (s *ClusterState) free(n, r int) int64 { return s.total[n][r] - s.used[n][r] }

// topology returns the topology of a label, creating it if necessary.
func (s *ClusterState) topology(key string) *Topology {
	if s.topologies[key] == nil {
		s.topologies[key] = newTopology(key, s.Nodes)
	}
	return s.topologies[key]
}
