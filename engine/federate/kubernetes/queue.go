package kubernetes

import (
	"slices"

	"berth/engine/federate"
	"berth/engine/federate/central"
	"berth/engine/input/workload"
)

// class holds the waiting tasks with the same request and priority, or a gang.
type class struct {
	priority      int16
	gang          bool
	job           int32         // job of a gang
	federate.List               // waiting tasks; only the first task of a gang
	failures      int32         // consecutive failures
	until         federate.Time // end of the back-off
}

// queue holds the classes with waiting tasks.
type queue struct {
	classes []class
	of      []int32       // by task outside of gangs: its class
	gangs   []int32       // by job: the class of its gang; nil without gangs
	after   []int32       // by waiting task: the next task of its class
	came    []int32       // by waiting task: how many tasks queued before it
	count   int32         // number of tasks queued so far
	active  central.Turns // classes that can be decided about
	backing central.Turns // classes in back-off, by its end
	parked  []int32       // classes for which no worker has room
	freed   []int32       // workers that have changed since parked was last checked
	first   federate.Time // first back-off
	most    federate.Time // longest back-off
}

// priorities returns the number of distinct priorities.
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
	q := queue{of: make([]int32, len(m.Load.Durations)), after: make([]int32, len(m.Load.Durations)), came: make([]int32, len(m.Load.Durations)), first: first, most: max(first, most)}
	known := map[key]int32{}
	for j, job := range m.Load.Jobs {
		for task := job.First; task < job.First+job.Count; task++ {
			k := key{m.Load.KindOf[task], job.Priority}
			number, ok := known[k]
			if !ok {
				number = int32(len(q.classes))
				known[k] = number
				q.classes = append(q.classes, class{priority: job.Priority})
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
		q.classes = append(q.classes, class{priority: job.Priority, gang: true, job: int32(j)})
	}
	q.active, q.backing = central.NewTurns(len(q.classes)), central.NewTurns(len(q.classes))
	return q
}

// Arrived implements [central.Planner]. It puts the tasks of a job into the queue.
func (s *scheduler) Arrived(job int32) {
	first, end := s.Tasks(job)
	if s.Load.Jobs[job].Gang {
		s.join(s.gangs[job], first)
		return
	}
	for task := first; task < end; task++ {
		s.join(s.of[task], task)
	}
}

// join appends a task to the queue of a class.
func (s *scheduler) join(number, task int32) {
	c := &s.classes[number]
	s.came[task] = s.queue.count
	s.queue.count++
	c.Push(s.after, task)
	if c.First() == task {
		s.ready(number)
	}
}

// unit returns the tasks of the next decision about a class.
func (s *scheduler) unit(c *class) (first, end int32) {
	if c.gang {
		return s.Tasks(c.job)
	}
	return c.First(), c.First() + 1
}

// ready makes a class active.
func (s *scheduler) ready(number int32) {
	c := &s.classes[number]
	s.active.Put(central.Turn{Value: -float64(c.priority), Order: int64(s.came[c.First()]), Flow: number})
}

// placed removes the tasks of a successful decision from the queue.
func (s *scheduler) placed(number int32) {
	c := &s.classes[number]
	c.failures = 0
	c.Pop(s.after)
	if c.First() != federate.None {
		s.ready(number)
	}
}

// park parks a class after a failure and sets the end of its back-off.
func (s *scheduler) park(number int32, now federate.Time) {
	c := &s.classes[number]
	c.failures++
	wait := s.first
	for i := int32(1); i < c.failures && wait < s.most; i++ {
		wait *= 2
	}
	c.until = now + min(wait, s.most)
	s.parked = append(s.parked, number)
}

// wake moves parked classes into back-off if they may find room on the workers that have changed.
func (s *scheduler) wake() {
	if len(s.freed) == 0 {
		return
	}
	kept := s.parked[:0]
	for _, number := range s.parked {
		c := &s.classes[number]
		first, end := s.unit(c)
		if c.gang && !s.Pool.May(first, end) || !c.gang && !slices.ContainsFunc(s.freed, func(worker int32) bool { return s.Pool.Fits(first, worker) }) {
			kept = append(kept, number)
			continue
		}
		s.backing.Put(central.Turn{Value: float64(c.until), Order: int64(s.came[c.First()]), Flow: number})
	}
	s.parked, s.freed = kept, s.freed[:0]
}

// next moves the class to decide about into inHand. It returns false if no class waits.
func (s *scheduler) next(now federate.Time) (ok bool) {
	for s.backing.Some() && s.classes[s.backing.First().Flow].until <= now {
		number := s.backing.First().Flow
		s.backing.Drop(number)
		s.ready(number)
	}
	from := &s.active
	if !from.Some() {
		from = &s.backing
	}
	if !from.Some() {
		return false
	}
	s.inHand = from.First().Flow
	from.Drop(s.inHand)
	return true
}
