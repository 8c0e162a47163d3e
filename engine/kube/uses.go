package kube

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Full is the capacity of a node in a [NodeUse].
const Full = 1000

// NodeUse is a node with the pods on it, each by its share of the resource that the pods have
// requested most of.
type NodeUse struct {
	Cluster, Name string
	Group         string `json:",omitempty"` // zone, or else the pool; "" if its labels name neither
	Closed        string `json:",omitempty"` // why it takes no pods, such as "cordoned" or "disk pressure"; "" if it takes some
	Broken        bool   `json:",omitempty"` // it takes none since something is wrong with it
	Taint         string `json:",omitempty"` // the first that keeps pods away; "" for none
	Resource      string
	Used          int   // requests of all pods, in thousandths of the node
	Pods, Arrived []int `json:",omitempty"` // requests of each pod that was on the node in the dump, and of the others
	Left          string
}

// after has the states of clusters when a question about them is answered.
type after struct {
	clusters []string
	states   []*ClusterState
}

func (a *after) leaves(cluster string, s *ClusterState) {
	a.clusters, a.states = append(a.clusters, cluster), append(a.states, s)
}

// Nodes describes the nodes of all clusters with the decisions of the answer.
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

// scarcest returns the resource that pods have requested most of, as a part of a node.
func (s *ClusterState) scarcest(n int) int {
	most := s.number[CPU]
	for r := range s.resources {
		if s.total[n][r] > 0 && s.part(n, r, s.used[n][r]) > s.part(n, most, s.used[n][most]) {
			most = r
		}
	}
	return most
}

// closed says in few words why a node takes no pods.
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

// groups returns the zone of a node, or its pool if no node has a zone.
func groups(nodes []Node) func(*Node) string {
	value := func(keys []string) func(*Node) string {
		return func(n *Node) string {
			for _, key := range keys {
				if n.Labels[key] != "" {
					return n.Labels[key]
				}
			}
			return ""
		}
	}
	zone := value(zoneKeys)
	for i := range nodes {
		if zone(&nodes[i]) != "" {
			return zone
		}
	}
	return value(poolKeys)
}
