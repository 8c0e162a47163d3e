package probing

import (
	"cmp"
	"slices"

	"berth/engine/federate"
	"berth/engine/input/workload"
)

// The events of queues. The events of a scheduler based on them begin with FirstKind.
const (
	probesEvent uint32 = federate.FirstKind + iota // reservations reach their workers
	askEvent                                       // a worker asks for a task
	launchEvent                                    // a task reaches a worker
	emptyEvent                                     // a worker learns that no task is left
	FirstKind
)

// Batch is a set of tasks that share reservations.
type Batch struct {
	Tasks []int32
	next  int           // first task that no worker has received
	since federate.Time // when its first reservations reach their workers
}

// Left returns the number of tasks that no worker has received.
func (b *Batch) Left() int { return len(b.Tasks) - b.next }

// Place is an entry in the queue of a worker: a reservation or a task.
type Place struct {
	Batch  int32 // batch of a reservation; ^task for a task
	Worker int32
	Next   int32         // next place in the queue, in the message or in the free list; None at the end
	before int32         // previous place in the queue; None at its head
	since  federate.Time // time at which it joined its first queue, plus the travel time to another queue
}

// Task returns the task at the place; None for a reservation.
func (e *Place) Task() int32 { return max(^e.Batch, federate.None) }

// Discipline defines how workers serve their queues. The zero value is first come, first served.
type Discipline struct {
	// Next, if not nil, returns the place that an idle worker serves next; None to stay idle.
	Next func(worker int32) int32
	// Joined and Left, if not nil, are called when a place joins the end of its queue, and when it
	// leaves.
	Joined, Left func(i int32)
	// Idle, if not nil, is called when a worker has finished and has nothing to serve.
	Idle func(worker int32)
	// Sticky reservations stay until their batch has no task left.
	Sticky bool
}

// Queues holds the queues of all workers.
type Queues struct {
	*federate.Model
	Batches []Batch
	Places  []Place
	rule    Discipline
	free    int32   // first place of the free list
	head    []int32 // by worker: first place of its queue
	tail    []int32
	busy    []bool  // by worker: it runs a task or waits for one
	draw    []int32 // all workers, in the order of the last draw
	some    []int32 // scratch: workers that satisfy constraints
}

// New returns empty queues.
func New(m *federate.Model, rule Discipline) *Queues {
	n := m.Center.Workers()
	q := &Queues{Model: m, rule: rule, free: federate.None, head: make([]int32, n), tail: make([]int32, n), busy: make([]bool, n), draw: make([]int32, n)}
	if q.rule.Next == nil {
		q.rule.Next = q.Pop
	}
	for w := range n {
		q.head[w], q.tail[w], q.draw[w] = federate.None, federate.None, int32(w)
	}
	return q
}

// Probe makes a new batch of tasks with the same constraints and leaves probes reservations per
// task with random workers. If the batch has more tasks than there are workers, each worker gets
// several reservations, because one reservation brings one task.
func (q *Queues) Probe(tasks []int32, constraints uint64, probes int) {
	workers := q.Draw(q.Eligible(constraints), probes*len(tasks), nil)
	q.Send(q.Add(tasks), workers, (len(tasks)+len(workers)-1)/len(workers), probesEvent, 0)
}

// Split calls each for every group of a job's tasks with the same constraints.
func (q *Queues) Split(job int32, each func(tasks []int32, constraints uint64)) {
	first, end := q.Tasks(job)
	tasks := make([]int32, 0, end-first)
	for task := first; task < end; task++ {
		tasks = append(tasks, task)
	}
	constraints := func(task int32) uint64 { return q.Kind(task).Constraints }
	slices.SortStableFunc(tasks, func(a, b int32) int { return cmp.Compare(constraints(a), constraints(b)) })
	for len(tasks) > 0 {
		n := 1
		for n < len(tasks) && constraints(tasks[n]) == constraints(tasks[0]) {
			n++
		}
		each(tasks[:n], constraints(tasks[0]))
		tasks = tasks[n:]
	}
}

