package packing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// What the scheduler says of a node that a filter refuses, in the order of its filters.
const (
	otherName     = "node(s) didn't match the requested node name"
	notNamed      = "node(s) didn't satisfy plugin(s) [NodeAffinity]" // all terms of the affinity name nodes
	Unschedulable = "node(s) were unschedulable"
	tainted       = "node(s) had untolerated taint(s)"
	unwanted      = "node(s) didn't match Pod's node affinity/selector"
	NoPorts       = "node(s) didn't have free ports for the requested pod ports"
	MissingDomain = "node(s) didn't match pod topology spread constraints (missing required label)"
	UnevenSpread  = "node(s) didn't match pod topology spread constraints"
	Alone         = "node(s) didn't match pod affinity rules"
	TooNear       = "node(s) didn't match pod anti-affinity rules"
	Unwelcome     = "node(s) didn't satisfy existing pods anti-affinity rules"
)

// cordon is the taint that pods tolerate which may be on nodes that are cordoned.
var cordon = Taint{Key: "node.kubernetes.io/unschedulable", Effect: "NoSchedule"}

// The taints of nodes whose kubelet says that it is not ready, or says nothing.
const (
	NotReady    = "node.kubernetes.io/not-ready"
	Unreachable = "node.kubernetes.io/unreachable"
)

// Shut says why a node is closed to nearly all pods, in the words of the scheduler: it
// is cordoned, not ready, or leaves; "" if it is not.
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

// open says whether what a node has left counts as room of its cluster.
func (n *Node) open() bool { return n.Closed == "" && (n.Tolerated || n.Shut() == "") }

// Refusal says what the filters before that of ports say of a node whatever else is on
// it; "" if they let the pod pass.
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

// names says whether a node is among those that all terms of the affinity name, if they
// do: the scheduler does not look at any other then.
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

// Insufficient is what the scheduler says of a resource.
func Insufficient(resource string) string {
	if resource == Pods {
		return "Too many pods"
	}
	return "Insufficient " + resource
}

// Unavailable puts counted reasons into the words of kube-scheduler: "0/3 nodes are
// available: 1 Too many pods, 2 Insufficient cpu."
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

// why says why a node does not take one more pod of a group now, in the words of
// kube-scheduler: those of the first filter that refuses it, several if resources are
// short. It is nil if the node takes the pod.
func (s *state) why(g, n int) []string {
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

// short says which resources a node has too little of for one more pod.
func (s *state) short(t *table, n int) []string {
	var short []string
	for r, need := range t.need {
		if need > 0 && need > s.free[n][r] {
			short = append(short, Insufficient(s.resources[r]))
		}
	}
	return short
}

// unspread says which constraint of a group's spread one more pod on a node would break,
// in words; "" for none.
func (s *state) unspread(g, n int) string {
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

// BarredWords are those of kube-scheduler for a pod that no node at all may take.
func BarredWords(nodes int, why string) string {
	return fmt.Sprintf("0/%d nodes are available: %s.", nodes, why)
}

// reasons counts what the nodes say of one more pod of a group.
func (s *state) reasons(g int) string {
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
