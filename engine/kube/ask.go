package kube

// This file has questions about one node and one shape.

// Capacity returns a node's allocatable amount of a resource as kube-scheduler counts
// it, by name and without sharing of GPUs.
func Capacity(n *Node, resource string) int64 {
	amount, known := n.Allocatable[resource]
	if resource == Pods && !known {
		return unlimited
	}
	return amount
}

// Asks returns a pod's request for a resource as kube-scheduler counts it, which does
// not know shares of GPUs.
func (s *Shape) Asks(resource string) int64 {
	if resource == Pods {
		return 1
	}
	return s.Requests[resource]
}

// The requests that kube-scheduler assumes in scores for containers without one: 100m
// CPU and 200 MiB memory.
const (
	AssumedCPU    = 100
	AssumedMemory = 200 << 20
)

// Assumed returns the CPU in thousandths and the memory in bytes that scores count
// for a pod on a node, and those that the score of NodeResourcesFit counts for the pod
// that it is about.
func (s *Shape) Assumed() (there, own [2]int64) {
	if s.Prefers != nil {
		return s.Prefers.Assumed, s.Prefers.Scored
	}
	cpu, memory := s.Requests[CPU], s.Requests[Memory]
	if _, given := s.Requests[CPU]; !given {
		cpu = AssumedCPU
	}
	if _, given := s.Requests[Memory]; !given {
		memory = AssumedMemory
	}
	there = [2]int64{cpu, memory}
	return there, there
}

// Wishes returns the total weight of the preferred node affinity terms that a node
// satisfies.
func (s *Shape) Wishes(n *Node) (weight int64) {
	if s.Prefers == nil {
		return 0
	}
	for i := range s.Prefers.Nodes {
		if w := &s.Prefers.Nodes[i]; w.holds(n) {
			weight += w.Weight
		}
	}
	return weight
}

// CountsNode reports whether pods on a node count for spread constraint c of the
// shape. The node must have the labels of all of the shape's constraints, except that
// a lenient one requires none, and must pass the node affinity and taint policies of
// c.
func (s *Shape) CountsNode(c *Spread, all []Spread, n *Node) bool {
	for i := range all {
		if _, ok := n.Labels[all[i].Key]; !ok && !c.Lenient {
			return false
		}
	}
	if c.HonorTaints {
		if repel, _ := Untolerated(n.Taints, s.Tolerations); repel != nil {
			return false
		}
	}
	return c.IgnoreAffinity || s.Wants(n)
}

// Unreachable returns the scheduler's message if pods of a shape cannot use their
// volumes on a node, otherwise "".
func (o *Objects) Unreachable(s *Shape, n *Node) string {
	for i := range s.Uses {
		c := o.claim(&s.Uses[i])
		if why := o.unreachable(&c, n); why != "" {
			return why
		}
	}
	return ""
}

// Contended reports whether pods of both shapes use the same ReadWriteOncePod claim,
// which only one pod may use.
func (o *Objects) Contended(a, b *Shape) bool {
	for i := range a.Uses {
		if c := o.claim(&a.Uses[i]); c.Modes&ReadWriteOncePod == 0 || a.Uses[i].Each {
			continue
		}
		for k := range b.Uses {
			if b.Uses[k].Name == a.Uses[i].Name && !b.Uses[k].Each {
				return true
			}
		}
	}
	return false
}
