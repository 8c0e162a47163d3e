package kube

import (
	"slices"
)

// The messages of kube-scheduler for nodes that a filter rejects, in the order of the
// filters.
const (
	otherName      = "node(s) didn't match the requested node name"
	notNamed       = unsatisfied + "[NodeAffinity]" // all affinity terms name nodes
	unsatisfied    = "node(s) didn't satisfy plugin(s) "
	Unschedulable  = "node(s) were unschedulable"
	tainted        = "node(s) had untolerated taint(s)"
	unwanted       = "node(s) didn't match Pod's node affinity/selector"
	noPorts        = "node(s) didn't have free ports for the requested pod ports"
	missingDomain  = "node(s) didn't match pod topology spread constraints (missing required label)"
	tooManyVolumes = "node(s) exceed max volume count"
	unevenSpread   = "node(s) didn't match pod topology spread constraints"
	lonely         = "node(s) didn't match pod affinity rules"
	tooNear        = "node(s) didn't match pod anti-affinity rules"
	unwelcome      = "node(s) didn't satisfy existing pods anti-affinity rules"
)

// filters has the plug-in behind each message, whether it may let the pod pass after a preemption,
// and the short form of the message; "" for none. NodeResourcesFit has messages of its own for each
// resource.
var filters = map[string]struct {
	plugin     string
	resolvable bool
	brief      string
}{
	otherName: {"NodeName", false, ""}, notNamed: {"NodeAffinity", false, ""}, Unschedulable: {"NodeUnschedulable", false, "are cordoned"},
	tainted: {"TaintToleration", false, "have taints"}, unwanted: {"NodeAffinity", false, "lack its labels"}, noPorts: {"NodePorts", true, "have its host ports taken"},
	inUse: {"VolumeRestrictions", true, ""}, tooManyVolumes: {"NodeVolumeLimits", true, "attach no more volumes"}, notFound: {"VolumeBinding", false, ""},
	otherNode: {"VolumeBinding", false, "cannot have its volume"}, otherZone: {"VolumeZone", false, ""}, missingDomain: {"PodTopologySpread", false, ""},
	unevenSpread: {"PodTopologySpread", true, "would skew its spread"}, lonely: {"InterPodAffinity", false, "lack pods that it wants near"},
	tooNear: {"InterPodAffinity", true, "have pods that it avoids"}, unwelcome: {"InterPodAffinity", true, "have pods that avoid it"},
}

// cordon is the taint that pods must tolerate to run on cordoned nodes.
var cordon = Taint{Key: "node.kubernetes.io/unschedulable", Effect: "NoSchedule"}

// The taints of nodes whose kubelet is not ready or does not report.
const (
	NotReady    = "node.kubernetes.io/not-ready"
	Unreachable = "node.kubernetes.io/unreachable"
)

// Shut returns the scheduler's message if a node is closed to nearly all pods because
// it is cordoned, not ready or leaving; otherwise "".
func (n *Node) Shut() string {
	switch {
	case n.Closed != "":
		return n.Closed
	case n.Cordoned:
		return Unschedulable
	case slices.ContainsFunc(n.Taints, func(t Taint) bool { return t.Key == NotReady || t.Key == Unreachable }):
		return tainted
	}
	return ""
}

// open reports whether a node's free resources count as room of its cluster.
func (n *Node) open() bool { return n.Closed == "" && (n.Tolerated || n.Shut() == "") }

// Refusal returns the message of the first filter that rejects a node for the shape; "" if the node
// passes. It runs the filters that come before the filter for ports and ignore other pods.
func (s *Shape) Refusal(n *Node) string {
	switch {
	case n.Closed != "":
		return n.Closed
	case !s.names(n):
		return notNamed
	}
	return s.refused(n)
}

// refused is Refusal for an open node that the scheduler considers because the pod's affinity names
// it.
func (s *Shape) refused(n *Node) string {
	switch {
	case n.Cordoned && !tolerated(cordon, s.Tolerations):
		return Unschedulable
	case s.NodeName != "" && s.NodeName != n.Name:
		return otherName
	}
	if repel, _ := Untolerated(n.Taints, s.Tolerations); repel != nil {
		return tainted
	}
	if !s.Wants(n) {
		return unwanted
	}
	return ""
}

// names reports whether the node can be chosen if all affinity terms name nodes, in which case the
// scheduler considers only these nodes.
func (s *Shape) names(n *Node) bool {
	for _, t := range s.Affinity {
		named, in := false, true
		for _, r := range t.Fields {
			if r.Key == nodeName && r.Operator == "In" {
				named, in = true, in && slices.Contains(r.Values, n.Name)
			}
		}
		if !named || in {
			return true
		}
	}
	return len(s.Affinity) == 0
}

// Insufficient returns the scheduler's message about a resource.
func Insufficient(resource string) string {
	if resource == Pods {
		return "Too many pods"
	}
	return "Insufficient " + resource
}
