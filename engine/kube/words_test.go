package kube_test

import (
	"fmt"
	"testing"

	"berth/engine/kube"
)

func node(name string, cpu int64, change ...func(*kube.Node)) kube.Node {
	n := kube.Node{
		Name: name, Labels: map[string]string{"kubernetes.io/hostname": name},
		Allocatable: kube.Resources{kube.CPU: cpu, kube.Memory: 8 << 30, kube.Pods: 110},
	}
	for _, c := range change {
		c(&n)
	}
	return n
}

func tainted(n *kube.Node) {
	n.Taints = []kube.Taint{{Key: "gpu", Value: "true", Effect: "NoSchedule"}}
}

func labelled(key, value string) func(*kube.Node) {
	return func(n *kube.Node) { n.Labels[key] = value }
}

func pods(cpu int64, count int, change ...func(*kube.Shape)) kube.Group {
	s := &kube.Shape{Namespace: "default", Labels: map[string]string{"app": "web"}, Requests: kube.Resources{kube.CPU: cpu, kube.Memory: 1 << 20}}
	for _, c := range change {
		c(s)
	}
	return kube.Group{Name: "web", Shape: s, Pods: count}
}

var own = kube.Selector{{Key: "app", Operator: "In", Values: []string{"web"}}}

// What kubectl describe pod says of a pod that does not fit, of cases that are
// worked out by hand.
func TestReasonsInTheWordsOfKubectl(t *testing.T) {
	var twelve, forty []kube.Node
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
	half := &kube.Shape{Namespace: "default", Requests: kube.Resources{kube.CPU: 2000}}
	var running []*kube.Pod
	for i := range 40 {
		running = append(running, &kube.Pod{Name: "half", Shape: half, On: fmt.Sprint("n", i)})
	}
	for name, test := range map[string]struct {
		cluster kube.Cluster
		group   kube.Group
		want    string
	}{
		"resources and taints": {kube.Cluster{Nodes: twelve}, pods(1000, 1),
			"0/12 nodes are available: 4 Insufficient cpu, 8 node(s) had untolerated taint(s)."},
		"forty half-free nodes take no pod that needs a whole one": {kube.Cluster{Nodes: forty, Pods: running}, pods(4000, 1),
			"0/40 nodes are available: 40 Insufficient cpu."},
		"selector": {kube.Cluster{Nodes: []kube.Node{node("a", 4000), node("b", 4000)}},
			pods(1, 1, func(s *kube.Shape) { s.NodeSelector = map[string]string{"disk": "ssd"} }),
			"0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector."},
		"some fit": {kube.Cluster{Nodes: []kube.Node{node("a", 4000), node("b", 4000)}}, pods(1500, 5),
			"0/2 nodes are available: 2 Insufficient cpu. 4 of 5 pods fit."},
		"anti-affinity": {kube.Cluster{Nodes: []kube.Node{node("a", 4000), node("b", 4000)}},
			pods(1, 3, func(s *kube.Shape) { s.AntiAffinity = []kube.Near{{Selector: own}} }),
			"0/2 nodes are available: 2 node(s) didn't match pod anti-affinity rules. 2 of 3 pods fit."},
		"what runs stays alone": {kube.Cluster{Nodes: []kube.Node{node("a", 4000)}, Pods: []*kube.Pod{
			{Name: "other", On: "a", Shape: &kube.Shape{Namespace: "default", AntiAffinity: []kube.Near{{Selector: own}}}}}}, pods(1, 1),
			"0/1 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules."},
		"anti-affinity by zone": {kube.Cluster{Nodes: []kube.Node{node("a", 4000, labelled("zone", "1")), node("b", 4000, labelled("zone", "1")), node("c", 50, labelled("zone", "2"))}},
			pods(100, 2, func(s *kube.Shape) { s.AntiAffinity = []kube.Near{{Key: "zone", Selector: own}} }),
			"0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't match pod anti-affinity rules. 1 of 2 pods fit."},
		"what runs keeps its zone": {kube.Cluster{Nodes: []kube.Node{node("a", 4000, labelled("zone", "1")), node("b", 4000, labelled("zone", "1"))}, Pods: []*kube.Pod{
			{Name: "other", On: "a", Shape: &kube.Shape{Namespace: "default", AntiAffinity: []kube.Near{{Key: "zone", Selector: own}}}}}}, pods(1, 1),
			"0/2 nodes are available: 2 node(s) didn't satisfy existing pods anti-affinity rules."},
		"nothing to be near": {kube.Cluster{Nodes: []kube.Node{node("a", 4000), node("b", 50)}},
			pods(100, 1, func(s *kube.Shape) {
				s.With = []kube.Near{{Selector: kube.Selector{{Key: "app", Operator: "In", Values: []string{"db"}}}}}
			}),
			"0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match pod affinity rules."},
		"near what runs": {kube.Cluster{Nodes: []kube.Node{node("a", 50, labelled("zone", "1")), node("b", 4000, labelled("zone", "2")), node("c", 4000)}, Pods: []*kube.Pod{
			{Name: "db", On: "a", Shape: &kube.Shape{Namespace: "default", Labels: map[string]string{"app": "db"}}}}},
			pods(100, 1, func(s *kube.Shape) {
				s.With = []kube.Near{{Key: "zone", Selector: kube.Selector{{Key: "app", Operator: "In", Values: []string{"db"}}}}}
			}),
			"0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't match pod affinity rules."},
		"all in one zone": {kube.Cluster{Nodes: []kube.Node{node("a", 400, labelled("zone", "1")), node("b", 400, labelled("zone", "2"))}},
			pods(100, 6, func(s *kube.Shape) { s.With = []kube.Near{{Key: "zone", Selector: own}} }),
			"0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match pod affinity rules. 4 of 6 pods fit."},
		"spread": {kube.Cluster{Nodes: []kube.Node{node("a", 4000, labelled("zone", "1")), node("b", 100, labelled("zone", "2"))}},
			pods(100, 4, func(s *kube.Shape) {
				s.Spread = []kube.Spread{{MaxSkew: 1, MinDomains: 1, Key: "zone", Selector: own}}
			}),
			"0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match pod topology spread constraints. 3 of 4 pods fit."},
		"no label to spread by": {kube.Cluster{Nodes: []kube.Node{node("a", 4000)}},
			pods(100, 1, func(s *kube.Shape) {
				s.Spread = []kube.Spread{{MaxSkew: 1, MinDomains: 1, Key: "zone", Selector: own}}
			}),
			"0/1 nodes are available: 1 node(s) didn't match pod topology spread constraints (missing required label)."},
		"too many pods": {kube.Cluster{Nodes: []kube.Node{node("a", 4000, func(n *kube.Node) { n.Allocatable[kube.Pods] = 2 })}}, pods(1, 3),
			"0/1 nodes are available: 1 Too many pods. 2 of 3 pods fit."},
		"closed": {kube.Cluster{Nodes: []kube.Node{node("a", 4000, func(n *kube.Node) { n.Closed = "node(s) were unschedulable" })}}, pods(1, 1),
			"0/1 nodes are available: 1 node(s) were unschedulable."},
		"extended resources": {kube.Cluster{Nodes: []kube.Node{node("a", 4000)}},
			pods(1, 1, func(s *kube.Shape) { s.Requests["nvidia.com/gpu"] = 1 }),
			"0/1 nodes are available: 1 Insufficient nvidia.com/gpu."},
	} {
		got := kube.NewPacker(&test.cluster, []kube.Group{test.group}, 0).Pack([]int{0})
		if got.Verdict != kube.Cannot || got.Reason != test.want {
			t.Errorf("%s: %v (%s): %s\nwant %s", name, got.Verdict, got.Proof, got.Reason, test.want)
		}
	}
}

