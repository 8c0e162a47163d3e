// Package rounds is the common part of Quincy (Isard et al., SOSP 2009) and Firmament (Gog et al.,
// OSDI 2016): one scheduler that places all waiting tasks at once, round by round, by a
// minimum-cost flow. In the network of the papers a task has an arc to the unscheduled aggregator
// of its job and one to the cluster aggregator, which has an arc to each worker; a running task has
// an arc to its worker instead of the cluster aggregator. The duration of a round grows with the
// number of these arcs. Tasks that arrive or end during a round affect the next one.
//
// Berth solves a smaller network with the same optimal flows. Tasks with the same request are one
// node, and so are workers with the same free resources. Running tasks stay on their workers, and
// flow that is not sent stays unscheduled. Among tasks with the same request, the ones that wait
// longest are placed first.
//
// A flow counts tasks. If they request several resources, more tasks may flow to a worker than fit
// on it. Tasks without room are placed in a later round, and each round places at least one task if
// any task has room.
package rounds

import (
	"cmp"
	"slices"

	"berth/engine/federate"
	"berth/engine/federate/central"
	"berth/engine/flow"
	"berth/engine/input/workload"
	"berth/engine/parameter"
)

// CostModel selects the costs of the arcs.
type CostModel int

// The cost models of the paper on Firmament, which calls them policies.
const (
	// LoadSpreading charges for each task that a worker already has, including the tasks of this
	// round: a worker gets another task only when all workers with room have as many.
	LoadSpreading CostModel = iota
	// Quincy charges for the time that a task waits. Without data locality all workers cost the
	// same.
	Quincy
	// Octopus charges for each task that a worker has when the round begins.
	Octopus
)

// solvedEvent ends a round.
const solvedEvent uint32 = central.FirstKind

type scheduler struct {
	*central.Master
	costs CostModel
	fixed federate.Time // time of each round
	arc   federate.Time // time per arc

	queues  []queue         // by kind
	some    []int32         // kinds with waiting tasks
	next    []int32         // by waiting task: the next task of its kind
	since   []federate.Time // by task: when it began to wait
	fresh   []int32         // tasks that no round has covered yet
	waiting int             // tasks that wait
	running int
	on      []int32 // by worker: number of its tasks
	left    []int32 // by job: tasks that have not ended
	jobs    int     // jobs with such tasks

	network
	claims  []federate.Claim
	changed bool // something has changed since the last round began
	busy    bool // a round is under way

	counts struct{ rounds, placed, arcs int64 }
	solved federate.Time // total time of all rounds
}

// queue is the waiting tasks of a kind, longest wait first.
type queue struct {
	federate.List
	size int32
}

// Parameters returns the parameters of a scheduler with the given name. arc is the default time per
// arc, in seconds.
func Parameters(name, title string, arc float64) []parameter.Parameter {
	return []parameter.Parameter{
		{Name: name + ".round", Title: "round", Help: "`TIME` that a round of " + title + " takes beside its arcs", Unit: "s", High: 1e6, Default: 0.001},
		{Name: name + ".arc", Title: "arc of the network", Help: "`TIME` that a round of " + title + " takes for each arc of its network", Unit: "µs", High: 1, Default: arc},
	}
}

// New returns a scheduler with the given name and costs.
func New(m *federate.Model, name string, costs CostModel) federate.Scheduler {
	s := &scheduler{
		Master: central.NewMaster(m), costs: costs, fixed: federate.Span(m.Parameters[name+".round"]), arc: federate.Span(m.Parameters[name+".arc"]),
		queues: make([]queue, len(m.Load.Kinds)), next: make([]int32, len(m.Load.Durations)), since: make([]federate.Time, len(m.Load.Durations)),
		on: make([]int32, m.Center.Workers()), left: make([]int32, len(m.Load.Jobs)),
	}
	s.network = network{flow: flow.New(), split: map[[2]uint64]int32{}, sorts: newSorts(m)}
	s.Pool.Watch(func(worker int32) {
		s.changed = true
		s.sorts.changed = append(s.sorts.changed, worker)
	})
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
	s.on[s.Worker(task)]--
	job := s.Job(task)
	if s.left[job]--; s.left[job] == 0 {
		s.jobs--
	}
}

// Lost implements [central.Resumer].
func (s *scheduler) Lost(task, worker int32) {
	s.running--
	s.on[worker]--
	s.wait(task)
}

// wait appends a task to the queue of its kind.
func (s *scheduler) wait(task int32) {
	s.grow(task).Push(s.next, task)
	s.since[task] = s.Now()
	s.fresh = append(s.fresh, task)
	s.changed = true
}

