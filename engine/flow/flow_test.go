package flow_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"berth/engine/flow"
	"berth/engine/must"
)

// arc is an arc of the reference.
type arc struct {
	from, to             int
	capacity, cost, flow int64
}

// reference computes a flow in the simplest way: it finds the largest flow by shortest paths, and
// then cancels negative cycles (Klein 1967).
func reference(nodes int, arcs []arc) (flowed, cost int64) {
	for {
		path := shortest(nodes, arcs, func(*arc) int64 { return 1 }, flow.Source)
		if path == nil || path[flow.Sink] == 0 {
			break
		}
		flowed += augment(arcs, path, flow.Sink, flow.Source)
	}
	for cancel(nodes, arcs) {
	}
	for _, a := range arcs {
		cost += a.flow * a.cost
	}
	return flowed, cost
}

// shortest returns for each node the arc that leads there, plus one. The number is negative if the
// arc is used backwards.
func shortest(nodes int, arcs []arc, length func(*arc) int64, from int) []int {
	const far = int64(1) << 60
	distance, by := make([]int64, nodes), make([]int, nodes)
	for v := range distance {
		distance[v] = far
	}
	distance[from] = 0
	for changed, rounds := true, 0; changed && rounds < nodes; rounds++ {
		changed = false
		for i := range arcs {
			a := &arcs[i]
			if a.flow < a.capacity && distance[a.from] < far && distance[a.from]+length(a) < distance[a.to] {
				distance[a.to], by[a.to], changed = distance[a.from]+length(a), i+1, true
			}
			if a.flow > 0 && distance[a.to] < far && distance[a.to]+length(a) < distance[a.from] {
				distance[a.from], by[a.from], changed = distance[a.to]+length(a), -i-1, true
			}
		}
	}
	return by
}

// augment sends as much as possible along arcs that lead to a node from another one.
func augment(arcs []arc, by []int, to, from int) int64 {
	most := int64(1) << 60
	walk := func(visit func(a *arc, forwards bool)) {
		for v := to; ; {
			i := by[v]
			if i > 0 {
				visit(&arcs[i-1], true)
				v = arcs[i-1].from
			} else {
				visit(&arcs[-i-1], false)
				v = arcs[-i-1].to
			}
			if v == from {
				return
			}
		}
	}
	walk(func(a *arc, forwards bool) {
		if forwards {
			most = min(most, a.capacity-a.flow)
		} else {
			most = min(most, a.flow)
		}
	})
	walk(func(a *arc, forwards bool) {
		if forwards {
			a.flow += most
		} else {
			a.flow -= most
		}
	})
	return most
}

// cancel cancels a negative cycle and reports whether it found one.
func cancel(nodes int, arcs []arc) bool {
	distance, by := make([]int64, nodes), make([]int, nodes)
	last := -1
	for range nodes {
		last = -1
		for i := range arcs {
			a := &arcs[i]
			if a.flow < a.capacity && distance[a.from]+a.cost < distance[a.to] {
				distance[a.to], by[a.to], last = distance[a.from]+a.cost, i+1, a.to
			}
			if a.flow > 0 && distance[a.to]-a.cost < distance[a.from] {
				distance[a.from], by[a.from], last = distance[a.to]-a.cost, -i-1, a.from
			}
		}
	}
	if last < 0 {
		return false
	}
	for range nodes { // into the cycle
		if i := by[last]; i > 0 {
			last = arcs[i-1].from
		} else {
			last = arcs[-i-1].to
		}
	}
	augment(arcs, by, last, last)
	return true
}

// compare solves a network and compares it with the reference: the flow and the cost must be the
// same, within capacities and conserved.
func compare(t *testing.T, n *flow.Network, arcs []arc, ids []int) flow.Solution {
	t.Helper()
	s := must.Get(n.Solve(t.Context()))(t)
	plain := append([]arc{}, arcs...)
	for i := range plain {
		plain[i].flow = 0
	}
	if flowed, cost := reference(n.Nodes(), plain); s.Flow != flowed || s.Cost != cost {
		t.Fatalf("flow %d at %d, want %d at %d: %+v", s.Flow, s.Cost, flowed, cost, arcs)
	}
	balance := make([]int64, n.Nodes())
	for i, a := range arcs {
		f := n.Flow(ids[i])
		if f < 0 || f > a.capacity {
			t.Fatalf("%d flows through %+v", f, a)
		}
		balance[a.from] -= f
		balance[a.to] += f
	}
	balance[flow.Source] += s.Flow
	balance[flow.Sink] -= s.Flow
	for v, b := range balance {
		if b != 0 {
			t.Fatalf("node %d has %d left", v, b)
		}
	}
	return s
}

// Random networks agree with the reference, some with negative costs and cycles, and after random
// changes.
func TestAgainstReference(t *testing.T) {
	for seed := range uint64(400) {
		random := rand.New(rand.NewPCG(seed, 1))
		n := flow.New()
		nodes := 2 + random.IntN(9)
		for n.Nodes() < nodes {
			n.AddNode()
		}
		least := int64(0)
		if seed%3 == 0 {
			least = -20
		}
		drawn := func() (capacity, cost int64) { return random.Int64N(8), least + random.Int64N(50) }
		var arcs []arc
		var ids []int
		add := func() {
			from, to := random.IntN(n.Nodes()), random.IntN(n.Nodes())
			if from == to {
				return
			}
			capacity, cost := drawn()
			arcs = append(arcs, arc{from: from, to: to, capacity: capacity, cost: cost})
			ids = append(ids, n.AddArc(from, to, capacity, cost))
		}
		for range random.IntN(4 * nodes) {
			add()
		}
		compare(t, n, arcs, ids)
		for range 6 {
			for range 1 + random.IntN(3) {
				switch k := random.IntN(4); {
				case k == 0:
					n.AddNode()
					add()
				case k == 1:
					add()
				case len(arcs) > 0:
					i := random.IntN(len(arcs))
					arcs[i].capacity, arcs[i].cost = drawn()
					n.Change(ids[i], arcs[i].capacity, arcs[i].cost)
				}
			}
			compare(t, n, arcs, ids)
		}
	}
}

