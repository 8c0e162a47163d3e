package packing_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"berth/engine/kube/packing"
)

// random makes a small cluster and groups. Some of them fit and some do not.
func random(seed uint64) (*packing.Cluster, []packing.Group) {
	r := rand.New(rand.NewPCG(seed, 3))
	c := &packing.Cluster{}
	for n := range 1 + r.IntN(4) {
		node := packing.Node{
			Name: fmt.Sprint("n", n), Labels: map[string]string{"zone": fmt.Sprint(r.IntN(2)), "disk": []string{"ssd", "hdd"}[r.IntN(2)]},
			Allocatable: packing.Resources{packing.CPU: int64(2 + r.IntN(5)), packing.Memory: int64(2 + r.IntN(5)), packing.Pods: int64(2 + r.IntN(3))},
		}
		if r.IntN(3) > 0 {
			node.Labels["rack"] = fmt.Sprint(r.IntN(2))
		}
		if r.IntN(4) == 0 {
			node.Taints = []packing.Taint{{Key: "gpu", Value: "true", Effect: "NoSchedule"}}
		}
		if r.IntN(8) == 0 {
			node.Closed = "node(s) were unschedulable"
		}
		c.Nodes = append(c.Nodes, node)
	}
	shape := func(app string) *packing.Shape {
		s := &packing.Shape{
			Namespace: "default", Labels: map[string]string{"app": app},
			Requests: packing.Resources{packing.CPU: int64(r.IntN(4)), packing.Memory: int64(r.IntN(4))},
		}
		other := packing.Selector{{Key: "app", Operator: "In", Values: []string{fmt.Sprint("g", r.IntN(3))}}}
		own := packing.Selector{{Key: "app", Operator: "In", Values: []string{app}}}
		near := func(selector packing.Selector) packing.Near {
			return packing.Near{Key: []string{"", "zone", "rack"}[r.IntN(3)], Selector: selector}
		}
		switch r.IntN(11) {
		case 0:
			s.NodeSelector = map[string]string{"disk": "ssd"}
		case 1:
			s.AntiAffinity = []packing.Near{near(other)}
		case 2:
			s.Tolerations = []packing.Toleration{{Operator: "Exists"}}
		case 3:
			s.Spread = []packing.Spread{{MaxSkew: 1, MinDomains: 1, Key: "zone", Selector: own}}
		case 4:
			s.Spread = []packing.Spread{{MaxSkew: 1 + r.IntN(2), MinDomains: 1 + r.IntN(2), Key: "zone", Selector: other}}
		case 5:
			s.AntiAffinity = []packing.Near{near(own), near(other)}
		case 6, 7:
			s.With = []packing.Near{near(other)}
		case 8:
			s.With = []packing.Near{near(own), near(own)}
		}
		return s
	}
	for range r.IntN(3) {
		c.Running = append(c.Running, packing.Running{Name: "running", Shape: shape(fmt.Sprint("g", r.IntN(3))), Node: r.IntN(len(c.Nodes))})
	}
	var groups []packing.Group
	for g := range 1 + r.IntN(3) {
		name := fmt.Sprint("g", g)
		groups = append(groups, packing.Group{Name: name, Shape: shape(name), Pods: 1 + r.IntN(2)})
	}
	return c, groups
}

// fits tries every pod on every node in every order, looking at the cluster alone.
func fits(c *packing.Cluster, groups []packing.Group, left []int, seen map[string]bool) bool {
	key := fmt.Sprint(left, c.Running[:])
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
			if !allowed(c, groups[g].Shape, n) {
				continue
			}
			left[g]--
			c.Running = append(c.Running, packing.Running{Name: groups[g].Name, Shape: groups[g].Shape, Node: n})
			found := fits(c, groups, left, seen)
			c.Running = c.Running[:len(c.Running)-1]
			left[g]++
			if found {
				return true
			}
		}
	}
	return done
}