// A web pod that has to be near a database is not refused for lack of one that may
// still come, and is packed into the one zone that has room for both.
func TestPodsThatWaitForOthers(t *testing.T) {
	nodes := []kube.Node{node("a", 1000, labelled("zone", "1")), node("b", 300, labelled("zone", "2")), node("c", 300, labelled("zone", "2"))}
	db := kube.Selector{{Key: "app", Operator: "In", Values: []string{"db"}}}
	groups := []kube.Group{
		pods(100, 6, func(s *kube.Shape) { s.With = []kube.Near{{Key: "zone", Selector: db}} }),
		pods(200, 1, func(s *kube.Shape) { s.Labels = map[string]string{"app": "db"} }),
	}
	p := kube.NewPacker(&kube.Cluster{Nodes: nodes}, groups, 0)
	if r := p.Pack([]int{0}); r.Verdict != kube.Cannot || r.Proof != "bound" {
		t.Errorf("without a database: %+v", r)
	}
	if r := p.Pack([]int{0}, 1); r.Verdict != kube.Fits {
		t.Errorf("a database may come: %+v", r)
	}
	if r := p.Pack([]int{0, 1}); r.Verdict != kube.Fits || fmt.Sprint(r.On) != "[[{0 6}] [{0 1}]]" {
		t.Errorf("together: %+v", r)
	}
	if !groups[0].Shape.Leans(groups[1].Shape) || groups[1].Shape.Leans(groups[0].Shape) {
		t.Error("web leans on the database, and the database on nothing")
	}
}

