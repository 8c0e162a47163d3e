// Package kubernetes is one scheduler that decides about one task at a time: that of
// Kubernetes, with the equivalence classes and the cached scores of Borg (Verma et al.,
// EuroSys 2015). Tasks wait in one queue by the priority of their job, then in order of
// arrival. A decision filters the workers in turn, from where the last one stopped,
// until enough of them have room, and takes one with the best score of these (a random one
// of equals).
// The scores are those of package score: how the resources are used, and how evenly.
//
// Tasks that ask for the same and have the same priority are an equivalence class. If one
// finds no worker, none of them does. The class is set aside until something becomes free
// that one of them fits on, and then backs off: it waits behind others for a time that
// doubles with each failure in a row. An idle scheduler takes a class before its time, as
// kube-scheduler does since v1.33. A gang is a class of its own; its tasks start together
// or not at all, and preempt none.
//
// A task that finds no worker may preempt tasks of lower priority: of the workers where that
// helps, on the one whose victims matter least. A victim queues again at once as if it
// had just arrived. A decision takes some time, and more for each worker that it looks
// at; a worker that has not changed since the class was last decided about costs nothing, as
// long as its score is in the cache.
package kubernetes

import (
	"slices"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/federate/central"
	"berth/engine/parameter"
	"berth/engine/score"
	"berth/engine/workload"
)

// decidedEvent: the scheduler has decided.
const decidedEvent uint32 = central.FirstKind

type scheduler struct {
	*central.Master
	queue
	nodes
	preemptor
	busy   bool  // it decides
	inHand int32 // the class that it decides about
	// claims are the workers that are taken for the tasks in hand; none if it is to fail.
	claims   []federate.Claim
	decision federate.Time // on each task
	look     federate.Time // at each worker
	decided  federate.Time // in all
	counts   counts
}

type counts struct{ decisions, looks, failures int64 }

// Plugin is what [federate.Register] takes.
var Plugin = federate.Plugin{
	Name: "kubernetes", Title: "Kubernetes", Description: "one queue by priority; filters and scores workers, and preempts (kube-scheduler; Verma et al. 2015)",
	Unlike: true, Devices: true, Moves: true, Gangs: true, New: newScheduler, Memory: memory,
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
	s.nodes = newNodes(m, s.Pool, strategy, int(v["kubernetes.sample"]), int(v["kubernetes.cache"]))
	s.preemptor = newPreemptor(m, v["kubernetes.preempt"] > 0)
	s.Follow(s)
	return s
}

// Decide implements [central.Planner].
func (s *scheduler) Decide() {
	for !s.busy {
		s.wake(s.Pool)
		if !s.next(s.Now()) {
			return
		}
		s.begin()
	}
}

// begin decides about the first task of a class, or all of a gang, and takes the time that
// it needs.
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

// claimTogether takes workers for a gang where it has room in an empty data centre.
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

// spend books the time of tasks as a part of their allocation time.
func (s *scheduler) spend(first, end int32, part federate.Component) {
	for task := first; task < end; task++ {
		s.Spend(task, part)
	}
}

// giveUp gives back what was taken for the tasks in hand.
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

// finish starts the tasks in hand, unless they found no worker, or one of them has gone.
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

// start starts a task where room was taken for it.
func (s *scheduler) start(task, worker int32) {
	s.StartOn(task, worker)
	s.runs(task, worker)
}

// preempt starts a task in place of others; ok is false if that helps nowhere.
func (s *scheduler) preempt(c *class, task int32) (ok bool) {
	if c.gang || !s.lower(c.priority) {
		return false
	}
	worker, victims := s.victims(s.Pool, c, task)
	if worker < 0 {
		return false
	}
	s.Counters.PreemptionAttempts++
	for _, v := range victims {
		s.Counters.Preemptions++
		s.Counters.Messages++
		s.Tell(federate.Preempted, v, worker, -1)
		s.gone(v, worker)
		s.Stop(v)
		s.Pool.Give(v, worker)
		s.Lost(v)
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

// Outage implements [federate.Scheduler]: the scheduler does not fail.
func (s *scheduler) Outage(o federate.Outage, over bool) {
	s.Master.Outage(o, over)
	if o.Subject == federate.WorkerOutage {
		s.free(int32(o.Index))
	}
}

// Moved implements [federate.Mover].
func (s *scheduler) Moved(worker int32, lost []int32) {
	for _, task := range lost {
		s.gone(task, worker)
	}
	s.Master.Moved(worker, lost)
	s.free(worker)
}

// free notes that a worker has changed, and may have room for what was set aside.
func (s *scheduler) free(worker int32) {
	s.changed(worker)
	s.freed = append(s.freed, worker)
}

// Finish counts what was done over the whole run.
func (s *scheduler) Finish() {
	s.Own.Count("decisions", s.counts.decisions)
	s.Own.Count("looks at workers", s.counts.looks)
	s.Own.Count("decisions without a worker", s.counts.failures)
	if s.Now() > 0 {
		s.Own.Count("busyness, ‰", federate.Thousandths(s.Now(), 1, func(int) federate.Time { return s.decided }))
	}
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
	return central.Memory(c, load) + federate.Bytes[[4]int32](len(load.Durations)) + federate.BytesGrown[int32](len(load.Durations)) +
		float64(2*federate.BytesGrown[class](classes)) + federate.BytesGrown[[2]central.Turn](classes) +
		float64(float64(kept)*federate.Bytes[[3]byte](c.Workers)) + federate.Bytes[[12]int32](c.Workers) + federate.Bytes[cluster.Amount](len(c.Capacity))
}