// allowed is the scheduler's filters for one pod on one node, written out.
func allowed(c *packing.Cluster, s *packing.Shape, n int) bool {
	node := &c.Nodes[n]
	free := map[string]int64{}
	maps.Copy(free, node.Allocatable)
	domains := map[string]int{}
	for _, other := range c.Nodes {
		if matches(s.NodeSelector, other.Labels) {
			domains[other.Labels["zone"]] += 0
		}
	}
	for _, pod := range c.Running {
		same := pod.Node == n
		if same {
			for resource, amount := range pod.Shape.Requests {
				free[resource] -= amount
			}
			free[packing.Pods]--
		}
		for _, a := range s.AntiAffinity {
			if a.Selector.Matches(pod.Shape.Labels) && together(c, a.Key, n, pod.Node) {
				return false
			}
		}
		for _, a := range pod.Shape.AntiAffinity {
			if a.Selector.Matches(s.Labels) && together(c, a.Key, n, pod.Node) {
				return false
			}
		}
		if len(s.Spread) > 0 && s.Spread[0].Selector.Matches(pod.Shape.Labels) && matches(s.NodeSelector, c.Nodes[pod.Node].Labels) {
			domains[c.Nodes[pod.Node].Labels["zone"]]++
		}
	}
	if !befriended(c, s, n) {
		return false
	}
	for _, resource := range []string{packing.CPU, packing.Memory} {
		if need := s.Requests[resource]; need > 0 && need > free[resource] {
			return false
		}
	}
	if free[packing.Pods] < 1 || node.Closed != "" || len(node.Taints) > 0 && len(s.Tolerations) == 0 || !matches(s.NodeSelector, node.Labels) {
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

func matches(selector, labels map[string]string) bool {
	for key, value := range selector {
		if labels[key] != value {
			return false
		}
	}
	return true
}

// together says whether two nodes are of one domain.
func together(c *packing.Cluster, key string, a, b int) bool {
	if key == "" {
		return a == b
	}
	x, ok := c.Nodes[a].Labels[key]
	y, too := c.Nodes[b].Labels[key]
	return ok && too && x == y
}

// befriended says whether affinity lets a pod be on a node: each term finds a pod that
// all terms choose, or there is none anywhere and the pod is one itself.
func befriended(c *packing.Cluster, s *packing.Shape, n int) bool {
	all := func(o *packing.Shape) bool {
		return !slices.ContainsFunc(s.With, func(a packing.Near) bool { return !a.Selector.Matches(o.Labels) })
	}
	beside, anywhere := true, false
	for _, a := range s.With {
		if _, labelled := c.Nodes[n].Labels[a.Key]; a.Key != "" && !labelled {
			return false
		}
		found := false
		for _, pod := range c.Running {
			if all(pod.Shape) {
				found = found || together(c, a.Key, n, pod.Node)
				anywhere = anywhere || together(c, a.Key, pod.Node, pod.Node)
			}
		}
		beside = beside && found
	}
	return beside || !anywhere && all(s)
}

// What Pack says is what trying everything says, and its packings can be followed
// pod by pod.
func TestPackAgreesWithTryingEverything(t *testing.T) {
	count := map[packing.Verdict]int{}
	proofs := map[string]int{}
	for seed := range uint64(6001) {
		if seed == 6000 {
			seed = 23545 // nodes of two zones are alike in all but that
		}
		c, groups := random(seed)
		var left, all []int
		for g := range groups {
			left, all = append(left, groups[g].Pods), append(all, g)
		}
		got := packing.NewPacker(c, groups, 0).Pack(all)
		want := fits(c, groups, left, map[string]bool{})
		count[got.Verdict]++
		proofs[got.Proof]++
		switch {
		case got.Verdict == packing.Unknown:
			t.Fatalf("seed %d: %s", seed, got.Reason)
		case (got.Verdict == packing.Fits) != want:
			t.Fatalf("seed %d: %v, want %t: %s", seed, got.Verdict, want, got.Reason)
		case want:
			checkPacking(t, seed, c, groups, got.On)
		case !strings.Contains(got.Reason, "nodes are available"):
			t.Fatalf("seed %d: the reason is %q", seed, got.Reason)
		}
	}
	if count[packing.Fits] < 100 || proofs["bound"] < 50 || proofs["search"] < 1 {
		t.Errorf("the cases are too much alike: %v, %v", count, proofs)
	}
}

// checkPacking wants the pods of a packing to come in some order.
func checkPacking(t *testing.T, seed uint64, c *packing.Cluster, groups []packing.Group, on [][]packing.Placed) {
	t.Helper()
	var names []packing.Group
	var left []int
	for g := range groups {
		pods := 0
		for _, placed := range on[g] {
			pinned := *groups[g].Shape
			names = append(names, packing.Group{Name: fmt.Sprint(g, placed.Node), Shape: &pinned, Pods: placed.Node})
			left = append(left, placed.Pods)
			pods += placed.Pods
		}
		if pods != groups[g].Pods {
			t.Fatalf("seed %d: %d of %d pods of %s are placed", seed, pods, groups[g].Pods, groups[g].Name)
		}
	}
	if !follows(c, names, left, map[string]bool{}) {
		t.Fatalf("seed %d: the packing %v cannot be reached", seed, on)
	}
}

// follows puts pods on the nodes that they are to be on (in Pods), in any order.
func follows(c *packing.Cluster, pinned []packing.Group, left []int, seen map[string]bool) bool {
	key := fmt.Sprint(left)
	if seen[key] {
		return false
	}
	seen[key] = true
	done := true
	for g := range pinned {
		if left[g] == 0 {
			continue
		}
		done = false
		if !allowed(c, pinned[g].Shape, pinned[g].Pods) {
			continue
		}
		left[g]--
		c.Running = append(c.Running, packing.Running{Shape: pinned[g].Shape, Node: pinned[g].Pods})
		found := follows(c, pinned, left, seen)
		c.Running = c.Running[:len(c.Running)-1]
		left[g]++
		if found {
			return true
		}
	}
	return done
}
