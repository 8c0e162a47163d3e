package mercury

import (
	"math"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/workload"
)

// none is no task.
const none = -1

// queues holds the queues of the workers and the loads that they reported at the last heartbeats.
type queues struct {
	m         *federate.Model
	room      *federate.Pool
	smallest  []cluster.Amount
	heartbeat federate.Time
	tasks     []federate.List // by worker: the tasks in its queue
	length    []int32         // by worker: their number
	next      []int32         // by task
	all       int             // tasks that wait
	squares   int             // sum of the squared lengths
	lengths   []int32         // by length: number of queues
	loads     []int32         // by worker: its waiting tasks, plus 1 if it has no room for any task
	before    []int32         // by worker: its load at the heartbeat in beat
	beat      []int64         // by worker: the last heartbeat before its latest change
	order     []int32         // workers with room in their queues, by load at the heartbeat in ordered
	ordered   int64           // heartbeat at which order was computed
	sorted    []int32         // memory of order
	places    []int32         // scratch, by load: the place of the next worker
	some      []int32         // scratch: the workers for a job
	full      int32           // a kind of task for which no queue has room until the next heartbeat; none: no such kind is known
}

func newQueues(m *federate.Model, room *federate.Pool, heartbeat federate.Time, most int) *queues {
	n := m.Center.Workers()
	q := &queues{
		m: m, room: room, smallest: federate.Smallest(m.Load), heartbeat: heartbeat, tasks: make([]federate.List, n), length: make([]int32, n),
		next: make([]int32, len(m.Load.Durations)), lengths: make([]int32, most+1), ordered: none, places: make([]int32, most+2),
		loads: make([]int32, n), before: make([]int32, n), beat: make([]int64, n), sorted: make([]int32, n), some: make([]int32, 0, n),
	}
	q.lengths[0] = int32(n)
	for w := range int32(n) {
		q.changed(w)
		q.beat[w] = none
	}
	room.Watch(q.changed)
	return q
}

// now returns the number of the last heartbeat.
func (q *queues) now() int64 { return int64(q.m.Now() / q.heartbeat) }

// changed updates the load of a worker.
func (q *queues) changed(worker int32) {
	q.keep(worker)
	q.loads[worker] = q.length[worker] + 1
	if q.length[worker] == 0 && cluster.Covers(q.room.Free(worker), q.smallest) {
		q.loads[worker] = 0
	}
}

// keep saves the load that a worker reported at the last heartbeat.
func (q *queues) keep(worker int32) {
	if now := q.now(); q.beat[worker] != now {
		q.beat[worker], q.before[worker] = now, q.loads[worker]
	}
}

// said returns the load of a worker at its last heartbeat, which was now.
func (q *queues) said(worker int32, now int64) int32 {
	if q.beat[worker] == now {
		return q.before[worker]
	}
	return q.loads[worker]
}

// sort orders the workers with room in their queues by load. Workers with equal load follow each
// other cyclically from a random one.
func (q *queues) sort() {
	now := q.now()
	if q.ordered == now {
		return
	}
	q.ordered, q.full = now, none
	n, most := len(q.length), int32(len(q.places)-1)
	clear(q.places)
	for w := range q.loads {
		if load := q.said(int32(w), now); load < most {
			q.places[load+1]++
		}
	}
	for i := int32(1); i <= most; i++ {
		q.places[i] += q.places[i-1]
	}
	q.order = q.sorted[:q.places[most]]
	first := q.m.Random.IntN(n)
	for _, part := range [2][2]int{{first, n}, {0, first}} {
		for w := part[0]; w < part[1]; w++ {
			if load := q.said(int32(w), now); load < most {
				q.sorted[q.places[load]] = int32(w)
				q.places[load]++
			}
		}
	}
}

// sent counts a task that is sent to a worker.
func (q *queues) sent(worker int32) {
	q.keep(worker)
	q.before[worker]++
}

// shortest returns at most most workers with the shortest queues that can run a task. The slice is
// valid until the next call.
func (q *queues) shortest(task int32, most int) []int32 {
	q.sort()
	kind, full, now := q.m.Kind(task), int32(len(q.places)-1), q.now()
	q.some = q.some[:0]
	if q.m.Load.KindOf[task] == q.full {
		return q.some
	}
	for len(q.order) > 0 && q.said(q.order[0], now) >= full {
		q.order = q.order[1:]
	}
	for _, w := range q.order {
		if len(q.some) == most {
			break
		}
		if q.said(w, now) < full && !q.m.Down(w) && q.m.Center.Satisfies(w, kind.Constraints) && q.m.Center.Room(w, kind) > 0 {
			q.some = append(q.some, w)
		}
	}
	if len(q.some) == 0 {
		q.full = q.m.Load.KindOf[task]
	}
	return q.some
}

// resize changes the length of a queue.
func (q *queues) resize(worker, by int32) {
	before := q.length[worker]
	q.length[worker] += by
	q.lengths[before]--
	q.lengths[before+by]++
	q.all += int(by)
	q.squares += int(by * (2*before + by))
	q.changed(worker)
}

// push appends a task to a queue.
func (q *queues) push(task, worker int32) {
	q.tasks[worker].Push(q.next, task)
	q.resize(worker, 1)
}

// pop removes the first task of a queue.
func (q *queues) pop(worker int32) {
	q.tasks[worker].Pop(q.next)
	q.resize(worker, -1)
}

// dropLast removes the last task of a queue and returns it.
func (q *queues) dropLast(worker int32) int32 {
	q.resize(worker, -1)
	return q.tasks[worker].PopLast(q.next)
}

// bounds limits the lengths of queues.
type bounds struct {
	least, most int
	deviations  float64
}

// limit returns the longest allowed queue at this moment: the mean plus some standard deviations,
// clamped to [b.least, b.most].
func (q *queues) limit(b bounds) int {
	n := float64(len(q.length))
	mean := float64(q.all) / n
	deviation := math.Sqrt(max(float64(q.squares)/n-float64(mean*mean), 0))
	return int(min(max(mean+float64(b.deviations*deviation), float64(b.least)), float64(b.most)))
}

// longer reports whether any queue is longer than a limit.
func (q *queues) longer(limit int) bool {
	for length := limit + 1; length < len(q.lengths); length++ {
		if q.lengths[length] > 0 {
			return true
		}
	}
	return false
}

func queueMemory(c *federate.Config, load *workload.Tasks) float64 {
	return federate.Bytes[int32](len(load.Durations)) + federate.Bytes[[10]int32](c.Workers)
}