// All operators of node affinity, and tolerations, against one node.
func TestAffinityAndTolerations(t *testing.T) {
	n := node("a", 1000, labelled("disk", "ssd"), labelled("cores", "8"), tainted)
	require := func(key, operator string, values ...string) func(*kube.Shape) {
		return func(s *kube.Shape) {
			s.Affinity = []kube.AffinityTerm{{Labels: []kube.Requirement{{Key: key, Operator: operator, Values: values}}}}
		}
	}
	tolerate := func(tolerations ...kube.Toleration) func(*kube.Shape) {
		return func(s *kube.Shape) { s.Tolerations = tolerations }
	}
	all := tolerate(kube.Toleration{Operator: "Exists"})
	for _, test := range []struct {
		change []func(*kube.Shape)
		want   bool
	}{
		{nil, false}, {[]func(*kube.Shape){all}, true},
		{[]func(*kube.Shape){tolerate(kube.Toleration{Key: "gpu", Value: "true"})}, true},
		{[]func(*kube.Shape){tolerate(kube.Toleration{Key: "gpu", Value: "false"})}, false},
		{[]func(*kube.Shape){tolerate(kube.Toleration{Key: "gpu", Operator: "Exists", Effect: "NoExecute"})}, false},
		{[]func(*kube.Shape){all, require("disk", "In", "hdd", "ssd")}, true}, {[]func(*kube.Shape){all, require("disk", "In", "hdd")}, false},
		{[]func(*kube.Shape){all, require("disk", "NotIn", "hdd")}, true}, {[]func(*kube.Shape){all, require("pool", "NotIn", "x")}, true},
		{[]func(*kube.Shape){all, require("disk", "Exists")}, true}, {[]func(*kube.Shape){all, require("disk", "DoesNotExist")}, false},
		{[]func(*kube.Shape){all, require("cores", "Gt", "7")}, true}, {[]func(*kube.Shape){all, require("cores", "Gt", "8")}, false},
		{[]func(*kube.Shape){all, require("cores", "Lt", "9")}, true}, {[]func(*kube.Shape){all, require("disk", "Lt", "9")}, false},
		{[]func(*kube.Shape){all, func(s *kube.Shape) { s.Affinity = []kube.AffinityTerm{{}} }}, false},
		{[]func(*kube.Shape){all, func(s *kube.Shape) {
			s.Affinity = []kube.AffinityTerm{{Fields: []kube.Requirement{{Key: "metadata.name", Operator: "In", Values: []string{"a"}}}}}
		}}, true},
	} {
		got := kube.NewPacker(&kube.Cluster{Nodes: []kube.Node{n}}, []kube.Group{pods(1, 1, test.change...)}, 0).Pack([]int{0})
		if (got.Verdict == kube.Fits) != test.want {
			t.Errorf("%+v: %v (%s), want %t", pods(1, 1, test.change...).Shape, got.Verdict, got.Reason, test.want)
		}
	}
}

// Sizes that neither a bound nor a few steps decide: five pods of 3, 3, 2, 2 and 2
// fit into two nodes of 6 in one way only; if one node has 5, the search must be
// exhaustive, and after a single step there is no answer.
func TestProofsAndSteps(t *testing.T) {
	var groups []kube.Group
	for _, cpu := range []int64{3, 3, 2, 2, 2} {
		groups = append(groups, pods(cpu, 1))
	}
	all := []int{0, 1, 2, 3, 4}
	fits := kube.NewPacker(&kube.Cluster{Nodes: []kube.Node{node("a", 6), node("b", 6)}}, groups, 0).Pack(all)
	if fits.Verdict != kube.Fits {
		t.Errorf("6 and 6: %v %s", fits.Verdict, fits.Reason)
	}
	uneven := kube.Cluster{Nodes: []kube.Node{node("a", 9), node("b", 4)}}
	groups = nil
	for _, cpu := range []int64{5, 5, 3} {
		groups = append(groups, pods(cpu, 1))
	}
	cannot := kube.NewPacker(&uneven, groups, 0).Pack([]int{0, 1, 2})
	if cannot.Verdict != kube.Cannot {
		t.Errorf("9 and 4: %v %s", cannot.Verdict, cannot.Reason)
	}
	for seed := range uint64(2000) { // some case needs a search of several steps
		c, groups := random(seed)
		var all []int
		for g := range groups {
			all = append(all, g)
		}
		if r := kube.NewPacker(c, groups, 0).Pack(all); r.Verdict == kube.Cannot && r.Steps > 1 {
			r = kube.NewPacker(c, groups, 1).Pack(all)
			if r.Verdict != kube.Unknown {
				t.Errorf("seed %d: with one step: %v", seed, r.Verdict)
			}
			return
		}
	}
	t.Error("no case needs a search")
}

func TestFragmentation(t *testing.T) {
	c := kube.Cluster{Nodes: []kube.Node{node("a", 100), node("b", 300), node("c", 1000, func(n *kube.Node) { n.Closed = "node(s) were unschedulable" })}}
	groups := []kube.Group{pods(200, 3), pods(50, 1), pods(900, 1)}
	if m := kube.Median(groups); m.Requests[kube.CPU] != 200 {
		t.Errorf("the median of 50, 200, 200, 200, 900 is %d", m.Requests[kube.CPU])
	}
	share, ok := kube.NewPacker(&c, groups, 0).Fragmentation(nil, kube.Median(groups))
	if !ok || share != 0.25 { // 100 of 400
		t.Errorf("%v, %t", share, ok)
	}
}
