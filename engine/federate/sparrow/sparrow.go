// Package sparrow samples workers in batches and binds late (Ousterhout et al. 2013): a
// job leaves reservations with randomly drawn workers, and the worker that comes to one
// asks for a task. Its schedulers share nothing and cost nothing, so their number makes
// no difference. A job that has more tasks than there are workers leaves several
// reservations with each.
package sparrow

import (
	"slices"

	"berth/engine/federate"
	"berth/engine/parameter"
	"berth/engine/workload"
)

// The events of Sparrow.
const (
	probesEvent uint32 = federate.FirstKind + iota // the reservations of a batch reach their workers
	askEvent                                       // a worker asks for a task
	launchEvent                                    // a worker gets a task
	emptyEvent                                     // a worker learns that there is none left
)

// batch is the tasks of a job that ask for the same constraints: they share
// reservations.
type batch struct {
	tasks []int32
	next  int   // the first task that no worker has got
	first int32 // of its reservations, while they are under way
}

// reservation is a place in the queue of a worker.
type reservation struct {
	batch  int32
	worker int32
	next   int32 // of those under way, in the queue of the worker or not in use; −1 at the end
	since  federate.Time
}

type scheduler struct {
	*federate.Model
	batches      []batch
	reservations []reservation
	free         int32   // the first reservation that is not in use
	head, tail   []int32 // of the queue of each worker, −1 if it is empty
	busy         []bool  // it runs a task or waits for one
	draw         []int32 // all workers, in the order of the last draw
	some         []int32 // scratch: the workers that satisfy constraints
	probes       int     // reservations per task
}

// Plugin is what [federate.Register] takes.
var Plugin = federate.Plugin{
	Name: "sparrow", Title: "Sparrow", Description: "batch sampling with late binding (Ousterhout et al. 2013)",
	Default: true,
	Slots:   true, Memory: memory, New: newScheduler,
	Parameters: []parameter.Parameter{
		{Name: "probes", Path: "sparrow.probes", Title: "probes of a task", Help: "`NUMBER` of reservations per task (Sparrow's d)", Low: 1, High: 100, Whole: true, Default: 2},
	},
}

func newScheduler(m *federate.Model) federate.Scheduler {
	n := m.Center.Workers()
	s := &scheduler{
		Model: m, head: make([]int32, n), tail: make([]int32, n), busy: make([]bool, n), draw: make([]int32, n), free: -1,
		probes: int(m.Parameters["probes"]),
	}
	for w := range n {
		s.head[w], s.tail[w], s.draw[w] = -1, -1, int32(w)
	}
	return s
}

// Submit implements [federate.Scheduler].
func (s *scheduler) Submit(job int32) {
	first, end := s.Tasks(job)
	tasks := make([]int32, 0, end-first)
	for task := first; task < end; task++ {
		tasks = append(tasks, task)
	}
	constraints := func(task int32) uint64 { return s.Kind(task).Constraints }
	slices.SortStableFunc(tasks, func(a, b int32) int {
		if x, y := constraints(a), constraints(b); x != y {
			if x < y {
				return -1
			}
			return 1
		}
		return 0
	})
	for len(tasks) > 0 {
		n := 1
		for n < len(tasks) && constraints(tasks[n]) == constraints(tasks[0]) {
			n++
		}
		s.reserve(tasks[:n], constraints(tasks[0]))
		tasks = tasks[n:]
	}
}

// reserve draws the workers of a batch without replacement. If it has more
// tasks than there are workers, each of them gets several reservations, since
// one brings one task.
func (s *scheduler) reserve(tasks []int32, constraints uint64) {
	workers := s.eligible(constraints)
	n := min(s.probes*len(tasks), len(workers))
	for i := range n {
		j := i + s.Random.IntN(len(workers)-i)
		workers[i], workers[j] = workers[j], workers[i]
	}
	b := batch{tasks: tasks, first: -1}
	before := int32(-1)
	for range (len(tasks) + n - 1) / n {
		for _, w := range workers[:n] {
			i := s.unused()
			s.reservations[i] = reservation{batch: int32(len(s.batches)), worker: w, next: -1}
			if b.first < 0 {
				b.first = i
			} else {
				s.reservations[before].next = i
			}
			before = i
			s.Counters.Messages++
		}
	}
	for _, task := range tasks {
		s.SpendNext(task, federate.Communication, s.Config.Delay)
	}
	s.At(s.Now()+s.Config.Delay, probesEvent, uint32(len(s.batches)), 0)
	s.batches = append(s.batches, b)
}

