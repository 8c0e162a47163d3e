package kube

// unlimited is the pod capacity of a node that does not state one.
const unlimited = 1 << 60

// occupy puts copies of the running pods of a cluster on the nodes of an empty state and, for each
// daemon, one pod on every node that accepts it and has none yet.
func (s *ClusterState) occupy(c *Cluster) {
	type place struct {
		owner Owner
		node  int
	}
	there := map[place]bool{}
	for _, pod := range c.Pods {
		if n := s.Node(pod.On); n >= 0 {
			own := *pod
			s.Put(&own, n)
			there[place{own.Owner, n}] = own.Owner.Kind == "DaemonSet"
		}
	}
	for _, d := range c.Daemons {
		for n := range s.Nodes {
			if !there[place{d.Owner, n}] && d.Shape.Takes(&s.Nodes[n]) {
				s.Put(&Pod{Name: d.Owner.Name, Shape: d.Shape, On: s.Nodes[n].Name, Owner: d.Owner}, n)
			}
		}
	}
}

// occupied returns a strict state with the pods of [ClusterState.occupy]. It also counts the given resources, even if
// no node has them, and ignores the nodes' limits of attached volumes.
func (c *Cluster) occupied(resources ...string) *ClusterState {
	objects := c.Objects
	objects.Drivers = nil
	s := newState(c.Nodes, objects, Profile{}, true, resources...)
	s.occupy(c)
	return s
}

// Left returns the free amounts by node and resource, including closed nodes.
func (c *Cluster) Left(resources ...string) [][]int64 {
	s, free := c.occupied(resources...), make([][]int64, len(c.Nodes))
	for n := range free {
		for _, resource := range resources {
			free[n] = append(free[n], s.free(n, s.number[resource]))
		}
	}
	return free
}

// Capacity returns a node's allocatable amount of a resource as kube-scheduler counts
// it, by name and without sharing of GPUs.
func Capacity(n *Node, resource string) int64 {
	amount, known := n.Allocatable[resource]
	if resource == Pods && !known {
		return unlimited
	}
	return amount
}

// asks returns a pod's request for a resource as kube-scheduler, which does not know shares of
// GPUs, counts it.
func (s *Shape) asks(resource string) int64 {
	if resource == Pods {
		return 1
	}
	return s.Requests[resource]
}

// Amount returns a pod's demand for a resource.
func (s *Shape) Amount(resource string) int64 {
	if resource == Pods {
		return 1
	}
	return s.Requests.Amount(resource)
}

// Takes reports whether a node with enough room accepts pods of the shape: taints, selectors and
// affinity allow it, and the node is not leaving.
func (s *Shape) Takes(n *Node) bool {
	stays := *n
	stays.Closed = ""
	return s.Refusal(&stays) == ""
}

// Room returns the total free resources of all nodes that accept pods, minus the
// demand of evicted pods.
func (c *Cluster) Room() Resources {
	s, room := c.occupied(), Resources{}
	for n := range c.Nodes {
		for resource := range c.Nodes[n].Allocatable {
			room[resource] = 0
		}
	}
	for resource := range room {
		for n := range c.Nodes {
			if free := s.free(n, s.number[resource]); c.Nodes[n].open() && free > 0 && free < unlimited {
				room[resource] += free
			}
		}
		for _, g := range c.Evicted {
			room[resource] = max(0, room[resource]-int64(g.Pods)*g.Shape.Amount(resource))
		}
	}
	return room
}
