// Package mercury combines a central scheduler with distributed ones (Karanasos et al., "Mercury:
// Hybrid centralized and distributed scheduling in large shared clusters", USENIX ATC 2015). Hadoop
// YARN calls this opportunistic containers. Long jobs and gangs are guaranteed: a central queue,
// first come first served, starts their tasks where other guaranteed tasks leave room, if possible
// on a worker where they need not preempt queueable tasks. The tasks of short jobs are queueable:
// the distributed schedulers send them at once to the queues of workers, which start them in order
// as long as there is room. A guaranteed task preempts the queueable tasks that use its room, the
// most recently started first.
//
// Load shaping: at heartbeats workers report the lengths of their queues. A scheduler sends the
// tasks of a job to random workers among those with the shortest queues, counting the reported
// tasks and the tasks sent since. Queues are bounded: a worker sends excess tasks back, and if all
// queues are full a task waits at its scheduler for the next heartbeat. Rebalancing: at heartbeats,
// queues longer than the mean plus some standard deviations send their last tasks back. The
// schedulers send returned tasks to other workers.
//
// A failed worker keeps its queue; the schedulers do not fail.
package mercury

import (
	"math"
	"slices"

	"berth/engine/federate"
	"berth/engine/federate/central"
	"berth/engine/input/workload"
	"berth/engine/parameter"
)

const (
	comeEvent  uint32 = central.FirstKind + iota // a queueable job reaches its scheduler
	nodeEvent                                    // a task reaches its worker
	backEvent                                    // a task is back at its scheduler
	shapeEvent                                   // heartbeats, while tasks wait
)

type scheduler struct {
	*central.Master                // its pool counts guaranteed tasks only
	room            *federate.Pool // counts all tasks
	waiting         []central.Part // guaranteed jobs, in order of arrival
	queues
	on         [][]int32 // by worker: its running queueable tasks, in the order of their starts
	ended      []int32   // workers on which guaranteed tasks have ended at this moment
	refused    refusals
	shaping    bool // a shapeEvent is queued
	cutoff     federate.Time
	heartbeat  federate.Time
	nodes      int
	leastQueue int
	mostQueue  int
	deviations float64
	claims     []claim // scratch: the claims of a gang
}

// claim assigns a worker to a guaranteed task. If clear, the task fits without preemption.
type claim struct {
	federate.Claim
	clear bool
}

// Plugin describes the scheduler for [federate.Register].
var Plugin = federate.Plugin{
	Name: "mercury", Title: "Mercury", Description: "long jobs centrally, short ones in queues of workers that are kept even (Karanasos et al. 2015)",
	Parameters: []parameter.Parameter{
		{Name: "mercury.cutoff", Title: "longest queueable job", Help: "highest mean `TIME` of the tasks of a job that Mercury queues at workers (0: none)", Unit: "s", High: math.Inf(1), Default: 90.5811},
		{Name: "mercury.heartbeat", Title: "heartbeat", Help: "`TIME` between heartbeats of the workers of Mercury", Unit: "s", Low: 1e-3, High: 1e6, Default: 1},
		{Name: "mercury.nodes", Title: "workers for a job", Help: "`NUMBER` of workers with the shortest queues that Mercury uses for a job, or one for each of its tasks if these are more", Low: 1, High: 1e6, Whole: true, Default: 10},
		{Name: "mercury.mostQueue", Title: "longest queue", Help: "`NUMBER` of tasks that may wait at a worker of Mercury", Low: 1, High: 10_000, Whole: true, Default: 15},
		{Name: "mercury.leastQueue", Title: "queue without rebalancing", Help: "`NUMBER` of tasks that may wait at a worker of Mercury whatever waits elsewhere", High: 10_000, Whole: true, Default: 5},
		{Name: "mercury.deviations", Title: "deviations of a queue", Help: "a queue of Mercury may be `NUMBER` standard deviations longer than the mean", High: 1000, Default: 1},
	},
	Facts: federate.Facts{Unlike: true, Gangs: true, Memory: memory},
	New:   newScheduler,
}

func newScheduler(m *federate.Model) federate.Scheduler {
	v := m.Parameters
	s := &scheduler{
		Master: central.NewMaster(m), on: make([][]int32, m.Center.Workers()), cutoff: federate.Span(v["mercury.cutoff"]), nodes: int(v["mercury.nodes"]),
		heartbeat: federate.Span(v["mercury.heartbeat"]), leastQueue: int(v["mercury.leastQueue"]), mostQueue: int(v["mercury.mostQueue"]), deviations: v["mercury.deviations"],
		room: m.NewPool(),
	}
	s.queues = newQueues(m, s.mostQueue)
	for w := range s.loads {
		s.changed(int32(w))
		s.beat[w] = federate.None
	}
	s.room.Watch(s.changed)
	s.refused = newRefusals(m)
	s.Follow(s)
	return s
}

