package kube_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"berth/engine/kube"
)

// random returns a small cluster and groups of pods. Some of them fit and some do not.
func random(seed uint64) (*kube.Cluster, []kube.Group) {
	r := rand.New(rand.NewPCG(seed, 3))
	c := &kube.Cluster{}
	for n := range 1 + r.IntN(4) {
		node := kube.Node{
			Name: fmt.Sprint("n", n), Labels: map[string]string{"zone": fmt.Sprint(r.IntN(2)), "disk": []string{"ssd", "hdd"}[r.IntN(2)]},
			Allocatable: kube.Resources{kube.CPU: int64(2 + r.IntN(5)), kube.Memory: int64(2 + r.IntN(5)), kube.Pods: int64(2 + r.IntN(3))},
		}
		if r.IntN(3) > 0 {
			node.Labels["rack"] = fmt.Sprint(r.IntN(2))
		}
		if r.IntN(4) == 0 {
			node.Taints = []kube.Taint{{Key: "gpu", Value: "true", Effect: "NoSchedule"}}
		}
		if r.IntN(8) == 0 {
			node.Closed = "node(s) were unschedulable"
		}
		c.Nodes = append(c.Nodes, node)
	}
	shape := func(app string) *kube.Shape {
		s := &kube.Shape{
			Namespace: "default", Labels: map[string]string{"app": app},
			Requests: kube.Resources{kube.CPU: int64(r.IntN(4)), kube.Memory: int64(r.IntN(4))},
		}
		other := kube.Selector{{Key: "app", Operator: "In", Values: []string{fmt.Sprint("g", r.IntN(3))}}}
		own := kube.Selector{{Key: "app", Operator: "In", Values: []string{app}}}
		near := func(selector kube.Selector) kube.Near {
			return kube.Near{Key: []string{"", "zone", "rack"}[r.IntN(3)], Selector: selector}
		}
		switch r.IntN(11) {
		case 0:
			s.NodeSelector = map[string]string{"disk": "ssd"}
		case 1:
			s.AntiAffinity = []kube.Near{near(other)}
		case 2:
			s.Tolerations = []kube.Toleration{{Operator: "Exists"}}
		case 3:
			s.Spread = []kube.Spread{{MaxSkew: 1, MinDomains: 1, Key: "zone", Selector: own}}
		case 4:
			s.Spread = []kube.Spread{{MaxSkew: 1 + r.IntN(2), MinDomains: 1 + r.IntN(2), Key: "zone", Selector: other}}
		case 5:
			s.AntiAffinity = []kube.Near{near(own), near(other)}
		case 6, 7:
			s.With = []kube.Near{near(other)}
		case 8:
			s.With = []kube.Near{near(own), near(own)}
		}
		return s
	}
	for range r.IntN(3) {
		c.Pods = append(c.Pods, runs(c, shape(fmt.Sprint("g", r.IntN(3))), r.IntN(len(c.Nodes))))
	}
	var groups []kube.Group
	for g := range 1 + r.IntN(3) {
		name := fmt.Sprint("g", g)
		groups = append(groups, kube.Group{Name: name, Shape: shape(name), Pods: 1 + r.IntN(2)})
	}
	return c, groups
}

// runs returns a pod that runs on a node.
func runs(c *kube.Cluster, s *kube.Shape, n int) *kube.Pod {
	return &kube.Pod{Shape: s, On: c.Nodes[n].Name}
}

// whereIs returns the index of the node of a pod.
func whereIs(c *kube.Cluster, pod *kube.Pod) int {
	return slices.IndexFunc(c.Nodes, func(n kube.Node) bool { return n.Name == pod.On })
}

// fits tries every pod on every node in every order, using only the cluster. Groups by index in
// pinned use only the given node.
func fits(c *kube.Cluster, groups []kube.Group, left, pinned []int, seen map[string]bool) bool {
	key := fmt.Sprint(left)
	for _, pod := range c.Pods {
		key += fmt.Sprintf(" %p %s", pod.Shape, pod.On)
	}
	if seen[key] {
		return false
	}
	seen[key] = true
	done := true
	for g := range groups {
		if left[g] == 0 {
			continue
		}
		done = false
		for n := range c.Nodes {
			if pinned != nil && n != pinned[g] || !allowed(c, groups[g].Shape, n) {
				continue
			}
			left[g]--
			c.Pods = append(c.Pods, runs(c, groups[g].Shape, n))
			found := fits(c, groups, left, pinned, seen)
			c.Pods = c.Pods[:len(c.Pods)-1]
			left[g]++
			if found {
				return true
			}
		}
	}
	return done
}

