package kube

import (
	"slices"
	"strconv"
)

// Matches reports whether the selector selects an object with these labels.
func (s Selector) Matches(labels map[string]string) bool {
	return s.takes(func(key string) (string, bool) { value, ok := labels[key]; return value, ok })
}

// takes is Matches for labels given by a lookup function.
func (s Selector) takes(label func(key string) (string, bool)) bool {
	return s != nil && !slices.ContainsFunc(s, func(r Requirement) bool { return !r.holds(label(r.Key)) })
}

// holds evaluates the requirement as Kubernetes does: NotIn and DoesNotExist also hold if the label
// is missing; Gt and Lt compare integers.
func (r *Requirement) holds(have string, ok bool) bool {
	switch r.Operator {
	case "In":
		return ok && slices.Contains(r.Values, have)
	case "NotIn":
		return !ok || !slices.Contains(r.Values, have)
	case "Exists":
		return ok
	case "DoesNotExist":
		return !ok
	case "Gt", "Lt":
		if len(r.Values) != 1 {
			return false
		}
		a, errA := strconv.ParseInt(have, 10, 64)
		b, errB := strconv.ParseInt(r.Values[0], 10, 64)
		return ok && errA == nil && errB == nil && (r.Operator == "Gt" && a > b || r.Operator == "Lt" && a < b)
	}
	return false
}

// Wants reports whether a node satisfies the node selector and the required node
// affinity.
func (s *Shape) Wants(n *Node) bool {
	return Covers(s.NodeSelector, n.Labels) && (s.Affinity == nil || slices.ContainsFunc(s.Affinity, func(t AffinityTerm) bool { return t.holds(n) }))
}

// Covers reports whether labels have every key of a selector with its value.
func Covers(selector, labels map[string]string) bool {
	for key, value := range selector {
		if have, ok := labels[key]; !ok || have != value {
			return false
		}
	}
	return true
}

// holds reports whether a node satisfies the term; no node satisfies an empty term.
func (t *AffinityTerm) holds(n *Node) bool {
	if len(t.Labels)+len(t.Fields) == 0 {
		return false
	}
	return (len(t.Labels) == 0 || Selector(t.Labels).Matches(n.Labels)) &&
		!slices.ContainsFunc(t.Fields, func(r Requirement) bool { return !r.holds(n.Name, r.Key == nodeName) })
}

// nodeName is the only field that node affinity supports.
const nodeName = "metadata.name"

// Untolerated returns the taints that no toleration covers: the NoSchedule and NoExecute taints,
// which repel pods, and the number of PreferNoSchedule taints.
func Untolerated(taints []Taint, tolerations []Toleration) (repel []Taint, avoided int64) {
	for _, t := range taints {
		switch {
		case tolerated(t, tolerations):
		case t.Effect == "NoSchedule" || t.Effect == "NoExecute":
			repel = append(repel, t)
		case t.Effect == "PreferNoSchedule":
			avoided++
		}
	}
	return repel, avoided
}

// tolerated reports whether any toleration covers a taint.
func tolerated(t Taint, by []Toleration) bool {
	return slices.ContainsFunc(by, func(o Toleration) bool { return o.tolerates(t) })
}

func (o *Toleration) tolerates(t Taint) bool {
	if o.Effect != "" && o.Effect != t.Effect || o.Key != "" && o.Key != t.Key {
		return false
	}
	switch o.Operator {
	case "Exists":
		return true
	case "", "Equal":
		return o.Key != "" && o.Value == t.Value
	}
	return false
}

// Avoids reports whether the required anti-affinity of shape s, in any topology,
// selects pods of shape o.
func (s *Shape) Avoids(o *Shape) bool {
	return slices.ContainsFunc(s.AntiAffinity, func(a Near) bool { return a.Chooses(s, o) })
}

// Seeks reports whether all required affinity terms of shape s select pods of shape
// o.
func (s *Shape) Seeks(o *Shape) bool {
	return len(s.With) > 0 && !slices.ContainsFunc(s.With, func(a Near) bool { return !a.Chooses(s, o) })
}

// Chooses reports whether the term, of a pod of shape s, selects pods of shape o.
func (a *Near) Chooses(s, o *Shape) bool {
	return a.within(s, o) && a.Selector.Matches(o.Labels)
}

// within reports whether the namespace of shape o is in the scope of the term. The scope is the
// namespace of s, unless the term lists namespaces or selects them by labels.
func (a *Near) within(s, o *Shape) bool {
	if a.Labelled == nil && len(a.Namespaces) == 0 {
		return s.Namespace == o.Namespace
	}
	return slices.Contains(a.Namespaces, o.Namespace) || a.Labelled.takes(o.namespace)
}

// ByNamespace reports whether an affinity term of the shape selects namespaces by
// labels other than their names.
func (s *Shape) ByNamespace() bool {
	chooses := func(a Near) bool {
		return slices.ContainsFunc(a.Labelled, func(r Requirement) bool { return r.Key != namespaceName })
	}
	return slices.ContainsFunc(s.With, chooses) || slices.ContainsFunc(s.AntiAffinity, chooses) ||
		s.Prefers != nil && slices.ContainsFunc(s.Prefers.Near, func(a WeightedNear) bool { return chooses(a.Near) })
}

// namespaceName is the label with its name that Kubernetes sets on every namespace.
const namespaceName = "kubernetes.io/metadata.name"

// namespace looks up a label of the pod's namespace.
func (s *Shape) namespace(key string) (string, bool) {
	if key == namespaceName {
		return s.Namespace, true
	}
	value, ok := s.Namespaced[key]
	return value, ok
}

// Counts reports whether a pod of shape o counts for spread constraint c of shape s.
// As in the scheduler, an empty selector counts no pods.
func (s *Shape) Counts(c *Spread, o *Shape) bool {
	return s.Namespace == o.Namespace && len(c.Selector) > 0 && c.Selector.Matches(o.Labels)
}

// wishes returns the total weight of the preferred node affinity terms that a node
// satisfies.
func (s *Shape) wishes(n *Node) (weight int64) {
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

// CountsNode reports whether pods on a node count for spread constraint c of the shape. The node
// must have the labels of all of the shape's constraints, unless c is lenient, and must pass the
// node affinity and taint policies of c.
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
