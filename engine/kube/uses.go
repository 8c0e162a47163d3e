package kube

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Full is the capacity of a node in the units of [NodeUse].
const Full = 1000

// NodeUse describes a node and its pods. Amounts are shares of the node's scarcest resource, which
// is the resource with the largest requested share.
type NodeUse struct {
	Cluster, Name string
	Group         string `json:",omitempty"` // zone or, if there is none, pool; "" if its labels name neither
	Closed        string `json:",omitempty"` // short reason why it accepts no pods, such as "cordoned" or "disk pressure"; "" if it accepts some
	Broken        bool   `json:",omitempty"` // it accepts no pods because it is unhealthy
	Taint         string `json:",omitempty"` // first taint that repels pods; "" for none
	Resource      string
	Used          int   // requests of all pods, in thousandths of the node
	Pods, Arrived []int `json:",omitempty"` // share of each pod: pods on the node in the dump, and pods that arrived later
	Left          string
}

// after keeps the states of the clusters at the end of an answer.
type after struct {
	clusters []string
	states   []*ClusterState
}

func (a *after) leaves(cluster string, s *ClusterState) {
	a.clusters, a.states = append(a.clusters, cluster), append(a.states, s)
}

// Nodes returns the nodes of all clusters after the decisions of the answer.
func (a *after) Nodes() (all []NodeUse) {
	for i, s := range a.states {
		all = append(all, s.nodeUses(a.clusters[i])...)
	}
	return all
}

func (s *ClusterState) nodeUses(cluster string) []NodeUse {
	all := make([]NodeUse, len(s.Nodes))
	group := groups(s.Nodes)
	for n := range s.Nodes {
		node, r := &s.Nodes[n], s.scarcest(n)
		u := NodeUse{Cluster: cluster, Name: node.Name, Group: group(node), Resource: s.resources[r], Used: s.part(n, r, s.used[n][r])}
		u.Closed, u.Broken = node.closed()
		if i := slices.IndexFunc(node.Taints, func(t Taint) bool { return t.Effect != "PreferNoSchedule" }); i >= 0 {
			u.Taint = node.Taints[i].String()
		}
		u.Left = Amount(CPU, max(0, s.free(n, s.number[CPU]))) + ", " + Amount(Memory, max(0, s.free(n, s.number[Memory])))
		for _, p := range s.pods[n] {
			part := s.part(n, r, p.class.need[r])
			if p.On == node.Name {
				u.Pods = append(u.Pods, part)
			} else {
				u.Arrived = append(u.Arrived, part)
			}
		}
		for _, parts := range [][]int{u.Pods, u.Arrived} {
			slices.SortFunc(parts, func(a, b int) int { return cmp.Compare(b, a) })
		}
		all[n] = u
	}
	return all
}

func (s *ClusterState) part(n, r int, amount int64) int {
	return int(amount * Full / max(1, s.total[n][r]))
}

// scarcest returns the index of the resource with the largest requested share of a node.
func (s *ClusterState) scarcest(n int) int {
	most := s.number[CPU]
	for r := range s.resources {
		if s.total[n][r] > 0 && s.part(n, r, s.used[n][r]) > s.part(n, most, s.used[n][most]) {
			most = r
		}
	}
	return most
}

// closed returns a short reason why a node accepts no pods, and whether the node is unhealthy.
func (n *Node) closed() (why string, broken bool) {
	for _, t := range n.Taints {
		if mend := mends[t.Key]; mend != "" && t.Effect != "PreferNoSchedule" {
			return strings.ReplaceAll(path.Base(t.Key), "-", " "), true
		}
	}
	if n.Cordoned {
		return "cordoned", false
	}
	return n.Closed, n.Closed != ""
}

// zoneKeys and poolKeys are labels whose values are the zone and the pool of a node.
var (
	zoneKeys = []string{"topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"}
	poolKeys = []string{"karpenter.sh/nodepool", "cloud.google.com/gke-nodepool", "eks.amazonaws.com/nodegroup", "kubernetes.azure.com/agentpool", instanceType}
)

// groups returns a function that returns the zone of a node, or its pool if no node has a zone.
func groups(nodes []Node) func(*Node) string {
	keys := zoneKeys
	if !slices.ContainsFunc(nodes, func(n Node) bool { return n.Label(zoneKeys) != "" }) {
		keys = poolKeys
	}
	return func(n *Node) string { return n.Label(keys) }
}

// Label returns the first value that is not empty among the labels with the given keys; "" for none.
func (n *Node) Label(keys []string) string {
	for _, key := range keys {
		if n.Labels[key] != "" {
			return n.Labels[key]
		}
	}
	return ""
}