// allowed evaluates the scheduler's filters for one pod on one node.
func allowed(c *kube.Cluster, s *kube.Shape, n int) bool {
	node := &c.Nodes[n]
	free := map[string]int64{}
	maps.Copy(free, node.Allocatable)
	domains := map[string]int{}
	for _, other := range c.Nodes {
		if kube.Covers(s.NodeSelector, other.Labels) {
			domains[other.Labels["zone"]] += 0
		}
	}
	for _, pod := range c.Pods {
		same := whereIs(c, pod) == n
		if same {
			for resource, amount := range pod.Shape.Requests {
				free[resource] -= amount
			}
			free[kube.Pods]--
		}
		for _, a := range s.AntiAffinity {
			if a.Selector.Matches(pod.Shape.Labels) && together(c, a.Key, n, whereIs(c, pod)) {
				return false
			}
		}
		for _, a := range pod.Shape.AntiAffinity {
			if a.Selector.Matches(s.Labels) && together(c, a.Key, n, whereIs(c, pod)) {
				return false
			}
		}
		if len(s.Spread) > 0 && s.Spread[0].Selector.Matches(pod.Shape.Labels) && kube.Covers(s.NodeSelector, c.Nodes[whereIs(c, pod)].Labels) {
			domains[c.Nodes[whereIs(c, pod)].Labels["zone"]]++
		}
	}
	if !befriended(c, s, n) {
		return false
	}
	for _, resource := range []string{kube.CPU, kube.Memory} {
		if need := s.Requests[resource]; need > 0 && need > free[resource] {
			return false
		}
	}
	if free[kube.Pods] < 1 || node.Closed != "" || len(node.Taints) > 0 && len(s.Tolerations) == 0 || !kube.Covers(s.NodeSelector, node.Labels) {
		return false
	}
	for _, spread := range s.Spread {
		least := 1 << 30
		for _, pods := range domains {
			least = min(least, pods)
		}
		if len(domains) < spread.MinDomains {
			least = 0
		}
		self := 0
		if spread.Selector.Matches(s.Labels) {
			self = 1
		}
		if domains[node.Labels["zone"]]+self-least > spread.MaxSkew {
			return false
		}
	}
	return true
}

// together reports whether two nodes belong to one domain.
func together(c *kube.Cluster, key string, a, b int) bool {
	if key == "" {
		return a == b
	}
	x, ok := c.Nodes[a].Labels[key]
	y, too := c.Nodes[b].Labels[key]
	return ok && too && x == y
}

// befriended reports whether affinity allows a pod on a node: each term finds a pod that all terms
// select, or no such pod exists anywhere and the pod itself is one.
func befriended(c *kube.Cluster, s *kube.Shape, n int) bool {
	all := func(o *kube.Shape) bool {
		return !slices.ContainsFunc(s.With, func(a kube.Near) bool { return !a.Selector.Matches(o.Labels) })
	}
	beside, anywhere := true, false
	for _, a := range s.With {
		if _, labelled := c.Nodes[n].Labels[a.Key]; a.Key != "" && !labelled {
			return false
		}
		found := false
		for _, pod := range c.Pods {
			if all(pod.Shape) {
				found = found || together(c, a.Key, n, whereIs(c, pod))
				anywhere = anywhere || together(c, a.Key, whereIs(c, pod), whereIs(c, pod))
			}
		}
		beside = beside && found
	}
	return beside || !anywhere && all(s)
}

// Pack agrees with an exhaustive search, and its packings can be carried out pod by pod.
func TestPackAgreesWithTryingEverything(t *testing.T) {
	count := map[kube.Verdict]int{}
	proofs := map[string]int{}
	for seed := range uint64(6001) {
		if seed == 6000 {
			seed = 23545 // nodes of two zones differ only in the zone
		}
		c, groups := random(seed)
		var left, all []int
		for g := range groups {
			left, all = append(left, groups[g].Pods), append(all, g)
		}
		got := kube.NewPacker(c, groups, 0).Pack(all)
		want := fits(c, groups, left, nil, map[string]bool{})
		count[got.Verdict]++
		proofs[got.Proof]++
		switch {
		case got.Verdict == kube.Unknown:
			t.Fatalf("seed %d: %s", seed, got.Reason)
		case (got.Verdict == kube.Fits) != want:
			t.Fatalf("seed %d: %v, want %t: %s", seed, got.Verdict, want, got.Reason)
		case want:
			checkPacking(t, seed, c, groups, got.On)
		case !strings.Contains(got.Reason, "nodes are available"):
			t.Fatalf("seed %d: the reason is %q", seed, got.Reason)
		}
	}
	if count[kube.Fits] < 100 || proofs["bound"] < 50 || proofs["search"] < 1 {
		t.Errorf("the cases are too much alike: %v, %v", count, proofs)
	}
}

// checkPacking checks that the pods of a packing can start in some order.
func checkPacking(t *testing.T, seed uint64, c *kube.Cluster, groups []kube.Group, on [][]kube.Placed) {
	t.Helper()
	var parts []kube.Group
	var left, nodes []int
	for g := range groups {
		pods := 0
		for _, placed := range on[g] {
			parts = append(parts, groups[g])
			left, nodes = append(left, placed.Pods), append(nodes, placed.Node)
			pods += placed.Pods
		}
		if pods != groups[g].Pods {
			t.Fatalf("seed %d: %d of %d pods of %s are placed", seed, pods, groups[g].Pods, groups[g].Name)
		}
	}
	if !fits(c, parts, left, nodes, map[string]bool{}) {
		t.Fatalf("seed %d: the packing %v cannot be reached", seed, on)
	}
}
