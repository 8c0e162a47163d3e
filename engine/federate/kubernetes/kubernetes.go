// Package kubernetes is the scheduler of Kubernetes, which decides about one task at a time, with
// the equivalence classes and the score cache of Borg (Verma et al., EuroSys 2015). Tasks wait in
// one queue by the priority of their job, then in order of arrival. A decision filters the workers
// in turn, starting where the last decision stopped, until enough of them have room. It takes the
// worker with the best score, at random among equals. Package score computes the scores: how full
// the resources are, and how evenly.
//
// Tasks with the same request and priority are an equivalence class. If one task finds no worker,
// no task of its class does. The class is parked until resources become free on a worker that has
// room for one of its tasks. Then it backs off: it waits behind others for a time that doubles with
// each consecutive failure. If the scheduler is idle, it takes a class before its time, like
// kube-scheduler since v1.33. A gang is a class of its own; its tasks start together or not at all,
// and preempt no others.
//
// A task that finds no worker may preempt tasks of lower priority, on the worker whose victims
// matter least. A victim queues again at once as if it had just arrived. A decision takes a fixed
// time, and more for each worker that it evaluates. A worker that has not changed since the last
// decision about the class costs nothing while its score is in the cache.
package kubernetes

import (
	"slices"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/federate/central"
	"berth/engine/input/workload"
	"berth/engine/kube/score"
	"berth/engine/parameter"
)

// decidedEvent ends a decision.
const decidedEvent uint32 = central.FirstKind

type scheduler struct {
	*central.Master
	queue
	nodes
	preemptor
	busy   bool  // a decision is under way
	inHand int32 // the class of the current decision
	// claims holds the workers reserved for the tasks of the current decision; empty if the
	// decision will fail.
	claims   []federate.Claim
	decision federate.Time // time per task
	look     federate.Time // time per worker evaluated
	decided  federate.Time // total time of all decisions
	counts   struct{ decisions, looks, failures int64 }
}

// Plugin describes the scheduler for [federate.Register].
var Plugin = federate.Plugin{
	Name: "kubernetes", Title: "Kubernetes", Description: "one queue by priority; filters and scores workers, and preempts (kube-scheduler; Verma et al. 2015)",
	Parameters: []parameter.Parameter{
		{Name: "kubernetes.decision", Title: "decision on a task", Help: "`TIME` that Kubernetes takes to decide about a task, beside its looks at workers", Unit: "s", High: 1e6, Default: 0.001},
		{Name: "kubernetes.look", Title: "look at a worker", Help: "`TIME` that Kubernetes takes to filter and score a worker", Unit: "µs", High: 1e6, Default: 5e-6},
		{Name: "kubernetes.sample", Title: "workers to score", Help: "`PERCENT` of the workers that Kubernetes scores; 0 is 50 − workers/125, at least 5, and of fewer than 100 workers all", High: 100, Whole: true},
		{Name: "kubernetes.cache", Title: "classes in the cache", Help: "`NUMBER` of equivalence classes whose scores Kubernetes keeps; 0: it looks at every worker each time", High: 1000, Whole: true, Default: 16},
		{Name: "kubernetes.pack", Title: "full workers first", Help: "`1` if Kubernetes prefers full workers, 0 if it prefers empty ones", High: 1, Whole: true},
		{Name: "kubernetes.preempt", Title: "preemption", Help: "`1` if Kubernetes preempts tasks of lower priority, 0 if it does not", High: 1, Whole: true, Default: 1},
		{Name: "kubernetes.backOff", Title: "first back-off", Help: "`TIME` for which Kubernetes puts tasks that find no worker behind others; it doubles with each failure in a row", Unit: "s", High: 1e6, Default: 1},
		{Name: "kubernetes.mostBackOff", Title: "longest back-off", Help: "longest `TIME` of a back-off of Kubernetes", Unit: "s", High: 1e6, Default: 10},
	},
	Facts: federate.Facts{Unlike: true, Pooled: true, Moves: true, Gangs: true, Memory: memory},
	New:   newScheduler,
}

func newScheduler(m *federate.Model) federate.Scheduler {
	v := m.Parameters
	s := &scheduler{
		Master: central.NewMaster(m), decision: federate.Span(v["kubernetes.decision"]), look: federate.Span(v["kubernetes.look"]),
		queue: newQueue(m, federate.Span(v["kubernetes.backOff"]), federate.Span(v["kubernetes.mostBackOff"])),
	}
	strategy := score.LeastAllocated
	if v["kubernetes.pack"] > 0 {
		strategy = score.MostAllocated
	}
	s.nodes = newNodes(m, strategy, int(v["kubernetes.sample"]), int(v["kubernetes.cache"]))
	s.preemptor = newPreemptor(m, v["kubernetes.preempt"] > 0)
	s.Follow(s)
	return s
}

// Decide implements [central.Planner].
func (s *scheduler) Decide() {
	for !s.busy {
		s.wake()
		if !s.next(s.Now()) {
			return
		}
		s.begin()
	}
}

// begin decides about the first task of a class, or all tasks of a gang. The decision ends after
// the time that it takes.
func (s *scheduler) begin() {
	c := &s.classes[s.inHand]
	first, end := s.unit(c)
	looks := 0
	s.claims = s.claims[:0]
	s.spend(first, end, federate.Queueing)
	for task := first; task < end; task++ {
		worker, looked := s.choose(task)
		looks += looked
		if worker < 0 {
			s.giveUp()
			s.claimTogether(c)
			break
		}
		s.Pool.TakeOn(task, worker)
		s.changed(worker)
		s.claims = append(s.claims, federate.Claim{Task: task, Worker: worker})
		s.Tell(federate.Claimed, task, worker, 0)
	}
	span := federate.Times(end-first, s.decision) + federate.Times(looks, s.look)
	s.decided += span
	s.counts.decisions += int64(end - first)
	s.counts.looks += int64(looks)
	s.busy = true
	if span == 0 {
		s.finish()
		return
	}
	s.At(s.Now()+span, decidedEvent, 0, 0)
}

