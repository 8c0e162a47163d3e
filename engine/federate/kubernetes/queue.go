package kubernetes

import (
	"slices"

	"berth/engine/federate"
	"berth/engine/federate/central"
	"berth/engine/workload"
)

// none is no task.
const none = -1

// class is tasks that ask for the same and have the same priority, or a gang.
type class struct {
	priority   int16
	gang       bool
	job        int32 // of a gang
	head, tail int32 // tasks that wait, first come first served; of a gang only the first one
	failures   int32 // in a row
	until      federate.Time
}

// queue is the classes that wait.
type queue struct {
	model   *federate.Model
	classes []class
	of      []int32       // the class of each task that is not of a gang
	gangs   []int32       // of each job, its class; nil without gangs
	after   []int32       // of each task that waits, the next one of its class
	came    []int32       // of each task that waits: how many came before it
	count   int32         // of tasks that came
	active  central.Turns // classes that are ready
	backing central.Turns // classes that are ready at a time
	parked  []int32       // classes that are set aside
	freed   []int32       // workers that have changed since the last look at these
	first   federate.Time // back-off
	most    federate.Time
}

// priorities is how many different ones there are.
func priorities(load *workload.Tasks) int {
	seen := map[int16]bool{}
	for _, job := range load.Jobs {
		seen[job.Priority] = true
	}
	return len(seen)
}

func newQueue(m *federate.Model, first, most federate.Time) queue {
	type key struct {
		kind     int32
		priority int16
	}
	q := queue{model: m, of: make([]int32, len(m.Load.Durations)), after: make([]int32, len(m.Load.Durations)), came: make([]int32, len(m.Load.Durations)), first: first, most: max(first, most)}
	known := map[key]int32{}
	for j, job := range m.Load.Jobs {
		for task := job.First; task < job.First+job.Count; task++ {
			k := key{m.Load.KindOf[task], job.Priority}
			number, ok := known[k]
			if !ok {
				number = int32(len(q.classes))
				known[k] = number
				q.classes = append(q.classes, class{priority: job.Priority, head: none})
			}
			q.of[task] = number
		}
		if !job.Gang {
			continue
		}
		if q.gangs == nil {
			q.gangs = make([]int32, len(m.Load.Jobs))
		}
		q.gangs[j] = int32(len(q.classes))
		q.classes = append(q.classes, class{priority: job.Priority, gang: true, job: int32(j), head: none})
	}
	q.active, q.backing = central.NewTurns(len(q.classes)), central.NewTurns(len(q.classes))
	return q
}

// Arrived implements [central.Planner]: it puts the tasks of a job into the queue.
func (q *queue) Arrived(job int32) {
	first, end := q.model.Tasks(job)
	if q.model.Load.Jobs[job].Gang {
		q.join(q.gangs[job], first)
		return
	}
	for task := first; task < end; task++ {
		q.Lost(task)
	}
}

// Lost implements [central.Resumer]: it puts a task at the end of the queue of its class.
func (q *queue) Lost(task int32) { q.join(q.of[task], task) }

func (q *queue) join(number, task int32) {
	c := &q.classes[number]
	q.after[task] = none
	q.came[task] = q.count
	q.count++
	if c.head != none {
		q.after[c.tail] = task
		c.tail = task
		return
	}
	c.head, c.tail = task, task
	q.ready(number)
}

// unit is the tasks that the next decision about a class is about.
func (q *queue) unit(c *class) (first, end int32) {
	if c.gang {
		return q.model.Tasks(c.job)
	}
	return c.head, c.head + 1
}

// ready makes a class one that can be decided about now.
func (q *queue) ready(number int32) {
	c := &q.classes[number]
	q.active.Put(central.Turn{Value: -float64(c.priority), Order: int64(q.came[c.head]), Flow: number})
}

// placed takes what was decided about out of the queue.
func (q *queue) placed(number int32) {
	c := &q.classes[number]
	c.failures = 0
	c.head = q.after[c.head]
	if c.head != none {
		q.ready(number)
	}
}

// park sets a class aside.
func (q *queue) park(number int32, now federate.Time) {
	c := &q.classes[number]
	c.failures++
	wait := q.first
	for i := int32(1); i < c.failures && wait < q.most; i++ {
		wait *= 2
	}
	c.until = now + min(wait, q.most)
	q.parked = append(q.parked, number)
}

// wake has classes back off that may find room on the workers that have changed.
func (q *queue) wake(p *central.Pool) {
	if len(q.freed) == 0 {
		return
	}
	kept := q.parked[:0]
	for _, number := range q.parked {
		c := &q.classes[number]
		first, end := q.unit(c)
		if c.gang && !p.May(first, end) || !c.gang && !slices.ContainsFunc(q.freed, func(worker int32) bool { return p.Fits(first, worker) }) {
			kept = append(kept, number)
			continue
		}
		q.backing.Put(central.Turn{Value: float64(c.until), Order: int64(q.came[c.head]), Flow: number})
	}
	q.parked, q.freed = kept, q.freed[:0]
}

// next takes the class in hand whose turn it is; ok is false if there is none.
func (s *scheduler) next(now federate.Time) (ok bool) {
	q := &s.queue
	for q.backing.Some() && q.classes[q.backing.First().Flow].until <= now {
		number := q.backing.First().Flow
		q.backing.Drop(number)
		q.ready(number)
	}
	from := &q.active
	if !from.Some() {
		from = &q.backing
	}
	if !from.Some() {
		return false
	}
	s.inHand = from.First().Flow
	from.Drop(s.inHand)
	return true
}