// unused returns a reservation for another use.
func (s *scheduler) unused() int32 {
	i := s.free
	if i < 0 {
		s.reservations = append(s.reservations, reservation{})
		return int32(len(s.reservations) - 1)
	}
	s.free = s.reservations[i].next
	return i
}

// eligible returns the workers that satisfy constraints, for shuffling.
func (s *scheduler) eligible(constraints uint64) []int32 {
	if constraints == 0 {
		return s.draw
	}
	s.some = s.some[:0]
	for w := range int32(len(s.draw)) {
		if s.Center.Satisfies(w, constraints) {
			s.some = append(s.some, w)
		}
	}
	return s.some
}

// Handle implements [federate.Scheduler].
func (s *scheduler) Handle(e federate.Event) {
	switch e.Kind {
	case probesEvent:
		for i := s.batches[e.Ref].first; i >= 0; {
			next := s.reservations[i].next
			s.reservations[i].next = -1
			s.enqueue(i)
			i = next
		}
	case askEvent:
		s.answer(int32(e.Ref))
	case launchEvent:
		s.Start(int32(e.Ref), int32(e.Mark))
	case emptyEvent:
		s.busy[e.Ref] = false
		s.advance(int32(e.Ref))
	}
}

// enqueue puts a reservation into the queue of its worker.
func (s *scheduler) enqueue(i int32) {
	r := &s.reservations[i]
	r.since = s.Now()
	s.Tell(federate.ReservationMade, s.batches[r.batch].tasks[0], r.worker, -1)
	if s.tail[r.worker] < 0 {
		s.head[r.worker] = i
	} else {
		s.reservations[s.tail[r.worker]].next = i
	}
	s.tail[r.worker] = i
	s.advance(r.worker)
}

// advance lets an idle worker ask for the task of its first reservation.
func (s *scheduler) advance(worker int32) {
	i := s.head[worker]
	if s.busy[worker] || i < 0 {
		return
	}
	s.busy[worker] = true
	s.head[worker] = s.reservations[i].next
	if s.head[worker] < 0 {
		s.tail[worker] = -1
	}
	s.Counters.Messages++
	s.At(s.Now()+s.Config.Delay, askEvent, uint32(i), 0)
}

// answer gives the next task of a batch to the worker that asks. What passed
// since the reservation came to the worker, up to its question, is the time in
// the queue of the worker.
func (s *scheduler) answer(i int32) {
	r := s.reservations[i]
	s.reservations[i].next, s.free = s.free, i
	b := &s.batches[r.batch]
	s.Counters.Messages++
	if b.next == len(b.tasks) {
		s.At(s.Now()+s.Config.Delay, emptyEvent, uint32(r.worker), 0)
		return
	}
	task := b.tasks[b.next]
	b.next++
	s.SpendNext(task, federate.WorkerQueue, s.Now()-s.Config.Delay-r.since)
	s.SpendNext(task, federate.Communication, s.Config.Delay+s.Config.LaunchDelay)
	s.At(s.Now()+s.Config.LaunchDelay, launchEvent, uint32(task), uint32(r.worker))
}

// Ended implements [federate.Scheduler].
func (s *scheduler) Ended(task, worker int32) {
	s.busy[worker] = false
	s.advance(worker)
}

// Outage implements [federate.Scheduler]: a worker keeps its queue, and there is no
// master that could fail.
func (s *scheduler) Outage(federate.Outage, bool) {}

// memory is what reservations take if all wait at once. A batch has as
// many as probes ask for, or some for each worker and one task after the other.
func memory(c *federate.Config, v parameter.Values, load *workload.Tasks) float64 {
	reservations := 0.
	for _, job := range load.Jobs {
		batches := min(float64(job.Count), float64(len(load.Kinds)))
		reservations += min(v["probes"]*float64(job.Count), float64(job.Count)+batches*float64(c.Workers))
	}
	return reservations*federate.Grown*federate.SizeOf[reservation]() + float64(len(load.Durations))*federate.SizeOf[int32]() +
		float64(len(load.Jobs))*federate.Grown*federate.SizeOf[batch]() + float64(c.Workers)*(4*federate.SizeOf[int32]()+1)
}
