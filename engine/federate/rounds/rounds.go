// Package rounds has what Quincy (Isard et al., SOSP 2009) and Firmament (Gog et al., OSDI
// 2016) share: one scheduler that places all tasks that wait at once, round by round, by a
// flow of minimum cost. In the network of the papers a task has an arc to the aggregator of
// the tasks of its job that stay unscheduled and one to the aggregator of the cluster, which
// has an arc to each worker; a task that runs has an arc to its worker in place of the latter.
// A round takes a time that grows with these arcs. What arrives or ends during a round
// counts in the next one.
//
// The network that is solved has the same flows of least cost, and is smaller. Tasks that
// ask for the same are one node, as are workers that have the same free; tasks that run stay
// where they are; what does not flow stays unscheduled. Of tasks that ask for the same,
// those that wait longest are placed first.
//
// A flow counts tasks. Where these ask for several resources, more may flow to a worker than
// fits on it; what has no room is placed in the next round, and at least one task is
// placed if there is room for any.
package rounds

import (
	"cmp"
	"slices"

	"berth/engine/federate"
	"berth/engine/federate/central"
	"berth/engine/parameter"
	"berth/engine/workload"
)

// CostModel is how costs are made.
type CostModel int

// The cost models of the paper on Firmament, which calls them policies.
const (
	// LoadSpreading has a cost for each task that a worker has already, also of this round:
	// a worker gets another task only when all with room have as many.
	LoadSpreading CostModel = iota
	// Quincy has a cost for the time that a task waits. Without data to be near to, all
	// workers cost the same.
	Quincy
	// Octopus has a cost for each task that a worker has when the round begins.
	Octopus
)

// solvedEvent: a round is over.
const solvedEvent uint32 = central.FirstKind

// none is no task.
const none = -1

type scheduler struct {
	*central.Master
	costs CostModel
	fixed federate.Time // of each round
	arc   federate.Time // of each arc

	queues  []queue
	some    []int32         // kinds with tasks that wait
	next    []int32         // of each task that waits, the next one of its kind
	since   []federate.Time // of each task: since when it waits
	fresh   []int32         // tasks that no round has seen
	waiting int
	running int
	on      []int32 // of each worker: tasks
	left    []int32 // of each job: tasks that have not ended
	jobs    int     // with such tasks

	network
	claims  []claim
	changed bool // something has changed since the last round began
	busy    bool

	counts struct{ rounds, placed, arcs int64 }
	solved federate.Time // in all
}

// queue is the tasks of a kind that wait, those that wait longest first.
type queue struct{ head, tail, size int32 }

type claim struct{ task, worker int32 }

// Parameters are those of a scheduler of that name.
func Parameters(name, title string, arc float64) []parameter.Parameter {
	return []parameter.Parameter{
		{Name: name + ".round", Title: "round", Help: "`TIME` that a round of " + title + " takes beside its arcs", Unit: "s", High: 1e6, Default: 0.001},
		{Name: name + ".arc", Title: "arc of the network", Help: "`TIME` that a round of " + title + " takes for each arc of its network", Unit: "µs", High: 1, Default: arc},
	}
}

// New returns the scheduler of that name.
func New(m *federate.Model, name string, costs CostModel) federate.Scheduler {
	s := &scheduler{
		Master: central.NewMaster(m), costs: costs, fixed: federate.Span(m.Parameters[name+".round"]), arc: federate.Span(m.Parameters[name+".arc"]),
		queues: make([]queue, len(m.Load.Kinds)), next: make([]int32, len(m.Load.Durations)), since: make([]federate.Time, len(m.Load.Durations)),
		on: make([]int32, m.Center.Workers()), left: make([]int32, len(m.Load.Jobs)),
	}
	s.network = newNetwork(m, s.Pool, costs != Quincy)
	for k := range s.queues {
		s.queues[k].head = none
	}
	s.Follow(s)
	return s
}

// Arrived implements [central.Planner].
func (s *scheduler) Arrived(job int32) {
	first, end := s.Tasks(job)
	s.left[job] = end - first
	s.jobs++
	for task := first; task < end; task++ {
		s.wait(task)
	}
}

// Over implements [central.Listener].
func (s *scheduler) Over(task int32) {
	s.running--
	worker := s.Worker(task)
	s.on[worker]--
	s.sorts.change(worker)
	s.changed = true
	job := s.Job(task)
	if s.left[job]--; s.left[job] == 0 {
		s.jobs--
	}
}

// Lost implements [central.Resumer].
func (s *scheduler) Lost(task int32) {
	s.running--
	s.wait(task)
}

// wait puts a task at the end of the queue of its kind.
func (s *scheduler) wait(task int32) {
	q := s.grow(task)
	s.since[task], s.next[task] = s.Now(), none
	s.fresh = append(s.fresh, task)
	s.changed = true
	if q.head == none {
		q.head = task
	} else {
		s.next[q.tail] = task
	}
	q.tail = task
}

// again puts a task at the front of the queue of its kind.
func (s *scheduler) again(task int32) {
	q := s.grow(task)
	if s.next[task] = q.head; q.head == none {
		q.tail = task
	}
	q.head = task
}

func (s *scheduler) grow(task int32) *queue {
	kind := s.Load.KindOf[task]
	q := &s.queues[kind]
	if q.size == 0 {
		s.some = append(s.some, kind)
	}
	q.size++
	s.waiting++
	return q
}

