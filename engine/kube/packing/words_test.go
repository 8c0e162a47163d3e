package packing_test

import (
	"fmt"
	"testing"

	"berth/engine/kube/packing"
)

func node(name string, cpu int64, change ...func(*packing.Node)) packing.Node {
	n := packing.Node{
		Name: name, Labels: map[string]string{"kubernetes.io/hostname": name},
		Allocatable: packing.Resources{packing.CPU: cpu, packing.Memory: 8 << 30, packing.Pods: 110},
	}
	for _, c := range change {
		c(&n)
	}
	return n
}

func tainted(n *packing.Node) {
	n.Taints = []packing.Taint{{Key: "gpu", Value: "true", Effect: "NoSchedule"}}
}

func labelled(key, value string) func(*packing.Node) {
	return func(n *packing.Node) { n.Labels[key] = value }
}

func pods(cpu int64, count int, change ...func(*packing.Shape)) packing.Group {
	s := &packing.Shape{Namespace: "default", Labels: map[string]string{"app": "web"}, Requests: packing.Resources{packing.CPU: cpu, packing.Memory: 1 << 20}}
	for _, c := range change {
		c(s)
	}
	return packing.Group{Name: "web", Shape: s, Pods: count}
}

var own = packing.Selector{{Key: "app", Operator: "In", Values: []string{"web"}}}

// What kubectl describe pod says of a pod that does not fit, of cases that are
// worked out by hand.
func TestReasonsInTheWordsOfKubectl(t *testing.T) {
	var twelve, forty []packing.Node
	for i := range 12 {
		n := node(fmt.Sprint("n", i), 500)
		if i >= 4 {
			tainted(&n)
		}
		twelve = append(twelve, n)
	}
	for i := range 40 {
		forty = append(forty, node(fmt.Sprint("n", i), 4000))
	}
	half := &packing.Shape{Namespace: "default", Requests: packing.Resources{packing.CPU: 2000}}
	var running []packing.Running
	for i := range 40 {
		running = append(running, packing.Running{Name: "half", Shape: half, Node: i})
	}
	for name, test := range map[string]struct {
		cluster packing.Cluster
		group   packing.Group
		want    string
	}{
		"resources and taints": {packing.Cluster{Nodes: twelve}, pods(1000, 1),
			"0/12 nodes are available: 4 Insufficient cpu, 8 node(s) had untolerated taint(s)."},
		"forty half-free nodes take no pod that needs a whole one": {packing.Cluster{Nodes: forty, Running: running}, pods(4000, 1),
			"0/40 nodes are available: 40 Insufficient cpu."},
		"selector": {packing.Cluster{Nodes: []packing.Node{node("a", 4000), node("b", 4000)}},
			pods(1, 1, func(s *packing.Shape) { s.NodeSelector = map[string]string{"disk": "ssd"} }),
			"0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector."},
		"some fit": {packing.Cluster{Nodes: []packing.Node{node("a", 4000), node("b", 4000)}}, pods(1500, 5),
			"0/2 nodes are available: 2 Insufficient cpu. 4 of 5 pods fit."},
		"anti-affinity": {packing.Cluster{Nodes: []packing.Node{node("a", 4000), node("b", 4000)}},
			pods(1, 3, func(s *packing.Shape) { s.AntiAffinity = []packing.Near{{Selector: own}} }),
			"0/2 nodes are available: 2 node(s) didn't match pod anti-affinity rules. 2 of 3 pods fit."},
		"what runs stays alone": {packing.Cluster{Nodes: []packing.Node{node("a", 4000)}, Running: []packing.Running{
			{Name: "other", Shape: &packing.Shape{Namespace: "default", AntiAffinity: []packing.Near{{Selector: own}}}}}}, pods(1, 1),
			"0/1 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules."},
		"anti-affinity by zone": {packing.Cluster{Nodes: []packing.Node{node("a", 4000, labelled("zone", "1")), node("b", 4000, labelled("zone", "1")), node("c", 50, labelled("zone", "2"))}},
			pods(100, 2, func(s *packing.Shape) { s.AntiAffinity = []packing.Near{{Key: "zone", Selector: own}} }),
			"0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't match pod anti-affinity rules. 1 of 2 pods fit."},
		"what runs keeps its zone": {packing.Cluster{Nodes: []packing.Node{node("a", 4000, labelled("zone", "1")), node("b", 4000, labelled("zone", "1"))}, Running: []packing.Running{
			{Name: "other", Shape: &packing.Shape{Namespace: "default", AntiAffinity: []packing.Near{{Key: "zone", Selector: own}}}}}}, pods(1, 1),
			"0/2 nodes are available: 2 node(s) didn't satisfy existing pods anti-affinity rules."},
		"nothing to be near": {packing.Cluster{Nodes: []packing.Node{node("a", 4000), node("b", 50)}},
			pods(100, 1, func(s *packing.Shape) {
				s.With = []packing.Near{{Selector: packing.Selector{{Key: "app", Operator: "In", Values: []string{"db"}}}}}
			}),
			"0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match pod affinity rules."},
		"near what runs": {packing.Cluster{Nodes: []packing.Node{node("a", 50, labelled("zone", "1")), node("b", 4000, labelled("zone", "2")), node("c", 4000)}, Running: []packing.Running{
			{Name: "db", Shape: &packing.Shape{Namespace: "default", Labels: map[string]string{"app": "db"}}}}},
			pods(100, 1, func(s *packing.Shape) {
				s.With = []packing.Near{{Key: "zone", Selector: packing.Selector{{Key: "app", Operator: "In", Values: []string{"db"}}}}}
			}),
			"0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't match pod affinity rules."},
		"all in one zone": {packing.Cluster{Nodes: []packing.Node{node("a", 400, labelled("zone", "1")), node("b", 400, labelled("zone", "2"))}},
			pods(100, 6, func(s *packing.Shape) { s.With = []packing.Near{{Key: "zone", Selector: own}} }),
			"0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match pod affinity rules. 4 of 6 pods fit."},
		"spread": {packing.Cluster{Nodes: []packing.Node{node("a", 4000, labelled("zone", "1")), node("b", 100, labelled("zone", "2"))}},
			pods(100, 4, func(s *packing.Shape) {
				s.Spread = []packing.Spread{{MaxSkew: 1, MinDomains: 1, Key: "zone", Selector: own}}
			}),
			"0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match pod topology spread constraints. 3 of 4 pods fit."},
		"no label to spread by": {packing.Cluster{Nodes: []packing.Node{node("a", 4000)}},
			pods(100, 1, func(s *packing.Shape) {
				s.Spread = []packing.Spread{{MaxSkew: 1, MinDomains: 1, Key: "zone", Selector: own}}
			}),
			"0/1 nodes are available: 1 node(s) didn't match pod topology spread constraints (missing required label)."},
		"too many pods": {packing.Cluster{Nodes: []packing.Node{node("a", 4000, func(n *packing.Node) { n.Allocatable[packing.Pods] = 2 })}}, pods(1, 3),
			"0/1 nodes are available: 1 Too many pods. 2 of 3 pods fit."},
		"closed": {packing.Cluster{Nodes: []packing.Node{node("a", 4000, func(n *packing.Node) { n.Closed = "node(s) were unschedulable" })}}, pods(1, 1),
			"0/1 nodes are available: 1 node(s) were unschedulable."},
		"extended resources": {packing.Cluster{Nodes: []packing.Node{node("a", 4000)}},
			pods(1, 1, func(s *packing.Shape) { s.Requests["nvidia.com/gpu"] = 1 }),
			"0/1 nodes are available: 1 Insufficient nvidia.com/gpu."},
	} {
		got := packing.NewPacker(&test.cluster, []packing.Group{test.group}, 0).Pack([]int{0})
		if got.Verdict != packing.Cannot || got.Reason != test.want {
			t.Errorf("%s: %v (%s): %s\nwant %s", name, got.Verdict, got.Proof, got.Reason, test.want)
		}
	}
}

