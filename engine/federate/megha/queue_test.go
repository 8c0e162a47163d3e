package megha

import (
	"slices"
	"testing"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/golden"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/sim"
)

// placed is a place in the model, which is a queue as a slice.
type placed struct {
	task    int32
	tried   uint32
	retries int32
}

// newTestQueue returns an empty queue for tasks of different kinds.
func newTestQueue(t *testing.T, tasks int) (q *taskQueue) {
	load := &workload.Tasks{
		Resources: []string{workload.SlotResource}, Jobs: []workload.TaskJob{{Count: int32(tasks)}},
		Durations: make([]federate.Time, tasks), KindOf: make([]int32, tasks),
	}
	for t := range tasks {
		load.KindOf[t] = int32(t)
		load.Kinds = append(load.Kinds, workload.TaskKind{Request: []cluster.Amount{cluster.Amount(t%7 + 1)}, Constraints: uint64(t % 8)})
	}
	c := federate.Default(200, 1, 1)
	c.Capacity = []cluster.Amount{10}
	must.Get(runAs(c, load, func(f *federation) federate.Scheduler {
		q = &taskQueue{f: f}
		return f
	}))(t)
	return q
}

func TestQueueAgreesWithASlice(t *testing.T) {
	golden.Long(t)
	const tasks = 5 * blockSize
	q := newTestQueue(t, tasks)
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
				q.pushFront(task)
				model = slices.Insert(model, 0, placed{task: task})
			case 1:
				q.push(task, 0)
				model = append(model, placed{task: task})
			case 2:
				q.push(task, version)
				model = append(model, placed{task: task, tried: version})
			}
		case 3:
			task, tried, retries, ok := q.pop(version)
			if ok != (first >= 0) {
				t.Fatalf("there is a task: %t, want one at %d", ok, first)
			}
			if !ok {
				continue
			}
			if got := (placed{task, tried, retries}); got != model[first] {
				t.Fatalf("got %+v, want %+v", got, model[first])
			}
			model = slices.Delete(model, first, first+1)
			outside = append(outside, task)
		case 4:
			n := int(q.untried(version))
			if n == 0 {
				continue
			}
			n = random.IntN(n) + 1
			moved := slices.Clone(model[:n])
			for i := range moved {
				moved[i].tried, moved[i].retries = version, moved[i].retries+1
			}
			q.rotate(int32(n), version)
			model = append(slices.Delete(model, 0, n), moved...)
		}
		checkQueue(t, q, model, version)
	}
}

// checkQueue compares the retry costs of the first tasks, the number of tasks that were not tried
// on a version, and the summary of all tasks with a model.
func checkQueue(t *testing.T, q *taskQueue, model []placed, version uint32) {
	t.Helper()
	if int(q.len()) != len(model) {
		t.Fatalf("the queue has %d tasks, want %d", q.len(), len(model))
	}
	if len(model) == 0 {
		return
	}
	var cost federate.Time
	for i, x := range model {
		if x.tried > 0 {
			cost += q.f.retryCost(x.task)
		}
		if got := q.retryCost(int32(i + 1)); got != cost {
			t.Fatalf("a retry of the first %d costs %d ns, want %d", i+1, got, cost)
		}
		if got := q.retriesWithin(cost); x.tried > 0 && got <= int32(i) || got < int32(len(model)) && q.retryCost(got+1) <= cost {
			t.Fatalf("%d can be tried in %d ns, in which the first %d can be", got, cost, i+1)
		}
		k, all := q.f.Kind(x.task), q.node(1)
		if k.Request[0] < all.least[0] || all.constraints&^k.Constraints != 0 {
			t.Fatalf("task %d asks for %d, %b; of all it is known that they ask for at least %d, %b", x.task, k.Request[0], k.Constraints, all.least[0], all.constraints)
		}
	}
	n := slices.IndexFunc(model, func(x placed) bool { return x.tried == 0 || x.tried == version })
	if got := int(q.untried(version)); n >= 0 && got > n || got == 0 && n != 0 {
		t.Fatalf("%d tasks were tried before, and not on version %d; want up to %d", got, version, n)
	}
}