// Decide implements [central.Planner].
func (s *scheduler) Decide() {
	for !s.busy && s.changed && s.waiting > 0 {
		s.begin()
	}
}

// begin solves the network of now, and takes the time for it.
func (s *scheduler) begin() {
	arcs := int64(2*(s.waiting+s.running) + s.jobs + 2*s.Center.Workers())
	s.counts.rounds++
	s.counts.arcs = max(s.counts.arcs, arcs)
	s.claims = s.claims[:0]
	s.sort()
	if err := s.solve(); err != nil {
		s.Own.Note("a round was not solved: " + err.Error())
	}
	for _, c := range s.claims {
		s.Spend(c.task, federate.Queueing)
		s.Tell(federate.Claimed, c.task, c.worker, none)
	}
	if s.Watched() {
		s.tellLeft()
	}
	s.fresh = s.fresh[:0]
	span := s.fixed + federate.Time(arcs)*s.arc
	s.solved += span
	// What had no room although it flowed may have some in the next round.
	s.busy, s.changed = true, len(s.claims) > 0 && s.waiting > 0
	if span == 0 {
		s.finish()
		return
	}
	s.At(s.Now()+span, solvedEvent, 0, 0)
}

// sort has the kinds with tasks that wait in the order of their first ones.
func (s *scheduler) sort() {
	s.some = slices.DeleteFunc(s.some, func(kind int32) bool { return s.queues[kind].size == 0 })
	slices.SortFunc(s.some, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.since[s.queues[a].head], s.since[s.queues[b].head]), cmp.Compare(a, b))
	})
	s.some = slices.Compact(s.some) // one that was empty for a while is there twice
}

// tellLeft tells which tasks their first round leaves unscheduled.
func (s *scheduler) tellLeft() {
	placed := make(map[int32]bool, len(s.claims))
	for _, c := range s.claims {
		placed[c.task] = true
	}
	for _, task := range s.fresh {
		if !placed[task] {
			s.Tell(federate.Unschedulable, task, none, none)
		}
	}
}

// place takes room for the first tasks of a kind on workers of a group, up to a number.
func (s *scheduler) place(kind int32, g *group, many int64) {
	q := &s.queues[kind]
	for ; many > 0; many-- {
		task := q.head
		worker := s.find(g, task)
		if worker < 0 {
			return
		}
		q.head = s.next[task]
		q.size--
		s.waiting--
		s.sorts.change(worker)
		s.claims = append(s.claims, claim{task, worker})
	}
}

// find takes room on a worker of a group, each in turn if the load is spread.
func (s *scheduler) find(g *group, task int32) int32 {
	for range g.workers {
		worker := g.workers[g.turn]
		found := s.Pool.TakeOn(task, worker)
		if !found || s.costs == LoadSpreading {
			g.turn = (g.turn + 1) % len(g.workers)
		}
		if found {
			return worker
		}
	}
	return none
}

// Handle implements [federate.Scheduler].
func (s *scheduler) Handle(e federate.Event) {
	if e.Kind != solvedEvent {
		s.Master.Handle(e)
		return
	}
	s.finish()
	s.Wake()
}

// finish starts what the round has placed. A task whose worker has failed waits again.
func (s *scheduler) finish() {
	s.busy = false
	for i := len(s.claims) - 1; i >= 0; i-- {
		if c := s.claims[i]; s.Down(c.worker) {
			s.Pool.Give(c.task, c.worker)
			s.sorts.change(c.worker)
			s.again(c.task)
			s.changed = true
			s.claims[i].task = none
		}
	}
	for _, c := range s.claims {
		if c.task == none {
			continue
		}
		s.Spend(c.task, federate.Processing)
		s.counts.placed++
		s.running++
		s.on[c.worker]++
		s.sorts.change(c.worker)
		s.StartOn(c.task, c.worker)
	}
	s.claims = s.claims[:0]
}

// Outage implements [federate.Scheduler]: the scheduler does not fail.
func (s *scheduler) Outage(o federate.Outage, over bool) {
	s.Master.Outage(o, over)
	if o.Subject == federate.WorkerOutage {
		s.changed = true
		s.sorts.change(int32(o.Index))
	}
}

// Moved implements [federate.Mover].
func (s *scheduler) Moved(worker int32, lost []int32) {
	s.changed = true
	s.on[worker] -= int32(len(lost))
	s.sorts.change(worker)
	s.Master.Moved(worker, lost)
}

// Finish counts what was done over the whole run.
func (s *scheduler) Finish() {
	s.Own.Count("rounds", s.counts.rounds)
	s.Own.Count("decisions", s.counts.placed)
	s.Own.Count("arcs at most", s.counts.arcs)
	s.Own.Count("solver time, ms", int64(s.solved/federate.Millisecond))
	if s.Now() > 0 {
		s.Own.Count("busyness, ‰", federate.Thousandths(s.Now(), 1, func(int) federate.Time { return s.solved }))
	}
}

// Memory is what a scheduler takes.
func Memory(c *federate.Config, _ parameter.Values, load *workload.Tasks) float64 {
	return central.Memory(c, load) + networkMemory(c, load) + federate.Bytes[queue](len(load.Kinds)) + federate.Bytes[[2]int32](c.Workers+len(load.Jobs)) +
		federate.Bytes[[3]int32](len(load.Durations)) + federate.BytesGrown[[2]int32](len(load.Durations))
}
