package packing

import (
	"slices"
	"strconv"
)

// Matches says whether a selector chooses what has these labels.
func (s Selector) Matches(labels map[string]string) bool {
	return s.takes(func(key string) (string, bool) { value, ok := labels[key]; return value, ok })
}

// takes says the same of labels that are looked up.
func (s Selector) takes(label func(key string) (string, bool)) bool {
	return s != nil && !slices.ContainsFunc(s, func(r Requirement) bool { return !r.holds(label(r.Key)) })
}

// holds compares a label as Kubernetes does: NotIn and DoesNotExist take what lacks
// it, Gt and Lt compare whole numbers.
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

// Wants says whether node selector and required node affinity of a pod take a node.
func (s *Shape) Wants(n *Node) bool {
	for key, value := range s.NodeSelector {
		if have, ok := n.Labels[key]; !ok || have != value {
			return false
		}
	}
	return s.Affinity == nil || slices.ContainsFunc(s.Affinity, func(t Term) bool { return t.holds(n) })
}

// holds says whether a term takes a node; an empty one takes none.
func (t *Term) holds(n *Node) bool {
	if len(t.Labels)+len(t.Fields) == 0 {
		return false
	}
	return (len(t.Labels) == 0 || Selector(t.Labels).Matches(n.Labels)) &&
		!slices.ContainsFunc(t.Fields, func(r Requirement) bool { return !r.holds(n.Name, r.Key == nodeName) })
}

// nodeName is the field that a node affinity may ask for.
const nodeName = "metadata.name"

// Untolerated returns the first of some taints that keeps off what has these
// tolerations.
func Untolerated(taints []Taint, tolerations []Toleration) (Taint, bool) {
	for _, t := range taints {
		if (t.Effect == "NoSchedule" || t.Effect == "NoExecute") && !tolerated(t, tolerations) {
			return t, true
		}
	}
	return Taint{}, false
}

// tolerated says whether one of some tolerations is of a taint.
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

// Avoids says whether a pod of shape s stays away from one of shape o, be it from
// its node or from more.
func (s *Shape) Avoids(o *Shape) bool {
	return slices.ContainsFunc(s.AntiAffinity, func(a Near) bool { return a.Chooses(s, o) })
}

// Seeks says whether pods of shape o are what the affinity of one of shape s is to.
func (s *Shape) Seeks(o *Shape) bool {
	return len(s.With) > 0 && !slices.ContainsFunc(s.With, func(a Near) bool { return !a.Chooses(s, o) })
}

// Chooses says whether a term of shape s means pods of shape o.
func (a *Near) Chooses(s, o *Shape) bool {
	return a.within(s, o) && a.Selector.Matches(o.Labels)
}

// within says whether pods of shape o are in a namespace that a term of shape s means:
// its own, unless the term names some or chooses them by labels.
func (a *Near) within(s, o *Shape) bool {
	if a.Labelled == nil && len(a.Namespaces) == 0 {
		return s.Namespace == o.Namespace
	}
	return slices.Contains(a.Namespaces, o.Namespace) || a.Labelled.takes(o.namespace)
}

// ByNamespace says whether an affinity of the shape chooses namespaces by labels other than
// their names.
func (s *Shape) ByNamespace() bool {
	chooses := func(a Near) bool {
		return slices.ContainsFunc(a.Labelled, func(r Requirement) bool { return r.Key != namespaceName })
	}
	return slices.ContainsFunc(s.With, chooses) || slices.ContainsFunc(s.AntiAffinity, chooses) ||
		s.Prefers != nil && slices.ContainsFunc(s.Prefers.Near, func(a WeightedNear) bool { return chooses(a.Near) })
}

// namespaceName is the label that every namespace has with its name.
const namespaceName = "kubernetes.io/metadata.name"

// namespace looks up a label of the namespace of a pod.
func (s *Shape) namespace(key string) (string, bool) {
	if key == namespaceName {
		return s.Namespace, true
	}
	value, ok := s.Namespaced[key]
	return value, ok
}

// Counts says whether a pod of shape o counts for a spread constraint of shape s. One
// with an empty selector counts none, as the scheduler has it.
func (s *Shape) Counts(c *Spread, o *Shape) bool {
	return s.Namespace == o.Namespace && len(c.Selector) > 0 && c.Selector.Matches(o.Labels)
}
