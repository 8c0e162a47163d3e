package probing

import (
	"cmp"
	"slices"

	"berth/engine/federate"
	"berth/engine/workload"
)

// The events of queues. Other events of a scheduler begin with FirstKind.
const (
	probesEvent uint32 = federate.FirstKind + iota // reservations reach their workers
	askEvent                                       // a worker asks for a task
	launchEvent                                    // a worker gets a task
	emptyEvent                                     // a worker learns that there is none left
	FirstKind
)

// None is no place.
const None = -1

// Batch is tasks that share reservations.
type Batch struct {
	Tasks []int32
	next  int           // the first task that no worker has got
	since federate.Time // when its first reservations reach their workers
}

// Left is how many tasks no worker has got.
func (b *Batch) Left() int { return len(b.Tasks) - b.next }

// Place is a place in the queue of a worker.
type Place struct {
	Batch  int32 // of the reservation; less than 0 of a task, which is ^Batch
	Worker int32
	Next   int32         // in the queue, on the way or not in use; None at the end
	before int32         // in the queue; None at its head
	since  federate.Time // when it came into the queue, later by its way to another one
}

// Task is the task that waits there, None of a reservation.
func (e *Place) Task() int32 { return max(^e.Batch, None) }

// Rule is how workers serve their queues. Its zero value is first come, first served.
type Rule struct {
	// Next, if there is one, returns what an idle worker serves next, None if nothing.
	Next func(worker int32) int32
	// Joined and Left, if there are any, tell of a place that joins its queue at the end, and
	// of one that leaves it.
	Joined, Left func(i int32)
	// Idle, if there is one, tells of a worker that has served and has nothing to do.
	Idle func(worker int32)
	// Sticky reservations stay until their batch has no task left.
	Sticky bool
}

// Queues are the queues of all workers.
type Queues struct {
	*federate.Model
	Batches []Batch
	Places  []Place
	rule    Rule
	free    int32   // the first place that is not in use
	head    []int32 // of the queue of each worker
	tail    []int32
	busy    []bool  // it runs a task or waits for one
	draw    []int32 // all workers, in the order of the last draw
	some    []int32 // scratch: the workers that satisfy constraints
}

// New returns empty queues.
func New(m *federate.Model, rule Rule) *Queues {
	n := m.Center.Workers()
	q := &Queues{Model: m, rule: rule, free: None, head: make([]int32, n), tail: make([]int32, n), busy: make([]bool, n), draw: make([]int32, n)}
	if q.rule.Next == nil {
		q.rule.Next = q.Pop
	}
	for w := range n {
		q.head[w], q.tail[w], q.draw[w] = None, None, int32(w)
	}
	return q
}

// Probe leaves so many reservations for each of tasks that ask for the same constraints
// with random workers, for a new batch. If it has more tasks than there are workers, each
// of them gets several, since one brings one task.
func (q *Queues) Probe(tasks []int32, constraints uint64, probes int) {
	workers := q.Draw(q.Eligible(constraints), probes*len(tasks), nil)
	q.Send(q.Add(tasks), workers, (len(tasks)+len(workers)-1)/len(workers), probesEvent, 0)
}

// Split calls each with the tasks of a job that ask for the same constraints.
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

// Eligible returns the workers that satisfy constraints, for [Queues.Draw] at once.
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

// Draw draws workers without replacement until there are n that are right, or no others.
// Without a right all are. They are valid until the next draw.
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

// Add adds a batch of tasks whose first reservations are sent now.
func (q *Queues) Add(tasks []int32) (batch int32) {
	for _, task := range tasks {
		q.SpendNext(task, federate.Communication, q.Config.Delay)
	}
	q.Batches = append(q.Batches, Batch{Tasks: tasks, since: q.Now() + q.Config.Delay})
	return int32(len(q.Batches) - 1)
}