// assignment returns a network of tasks that each choose among some machines.
func assignment(tasks, machines, choices int, seed uint64) (n *flow.Network, arcs []arc, ids []int) {
	random := rand.New(rand.NewPCG(seed, 2))
	n = flow.New()
	add := func(from, to int, capacity, cost int64) {
		arcs = append(arcs, arc{from: from, to: to, capacity: capacity, cost: cost})
		ids = append(ids, n.AddArc(from, to, capacity, cost))
	}
	first := n.Nodes()
	for range machines {
		m := n.AddNode()
		add(m, flow.Sink, int64(1+tasks/machines), 0)
	}
	unscheduled := n.AddNode()
	add(unscheduled, flow.Sink, int64(tasks), 0)
	for range tasks {
		task := n.AddNode()
		add(flow.Source, task, 1, 0)
		add(task, unscheduled, 1, 500)
		for range choices {
			add(task, first+random.IntN(machines), 1, random.Int64N(100))
		}
	}
	return n, arcs, ids
}

// If a few costs of an assignment change, solving it again takes a small part of the steps.
func TestChangesTakeFewSteps(t *testing.T) {
	n, arcs, ids := assignment(120, 12, 5, 1)
	whole := compare(t, n, arcs, ids)
	for i := range 3 {
		k := len(arcs) - 1 - 7*i
		arcs[k].cost++
		n.Change(ids[k], arcs[k].capacity, arcs[k].cost)
		if again := compare(t, n, arcs, ids); again.Steps*4 > whole.Steps {
			t.Errorf("%d steps after a change, %d at first", again.Steps, whole.Steps)
		}
	}
	if same := compare(t, n, arcs, ids); same.Steps != 0 || same.Phases != 0 {
		t.Errorf("nothing has changed, and it took %+v", same)
	}
}

// The arc from the sink to the source costs more than any other arc may.
func TestLargestCosts(t *testing.T) {
	n := flow.New()
	n.AddNode()
	arcs := []arc{{from: flow.Source, to: 2, capacity: 3, cost: flow.MaxCost}, {from: 2, to: flow.Sink, capacity: 2, cost: flow.MaxCost}, {from: 2, to: flow.Sink, capacity: 2, cost: flow.MaxCost - 1}}
	ids := []int{}
	for _, a := range arcs {
		ids = append(ids, n.AddArc(a.from, a.to, a.capacity, a.cost))
	}
	compare(t, n, arcs, ids)
}

func TestRefused(t *testing.T) {
	for want, build := range map[string]func(n *flow.Network){
		"expected two of the 2 nodes":  func(n *flow.Network) { n.AddArc(0, 2, 1, 1) },
		"an arc from node 1 to node 1": func(n *flow.Network) { n.AddArc(1, 1, 1, 1) },
		"the capacity -1":              func(n *flow.Network) { n.AddArc(0, 1, -1, 1) },
		"with the cost":                func(n *flow.Network) { n.Change(n.AddArc(0, 1, 1, 1), 1, flow.MaxCost+1) },
		"could overflow": func(n *flow.Network) {
			for range 10_000 {
				n.AddNode()
			}
			n.AddArc(0, 1, 1, flow.MaxCost)
		},
		"262144 nodes at most": func(n *flow.Network) {
			for range flow.MaxNodes {
				n.AddNode()
			}
		},
	} {
		n := flow.New()
		build(n)
		if _, err := n.Solve(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A solution that was stopped can start again from the beginning.
func TestStopped(t *testing.T) {
	n, _, _ := assignment(2000, 20, 5, 3)
	want := must.Get(n.Solve(t.Context()))(t)
	n, arcs, ids := assignment(2000, 20, 5, 3)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := n.Solve(ctx); err != context.Canceled {
		t.Fatal(err)
	}
	for i := range arcs {
		if n.Flow(ids[i]) != 0 {
			t.Fatal("flow is left")
		}
	}
	if again, err := n.Solve(t.Context()); err != nil || again.Flow != want.Flow || again.Cost != want.Cost {
		t.Errorf("%+v, %v, want %+v", again, err, want)
	}
}

func BenchmarkAssignment(b *testing.B) {
	for b.Loop() {
		n, arcs, _ := assignment(20_000, 1000, 5, 1)
		s := must.Get(n.Solve(b.Context()))(b)
		b.ReportMetric(float64(s.Steps)/float64(len(arcs)), "steps/arc")
	}
}

// BenchmarkChange solves an assignment again after the costs of a hundredth of the tasks have
// changed.
func BenchmarkChange(b *testing.B) {
	n, arcs, ids := assignment(20_000, 1000, 5, 1)
	must.Get(n.Solve(b.Context()))(b)
	random := rand.New(rand.NewPCG(1, 3))
	for b.Loop() {
		for range 200 {
			i := random.IntN(len(arcs))
			if arcs[i].capacity == 1 && arcs[i].cost > 0 {
				n.Change(ids[i], 1, 1+random.Int64N(100))
			}
		}
		must.Get(n.Solve(b.Context()))(b)
	}
}
