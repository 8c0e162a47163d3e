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
	at := map[string]int{}
	for n := len(c.Nodes) - 1; n >= 0; n-- {
		at[c.Nodes[n].Name] = n
	}
	there := map[Owner]map[int]bool{}
	for _, pod := range c.Pods {
		n, known := at[pod.On]
		if !known {
			continue
		}
		own := *pod
		own.node = n
		all = append(all, &own)
		if own.Owner.Kind == "DaemonSet" {
			if there[own.Owner] == nil {
				there[own.Owner] = map[int]bool{}
			}
			there[own.Owner][n] = true
		}
	}
	for _, d := range c.Daemons {
		for n := range c.Nodes {
			if !there[d.Owner][n] && d.Shape.Takes(&c.Nodes[n]) {
				all = append(all, &Pod{Name: d.Owner.Name, Shape: d.Shape, On: c.Nodes[n].Name, Owner: d.Owner, node: n})
			}
		}
	}
	return all
}

// Left returns the free amounts by node and resource, including closed nodes.
func (c *Cluster) Left(resources ...string) [][]int64 { return c.left(resources, c.Occupants()) }

// left returns the free amounts by node and resource beside the given pods.
func (c *Cluster) left(resources []string, occupants []*Pod) [][]int64 {
	free := make([][]int64, len(c.Nodes))
	for n := range c.Nodes {
		free[n] = make([]int64, len(resources))
		for r, resource := range resources {
			free[n][r] = c.Nodes[n].Amount(resource)
		}
	}
	for _, pod := range occupants {
		for r, resource := range resources {
			free[pod.node][r] -= pod.Shape.Amount(resource)
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