// A web pod that has to be near a database is not refused for lack of one that may
// still come, and is packed into the one zone that has room for both.
func TestPodsThatWaitForOthers(t *testing.T) {
	nodes := []packing.Node{node("a", 1000, labelled("zone", "1")), node("b", 300, labelled("zone", "2")), node("c", 300, labelled("zone", "2"))}
	db := packing.Selector{{Key: "app", Operator: "In", Values: []string{"db"}}}
	groups := []packing.Group{
		pods(100, 6, func(s *packing.Shape) { s.With = []packing.Near{{Key: "zone", Selector: db}} }),
		pods(200, 1, func(s *packing.Shape) { s.Labels = map[string]string{"app": "db"} }),
	}
	p := packing.NewPacker(&packing.Cluster{Nodes: nodes}, groups, 0)
	if r := p.Pack([]int{0}); r.Verdict != packing.Cannot || r.Proof != "bound" {
		t.Errorf("without a database: %+v", r)
	}
	if r := p.Pack([]int{0}, 1); r.Verdict != packing.Fits {
		t.Errorf("a database may come: %+v", r)
	}
	if r := p.Pack([]int{0, 1}); r.Verdict != packing.Fits || fmt.Sprint(r.On) != "[[{0 6}] [{0 1}]]" {
		t.Errorf("together: %+v", r)
	}
	if !groups[0].Shape.Leans(groups[1].Shape) || groups[1].Shape.Leans(groups[0].Shape) {
		t.Error("web leans on the database, and the database on nothing")
	}
}

