package federate

import (
	"slices"
	"testing"

	"berth/engine/cluster"
	"berth/engine/sim"
	"berth/engine/workload"
)

// placed is a place of the model: a queue as a slice.
type placed struct {
	task    int32
	tried   uint32
	retries int32
}

func newTestQueue(tasks int) (*places, *taskQueue) {
	load := &workload.Tasks{
		Resources: []string{workload.SlotResource}, Jobs: []workload.TaskJob{{Count: int32(tasks)}},
		Durations: make([]Time, tasks), KindOf: make([]int32, tasks),
	}
	for t := range tasks {
		load.KindOf[t] = int32(t)
		load.Kinds = append(load.Kinds, workload.TaskKind{Request: []cluster.Amount{cluster.Amount(t%7 + 1)}, Constraints: uint64(t % 8)})
	}
	c := Default(200, 1, 1)
	c.Capacity = []cluster.Amount{10}
	f := newFederation(newModel(&c, load, firstArrival(load), nil)).(*federation)
	return &f.places, &f.gms[0].queues[0]
}

func TestQueueAgreesWithASlice(t *testing.T) {
	const tasks = 100
	p, q := newTestQueue(tasks)
	random := sim.NewRandom(1, 0)
	version := uint32(1)
	var model []placed
	var outside []int32
	for task := range int32(tasks) {
		outside = append(outside, task)
	}
	for range 20_000 {
		first := slices.IndexFunc(model, func(x placed) bool { return x.tried != version })
		switch random.IntN(5) {
		case 0:
			version++
		case 1, 2:
			if len(outside) == 0 {
				continue
			}
			task := outside[0]
			outside = outside[1:]
			switch random.IntN(3) {
			case 0:
				p.pushFront(q, task)
				model = slices.Insert(model, 0, placed{task: task})
			case 1:
				p.push(q, task, 0)
				model = append(model, placed{task: task})
			case 2:
				p.push(q, task, version)
				model = append(model, placed{task: task, tried: version})
			}
		case 3:
			task, ok := p.pop(q, version)
			if ok != (first >= 0) {
				t.Fatalf("there is a task: %t, want one at %d", ok, first)
			}
			if !ok {
				continue
			}
			if got := (placed{task, p.nodes[task].tried, p.nodes[task].retries}); got != model[first] {
				t.Fatalf("got %+v, want %+v", got, model[first])
			}
			model = slices.Delete(model, first, first+1)
			outside = append(outside, task)
		case 4:
			if first < 0 {
				continue
			}
			n := 0
			for first+n < len(model) && model[first+n].tried != version && model[first+n].tried > 0 {
				n++
			}
			if n == 0 {
				continue
			}
			n = random.IntN(n) + 1
			moved := slices.Clone(model[first : first+n])
			for i := range moved {
				moved[i].tried, moved[i].retries = version, moved[i].retries+1
			}
			p.rotate(q, int32(first), int32(n), version)
			model = append(slices.Delete(model, first, first+n), moved...)
		}
		checkQueue(t, p, q, model)
	}
}

// checkQueue compares the sums over every prefix of a queue, and what is known
// of all of it.
func checkQueue(t *testing.T, p *places, q *taskQueue, model []placed) {
	t.Helper()
	if int(p.count(q.root)) != len(model) {
		t.Fatalf("the queue has %d tasks, want %d", p.count(q.root), len(model))
	}
	if len(model) == 0 {
		return
	}
	var cost Time
	low, high, least, constraints := model[0].tried, uint32(0), cluster.Amount(1000), ^uint64(0)
	for i, x := range model {
		if x.tried > 0 {
			cost += p.f.Config.Costs.Take + p.f.costOfNothing(x.task)
		}
		if got := p.costTo(q.root, int32(i+1)); got != cost {
			t.Fatalf("a retry of the first %d costs %d ns, want %d", i+1, got, cost)
		}
		k := p.f.Kind(x.task)
		low, high, least, constraints = min(low, x.tried), max(high, x.tried), min(least, k.Request[0]), constraints&k.Constraints
	}
	n := p.nodes[q.root]
	if n.low != low || n.high != high || n.constraints != constraints || p.least[q.root] != least || n.cost != cost {
		t.Fatalf("of the queue: %+v, at least %d; want %d, %d, %b, at least %d", n, p.least[q.root], low, high, constraints, least)
	}
}
