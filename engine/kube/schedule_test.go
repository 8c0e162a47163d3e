package kube_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"berth/engine/kube"
	"berth/engine/kube/score"
	"berth/engine/show"
)

// machine returns a node with a number of cores, as many GiB of memory, and room for pods.
func machine(name string, cores int64, labels ...string) kube.Node {
	n := kube.Node{Name: name, Labels: map[string]string{"kubernetes.io/hostname": name}, Allocatable: kube.Resources{
		kube.CPU: cores * 1000, kube.Memory: cores << 30, kube.Pods: 110,
	}}
	for _, label := range labels {
		key, value, _ := strings.Cut(label, "=")
		n.Labels[key] = value
	}
	return n
}

// shape requests CPU in thousandths and the same amount of memory in MiB.
func shape(app string, cpu int64) *kube.Shape {
	return &kube.Shape{Namespace: "default", Labels: map[string]string{"app": app}, Requests: kube.Resources{kube.CPU: cpu, kube.Memory: cpu << 20}}
}

// pod returns a pod of a ReplicaSet, whose name begins the pod's name.
func pod(name string, s *kube.Shape, on string) *kube.Pod {
	return &kube.Pod{Name: name, Shape: s, On: on, Owner: kube.Owner{Kind: "ReplicaSet", Namespace: "default", Name: s.Labels["app"]}}
}

func selector(app string) kube.Selector {
	return kube.Selector{{Key: "app", Operator: "In", Values: []string{app}}}
}

