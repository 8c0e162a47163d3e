package packing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The messages of kube-scheduler for nodes that a filter rejects, in the order of the
// filters.
const (
	otherName      = "node(s) didn't match the requested node name"
	notNamed       = "node(s) didn't satisfy plugin(s) [NodeAffinity]" // all affinity terms name nodes
	Unschedulable  = "node(s) were unschedulable"
	tainted        = "node(s) had untolerated taint(s)"
	unwanted       = "node(s) didn't match Pod's node affinity/selector"
	NoPorts        = "node(s) didn't have free ports for the requested pod ports"
	MissingDomain  = "node(s) didn't match pod topology spread constraints (missing required label)"
	TooManyVolumes = "node(s) exceed max volume count"
	UnevenSpread   = "node(s) didn't match pod topology spread constraints"
	Alone          = "node(s) didn't match pod affinity rules"
	TooNear        = "node(s) didn't match pod anti-affinity rules"
	Unwelcome      = "node(s) didn't satisfy existing pods anti-affinity rules"
)

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

// Refusal returns the message of the filters before the one for ports that reject a
// node for the shape, regardless of other pods; "" if the node passes.
func (s *Shape) Refusal(n *Node) string {
	switch {
	case n.Closed != "":
		return n.Closed
	case !s.names(n):
		return notNamed
	case n.Cordoned && !tolerated(cordon, s.Tolerations):
		return Unschedulable
	case s.NodeName != "" && s.NodeName != n.Name:
		return otherName
	}
	if _, found := Untolerated(n.Taints, s.Tolerations); found {
		return tainted
	}
	if !s.Wants(n) {
		return unwanted
	}
	return ""
}

// names reports whether the node can be chosen if all affinity terms name nodes; the
// scheduler then considers only the named nodes.
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

// Unavailable formats counted reasons like kube-scheduler: "0/3 nodes are available:
// 1 Too many pods, 2 Insufficient cpu."
func Unavailable(nodes int, reasons map[string]int) string {
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

// why returns the message of the first filter of kube-scheduler that rejects one more
// pod of a group on a node now; several if more than one resource is insufficient;
// nil if the node passes.
func (s *partial) why(g, n int) []string {
	t := s.table(g)
	if t.refused[n] != "" && !t.late[n] {
		return []string{t.refused[n]}
	}
	if s.apart(t, n, NoPorts) {
		return []string{NoPorts}
	}
	if short := s.short(t, n); len(short) > 0 {
		return short
	}
	if s.fit(g, n, 1) == 0 {
		return []string{noGPU}
	}
	words := s.unclaimed(t, n)
	if words == InUse || words == NotFound {
		return []string{words}
	}
	if volume := t.refused[n]; volume == otherNode || volume == otherZone || volume == NotFound {
		return []string{volume}
	}
	if words := s.unspread(g, n); words != "" {
		return []string{words}
	}
	if t.refused[n] == Alone || s.alone(g, n) {
		return []string{Alone}
	}
	if t.refused[n] == TooNear || s.apart(t, n, TooNear) {
		return []string{TooNear}
	}
	if t.refused[n] == Unwelcome || s.apart(t, n, Unwelcome) {
		return []string{Unwelcome}
	}
	if words != "" {
		return []string{words}
	}
	return nil
}

// short returns the messages about resources that are insufficient on a node for one
// more pod.
func (s *partial) short(t *table, n int) []string {
	var short []string
	for r, need := range t.need {
		if need > 0 && need > s.free[n][r] {
			short = append(short, Insufficient(s.resources[r]))
		}
	}
	return short
}

// unspread returns the message if one more pod on a node would violate a spread
// constraint of its group, otherwise "".
func (s *partial) unspread(g, n int) string {
	t := s.table(g)
	for i := range t.spread {
		x := &t.spread[i]
		if _, labelled := s.cluster.Nodes[n].Labels[x.Key]; !labelled {
			return MissingDomain
		}
		if !s.loose[g] && s.skewed(x, n) {
			return UnevenSpread
		}
	}
	return ""
}

// BarredWords returns kube-scheduler's message about a pod that no node can take for
// one reason.
func BarredWords(nodes int, why string) string {
	return fmt.Sprintf("0/%d nodes are available: %s.", nodes, why)
}

// reasons returns kube-scheduler's message about one more pod of a group, with counts
// over all nodes.
func (s *partial) reasons(g int) string {
	if why := s.cluster.Barred(s.groups[g].Shape); why != "" {
		return BarredWords(len(s.cluster.Nodes), why)
	}
	count := map[string]int{}
	for n := range s.cluster.Nodes {
		for _, words := range s.why(g, n) {
			count[words]++
		}
	}
	return Unavailable(len(s.cluster.Nodes), count)
}
