package packing

// What a replay of the scheduler asks of one node and one shape.

// Capacity is what a node has of a resource by its name alone, as kube-scheduler counts.
func Capacity(n *Node, resource string) int64 {
	amount, known := n.Allocatable[resource]
	if resource == Pods && !known {
		return unlimited
	}
	return amount
}

// Asks is what a pod asks of a resource, as above: kube-scheduler knows of no shares of GPUs.
func (s *Shape) Asks(resource string) int64 {
	if resource == Pods {
		return 1
	}
	return s.Requests[resource]
}

// What scores assume of a container that does not ask for CPU or memory.
const (
	AssumedCPU    = 100
	AssumedMemory = 200 << 20
)

// Assumed is the CPU and the memory of a pod as scores count them.
func (s *Shape) Assumed() [2]int64 {
	if s.Prefers != nil {
		return s.Prefers.Assumed
	}
	cpu, memory := s.Requests[CPU], s.Requests[Memory]
	if _, given := s.Requests[CPU]; !given {
		cpu = AssumedCPU
	}
	if _, given := s.Requests[Memory]; !given {
		memory = AssumedMemory
	}
	return [2]int64{cpu, memory}
}

// Untolerated returns the taints of a node that keep a pod off it.
func (s *Shape) Untolerated(n *Node) (taints []Taint) {
	for _, t := range n.Taints {
		if (t.Effect == "NoSchedule" || t.Effect == "NoExecute") && !tolerated(t, s.Tolerations) {
			taints = append(taints, t)
		}
	}
	return taints
}

// Shuns counts the taints of a node that a pod would rather not be near.
func (s *Shape) Shuns(n *Node) (taints int64) {
	for _, t := range n.Taints {
		if t.Effect == "PreferNoSchedule" && !tolerated(t, s.Tolerations) {
			taints++
		}
	}
	return taints
}

// Wishes adds up the weights of the preferred node affinity that a node meets.
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

// CountsNode says whether the pods of a node count for a constraint of a shape: the node
// has the labels of all its constraints, and the pod might be there.
func (s *Shape) CountsNode(c *Spread, all []Spread, n *Node) bool {
	for i := range all {
		if _, ok := n.Labels[all[i].Key]; !ok && !c.Lenient {
			return false
		}
	}
	_, tainted := Untolerated(n.Taints, s.Tolerations)
	return (c.IgnoreAffinity || s.Wants(n)) && (!c.HonorTaints || !tainted)
}

// Unreachable says why pods of a shape cannot have their volumes on a node, in the words of
// the scheduler; "" if they can.
func (o *Objects) Unreachable(s *Shape, n *Node) string {
	for i := range s.Uses {
		c := o.claim(&s.Uses[i])
		if why := o.unreachable(&c, n); why != "" {
			return why
		}
	}
	return ""
}

// Contended says whether pods of two shapes use a claim that one pod may use at a time.
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