// told describes decisions: web-1=n1, web-2=(message).
func told(s *kube.ClusterState, all []kube.Decision) string {
	var parts []string
	for _, d := range all {
		text := d.Pod.Name + "="
		if d.Node >= 0 {
			text += s.Nodes[d.Node].Name
		} else {
			text += "(" + d.Words + ")"
		}
		for _, v := range d.Victims {
			text += "-" + v.Name
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

// These decisions about a queue of pods depend on rules that no case of the oracle covers.
func TestRun(t *testing.T) {
	zones := []kube.Node{machine("n1", 4, "zone=a"), machine("n2", 4, "zone=a"), machine("n3", 4, "zone=b")}
	near := shape("web", 100)
	near.Prefers = &kube.Preferences{Assumed: [2]int64{100, 100 << 20}, Near: []kube.WeightedNear{{Near: kube.Near{Key: "zone", Selector: selector("db")}, Weight: 50}}}
	c := kube.Cluster{Nodes: zones, Pods: []*kube.Pod{pod("db", shape("db", 1000), "n3")}}
	s, _ := c.State(kube.Default())
	const want = "old=n1 near=n3 gate=(Scheduling is blocked due to non-empty scheduling gates x.io/wait.)"
	if got := told(s, s.Run([]*kube.Pod{{Name: "near", Shape: near, Created: 9}, {Name: "old", Shape: shape("a", 3000), Created: 1}, {Name: "gate", Shape: near, Created: 10, Gates: []string{"x.io/wait"}}}, nil)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// These are scores by other strategies than the default one.
func TestProfiles(t *testing.T) {
	for _, test := range []struct {
		fit   score.Strategy
		want  string
		shape []score.Point
	}{
		{score.LeastAllocated, "w=n2", kube.Default().Fit.Shape}, {score.MostAllocated, "w=n1", kube.Default().Fit.Shape},
		{score.RequestedToCapacityRatio, "w=n1", kube.Default().Fit.Shape}, // full nodes first
		{score.RequestedToCapacityRatio, "w=n2", []score.Point{{Utilization: 0, Score: 10}, {Utilization: 100, Score: 0}}},
		{score.RequestedToCapacityRatio, "w=n1", []score.Point{{Utilization: 25, Score: 0}, {Utilization: 50, Score: 10}, {Utilization: 75, Score: 0}}},
	} {
		p := kube.Default()
		p.Fit, p.Weights.Balanced = score.Fit{Strategy: test.fit, Shape: test.shape}, 0
		c := kube.Cluster{Nodes: []kube.Node{machine("n1", 4), machine("n2", 4)}, Pods: []*kube.Pod{pod("a", shape("a", 1000), "n1")}}
		s, _ := c.State(p)
		if got := told(s, s.Run([]*kube.Pod{pod("w", shape("w", 1000), "")}, nil)); got != test.want {
			t.Errorf("strategy %d: got %s, want %s", test.fit, got, test.want)
		}
	}
}

// A pod evicts the least important pods that let it fit and respects disruption budgets if possible;
// evicted pods are queued again.
func TestPreempt(t *testing.T) {
	of := func(name, on string, priority int32, cpu int64) *kube.Pod {
		p := pod(name, shape(name, cpu), on)
		p.Priority = priority
		return p
	}
	guard := []*kube.Budget{{Name: "a", Namespace: "default", Selector: selector("a")}}
	const full = "(0/2 nodes are available: 2 Insufficient cpu, 2 Insufficient memory.)"
	for _, test := range []struct {
		runs    []*kube.Pod
		budgets []*kube.Budget
		want    string
	}{
		{[]*kube.Pod{of("a", "n1", 5, 4000), of("b", "n2", 1, 4000)}, nil, "w=n2-b b=" + full},
		{[]*kube.Pod{of("a", "n1", 1, 4000), of("b", "n2", 5, 4000)}, guard, "w=n2-b b=n1-a a=" + full},
		{[]*kube.Pod{of("a", "n1", 1, 2000), of("b", "n1", 1, 2000), of("c", "n2", 1, 4000)}, nil, "w=n2-c c=" + full},
	} {
		c := kube.Cluster{Nodes: []kube.Node{machine("n1", 4), machine("n2", 4)}, Pods: test.runs}
		s, _ := c.State(kube.Default())
		if got := told(s, s.Run([]*kube.Pod{of("w", "", 9, 3000)}, test.budgets)); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

// Help returns the changes that would help a pod, the smallest first.
func TestHelp(t *testing.T) {
	cordoned := machine("n1", 4)
	cordoned.Cordoned = true
	gpu := machine("n2", 4)
	gpu.Taints = []kube.Taint{{Key: "gpu", Value: "true", Effect: "NoSchedule"}}
	fast := shape("fast", 100)
	fast.NodeSelector = map[string]string{"disk": "ssd"}
	runs := func(on string) []*kube.Pod { return []*kube.Pod{pod("r", shape("r", 1000), on)} }
	shaped := func(name string, requests kube.Resources) *kube.Shape {
		s := shape(name, 0)
		s.Requests = requests
		return s
	}
	unlike := func(name string, cpu, memory int64) kube.Node {
		n := machine(name, 1)
		n.Allocatable = kube.Resources{kube.CPU: cpu, kube.Memory: memory, kube.Pods: 9}
		return n
	}
	for _, test := range []struct {
		name  string
		nodes []kube.Node
		runs  []*kube.Pod
		shape *kube.Shape
		want  string
	}{
		{"cordon, taint", []kube.Node{cordoned, gpu}, nil, shape("w", 1000), "uncordon n1 | tolerate gpu=true:NoSchedule of n2"},
		{"the smallest shortfall", []kube.Node{machine("n1", 4), machine("n2", 2)}, runs("n1"), shape("w", 3500), "free 500m CPU and 404 MiB memory on n1"},
		{"a label", []kube.Node{machine("n1", 4)}, nil, fast, "label n1 disk=ssd"},
		{"two things at once", []kube.Node{gpu}, runs("n2"), shape("w", 4000), "tolerate gpu=true:NoSchedule of n2, and free 1 CPU core and 904 MiB memory on n2"},
		{"larger than each node", []kube.Node{machine("n1", 4), machine("n2", 2)}, runs("n1"), shape("w", 4001), "request less, or add a larger node: the largest has 4 CPU cores"},
		{"larger than the tolerated one", []kube.Node{gpu, machine("n1", 2)}, nil, shape("w", 4000), "tolerate gpu=true:NoSchedule of n2"},
		{"as large as can be", []kube.Node{machine("n1", 4)}, nil, shaped("w", kube.Resources{kube.CPU: 1 << 60}), "request less, or add a larger node: the largest has 4 CPU cores"},
		{"a resource of no node", []kube.Node{machine("n1", 4)}, nil, shaped("w", kube.Resources{"gpu": 1}), "request less, or add a larger node: the largest has 0 gpu"},
		{"no node with both", []kube.Node{unlike("n1", 1000, 100), unlike("n2", 100, 1000)}, nil, shaped("w", kube.Resources{kube.CPU: 500, kube.Memory: 500}),
			"request less, or add a larger node: none is large enough for all that it requests"},
	} {
		c := &kube.Cluster{Nodes: test.nodes, Pods: append(test.runs, pod("w", test.shape, ""))}
		if got := strings.Join(kube.Pending(kube.Default(), c).Pods[0].Help, " | "); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

// These are the rounds of a drain under budgets, and the pods that stay. The oracle covers further
// budgets.
func TestDrain(t *testing.T) {
	web := shape("web", 1000)
	of := func(name, kind string) *kube.Pod {
		p := pod(name, shape(name, 100), "n1")
		p.Owner.Kind = kind
		return p
	}
	budget := []*kube.Budget{{Name: "web", Namespace: "default", Selector: selector("web"), Allowed: 1}}
	all := append(budget[:1:1], &kube.Budget{Name: "all", Namespace: "default", Selector: kube.Selector{}})
	three := []*kube.Pod{pod("web-1", web, "n1"), pod("web-2", web, "n1"), pod("web-3", web, "n1")}
	for _, test := range []struct {
		pods    []*kube.Pod
		budgets []*kube.Budget
		want    string
	}{
		{three, nil, " 1: web-1 n1→n2 1: web-2 n1→n2 1: web-3 n1→; 0 stay"},
		{three, budget, " 1: web-1 n1→n2 2: web-2 n1→n2 3: web-3 n1→; 0 stay"}, // a pod without a node uses up the budget
		{three[:1], all, " blocked web-1 by web, all; 0 stay"},
		{[]*kube.Pod{of("log", "DaemonSet"), of("kube-proxy", "Node"), of("a", "Pod")}, nil, " 1: a n1→n2 bare; 2 stay"},
	} {
		d, err := kube.Drain(kube.Default(), []string{"n1"}, &kube.Cluster{Nodes: []kube.Node{machine("n1", 4), machine("n2", 2)}, Budgets: test.budgets, Pods: test.pods})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, e := range d.Evicted {
			got += fmt.Sprintf(" %d: %s %s→%s", e.Round, e.Pod, e.From, e.To)
			if e.Bare {
				got += " bare"
			}
		}
		for _, b := range d.Blocked {
			got += " blocked " + b.Pod + " by " + b.Budget
		}
		if got += fmt.Sprintf("; %d stay", d.Daemons); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

// After any sequence of added and removed pods, the state answers like a state built from the
// remaining pods.
func TestStateIsIncremental(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var shapes []*kube.Shape
	for i := range 6 {
		s := shape(fmt.Sprint("app", i%3), int64(100+200*rng.IntN(4)))
		switch i {
		case 1:
			s.AntiAffinity = []kube.Near{{Selector: selector("app2")}}
		case 2:
			s.With = []kube.Near{{Key: "zone", Selector: selector("app2")}}
		case 3:
			s.Spread = []kube.Spread{{MaxSkew: 2, MinDomains: 1, Key: "zone", Selector: selector("app0")}}
		case 4:
			s.Prefers = &kube.Preferences{Assumed: [2]int64{100, 1 << 20}, Near: []kube.WeightedNear{{Near: kube.Near{Key: "zone", Selector: selector("app0")}, Weight: -7}},
				Spread: []kube.Spread{{MaxSkew: 1, Key: "kubernetes.io/hostname", Selector: selector("app1")}}}
		}
		shapes = append(shapes, s)
	}
	var nodes []kube.Node
	for i := range 8 {
		nodes = append(nodes, machine(fmt.Sprint("n", i), 4, fmt.Sprint("zone=", i%3)))
	}
	s := kube.New(nodes, kube.Objects{}, kube.Default())
	var there []*kube.Pod
	for step := range 400 {
		if rng.IntN(3) == 0 && len(there) > 0 {
			i := rng.IntN(len(there))
			s.Take(there[i])
			there = slices.Delete(there, i, i+1)
			continue
		}
		p := pod(fmt.Sprint("p", step), shapes[rng.IntN(len(shapes))], "")
		fresh := kube.New(nodes, kube.Objects{}, kube.Default())
		for _, q := range there {
			one := *q
			fresh.Put(&one, s.Node(s.Where(q)))
		}
		same := *p
		got, want := s.Schedule(p), fresh.Schedule(&same)
		if got.Node != want.Node || got.Words != want.Words || got.Score != want.Score || got.Ties != want.Ties {
			t.Fatalf("step %d: got %+v, want %+v", step, got, want)
		}
		if got.Node >= 0 {
			there = append(there, p)
		}
	}
}

// BenchmarkRun schedules 150,000 pods of 500 workloads on 5,000 nodes.
func BenchmarkRun(b *testing.B) {
	var nodes []kube.Node
	for i := range 5000 {
		nodes = append(nodes, machine(fmt.Sprintf("n%04d", i), 64, fmt.Sprint("zone=", i%3)))
	}
	for b.Loop() {
		s := kube.New(nodes, kube.Objects{}, kube.Default())
		var pods []*kube.Pod
		for w := range 500 {
			one := shape(fmt.Sprint("app", w), int64(100+50*(w%20)))
			if w%10 == 0 {
				one.Spread = []kube.Spread{{MaxSkew: 1, MinDomains: 1, Key: "zone", Selector: selector(one.Labels["app"])}}
			}
			for i := range 300 {
				pods = append(pods, pod(fmt.Sprintf("%d-%d", w, i), one, ""))
			}
		}
		for _, d := range s.Run(pods, nil) {
			if d.Node < 0 {
				b.Fatal(d.Words)
			}
		}
	}
}

// One of four pods stays pending because of the order of the queue, and a move makes room for it.
func TestWould(t *testing.T) {
	small, big := shape("small", 1000), shape("big", 4000)
	c := &kube.Cluster{Nodes: []kube.Node{machine("n1", 4), machine("n2", 4)}}
	got := kube.Would(c, []kube.Group{
		{Name: "small", Shape: small, Pods: 2}, {Name: "big", Shape: big, Pods: 1},
	}, kube.Default())
	want := []kube.WorkloadOutcome{
		{Nodes: []string{"n1", "n2"}},
		{Nodes: []string{""}, Pending: 1, Words: "0/2 nodes are available: 2 Insufficient cpu, 2 Insufficient memory.", Moves: []kube.Shift{{Pod: "small-1", From: "n1", To: "n2"}, {Pod: "big", To: "n1"}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	o := kube.WorkloadOutcome{Nodes: []string{"n1", "n2", ""}}
	o.MoveTo([]string{"n1", "n1", "n3"}, "web")
	if got := o.Moves; !reflect.DeepEqual(got, []kube.Shift{{"web-2", "n2", "n1"}, {"web-3", "", "n3"}}) {
		t.Errorf("shifts: %+v", got)
	}
}

// The numbers of added nodes are enough for all pods and cost no less than the bound. If the pools
// are simple, they are optimal.
func TestProvision(t *testing.T) {
	pool := func(name string, cores int64, price float64, most int) kube.NodeType {
		return kube.NodeType{Type: name, Template: machine("", cores), Price: price, Maximum: most}
	}
	small, large := pool("small", 2, 1, 0), pool("large", 8, 3, 0)
	wait := func(n int, cpu int64) (pods []*kube.Pod) {
		s := shape("w", cpu)
		for i := range n {
			pods = append(pods, pod(fmt.Sprint("w", i), s, ""))
		}
		return pods
	}
	beyond, alone := wait(1, 5000), wait(1, 5000)
	beyond[0].Beyond = "another scheduler decides"
	alone[0].Shape.With = []kube.Near{{Key: "kubernetes.io/hostname", Selector: selector("x")}}
	for _, test := range []struct {
		name   string
		pods   []*kube.Pod
		pools  []kube.NodeType
		counts string
		price  float64
		proved bool
		left   int
	}{
		{"nothing to add", wait(1, 1000), []kube.NodeType{small}, "", 0, true, 0},
		{"one kind", wait(8, 1000), []kube.NodeType{small}, "small 2", 2, true, 0},
		{"the better price", wait(12, 1000), []kube.NodeType{small, large}, "large 1", 3, true, 0},
		{"a rest for the small kind", wait(14, 1000), []kube.NodeType{small, large}, "large 1 small 1", 4, false, 0},
		{"no more than the maximum", wait(20, 1000), []kube.NodeType{pool("large", 8, 3, 1)}, "large 1", 3, true, 8},
		{"too large for any", wait(1, 9000), []kube.NodeType{small, large}, "", 0, true, 1},
		{"of another scheduler", beyond, []kube.NodeType{large}, "", 0, true, 1},
		{"near a pod that is not there", alone, []kube.NodeType{large}, "", 0, true, 1},
	} {
		c := &kube.Cluster{Nodes: []kube.Node{machine("n1", 4)}, Pods: test.pods}
		p := c.Provision(kube.Default(), test.pools)
		var counts []string
		for _, a := range p.Pools {
			counts = append(counts, fmt.Sprint(a.Type, " ", a.Nodes))
		}
		slices.Sort(counts)
		if got := strings.Join(counts, " "); got != test.counts || p.Price != test.price || len(p.Left) != test.left {
			t.Errorf("%s: got %s for %v, %d left; want %s for %v, %d left", test.name, got, p.Price, len(p.Left), test.counts, test.price, test.left)
		}
		if p.Bound > p.Price+1e-9 || test.proved != (p.Gap < 1e-9) {
			t.Errorf("%s: price %v, bound %v", test.name, p.Price, p.Bound)
		}
	}
}

// Nodes are emptied as long as their pods find room and the number of moves allows it. Nodes whose
// pods cannot move stay.
func TestConsolidate(t *testing.T) {
	a, b, lone := shape("a", 1000), shape("b", 500), shape("lone", 100)
	bare := pod("lone", lone, "n3")
	bare.Owner.Kind = "Pod"
	nodes := []kube.Node{machine("n1", 4), machine("n2", 4), machine("n3", 4), machine("n4", 4)}
	nodes[1].Labels["node.kubernetes.io/instance-type"] = "dear"
	pods := func() []*kube.Pod {
		one := *bare
		return []*kube.Pod{pod("a1", a, "n1"), pod("a2", a, "n2"), pod("b1", b, "n4"), &one}
	}
	guard := []*kube.Budget{{Name: "b", Namespace: "default", Selector: selector("b")}}
	generous := []*kube.Budget{{Name: "b", Namespace: "default", Selector: selector("b"), Allowed: 9}, {Name: "c", Namespace: "default", Selector: selector("b"), Allowed: 9}}
	for _, test := range []struct {
		name    string
		budgets []*kube.Budget
		most    int
		want    string
	}{
		{"all that can", nil, 0, "n2 n4 n1: 3 moves"},
		{"one move", nil, 1, "n2: 1 moves"},
		{"a budget keeps a node", guard, 0, "n2 n1: 2 moves"},
		{"several budgets for a pod", generous, 0, "n2 n1: 2 moves"},
	} {
		c := &kube.Cluster{Nodes: nodes, Pods: pods(), Budgets: test.budgets}
		r := kube.Consolidate(kube.Default(), []kube.NodeType{{Type: "dear", Price: 2}}, test.most, c)
		var names []string
		for _, e := range r.Emptied {
			names = append(names, e.Node)
		}
		saves := fmt.Sprintf("It saves 2 an hour, not counting %s of no known price.", show.Count(len(names)-1, "node"))
		if len(names) == 1 {
			saves = "It saves 2 an hour."
		}
		if got := r.Details(); !strings.HasPrefix(got[0], saves) {
			t.Errorf("%s: %q, want %q", test.name, got, saves)
		}
		if got := fmt.Sprintf("%s: %d moves", strings.Join(names, " "), len(r.Moves)); got != test.want || *r.Price != 2 {
			t.Errorf("%s: got %s saving %v, want %s (kept %v)", test.name, got, *r.Price, test.want, r.Kept)
		}
	}
}

// The scheduler binds the smallest volume that fits to the claim of the first pod, and keeps it
// bound.
func TestVolumesAreBoundInTheOrderOfTheQueue(t *testing.T) {
	volume := func(size int64, nodes ...string) kube.Volume {
		return kube.Volume{Class: "local", Size: size, Affinity: []kube.AffinityTerm{{Fields: []kube.Requirement{{Key: "metadata.name", Operator: "In", Values: nodes}}}}}
	}
	claimed := func(app, node string, size int64) *kube.Pod {
		s := shape(app, 100)
		s.NodeSelector = map[string]string{"kubernetes.io/hostname": node}
		s.Uses = []kube.Use{{Name: "default/" + app, Claim: kube.Claim{Class: "local", Size: size}}}
		return pod(app, s, "")
	}
	o := kube.Objects{Classes: map[string]kube.StorageClass{"local": {Name: "local"}}, Volumes: map[string]kube.Volume{"any": volume(10, "n1", "n2"), "large": volume(20, "n1")}}
	const refused = "(0/2 nodes are available: 1 node(s) didn't find available persistent volumes to bind, 1 node(s) didn't match Pod's node affinity/selector.)"
	for want, queue := range map[string][]*kube.Pod{
		"first=n1 second=" + refused: {claimed("first", "n1", 5), claimed("second", "n2", 5)},
		"second=n2 first=n1":         {claimed("second", "n2", 5), claimed("first", "n1", 5)},
		"large=n1 small=n1":          {claimed("large", "n1", 15), claimed("small", "n1", 15-10)},
	} {
		s := kube.New([]kube.Node{machine("n1", 4), machine("n2", 4)}, o, kube.Default())
		if got := told(s, s.Run(queue, nil)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