// Eligible returns the workers that satisfy constraints. The slice is valid until the next
// [Queues.Draw].
func (q *Queues) Eligible(constraints uint64) []int32 {
	if constraints == 0 {
		return q.draw
	}
	q.some = q.some[:0]
	for w := range int32(len(q.draw)) {
		if q.Center.Satisfies(w, constraints) {
			q.some = append(q.some, w)
		}
	}
	return q.some
}

// Draw moves n workers, drawn without replacement among those that satisfy right, to the front of
// the slice and returns them; fewer if there are not enough. A nil right accepts all. The result is
// valid until the next draw.
func (q *Queues) Draw(workers []int32, n int, right func(worker int32) bool) []int32 {
	drawn := 0
	for i := 0; i < len(workers) && drawn < n; i++ {
		j := i + q.Random.IntN(len(workers)-i)
		workers[i], workers[j] = workers[j], workers[i]
		if right == nil || right(workers[i]) {
			workers[i], workers[drawn] = workers[drawn], workers[i]
			drawn++
		}
	}
	return workers[:drawn]
}

// Add adds a batch whose first reservations are sent now, and returns its index.
func (q *Queues) Add(tasks []int32) (batch int32) {
	for _, task := range tasks {
		q.SpendNext(task, federate.Communication, q.Config.Delay)
	}
	q.Batches = append(q.Batches, Batch{Tasks: tasks, since: q.Now() + q.Config.Delay})
	return int32(len(q.Batches) - 1)
}

// Send sends each reservations to every worker in one event of a kind. The event refers to the
// first reservation; Next links the others.
func (q *Queues) Send(batch int32, workers []int32, each int, kind, mark uint32) {
	first, before := int32(federate.None), int32(federate.None)
	for range each {
		for _, w := range workers {
			i := q.unused(Place{Batch: batch, Worker: w, Next: federate.None})
			if before == federate.None {
				first = i
			} else {
				q.Places[before].Next = i
			}
			before = i
			q.Counters.Messages++
		}
	}
	q.At(q.Now()+q.Config.Delay, kind, uint32(first), mark)
}

// unused stores a place in a free entry and returns its index.
func (q *Queues) unused(e Place) int32 {
	i := q.free
	if i == federate.None {
		q.Places = append(q.Places, e)
		return int32(len(q.Places) - 1)
	}
	q.free = q.Places[i].Next
	q.Places[i] = e
	return i
}

// Drop frees a place that is in no queue.
func (q *Queues) Drop(i int32) { q.Places[i].Next, q.free = q.free, i }

// Handle implements [federate.Scheduler] for the events of queues.
func (q *Queues) Handle(e federate.Event) {
	switch e.Kind {
	case probesEvent:
		for i := int32(e.Ref); i != federate.None; {
			next := q.Places[i].Next
			q.Join(i)
			i = next
		}
	case askEvent:
		q.answer(int32(e.Ref))
	case launchEvent:
		q.Start(int32(e.Ref), int32(e.Mark))
	case emptyEvent:
		q.served(int32(e.Ref))
	}
}

// Join appends a reservation to the queue of its worker, which it has reached.
func (q *Queues) Join(i int32) {
	e := &q.Places[i]
	e.since = q.Now()
	q.Tell(federate.ReservationMade, q.Batches[e.Batch].Tasks[0], e.Worker, -1)
	q.push(i)
}

// JoinTask appends a task to the queue of a worker, which it has reached.
func (q *Queues) JoinTask(task, worker int32) {
	q.push(q.unused(Place{Batch: ^task, Worker: worker, since: q.Now()}))
}

// Move appends a reservation from another queue to the queue of a worker. Its time in queues does
// not include the message that moved it.
func (q *Queues) Move(i, worker int32) {
	e := &q.Places[i]
	e.Worker = worker
	e.since += q.Config.Delay
	q.push(i)
}

func (q *Queues) push(i int32) {
	e := &q.Places[i]
	e.Next, e.before = federate.None, q.tail[e.Worker]
	if e.before == federate.None {
		q.head[e.Worker] = i
	} else {
		q.Places[e.before].Next = i
	}
	q.tail[e.Worker] = i
	if q.rule.Joined != nil {
		q.rule.Joined(i)
	}
	q.advance(e.Worker)
}