// queueable reports whether the tasks of a job are queueable; otherwise they are guaranteed.
func (s *scheduler) queueable(job int32) bool {
	j := &s.Load.Jobs[job]
	return !j.Gang && s.cutoff > 0 && j.Mean <= s.cutoff
}

// Arrived implements [central.Planner].
func (s *scheduler) Arrived(job int32) {
	first, end := s.Tasks(job)
	s.waiting = append(s.waiting, central.Part{First: first, End: end})
}

// Decide implements [central.Planner]. Queueable tasks take the room that guaranteed tasks leave.
func (s *scheduler) Decide() {
	started := 0
	for started < len(s.waiting) && s.guarantee(&s.waiting[started]) {
		started++
	}
	s.waiting = s.waiting[started:]
	for _, worker := range s.ended {
		s.advance(worker)
	}
	s.ended = s.ended[:0]
}

// guarantee starts the tasks of a guaranteed job while there is room, or a gang as a whole, and
// reports whether all of them have started.
func (s *scheduler) guarantee(part *central.Part) bool {
	if s.Load.Jobs[s.Job(part.First)].Gang {
		return s.Pool.May(part.First, part.End) && s.together(*part)
	}
	for ; part.First < part.End; part.First++ {
		worker := s.find(part.First)
		if worker < 0 {
			return false
		}
		s.launch(s.claim(part.First, worker))
	}
	return true
}

// together starts all tasks of a gang where [scheduler.find] has room for each in turn, or on the
// workers of [federate.Model.Together].
func (s *scheduler) together(part central.Part) bool {
	s.claims = s.claims[:0]
	for task := part.First; task < part.End; task++ {
		worker := s.find(task)
		if worker < 0 {
			break
		}
		s.claims = append(s.claims, s.claim(task, worker))
	}
	if len(s.claims) < part.Size() {
		s.giveBack()
		for _, x := range s.Together(s.Job(part.First)) {
			if !s.Pool.Fits(x.Task, x.Worker) {
				break
			}
			s.claims = append(s.claims, s.claim(x.Task, x.Worker))
		}
	}
	if len(s.claims) < part.Size() {
		s.giveBack()
		return false
	}
	for _, x := range s.claims {
		s.launch(x)
	}
	return true
}

// find returns a worker with room for a guaranteed task, if possible one where it preempts no
// queueable tasks; −1 if no worker has room. It skips a worker if other claims of the gang leave no
// room for the task once their victims are gone.
func (s *scheduler) find(task int32) int32 {
	if worker := s.room.First(task); worker >= 0 && s.Pool.Fits(task, worker) {
		return worker
	}
	return s.Pool.First(task)
}

func (s *scheduler) claim(task, worker int32) claim {
	s.Pool.TakeOn(task, worker)
	return claim{federate.Claim{Task: task, Worker: worker}, s.room.TakeOn(task, worker)}
}

func (s *scheduler) giveBack() {
	for _, x := range s.claims {
		s.Pool.Give(x.Task, x.Worker)
		if x.clear {
			s.room.Give(x.Task, x.Worker)
		}
	}
	s.claims = s.claims[:0]
}

// launch starts a guaranteed task. It preempts the queueable tasks that use its room and that other
// tasks of its gang have not preempted yet.
func (s *scheduler) launch(x claim) {
	for !x.clear && !s.room.TakeOn(x.Task, x.Worker) {
		last := len(s.on[x.Worker]) - 1
		victim := s.on[x.Worker][last]
		s.on[x.Worker] = s.on[x.Worker][:last]
		s.Counters.Preemptions++
		s.Tell(federate.Preempted, victim, x.Worker, -1)
		s.Stop(victim)
		s.room.Give(victim, x.Worker)
		s.sendBack(victim, atOnce)
	}
	s.StartOn(x.Task, x.Worker)
}

// Submit implements [federate.Scheduler].
func (s *scheduler) Submit(job int32) {
	if !s.queueable(job) {
		s.Master.Submit(job)
	} else {
		s.SendJob(job, 1, s.Config.Delay, comeEvent)
	}
}

// Handle implements [federate.Scheduler].
func (s *scheduler) Handle(e federate.Event) {
	switch e.Kind {
	case comeEvent:
		for first, end := s.Tasks(int32(e.Ref)); first < end; {
			last := first + 1
			for last < end && s.Load.KindOf[last] == s.Load.KindOf[first] {
				last++
			}
			s.send(first, last)
			first = last
		}
	case nodeEvent:
		s.arrive(int32(e.Ref), int32(e.Mark))
	case backEvent:
		if task := int32(e.Ref); e.Mark == later {
			s.refuse(task)
		} else {
			s.send(task, task+1)
		}
	case shapeEvent:
		s.Counters.Events-- // the model does not count this event
		s.shaping = false
		s.shape()
	default:
		s.Master.Handle(e)
	}
}

