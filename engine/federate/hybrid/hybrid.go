// Package hybrid is the common part of Hawk and Eagle (Delgado et al., USENIX ATC 2015 and SoCC
// 2016). Short jobs leave reservations in the queues of workers, as in package probing. A central
// [Master] sends each long task at once to the worker with the least estimated wait, where it
// queues among the reservations. Some workers are reserved for short tasks and get no long ones.
//
// The mean of a job's estimates decides whether it is short or long, and is used as the estimate of
// each of its tasks. The estimated wait at a worker counts only long tasks, because the master
// knows where these start and end. Long tasks that only reserved workers can run are treated as
// short.
package hybrid

import (
	"math"

	"berth/engine/federate"
	"berth/engine/federate/central"
	"berth/engine/federate/probing"
	"berth/engine/input/workload"
	"berth/engine/parameter"
	"berth/engine/sim"
)

// The events of a master. The events of a scheduler based on it begin with FirstKind.
const (
	masterEvent uint32 = probing.FirstKind + iota // long tasks reach the master
	workerEvent                                   // a long task reaches its worker
	FirstKind
)

// failed is added to the estimated wait at a failed worker, so that it comes last.
const failed federate.Time = 1 << 61

// overdue is the remaining time assumed for a long task that exceeds its estimate. It may end at
// any moment, but its worker comes after workers without long tasks.
const overdue federate.Time = 1

// Variant has the functions in which Hawk and Eagle differ.
type Variant struct {
	// Short leaves reservations for tasks of one job with equal constraints.
	Short func(tasks []int32, constraints uint64)
	// Placed, if not nil, is called after the master has sent these tasks to workers.
	Placed func(tasks []int32)
	// Arrived, if not nil, is called when a long task reaches its worker.
	Arrived func(task, worker int32)
}

// Master sends long tasks to workers.
type Master struct {
	*probing.Queues
	Long     int32           // first worker that may run long tasks, like all workers after it
	Counts   []int32         // by worker: long tasks sent there that have not ended
	estimate []federate.Time // by job: estimate of each of its tasks; 0 if not computed yet
	rule     Variant
	cutoff   federate.Time
	batches  [][]int32       // long tasks on their way to the master
	suits    map[uint64]bool // by constraints: whether a worker with these constraints may run long tasks
	queued   []federate.Time // by worker: total estimate of the long tasks that wait there or are on their way
	ends     []federate.Time // by worker: expected end of the long task that it runs; None if it runs none
	running  *central.Least  // by worker that runs a long task: expected end of all its long tasks
	still    *central.Least  // by other worker: total estimate of its long tasks
}

// Parameters returns the parameters of a scheduler with this name.
func Parameters(name, title string) []parameter.Parameter {
	return []parameter.Parameter{
		{Name: name + ".cutoff", Title: "longest short job", Help: "highest mean `TIME` of the tasks of a short job of " + title, Unit: "s", High: math.Inf(1), Default: 90.5811},
		{Name: name + ".short", Title: "workers for short tasks", Help: "`PART` of the workers that " + title + " keeps for short tasks", High: 1, Default: 0.02},
		{Name: name + ".probes", Title: "probes of a task", Help: "`NUMBER` of reservations per short task of " + title, Low: 1, High: 100, Whole: true, Default: 2},
	}
}

// NewMaster returns the master of a scheduler with this name. At least one worker may run long
// tasks, regardless of the parameters.
func NewMaster(m *federate.Model, name string, serve probing.Discipline, rule Variant) *Master {
	n, same := m.Center.Workers(), func(worker int32) int32 { return worker }
	short := int(math.Round(m.Parameters[name+".short"] * float64(n)))
	s := &Master{
		Queues: probing.New(m, serve), Long: int32(min(short, n-1)), Counts: make([]int32, n),
		estimate: make([]federate.Time, len(m.Load.Jobs)), rule: rule, cutoff: federate.Span(m.Parameters[name+".cutoff"]),
		suits: map[uint64]bool{}, queued: make([]federate.Time, n), ends: make([]federate.Time, n),
		running: central.NewLeast(m.Center, n, same), still: central.NewLeast(m.Center, n, same),
	}
	for w := range int32(n) {
		s.ends[w] = federate.None
		s.expect(w)
	}
	return s
}

// expect updates the estimated wait at a worker.
func (s *Master) expect(worker int32) {
	if worker < s.Long {
		return
	}
	running, still := central.NoValue, s.queued[worker]
	if s.ends[worker] > s.Now() {
		running, still = federate.Sum(s.ends[worker], still), central.NoValue
	} else if s.RunsLong(worker) {
		still += overdue
	}
	if s.Down(worker) {
		running, still = min(running, central.NoValue-failed)+failed, min(still, central.NoValue-failed)+failed
	}
	s.running.Set(worker, running)
	s.still.Set(worker, still)
}

