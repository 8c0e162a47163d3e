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

// packed checks that the groups fit, or the reason why they do not.
func packed(t *testing.T, c *kube.Cluster, want string, groups ...kube.Group) {
	t.Helper()
	var all []int
	for g := range groups {
		all = append(all, g)
	}
	r := kube.NewPacker(c, groups, 0).Pack(all)
	if r.Reason != want || (r.Verdict == kube.Fits) != (want == "") {
		t.Errorf("%v (%s): %s\nwant %s", r.Verdict, r.Proof, r.Reason, want)
	}
}

// If only some pods of a job fit, the reason counts the nodes in the same way as kubectl. The cases
// are computed by hand; the oracle covers single pods.
func TestReasonsInTheWordsOfKubectl(t *testing.T) {
	var forty []kube.Node
	var running []*kube.Pod
	half := &kube.Shape{Namespace: "default", Requests: kube.Resources{kube.CPU: 2000}}
	for i := range 40 {
		forty = append(forty, node(fmt.Sprint("n", i), 4000))
		running = append(running, &kube.Pod{Name: "half", Shape: half, On: fmt.Sprint("n", i)})
	}
	on := func(nodes ...kube.Node) *kube.Cluster { return &kube.Cluster{Nodes: nodes} }
	one, two := labelled("zone", "1"), labelled("zone", "2")
	packed(t, &kube.Cluster{Nodes: forty, Pods: running}, "0/40 nodes are available: 40 Insufficient cpu.", pods(4000, 1))
	packed(t, on(node("a", 4000), node("b", 4000)), "0/2 nodes are available: 2 Insufficient cpu. 4 of 5 pods fit.", pods(1500, 5))
	packed(t, on(node("a", 4000), node("b", 4000)), "0/2 nodes are available: 2 node(s) didn't match pod anti-affinity rules. 2 of 3 pods fit.",
		pods(1, 3, func(s *kube.Shape) { s.AntiAffinity = []kube.Near{{Selector: own}} }))
	packed(t, on(node("a", 4000, one), node("b", 4000, one), node("c", 50, two)),
		"0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't match pod anti-affinity rules. 1 of 2 pods fit.",
		pods(100, 2, func(s *kube.Shape) { s.AntiAffinity = []kube.Near{{Key: "zone", Selector: own}} }))
	packed(t, on(node("a", 400, one), node("b", 400, two)),
		"0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match pod affinity rules. 4 of 6 pods fit.",
		pods(100, 6, func(s *kube.Shape) { s.With = []kube.Near{{Key: "zone", Selector: own}} }))
	packed(t, on(node("a", 4000, one), node("b", 100, two)),
		"0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match pod topology spread constraints. 3 of 4 pods fit.",
		pods(100, 4, func(s *kube.Shape) { s.Spread = []kube.Spread{{MaxSkew: 1, MinDomains: 1, Key: "zone", Selector: own}} }))
	packed(t, on(node("a", 4000, func(n *kube.Node) { n.Allocatable[kube.Pods] = 2 })), "0/1 nodes are available: 1 Too many pods. 2 of 3 pods fit.", pods(1, 3))
	packed(t, on(node("a", 4000, func(n *kube.Node) { n.Closed = "node(s) were unschedulable" })), "0/1 nodes are available: 1 node(s) were unschedulable.", pods(1, 1))
	packed(t, on(node("a", 4000), node("b", 10)), "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match the requested node name.",
		pods(100, 1, func(s *kube.Shape) { s.NodeName = "b" }))
}

// A web pod that must be near a database is not refused if the database may still start. It is
// packed into the one zone that has room for both.
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

// Neither a bound nor a few steps decide these sizes. Five pods of 3, 3, 2, 2 and 2 fit into two
// nodes of 6 in only one way. If one node has 5, the search must be exhaustive, and after a single
// step there is no answer.
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
	for seed := range uint64(2000) { // at least one case needs a search of several steps
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

// Two pods with the same host port need two nodes, and a running pod uses its port.
func TestHostPorts(t *testing.T) {
	port := func(ip, protocol string) func(*kube.Shape) {
		return func(s *kube.Shape) { s.Ports = append(s.Ports, kube.Port{IP: ip, Protocol: protocol, Number: 80}) }
	}
	c := &kube.Cluster{Nodes: []kube.Node{node("a", 4000), node("b", 4000), node("c", 4000)},
		Pods: []*kube.Pod{{Name: "p", On: "b", Shape: pods(1, 1, port("10.0.0.1", "")).Shape}}}
	packed(t, c, "", pods(1, 2, port("", "")))
	packed(t, c, "0/3 nodes are available: 3 node(s) didn't have free ports for the requested pod ports. 2 of 3 pods fit.", pods(1, 3, port("", "")))
	packed(t, c, "", pods(1, 3, port("10.0.0.2", "")))
	packed(t, c, "", pods(1, 3, port("", "UDP")))
}

// The message about an exceeded quota lists the exceeded resources, not the exhausted ones.
func TestExceededQuota(t *testing.T) {
	for want, hard := range map[string]kube.Resources{
		"": {"requests.cpu": 2000, "requests.memory": 2 << 20, kube.Pods: 2},
		`pods "web" is forbidden: exceeded quota: q, requested: requests.memory=1Mi, used: requests.memory=1Mi, limited: requests.memory=1Mi. 1 of 2 pods fit.`: {
			"requests.cpu": 2000, "requests.memory": 1 << 20, kube.Pods: 2},
		`pods "web" is forbidden: exceeded quota: q, requested: pods=1,requests.cpu=1, used: pods=1,requests.cpu=1, limited: pods=1,requests.cpu=1999m. 1 of 2 pods fit.`: {
			"requests.cpu": 1999, "requests.memory": 2 << 20, kube.Pods: 1},
	} {
		c := kube.Cluster{Nodes: []kube.Node{node("n", 4000)}}
		c.Quotas = []kube.Quota{{Namespace: "default", Name: "q", Hard: hard}}
		packed(t, &c, want, pods(1000, 2))
	}
}
