package packing_test

import (
	"strings"
	"testing"

	"berth/engine/kube/packing"
)

func port(number int, ip, protocol string) func(*packing.Shape) {
	return func(s *packing.Shape) {
		s.Ports = append(s.Ports, packing.Port{IP: ip, Protocol: protocol, Number: number})
	}
}

// Two pods of one host port need two nodes, and what runs holds its port.
func TestHostPorts(t *testing.T) {
	c := &packing.Cluster{Nodes: []packing.Node{node("a", 4000), node("b", 4000), node("c", 4000)},
		Running: []packing.Running{{Name: "p", Node: 1, Shape: pods(1, 1, port(80, "10.0.0.1", "")).Shape}}}
	for _, test := range []struct {
		pods int
		port func(*packing.Shape)
		want string
	}{
		{2, port(80, "", ""), ""},
		{3, port(80, "", ""), "0/3 nodes are available: 3 node(s) didn't have free ports for the requested pod ports. 2 of 3 pods fit."},
		{3, port(80, "10.0.0.2", ""), ""},
		{3, port(80, "", "UDP"), ""},
	} {
		r := packing.NewPacker(c, []packing.Group{pods(1, test.pods, test.port)}, 0).Pack([]int{0})
		if r.Reason != test.want || (r.Verdict == packing.Fits) != (test.want == "") {
			t.Errorf("%d pods: %v %s\nwant %s", test.pods, r.Verdict, r.Reason, test.want)
		}
	}
}

// All terms of an affinity that name nodes leave the others out of sight, a pod that
// tolerates a cordon may be on a node that has one, and a pod that is being deleted is
// counted by no spread, and neither is any by an empty selector.
func TestWhatTheSchedulerSees(t *testing.T) {
	named := func(s *packing.Shape) {
		s.Affinity = []packing.AffinityTerm{{Fields: []packing.Requirement{{Key: "metadata.name", Operator: "In", Values: []string{"a"}}}}}
	}
	cordoned := func(n *packing.Node) { n.Cordoned = true }
	tolerant := func(s *packing.Shape) { s.Tolerations = []packing.Toleration{{Operator: "Exists"}} }
	spread := func(by packing.Selector) func(*packing.Shape) {
		return func(s *packing.Shape) {
			s.Spread = []packing.Spread{{MaxSkew: 1, MinDomains: 1, Key: "kubernetes.io/hostname", Selector: by}}
		}
	}
	there := func(ends bool) []packing.Running {
		return []packing.Running{{Name: "old", Shape: pods(1, 1).Shape, Ends: ends}, {Name: "old2", Shape: pods(1, 1).Shape, Ends: ends}}
	}
	two := []packing.Node{node("a", 4000), node("b", 10)}
	for name, test := range map[string]struct {
		cluster packing.Cluster
		group   packing.Group
		want    string
	}{
		"named":    {packing.Cluster{Nodes: []packing.Node{node("a", 10), node("b", 4000)}}, pods(100, 1, named), "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't satisfy plugin(s) [NodeAffinity]."},
		"cordoned": {packing.Cluster{Nodes: []packing.Node{node("a", 4000, cordoned)}}, pods(100, 1), "0/1 nodes are available: 1 node(s) were unschedulable."},
		"tolerant": {packing.Cluster{Nodes: []packing.Node{node("a", 4000, cordoned)}}, pods(100, 1, tolerant), ""},
		"by name":  {packing.Cluster{Nodes: two}, pods(100, 1, func(s *packing.Shape) { s.NodeName = "b" }), "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match the requested node name."},
		"spread":   {packing.Cluster{Nodes: two, Running: there(false)}, pods(100, 1, spread(own)), "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match pod topology spread constraints."},
		"deleted":  {packing.Cluster{Nodes: two, Running: there(true)}, pods(100, 1, spread(own)), ""},
		"empty":    {packing.Cluster{Nodes: two, Running: there(false)}, pods(100, 1, spread(packing.Selector{})), ""},
	} {
		r := packing.NewPacker(&test.cluster, []packing.Group{test.group}, 0).Pack([]int{0})
		if r.Reason != test.want || (r.Verdict == packing.Fits) != (test.want == "") {
			t.Errorf("%s: %v %s\nwant %s", name, r.Verdict, r.Reason, test.want)
		}
	}
}

// A term may select namespaces by label; every namespace has a label with its own
// name.
func TestNamespacesByLabels(t *testing.T) {
	db := packing.Selector{{Key: "app", Operator: "In", Values: []string{"db"}}}
	c := &packing.Cluster{Nodes: []packing.Node{node("a", 4000)}, Running: []packing.Running{{Name: "db", Shape: &packing.Shape{
		Namespace: "prod", Namespaced: map[string]string{"team": "x"}, Labels: map[string]string{"app": "db"},
	}}}}
	for key, want := range map[string]packing.Verdict{"kubernetes.io/metadata.name=prod": packing.Fits, "team=x": packing.Fits, "team=y": packing.Cannot, "": packing.Cannot} {
		near := packing.Near{Selector: db}
		if label, value, ok := strings.Cut(key, "="); ok {
			near.Labelled = packing.Selector{{Key: label, Operator: "In", Values: []string{value}}}
		}
		g := pods(100, 1, func(s *packing.Shape) { s.With = []packing.Near{near} })
		if r := packing.NewPacker(c, []packing.Group{g}, 0).Pack([]int{0}); r.Verdict != want {
			t.Errorf("%q: %v %s", key, r.Verdict, r.Reason)
		}
	}
}