// send sends queueable tasks of one kind to workers with short queues.
func (s *scheduler) send(first, end int32) {
	workers := s.shortest(first, max(s.nodes, int(end-first)))
	for task := first; task < end; task++ {
		if len(workers) == 0 {
			s.refuse(task)
			continue
		}
		s.sendTo(workers, int(task-first), task)
	}
}

// sendTo sends the task with the given number, from 0, to a random worker among those that have
// received the fewest tasks before it.
func (s *scheduler) sendTo(workers []int32, number int, task int32) {
	i := number % len(workers)
	if number < len(workers) {
		j := i + s.Random.IntN(len(workers)-i)
		workers[i], workers[j] = workers[j], workers[i]
	}
	s.keep(workers[i])
	s.before[workers[i]]++ // counts as reported
	s.Spend(task, federate.Queueing)
	s.SendTask(task, s.Config.LaunchDelay, nodeEvent, uint32(workers[i]))
}

// arrive starts a queueable task at its worker, or puts it into the queue there.
func (s *scheduler) arrive(task, worker int32) {
	switch {
	case s.length[worker] == 0 && s.room.TakeOn(task, worker):
		s.start(task, worker)
	case int(s.length[worker]) < s.mostQueue:
		s.tasks[worker].Push(s.next, task)
		s.resize(worker, 1)
		s.Tell(federate.Queued, task, worker, -1)
		s.expect()
	default:
		s.Own.Count("tasks that found a full queue", 1)
		s.Tell(federate.SentBack, task, worker, -1)
		s.sendBack(task, later)
	}
}

func (s *scheduler) start(task, worker int32) {
	s.Spend(task, federate.WorkerQueue)
	s.on[worker] = append(s.on[worker], task)
	s.Start(task, worker)
}

// refuse lets a task wait for the next heartbeat.
func (s *scheduler) refuse(task int32) {
	r := &s.refused
	r.of[s.Load.KindOf[task]].Push(s.queues.next, task)
	r.order[task] = r.count
	r.count++
	s.expect()
}

// The time at which a returned task is sent to another worker: at once, or at the next heartbeat if
// its queue was full, because the scheduler would send it to a full queue again.
const (
	atOnce uint32 = iota
	later
)

func (s *scheduler) sendBack(task int32, when uint32) {
	s.SendTask(task, s.Config.Delay, backEvent, when)
}

// advance starts the first tasks of a worker's queue while there is room.
func (s *scheduler) advance(worker int32) {
	for task := s.tasks[worker].First(); task != federate.None && s.room.Fits(task, worker); task = s.tasks[worker].First() {
		s.room.TakeOn(task, worker)
		s.tasks[worker].Pop(s.next)
		s.resize(worker, -1)
		s.start(task, worker)
	}
}

// expect queues the next heartbeat. Heartbeats go on while tasks wait.
func (s *scheduler) expect() {
	if !s.shaping {
		s.shaping = true
		s.AtEnd((s.Now()/s.heartbeat+1)*s.heartbeat, shapeEvent, 0, 0)
	}
}

// shape sends the tasks that found no queue, and shortens queues above the limit.
func (s *scheduler) shape() {
	limit := s.limit()
	if s.longer(limit) {
		for w := range int32(len(s.length)) {
			for int(s.length[w]) > limit {
				task := s.tasks[w].PopLast(s.next)
				s.resize(w, -1)
				s.Own.Count("tasks that leave long queues", 1)
				s.Tell(federate.SentBack, task, w, -1)
				s.Spend(task, federate.WorkerQueue)
				s.sendBack(task, atOnce)
			}
		}
	}
	s.again()
	if s.all > 0 {
		s.expect()
	}
}

// Ended implements [federate.Scheduler].
func (s *scheduler) Ended(task, worker int32) {
	s.room.Give(task, worker)
	if !s.queueable(s.Job(task)) {
		s.ended = append(s.ended, worker)
		s.Master.Ended(task, worker)
		return
	}
	i := slices.Index(s.on[worker], task)
	s.on[worker] = slices.Delete(s.on[worker], i, i+1)
	s.advance(worker)
}

// Outage implements [federate.Scheduler].
func (s *scheduler) Outage(o federate.Outage, over bool) {
	if o.Subject == federate.WorkerOutage {
		worker := int32(o.Index)
		s.room.Changed(worker)
		if over {
			s.ended = append(s.ended, worker)
		}
	}
	s.Master.Outage(o, over)
}

func memory(c *federate.Config, _ parameter.Values, load *workload.Tasks) float64 {
	return 2*federate.PoolMemory(c, load) + federate.BytesGrown[central.Part](len(load.Jobs)) +
		federate.Bytes[[3]int32](len(load.Durations)) + federate.Bytes[[9]int64](c.Workers)
}
