package kube_test

import (
	"fmt"
	"reflect"
	"testing"

	"berth/engine/kube"
	"berth/engine/must"
	"berth/engine/show"
)

// zones returns a cluster of two zones. The second one is partly cordoned.
func zones() *kube.Cluster {
	in := func(zone string) func(*kube.Node) { return labelled("topology.kubernetes.io/zone", zone) }
	c := &kube.Cluster{Name: "eu", Nodes: []kube.Node{
		node("a1", 4000, in("a")), node("a2", 4000, in("a")), node("b1", 4000, in("b")),
		node("b2", 4000, in("b"), func(n *kube.Node) { n.Cordoned = true }),
		node("b3", 4000, in("b"), func(n *kube.Node) {
			n.Taints = []kube.Taint{{Key: "node.kubernetes.io/disk-pressure", Effect: "NoSchedule"}}
		}),
	}}
	add := func(name, on string, cpu int64, owner kube.Owner) {
		c.Pods = append(c.Pods, &kube.Pod{Name: name, On: on, Owner: owner, Shape: &kube.Shape{Namespace: "default", Requests: kube.Resources{kube.CPU: cpu}}})
	}
	web := kube.Owner{Kind: "ReplicaSet", Name: "web"}
	add("web-1", "a1", 1000, web)
	add("web-2", "a1", 2000, web)
	add("web-3", "a2", 2500, web)
	add("lone", "a2", 100, kube.Owner{Kind: "Pod", Name: "lone"})
	add("log", "a2", 100, kube.Owner{Kind: "DaemonSet", Name: "log"})
	add("waits", "", 500, web)
	return c
}

// The picture of nodes shows each pod's share of the scarcest resource, and why a node is closed.
func TestNodesWithTheirPods(t *testing.T) {
	c := zones()
	nodes := kube.Pending(kube.Default(), c).Nodes()
	want := map[string]kube.NodeUse{
		"a1": {Group: "a", Used: 750, Pods: []int{500, 250}},
		"a2": {Group: "a", Used: 675, Pods: []int{625, 25, 25}},
		"b1": {Group: "b", Used: 125, Arrived: []int{125}},
		"b2": {Group: "b", Closed: "cordoned"},
		"b3": {Group: "b", Closed: "disk pressure", Broken: true, Taint: "node.kubernetes.io/disk-pressure:NoSchedule"},
	}
	if len(nodes) != len(want) {
		t.Fatalf("%d nodes", len(nodes))
	}
	for _, got := range nodes {
		w := want[got.Name]
		w.Cluster, w.Name, w.Resource, w.Left = "eu", got.Name, kube.CPU, got.Left
		if !reflect.DeepEqual(got, w) {
			t.Errorf("%+v, want %+v", got, w)
		}
	}
	if got := nodes[0].Left; got != "1 CPU core, 8 GiB memory" {
		t.Errorf("left of a1: %s", got)
	}
}

// A rolling update starts and stops pods in the rounds of its controller. Each of three nodes has
// room for one new pod while an old one is there.
func TestARollout(t *testing.T) {
	web := kube.Owner{Kind: "Deployment", Namespace: "default", Name: "web"}
	zone := func(name string) func(*kube.Node) { return labelled("topology.kubernetes.io/zone", name) }
	c := &kube.Cluster{Name: "eu", Nodes: []kube.Node{node("n1", 4000, zone("a")), node("n2", 4000, zone("a")), node("n3", 4000, zone("b"))}}
	for i, on := range []string{"n1", "n1", "n2", "n3"} {
		c.Pods = append(c.Pods, &kube.Pod{Name: fmt.Sprint("web-", i), On: on, Owner: web, Shape: pods(1000, 1).Shape})
	}
	c.Budgets = []*kube.Budget{{Name: "web", Namespace: "default", Selector: own}}
	one := kube.Rolling{Surge: 1, Unavailable: 1}
	for name, test := range map[string]struct {
		cpu      int64
		by       kube.Rolling
		headline string
		on       string
		left     kube.Updated
	}{
		"room":    {2000, one, "The rollout of web ends in 3 rounds: all new pods run.", "n2 1, n1 1, n3 2, n1 2", kube.Updated{Running: 4, Missing: 1, Where: "a 3, b 1", Budgets: "web"}},
		"no room": {3000, one, "The rollout of web stops at 3 of 4 pods: 3 of 3 nodes lack cpu.", "n2 1, n1 1, n3 2,  2", kube.Updated{Running: 3, Missing: 1, Where: "a 2, b 1", Budgets: "web"}},
		"surge":   {3500, kube.Rolling{Surge: 1}, "The rollout of web stops at 0 of 4 pods: 3 of 3 nodes lack cpu.", " 1", kube.Updated{Old: 4, Where: "a 3, b 1"}},
		"at once": {4000, kube.Rolling{Unavailable: 4}, "The rollout of web stops at 3 of 4 pods: 3 of 3 nodes lack cpu.", "n1 1, n2 1, n3 1,  1", kube.Updated{Running: 3, Missing: 4, Where: "a 2, b 1", Budgets: "web"}},
	} {
		r := must.Get(kube.Rollout(kube.Default(), []kube.Update{{Group: pods(test.cpu, 4), Owner: web, Rolling: test.by}}, c))(t)
		on := show.Joined(r.Evicted, ", ", func(e kube.EvictedPod) string { return fmt.Sprint(e.To, " ", e.Round) })
		test.left.Kind, test.left.Namespace, test.left.Name, test.left.Pods = web.Kind, web.Namespace, web.Name, 4
		if r.Headline() != test.headline || on != test.on || r.Updates[0] != test.left {
			t.Errorf("%s: %q, %q, %+v; want %q, %q, %+v", name, r.Headline(), on, r.Updates[0], test.headline, test.on, test.left)
		}
	}
	if _, err := kube.Rollout(kube.Default(), []kube.Update{{Group: pods(1, 1), Owner: kube.Owner{Kind: "Deployment", Name: "other"}}}, c); err == nil {
		t.Error("an update without pods is none")
	}
}

// A zone that fails loses all pods at once, whatever the budgets say, and pods bound to their node
// end. The cluster itself does not change, so the next question finds it unchanged.
func TestAZoneFails(t *testing.T) {
	c := zones()
	for range 2 {
		r := must.Get(kube.Fail(kube.Default(), "a", c))(t)
		if got, want := r.Headline(), "If a fails, 1 of 4 pods there finds no other node; 1 has no controller and is lost unless you start it again."; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		to := map[string]string{}
		for _, e := range r.Evicted {
			to[e.Pod] = fmt.Sprint(e.To, e.Round)
		}
		if want := map[string]string{"web-1": "b10", "web-2": "b10", "web-3": "0", "lone": "b10"}; !reflect.DeepEqual(to, want) || r.Daemons != 1 || r.Rounds != 0 {
			t.Errorf("the pods go to %v, want %v; %d daemons, %d rounds", to, want, r.Daemons, r.Rounds)
		}
		if d, err := kube.Drain(kube.Default(), []string{"a1"}, c); err != nil || len(d.Evicted) != 2 || d.Left() != 0 {
			t.Errorf("a drain: %+v, %v", d, err)
		}
	}
	if _, err := kube.Fail(kube.Default(), "c", c); err == nil || err.Error() != `there is no zone "c" in the dump: the zones are a, b` {
		t.Errorf("no zone: %v", err)
	}
}