// find returns the worker with the least estimated wait.
func (s *Master) find(constraints uint64) int32 {
	for {
		busy, until := s.running.Find(constraints)
		if busy != federate.None && s.ends[busy] <= s.Now() {
			s.expect(busy) // the task has run past its estimate
			continue
		}
		if idle, wait := s.still.Find(constraints); busy == federate.None || idle != federate.None && wait <= until-s.Now() {
			return idle
		}
		return busy
	}
}

// Estimate returns the estimate of a task: the mean over all tasks of its job.
func (s *Master) Estimate(task int32) federate.Time {
	job := s.Job(task)
	if s.estimate[job] == 0 {
		first, end := s.Tasks(job)
		s.estimate[job] = sim.Mean(int(end-first), func(i int) federate.Time { return s.Model.Estimate(first + int32(i)) })
	}
	return s.estimate[job]
}

func (s *Master) on(worker, task int32) federate.Time {
	return federate.Time(math.Round(float64(s.Estimate(task)) / s.Center.Speed(worker)))
}

// Submit implements [federate.Scheduler].
func (s *Master) Submit(job int32) {
	first, _ := s.Tasks(job)
	long := s.Estimate(first) > s.cutoff
	s.Split(job, func(tasks []int32, constraints uint64) {
		if !long || !s.suitable(constraints) {
			s.rule.Short(tasks, constraints)
			return
		}
		for _, task := range tasks {
			s.SpendNext(task, federate.Communication, s.Config.Delay)
		}
		s.Counters.Messages += int64(len(tasks))
		s.At(s.Now()+s.Config.Delay, masterEvent, uint32(len(s.batches)), 0)
		s.batches = append(s.batches, tasks)
	})
}

func (s *Master) suitable(constraints uint64) bool {
	suits, known := s.suits[constraints]
	for w := s.Long; !known && !suits && int(w) < s.Center.Workers(); w++ {
		suits = s.Center.Satisfies(w, constraints)
	}
	s.suits[constraints] = suits
	return suits
}

// Handle implements [federate.Scheduler] for the events of a master and of queues.
func (s *Master) Handle(e federate.Event) {
	switch e.Kind {
	case masterEvent:
		s.place(s.batches[e.Ref])
		s.batches[e.Ref] = nil
	case workerEvent:
		if s.rule.Arrived != nil {
			s.rule.Arrived(int32(e.Ref), int32(e.Mark))
		}
		s.JoinTask(int32(e.Ref), int32(e.Mark))
	default:
		s.Queues.Handle(e)
	}
}

// place sends tasks with the same constraints to workers.
func (s *Master) place(tasks []int32) {
	for _, task := range tasks {
		worker := s.find(s.Kind(task).Constraints)
		s.Counts[worker]++
		s.queued[worker] = federate.Sum(s.queued[worker], s.on(worker, task))
		s.expect(worker)
		s.SendTask(task, s.Config.LaunchDelay, workerEvent, uint32(worker))
	}
	if s.rule.Placed != nil {
		s.rule.Placed(tasks)
	}
}

// Begin reports that a worker starts to serve a place, which may hold a long task.
func (s *Master) Begin(i int32) {
	e := &s.Places[i]
	if task := e.Task(); task != federate.None {
		s.queued[e.Worker] = max(0, s.queued[e.Worker]-s.on(e.Worker, task))
		s.ends[e.Worker] = s.Now() + s.on(e.Worker, task)
		s.expect(e.Worker)
	}
}

// RunsLong reports whether a worker runs a long task.
func (s *Master) RunsLong(worker int32) bool { return s.ends[worker] != federate.None }

// Ended implements [federate.Scheduler].
func (s *Master) Ended(task, worker int32) {
	if s.RunsLong(worker) {
		s.ends[worker] = federate.None
		s.Counts[worker]--
		s.expect(worker)
	}
	s.Queues.Ended(task, worker)
}

// Outage implements [federate.Scheduler]. A failed worker keeps its queue; the master does not
// fail.
func (s *Master) Outage(o federate.Outage, _ bool) {
	if o.Subject == federate.WorkerOutage {
		s.expect(int32(o.Index))
	}
}

// Memory returns an upper estimate of the bytes of the master and the queues. probes is the number
// of reservations per task, and least their smallest number per batch.
func Memory(c *federate.Config, probes, least float64, load *workload.Tasks) float64 {
	return probing.Memory(c, probes, least, load) + 2*central.LeastMemory(c.Workers) +
		federate.Bytes[[3]federate.Time](c.Workers) + federate.Bytes[[3]federate.Time](len(load.Jobs)) + federate.BytesGrown[[3]federate.Time](len(load.Jobs))
}