// claimTogether reserves the workers of [federate.Model.Together] for a gang.
func (s *scheduler) claimTogether(c *class) {
	if !c.gang {
		return
	}
	claims := s.Together(c.job)
	if !s.Pool.TakeAll(claims) {
		return
	}
	for _, x := range claims {
		s.changed(x.Worker)
		s.Tell(federate.Claimed, x.Task, x.Worker, 0)
	}
	s.claims = append(s.claims, claims...)
}

// spend books the time of tasks since their last booking as a component.
func (s *scheduler) spend(first, end int32, part federate.Component) {
	for task := first; task < end; task++ {
		s.Spend(task, part)
	}
}

// giveUp releases all claims of the current decision.
func (s *scheduler) giveUp() {
	for _, c := range s.claims {
		s.Pool.Give(c.Task, c.Worker)
		s.changed(c.Worker)
	}
	s.claims = s.claims[:0]
}

// Handle implements [federate.Scheduler].
func (s *scheduler) Handle(e federate.Event) {
	if e.Kind != decidedEvent {
		s.Master.Handle(e)
		return
	}
	s.finish()
	s.Decide()
}

// finish starts the tasks of the current decision. If the decision found no worker, finish preempts
// other tasks or parks the class. If a chosen worker has failed, the tasks go back into the queue.
func (s *scheduler) finish() {
	s.busy = false
	c := &s.classes[s.inHand]
	first, end := s.unit(c)
	s.spend(first, end, federate.Processing)
	if len(s.claims) == 0 {
		s.counts.failures++
		s.Tell(federate.Unschedulable, first, -1, -1)
		if !s.preempt(c, first) {
			s.park(s.inHand, s.Now())
		}
		return
	}
	if slices.ContainsFunc(s.claims, func(c federate.Claim) bool { return s.Down(c.Worker) }) {
		s.giveUp()
		s.ready(s.inHand)
		return
	}
	for _, x := range s.claims {
		s.start(x.Task, x.Worker)
	}
	s.placed(s.inHand)
}

// start starts a task on the worker where its room is reserved.
func (s *scheduler) start(task, worker int32) {
	s.StartOn(task, worker)
	s.runs(task, worker)
}

// preempt starts a task on a worker and stops tasks of lower priority there. It returns false if no
// worker allows that.
func (s *scheduler) preempt(c *class, task int32) (ok bool) {
	if c.gang || !s.lower(c.priority) {
		return false
	}
	worker, victims := s.victims(c, task)
	if worker < 0 {
		return false
	}
	s.Counters.PreemptionAttempts++
	for _, v := range victims {
		s.Counters.Preemptions++
		s.Counters.Messages++
		s.Tell(federate.Preempted, v, worker, -1)
		s.Stop(v)
		s.Pool.Give(v, worker)
		s.Lost(v, worker)
	}
	s.Pool.TakeOn(task, worker)
	s.changed(worker)
	s.freed = append(s.freed, worker)
	s.start(task, worker)
	s.placed(s.inHand)
	return true
}

// Ended implements [federate.Scheduler].
func (s *scheduler) Ended(task, worker int32) {
	s.gone(task, worker)
	s.Master.Ended(task, worker)
	s.free(worker)
}

// Outage implements [federate.Scheduler]. The scheduler does not fail.
func (s *scheduler) Outage(o federate.Outage, over bool) {
	s.Master.Outage(o, over)
	if o.Subject == federate.WorkerOutage {
		s.free(int32(o.Index))
	}
}

// Moved implements [federate.Mover].
func (s *scheduler) Moved(worker int32, lost []int32) {
	s.Master.Moved(worker, lost)
	s.free(worker)
}

// Lost implements [central.Resumer].
func (s *scheduler) Lost(task, worker int32) {
	s.gone(task, worker)
	s.join(s.of[task], task)
}

// free notes that a worker has changed and may have room for parked classes.
func (s *scheduler) free(worker int32) {
	s.changed(worker)
	s.freed = append(s.freed, worker)
}

// Finish records the counters of the run.
func (s *scheduler) Finish() {
	s.Own.Count("decisions", s.counts.decisions)
	s.Own.Count("looks at workers", s.counts.looks)
	s.Own.Count("decisions without a worker", s.counts.failures)
	s.CountPart("busyness, ‰", 1, func(int) federate.Time { return s.decided })
}

func memory(c *federate.Config, v parameter.Values, load *workload.Tasks) float64 {
	gangs := 0
	for _, job := range load.Jobs {
		if job.Gang {
			gangs++
		}
	}
	classes := min(len(load.Kinds)*len(load.Jobs), len(load.Durations), gangs+len(load.Kinds)*priorities(load))
	kept := min(max(int(v["kubernetes.cache"]), 1), len(load.Kinds))
	return federate.PoolMemory(c, load) + federate.Bytes[[4]int32](len(load.Durations)) + federate.BytesGrown[int32](len(load.Durations)) +
		float64(2*federate.BytesGrown[class](classes)) + federate.BytesGrown[[2]central.Turn](classes) +
		float64(float64(kept)*federate.Bytes[[3]byte](c.Workers)) + federate.Bytes[[12]int32](c.Workers) + federate.Bytes[cluster.Amount](len(c.Capacity))
}