// grow makes room for a task in the queue of its kind.
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

// begin solves the network for the current state. The round ends after the time that the solution
// takes.
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
		s.Spend(c.Task, federate.Queueing)
		s.Tell(federate.Claimed, c.Task, c.Worker, federate.None)
	}
	if s.Watched() {
		s.recordLeft()
	}
	s.fresh = s.fresh[:0]
	span := s.fixed + federate.Time(arcs)*s.arc
	s.solved += span
	// Tasks that received flow but found no room may find some in the next round.
	s.busy, s.changed = true, len(s.claims) > 0 && s.waiting > 0
	if span == 0 {
		s.finish()
		return
	}
	s.At(s.Now()+span, solvedEvent, 0, 0)
}

// sort orders the kinds with waiting tasks by their longest waiting task.
func (s *scheduler) sort() {
	s.some = slices.DeleteFunc(s.some, func(kind int32) bool { return s.queues[kind].size == 0 })
	slices.SortFunc(s.some, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.since[s.queues[a].First()], s.since[s.queues[b].First()]), cmp.Compare(a, b))
	})
	s.some = slices.Compact(s.some) // a kind is in the list twice if its queue was empty for a while
}

// recordLeft records the tasks that their first round leaves unscheduled.
func (s *scheduler) recordLeft() {
	placed := make(map[int32]bool, len(s.claims))
	for _, c := range s.claims {
		placed[c.Task] = true
	}
	for _, task := range s.fresh {
		if !placed[task] {
			s.Tell(federate.Unschedulable, task, federate.None, federate.None)
		}
	}
}

// place reserves room for up to many tasks of a kind, the longest waiting first, on the workers of
// a group.
func (s *scheduler) place(kind int32, g *group, many int64) {
	q := &s.queues[kind]
	for ; many > 0; many-- {
		task := q.First()
		worker := s.find(g, task)
		if worker < 0 {
			return
		}
		q.Pop(s.next)
		q.size--
		s.waiting--
		s.claims = append(s.claims, federate.Claim{Task: task, Worker: worker})
	}
}

// find reserves room on a worker of a group and returns it; none if no worker has room. Load
// spreading takes the workers in turn.
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
	return federate.None
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

// finish starts the tasks of the round. A task whose worker has failed waits again.
func (s *scheduler) finish() {
	s.busy = false
	for i := len(s.claims) - 1; i >= 0; i-- {
		if c := s.claims[i]; s.Down(c.Worker) {
			s.Pool.Give(c.Task, c.Worker)
			s.grow(c.Task).PushFront(s.next, c.Task)
			s.claims[i].Task = federate.None
		}
	}
	for _, c := range s.claims {
		if c.Task == federate.None {
			continue
		}
		s.Spend(c.Task, federate.Processing)
		s.counts.placed++
		s.running++
		s.on[c.Worker]++
		s.StartOn(c.Task, c.Worker)
	}
	s.claims = s.claims[:0]
}

// Finish records the counters of the run.
func (s *scheduler) Finish() {
	s.Own.Count("rounds", s.counts.rounds)
	s.Own.Count("decisions", s.counts.placed)
	s.Own.Count("arcs at most", s.counts.arcs)
	s.Own.Count("solver time, ms", int64(s.solved/federate.Millisecond))
	s.CountPart("busyness, ‰", 1, func(int) federate.Time { return s.solved })
}

// Memory returns an upper estimate of the bytes of a scheduler.
func Memory(c *federate.Config, _ parameter.Values, load *workload.Tasks) float64 {
	groups, kinds := min(c.Workers, mostGroups+1), min(len(load.Kinds), mostKinds)
	arcs := min(kinds*groups, max(mostArcs, groups)) + groups*mostLevels
	network := federate.BytesGrown[group](groups) + federate.BytesGrown[int32](c.Workers) + federate.BytesGrown[[7]int64](2*arcs) + federate.Bytes[[8]int64](groups)
	sorts := federate.Bytes[[2]int32](c.Workers) + federate.BytesGrown[[2]int32](c.Workers) + federate.BytesGrown[[2]sort](min(c.Workers, 1<<16)) +
		federate.BytesGrown[int32](2*c.Workers)
	return federate.PoolMemory(c, load) + network + sorts + federate.Bytes[queue](len(load.Kinds)) + federate.Bytes[[2]int32](c.Workers+len(load.Jobs)) +
		federate.Bytes[[3]int32](len(load.Durations)) + federate.BytesGrown[[2]int32](len(load.Durations))
}
