package kube_test

import (
	"strings"
	"testing"

	"berth/engine/kube"
)

func port(number int, ip, protocol string) func(*kube.Shape) {
	return func(s *kube.Shape) {
		s.Ports = append(s.Ports, kube.Port{IP: ip, Protocol: protocol, Number: number})
	}
}

// Two pods of one host port need two nodes, and what runs holds its port.
func TestHostPorts(t *testing.T) {
	c := &kube.Cluster{Nodes: []kube.Node{node("a", 4000), node("b", 4000), node("c", 4000)},
		Pods: []*kube.Pod{{Name: "p", On: "b", Shape: pods(1, 1, port(80, "10.0.0.1", "")).Shape}}}
	for _, test := range []struct {
		pods int
		port func(*kube.Shape)
		want string
	}{
		{2, port(80, "", ""), ""},
		{3, port(80, "", ""), "0/3 nodes are available: 3 node(s) didn't have free ports for the requested pod ports. 2 of 3 pods fit."},
		{3, port(80, "10.0.0.2", ""), ""},
		{3, port(80, "", "UDP"), ""},
	} {
		r := kube.NewPacker(c, []kube.Group{pods(1, test.pods, test.port)}, 0).Pack([]int{0})
		if r.Reason != test.want || (r.Verdict == kube.Fits) != (test.want == "") {
			t.Errorf("%d pods: %v %s\nwant %s", test.pods, r.Verdict, r.Reason, test.want)
		}
	}
}

// All terms of an affinity that name nodes leave the others out of sight, a pod that
// tolerates a cordon may be on a node that has one, and a pod that is being deleted is
// counted by no spread, and neither is any by an empty selector.
func TestWhatTheSchedulerSees(t *testing.T) {
	named := func(s *kube.Shape) {
		s.Affinity = []kube.AffinityTerm{{Fields: []kube.Requirement{{Key: "metadata.name", Operator: "In", Values: []string{"a"}}}}}
	}
	cordoned := func(n *kube.Node) { n.Cordoned = true }
	tolerant := func(s *kube.Shape) { s.Tolerations = []kube.Toleration{{Operator: "Exists"}} }
	spread := func(by kube.Selector) func(*kube.Shape) {
		return func(s *kube.Shape) {
			s.Spread = []kube.Spread{{MaxSkew: 1, MinDomains: 1, Key: "kubernetes.io/hostname", Selector: by}}
		}
	}
	there := func(ends bool) []*kube.Pod {
		return []*kube.Pod{{Name: "old", On: "a", Shape: pods(1, 1).Shape, Ending: ends}, {Name: "old2", On: "a", Shape: pods(1, 1).Shape, Ending: ends}}
	}
	two := []kube.Node{node("a", 4000), node("b", 10)}
	for name, test := range map[string]struct {
		cluster kube.Cluster
		group   kube.Group
		want    string
	}{
		"named":    {kube.Cluster{Nodes: []kube.Node{node("a", 10), node("b", 4000)}}, pods(100, 1, named), "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't satisfy plugin(s) [NodeAffinity]."},
		"cordoned": {kube.Cluster{Nodes: []kube.Node{node("a", 4000, cordoned)}}, pods(100, 1), "0/1 nodes are available: 1 node(s) were unschedulable."},
		"tolerant": {kube.Cluster{Nodes: []kube.Node{node("a", 4000, cordoned)}}, pods(100, 1, tolerant), ""},
		"by name":  {kube.Cluster{Nodes: two}, pods(100, 1, func(s *kube.Shape) { s.NodeName = "b" }), "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match the requested node name."},
		"spread":   {kube.Cluster{Nodes: two, Pods: there(false)}, pods(100, 1, spread(own)), "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match pod topology spread constraints."},
		"deleted":  {kube.Cluster{Nodes: two, Pods: there(true)}, pods(100, 1, spread(own)), ""},
		"empty":    {kube.Cluster{Nodes: two, Pods: there(false)}, pods(100, 1, spread(kube.Selector{})), ""},
	} {
		r := kube.NewPacker(&test.cluster, []kube.Group{test.group}, 0).Pack([]int{0})
		if r.Reason != test.want || (r.Verdict == kube.Fits) != (test.want == "") {
			t.Errorf("%s: %v %s\nwant %s", name, r.Verdict, r.Reason, test.want)
		}
	}
}

// A term may select namespaces by label; every namespace has a label with its own
// name.
func TestNamespacesByLabels(t *testing.T) {
	db := kube.Selector{{Key: "app", Operator: "In", Values: []string{"db"}}}
	c := &kube.Cluster{Nodes: []kube.Node{node("a", 4000)}, Pods: []*kube.Pod{{Name: "db", On: "a", Shape: &kube.Shape{
		Namespace: "prod", Namespaced: map[string]string{"team": "x"}, Labels: map[string]string{"app": "db"},
	}}}}
	for key, want := range map[string]kube.Verdict{"kubernetes.io/metadata.name=prod": kube.Fits, "team=x": kube.Fits, "team=y": kube.Cannot, "": kube.Cannot} {
		near := kube.Near{Selector: db}
		if label, value, ok := strings.Cut(key, "="); ok {
			near.Labelled = kube.Selector{{Key: label, Operator: "In", Values: []string{value}}}
		}
		g := pods(100, 1, func(s *kube.Shape) { s.With = []kube.Near{near} })
		if r := kube.NewPacker(c, []kube.Group{g}, 0).Pack([]int{0}); r.Verdict != want {
			t.Errorf("%q: %v %s", key, r.Verdict, r.Reason)
		}
	}
}
