package kube

import (
	"maps"
	"slices"
)

// unlimited is the pod capacity of a node that does not state one.
const unlimited = 1 << 60

// Occupants returns copies of the running pods and, for each daemon, one pod on every node
// that accepts it and has none yet.
func (c *Cluster) Occupants() (all []*Pod) {
	nodes := map[string]bool{}
	for n := range c.Nodes {
		nodes[c.Nodes[n].Name] = true
	}
	type place struct {
		owner Owner
		node  string
	}
	there := map[place]bool{}
	for _, pod := range c.Pods {
		if nodes[pod.On] {
			own := *pod
			all = append(all, &own)
			there[place{own.Owner, own.On}] = own.Owner.Kind == "DaemonSet"
		}
	}
	for _, d := range c.Daemons {
		for n := range c.Nodes {
			if on := c.Nodes[n].Name; !there[place{d.Owner, on}] && d.Shape.Takes(&c.Nodes[n]) {
				all = append(all, &Pod{Name: d.Owner.Name, Shape: d.Shape, On: on, Owner: d.Owner})
			}
		}
	}
	return all
}

// occupied returns a strict state with the occupants. It knows some resources that no node
// may have, and no limits of volumes that nodes attach.
func (c *Cluster) occupied(resources ...string) *ClusterState {
	objects := c.Objects
	objects.Drivers = nil
	s := newState(c.Nodes, objects, Profile{}, true, resources...)
	for _, pod := range c.Occupants() {
		s.Put(pod, s.Node(pod.On))
	}
	return s
}

// Left returns the free amounts by node and resource, including closed nodes.
func (c *Cluster) Left(resources ...string) [][]int64 {
	s := c.occupied(resources...)
	free := make([][]int64, len(c.Nodes))
	for n := range free {
		for _, resource := range resources {
			free[n] = append(free[n], s.free(n, s.number[resource]))
		}
	}
	return free
}

// Amount returns a pod's demand for a resource.
func (s *Shape) Amount(resource string) int64 {
	if _, ok := vendorOf(resource); ok {
		return s.Requests.Amount(resource)
	}
	return s.Asks(resource)
}

// Takes reports whether a node accepts pods of the shape by taints, selectors and
// affinity, if it has room and does not leave.
func (s *Shape) Takes(n *Node) bool {
	stays := *n
	stays.Closed = ""
	return s.Refusal(&stays) == ""
}

// Room returns the total free resources of all nodes that accept pods, minus the
// demand of evicted pods.
func (c *Cluster) Room() Resources {
	names := map[string]bool{}
	for i := range c.Nodes {
		for resource := range c.Nodes[i].Allocatable {
			names[resource] = true
		}
	}
	resources := slices.Sorted(maps.Keys(names))
	room := Resources{}
	for _, resource := range resources {
		room[resource] = 0
	}
	for n, free := range c.Left(resources...) {
		for r, resource := range resources {
			if c.Nodes[n].open() && free[r] > 0 && free[r] < unlimited {
				room[resource] += free[r]
			}
		}
	}
	for _, g := range c.Evicted {
		for _, resource := range resources {
			room[resource] = max(0, room[resource]-int64(g.Pods)*g.Shape.Amount(resource))
		}
	}
	return room
}