// First returns the first place of a worker's queue; None if it is empty.
func (q *Queues) First(worker int32) int32 { return q.head[worker] }

// Busy reports whether a worker runs a task or waits for one.
func (q *Queues) Busy(worker int32) bool { return q.busy[worker] }

// Pop removes and returns the first place of a worker's queue; None if it is empty.
func (q *Queues) Pop(worker int32) int32 {
	i := q.head[worker]
	if i != federate.None {
		q.Take(i)
	}
	return i
}

// Take removes a place from its queue.
func (q *Queues) Take(i int32) {
	e := &q.Places[i]
	if e.before == federate.None {
		q.head[e.Worker] = e.Next
	} else {
		q.Places[e.before].Next = e.Next
	}
	if e.Next == federate.None {
		q.tail[e.Worker] = e.before
	} else {
		q.Places[e.Next].before = e.before
	}
	if q.rule.Left != nil {
		q.rule.Left(i)
	}
}

// advance lets an idle worker start its next task, or ask for one.
func (q *Queues) advance(worker int32) {
	if q.busy[worker] || q.head[worker] == federate.None {
		return
	}
	i := q.rule.Next(worker)
	if i == federate.None {
		return
	}
	q.busy[worker] = true
	if task := q.Places[i].Task(); task != federate.None {
		q.Drop(i)
		q.Spend(task, federate.WorkerQueue)
		q.Start(task, worker)
		return
	}
	q.Counters.Messages++
	q.At(q.Now()+q.Config.Delay, askEvent, uint32(i), 0)
}

// answer gives the next task of a batch to the worker that asks. The time from the arrival of the
// reservation to the question counts as time in the worker's queue. The earlier time, from the
// arrival of the first reservations of the batch, counts as communication.
func (q *Queues) answer(i int32) {
	e := q.Places[i]
	b := &q.Batches[e.Batch]
	q.Counters.Messages++
	if b.next == len(b.Tasks) {
		if q.rule.Sticky {
			q.Take(i)
		}
		q.Drop(i)
		q.At(q.Now()+q.Config.Delay, emptyEvent, uint32(e.Worker), 0)
		return
	}
	if !q.rule.Sticky {
		q.Drop(i)
	}
	task := b.Tasks[b.next]
	b.next++
	q.SpendNext(task, federate.WorkerQueue, q.Now()-q.Config.Delay-e.since)
	q.SpendNext(task, federate.Communication, e.since-b.since+q.Config.Delay+q.Config.LaunchDelay)
	q.At(q.Now()+q.Config.LaunchDelay, launchEvent, uint32(task), uint32(e.Worker))
}

// Ended implements [federate.Scheduler].
func (q *Queues) Ended(_, worker int32) { q.served(worker) }

// served makes a worker idle and lets it serve the next place.
func (q *Queues) served(worker int32) {
	q.busy[worker] = false
	q.advance(worker)
	if q.rule.Idle != nil && !q.busy[worker] {
		q.rule.Idle(worker)
	}
}

// Outage implements [federate.Scheduler]. A failed worker keeps its queue, and there is no master
// to fail.
func (q *Queues) Outage(federate.Outage, bool) {}

// Memory returns an upper estimate of the bytes of the queues when all places are in use at once.
func Memory(c *federate.Config, probes, least float64, load *workload.Tasks) float64 {
	return float64(MostPlaces(c, probes, least, load)*federate.Grown*federate.SizeOf[Place]()) + federate.Bytes[int32](len(load.Durations)) +
		federate.BytesGrown[Batch](len(load.Jobs)) + federate.Bytes[[17]byte](c.Workers)
}

// MostPlaces returns the highest number of places in use at once. A batch has probes reservations
// per task, or one per task and one more per worker if that is fewer, and at least least.
func MostPlaces(c *federate.Config, probes, least float64, load *workload.Tasks) float64 {
	places := 0.
	for _, job := range load.Jobs {
		batches := min(float64(job.Count), float64(len(load.Kinds)))
		asked := min(float64(probes*float64(job.Count)), float64(job.Count)+float64(batches*float64(c.Workers)))
		places += float64(least*(batches-1)) + max(least, asked) // maximum over all splits into batches
	}
	return places
}