// Send sends each worker so many reservations. An event has the first of them, and their
// Next leads to the others.
func (q *Queues) Send(batch int32, workers []int32, each int, kind, mark uint32) {
	first, before := int32(None), int32(None)
	for range each {
		for _, w := range workers {
			i := q.unused(Place{Batch: batch, Worker: w, Next: None})
			if before == None {
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

// unused puts a place where none is in use.
func (q *Queues) unused(e Place) int32 {
	i := q.free
	if i == None {
		q.Places = append(q.Places, e)
		return int32(len(q.Places) - 1)
	}
	q.free = q.Places[i].Next
	q.Places[i] = e
	return i
}

// Drop forgets a place that is in no queue.
func (q *Queues) Drop(i int32) { q.Places[i].Next, q.free = q.free, i }

// Handle implements [federate.Scheduler] for the events of queues.
func (q *Queues) Handle(e federate.Event) {
	switch e.Kind {
	case probesEvent:
		for i := int32(e.Ref); i != None; {
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

// Join puts a reservation that has come to its worker at the end of the queue there.
func (q *Queues) Join(i int32) {
	e := &q.Places[i]
	e.since = q.Now()
	q.Tell(federate.ReservationMade, q.Batches[e.Batch].Tasks[0], e.Worker, -1)
	q.push(i)
}

// JoinTask puts a task that has come to a worker at the end of the queue there.
func (q *Queues) JoinTask(task, worker int32) {
	q.push(q.unused(Place{Batch: ^task, Worker: worker, since: q.Now()}))
}

// Move puts a reservation of another queue, which has been on its way as long as a
// message, at the end of that of a worker.
func (q *Queues) Move(i, worker int32) {
	e := &q.Places[i]
	e.Worker = worker
	e.since += q.Config.Delay
	q.push(i)
}

func (q *Queues) push(i int32) {
	e := &q.Places[i]
	e.Next, e.before = None, q.tail[e.Worker]
	if e.before == None {
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

// First is the first place of the queue of a worker, None if it is empty.
func (q *Queues) First(worker int32) int32 { return q.head[worker] }

// Busy reports whether a worker runs a task or waits for one.
func (q *Queues) Busy(worker int32) bool { return q.busy[worker] }

// Pop takes the first place out of the queue of a worker, None if it is empty.
func (q *Queues) Pop(worker int32) int32 {
	i := q.head[worker]
	if i != None {
		q.Take(i)
	}
	return i
}

// Take takes a place out of its queue.
func (q *Queues) Take(i int32) {
	e := &q.Places[i]
	if e.before == None {
		q.head[e.Worker] = e.Next
	} else {
		q.Places[e.before].Next = e.Next
	}
	if e.Next == None {
		q.tail[e.Worker] = e.before
	} else {
		q.Places[e.Next].before = e.before
	}
	if q.rule.Left != nil {
		q.rule.Left(i)
	}
}

// advance lets an idle worker start what it serves next, or ask for a task.
func (q *Queues) advance(worker int32) {
	if q.busy[worker] || q.head[worker] == None {
		return
	}
	i := q.rule.Next(worker)
	if i == None {
		return
	}
	q.busy[worker] = true
	if task := q.Places[i].Task(); task != None {
		q.Drop(i)
		q.Spend(task, federate.WorkerQueue)
		q.Start(task, worker)
		return
	}
	q.Counters.Messages++
	q.At(q.Now()+q.Config.Delay, askEvent, uint32(i), 0)
}

// answer gives the next task of a batch to the worker that asks. What passed since the
// reservation came to the worker, up to its question, is the time in the queue of the
// worker; what passed before, since the first of the batch, is that of other messages.
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

// served lets a worker go on.
func (q *Queues) served(worker int32) {
	q.busy[worker] = false
	q.advance(worker)
	if q.rule.Idle != nil && !q.busy[worker] {
		q.rule.Idle(worker)
	}
}

// Outage implements [federate.Scheduler]: a worker keeps its queue, and there is no
// master that could fail.
func (q *Queues) Outage(federate.Outage, bool) {}

// Memory is what places take if all wait at once.
func Memory(c *federate.Config, probes, least float64, load *workload.Tasks) float64 {
	return float64(MostPlaces(c, probes, least, load)*federate.Grown*federate.SizeOf[Place]()) + federate.Bytes[int32](len(load.Durations)) +
		federate.BytesGrown[Batch](len(load.Jobs)) + federate.Bytes[[17]byte](c.Workers)
}

// MostPlaces is how many places there are if all wait at once. A batch has as many as probes
// ask for, or some for each worker and one task after the other, and least of them.
func MostPlaces(c *federate.Config, probes, least float64, load *workload.Tasks) float64 {
	places := 0.
	for _, job := range load.Jobs {
		batches := min(float64(job.Count), float64(len(load.Kinds)))
		asked := min(float64(probes*float64(job.Count)), float64(job.Count)+float64(batches*float64(c.Workers)))
		places += float64(least*(batches-1)) + max(least, asked) // the most of any parting into batches
	}
	return places
}