// All operators of node affinity, and tolerations, against one node.
func TestAffinityAndTolerations(t *testing.T) {
	n := node("a", 1000, labelled("disk", "ssd"), labelled("cores", "8"), tainted)
	require := func(key, operator string, values ...string) func(*packing.Shape) {
		return func(s *packing.Shape) {
			s.Affinity = []packing.AffinityTerm{{Labels: []packing.Requirement{{Key: key, Operator: operator, Values: values}}}}
		}
	}
	tolerate := func(tolerations ...packing.Toleration) func(*packing.Shape) {
		return func(s *packing.Shape) { s.Tolerations = tolerations }
	}
	all := tolerate(packing.Toleration{Operator: "Exists"})
	for _, test := range []struct {
		change []func(*packing.Shape)
		want   bool
	}{
		{nil, false}, {[]func(*packing.Shape){all}, true},
		{[]func(*packing.Shape){tolerate(packing.Toleration{Key: "gpu", Value: "true"})}, true},
		{[]func(*packing.Shape){tolerate(packing.Toleration{Key: "gpu", Value: "false"})}, false},
		{[]func(*packing.Shape){tolerate(packing.Toleration{Key: "gpu", Operator: "Exists", Effect: "NoExecute"})}, false},
		{[]func(*packing.Shape){all, require("disk", "In", "hdd", "ssd")}, true}, {[]func(*packing.Shape){all, require("disk", "In", "hdd")}, false},
		{[]func(*packing.Shape){all, require("disk", "NotIn", "hdd")}, true}, {[]func(*packing.Shape){all, require("pool", "NotIn", "x")}, true},
		{[]func(*packing.Shape){all, require("disk", "Exists")}, true}, {[]func(*packing.Shape){all, require("disk", "DoesNotExist")}, false},
		{[]func(*packing.Shape){all, require("cores", "Gt", "7")}, true}, {[]func(*packing.Shape){all, require("cores", "Gt", "8")}, false},
		{[]func(*packing.Shape){all, require("cores", "Lt", "9")}, true}, {[]func(*packing.Shape){all, require("disk", "Lt", "9")}, false},
		{[]func(*packing.Shape){all, func(s *packing.Shape) { s.Affinity = []packing.AffinityTerm{{}} }}, false},
		{[]func(*packing.Shape){all, func(s *packing.Shape) {
			s.Affinity = []packing.AffinityTerm{{Fields: []packing.Requirement{{Key: "metadata.name", Operator: "In", Values: []string{"a"}}}}}
		}}, true},
	} {
		got := packing.NewPacker(&packing.Cluster{Nodes: []packing.Node{n}}, []packing.Group{pods(1, 1, test.change...)}, 0).Pack([]int{0})
		if (got.Verdict == packing.Fits) != test.want {
			t.Errorf("%+v: %v (%s), want %t", pods(1, 1, test.change...).Shape, got.Verdict, got.Reason, test.want)
		}
	}
}

// Sizes that neither a bound nor a few steps decide: five pods of 3, 3, 2, 2 and 2
// fit into two nodes of 6 in one way only; if one node has 5, the search must be
// exhaustive, and after a single step there is no answer.
func TestProofsAndSteps(t *testing.T) {
	var groups []packing.Group
	for _, cpu := range []int64{3, 3, 2, 2, 2} {
		groups = append(groups, pods(cpu, 1))
	}
	all := []int{0, 1, 2, 3, 4}
	fits := packing.NewPacker(&packing.Cluster{Nodes: []packing.Node{node("a", 6), node("b", 6)}}, groups, 0).Pack(all)
	if fits.Verdict != packing.Fits {
		t.Errorf("6 and 6: %v %s", fits.Verdict, fits.Reason)
	}
	uneven := packing.Cluster{Nodes: []packing.Node{node("a", 9), node("b", 4)}}
	groups = nil
	for _, cpu := range []int64{5, 5, 3} {
		groups = append(groups, pods(cpu, 1))
	}
	cannot := packing.NewPacker(&uneven, groups, 0).Pack([]int{0, 1, 2})
	if cannot.Verdict != packing.Cannot {
		t.Errorf("9 and 4: %v %s", cannot.Verdict, cannot.Reason)
	}
	for seed := range uint64(2000) { // some case needs a search of several steps
		c, groups := random(seed)
		var all []int
		for g := range groups {
			all = append(all, g)
		}
		if r := packing.NewPacker(c, groups, 0).Pack(all); r.Verdict == packing.Cannot && r.Steps > 1 {
			r = packing.NewPacker(c, groups, 1).Pack(all)
			if r.Verdict != packing.Unknown {
				t.Errorf("seed %d: with one step: %v", seed, r.Verdict)
			}
			return
		}
	}
	t.Error("no case needs a search")
}

func TestFragmentation(t *testing.T) {
	c := packing.Cluster{Nodes: []packing.Node{node("a", 100), node("b", 300), node("c", 1000, func(n *packing.Node) { n.Closed = "node(s) were unschedulable" })}}
	groups := []packing.Group{pods(200, 3), pods(50, 1), pods(900, 1)}
	if m := packing.Median(groups); m.Requests[packing.CPU] != 200 {
		t.Errorf("the median of 50, 200, 200, 200, 900 is %d", m.Requests[packing.CPU])
	}
	share, ok := packing.NewPacker(&c, groups, 0).Fragmentation(nil, packing.Median(groups))
	if !ok || share != 0.25 { // 100 of 400
		t.Errorf("%v, %t", share, ok)
	}
}
