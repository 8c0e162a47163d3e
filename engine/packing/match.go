package packing

import (
	"slices"
	"strconv"
	"strings"
)

// Matches says whether a selector chooses what has these labels.
func (s Selector) Matches(labels map[string]string) bool {
	return s != nil && !slices.ContainsFunc(s, func(r Requirement) bool { return !r.holds(labels) })
}

// holds compares a label as Kubernetes does: NotIn and DoesNotExist take what lacks
// it, Gt and Lt compare whole numbers.
func (r *Requirement) holds(labels map[string]string) bool {
	have, ok := labels[r.Key]
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

// wants says whether node selector and required node affinity of a pod take a node.
func (s *Shape) wants(n *Node) bool {
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
	fields := map[string]string{"metadata.name": n.Name}
	return !slices.ContainsFunc(t.Labels, func(r Requirement) bool { return !r.holds(n.Labels) }) &&
		!slices.ContainsFunc(t.Fields, func(r Requirement) bool { return !r.holds(fields) })
}

// untolerated returns the first taint of a node that keeps a pod off it.
func (s *Shape) untolerated(n *Node) (Taint, bool) { return Untolerated(n.Taints, s.Tolerations) }

// Untolerated returns the first of some taints that keeps off what has these
// tolerations.
func Untolerated(taints []Taint, tolerations []Toleration) (Taint, bool) {
	for _, t := range taints {
		if (t.Effect == "NoSchedule" || t.Effect == "NoExecute") &&
			!slices.ContainsFunc(tolerations, func(o Toleration) bool { return o.tolerates(t) }) {
			return t, true
		}
	}
	return Taint{}, false
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
	return slices.ContainsFunc(s.AntiAffinity, func(a Near) bool { return a.chooses(s, o) })
}

// seeks says whether pods of shape o are what the affinity of one of shape s is to.
func (s *Shape) seeks(o *Shape) bool {
	return len(s.With) > 0 && !slices.ContainsFunc(s.With, func(a Near) bool { return !a.chooses(s, o) })
}

// chooses says whether a term of shape s means pods of shape o.
func (a *Near) chooses(s, o *Shape) bool {
	return (a.Everywhere || len(a.Namespaces) == 0 && s.Namespace == o.Namespace || slices.Contains(a.Namespaces, o.Namespace)) &&
		a.Selector.Matches(o.Labels)
}

// counts says whether a pod of shape o counts for a spread constraint of shape s.
func (c *Spread) counts(s, o *Shape) bool {
	return s.Namespace == o.Namespace && c.Selector.Matches(o.Labels)
}

// What the filters behind that of the resources say.
const (
	missingDomain = "node(s) didn't match pod topology spread constraints (missing required label)"
	unevenSpread  = "node(s) didn't match pod topology spread constraints"
	alone         = "node(s) didn't match pod affinity rules"
	tooNear       = "node(s) didn't match pod anti-affinity rules"
	unwelcome     = "node(s) didn't satisfy existing pods anti-affinity rules"
)

// refuses says why a node never takes a pod, in the words of the scheduler, in the
// order of its filters; "" if it may.
func (s *Shape) refuses(n *Node) string {
	if n.Closed != "" {
		return n.Closed
	}
	if t, found := s.untolerated(n); found {
		return "node(s) had untolerated taint {" + t.Key + ": " + t.Value + "}"
	}
	if !s.wants(n) {
		return "node(s) didn't match Pod's node affinity/selector"
	}
	for _, c := range s.Spread {
		if _, ok := n.Labels[c.Key]; !ok {
			return missingDomain
		}
	}
	return ""
}

// insufficient is what the scheduler says of a resource.
func insufficient(resource string) string {
	if resource == Pods {
		return "Too many pods"
	}
	return "Insufficient " + resource
}

// unavailable puts counted reasons into the words of kubectl describe pod.
func unavailable(nodes int, reasons map[string]int) string {
	all := make([]string, 0, len(reasons))
	for reason, n := range reasons {
		all = append(all, strconv.Itoa(n)+" "+reason)
	}
	slices.Sort(all)
	text := "0/" + strconv.Itoa(nodes) + " nodes are available"
	if len(all) > 0 {
		text += ": " + strings.Join(all, ", ")
	}
	return text + "."
}
