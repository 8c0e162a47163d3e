package central

import (
	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/input/workload"
	"berth/engine/parameter"
)

// Discipline defines the order in which a [Queue] serves jobs.
type Discipline struct {
	// Flow, if not nil, returns the flow of a job, in [0, Flows). Jobs of one flow are served in
	// order of arrival. If Flow is nil, each job is a flow.
	Flow  func(job int32) int32
	Flows int
	// Value, if not nil, is the priority of a flow: the flow with the least value is served next.
	// Among equal flows, the one whose waiting job arrived first is served.
	Value func(flow int32) float64
	// Started, Ended and Lost, if not nil, are called when a task starts, ends or loses its worker.
	// They may change the value of the task's flow.
	Started, Ended, Lost func(task int32)
}

// Queue starts the tasks of the first flow in order, each as soon as a worker has room. Meanwhile
// all other flows wait. The tasks of a gang start together.
type Queue struct {
	*Master
	rule  Discipline
	turns Turns
	next  []int32 // by job: its first task that has not started
	after []int32 // by job: the next job of its flow
	last  []int32 // by flow: its last waiting job
	lost  []int32 // tasks whose worker has left, in order
}

// NewQueue returns a scheduler that serves jobs by the given discipline.
func NewQueue(m *federate.Model, rule Discipline) federate.Scheduler {
	jobs := len(m.Load.Jobs)
	if rule.Flow == nil {
		rule.Flow, rule.Flows = func(job int32) int32 { return job }, jobs
	}
	if rule.Value == nil {
		rule.Value = func(int32) float64 { return 0 }
	}
	q := &Queue{
		Master: NewMaster(m), rule: rule, turns: NewTurns(rule.Flows),
		next: make([]int32, jobs), after: make([]int32, jobs), last: make([]int32, rule.Flows),
	}
	return q.Follow(q)
}

// Arrived implements [Planner].
func (q *Queue) Arrived(job int32) {
	q.next[job], _ = q.Tasks(job)
	flow := q.rule.Flow(job)
	if q.turns.Has(flow) {
		q.after[q.last[flow]] = job
	} else {
		q.turns.Put(Turn{Value: q.rule.Value(flow), Order: int64(job), Flow: flow})
	}
	q.last[flow] = job
}

// Over implements [Listener].
func (q *Queue) Over(task int32) { q.notify(q.rule.Ended, task) }

// Lost implements [Resumer].
func (q *Queue) Lost(task, _ int32) {
	q.lost = append(q.lost, task)
	q.notify(q.rule.Lost, task)
}

// notify calls a hook of the rule for a task and updates the value of the task's flow.
func (q *Queue) notify(rule func(task int32), task int32) {
	if rule == nil {
		return
	}
	rule(task)
	if flow := q.rule.Flow(q.Job(task)); q.turns.Has(flow) {
		q.turns.Change(flow, q.rule.Value(flow))
	}
}

// Decide implements [Planner].
func (q *Queue) Decide() {
	for ; len(q.lost) > 0; q.lost = q.lost[1:] {
		if !q.Launch(q.lost[0]) {
			return
		}
		q.notify(q.rule.Started, q.lost[0])
	}
	for q.turns.Some() {
		t := q.turns.First()
		job := int32(t.Order)
		first, end := q.next[job], q.next[job]+1
		if q.Load.Jobs[job].Gang {
			if _, end = q.Tasks(job); !q.LaunchAll(Part{first, end}) {
				return
			}
		} else if !q.Launch(first) {
			return
		}
		if q.rule.Started != nil {
			for task := first; task < end; task++ {
				q.rule.Started(task)
			}
		}
		q.served(t, end)
	}
}

// served moves a flow to its next task, which may belong to another job.
func (q *Queue) served(t Turn, next int32) {
	job := int32(t.Order)
	q.next[job] = next
	if _, end := q.Tasks(job); next < end {
		if q.rule.Started != nil {
			q.turns.Change(t.Flow, q.rule.Value(t.Flow))
		}
		return
	}
	q.turns.Drop(t.Flow)
	if q.last[t.Flow] != job {
		q.turns.Put(Turn{Value: q.rule.Value(t.Flow), Order: int64(q.after[job]), Flow: t.Flow})
	}
}

// QueueMemory returns an upper estimate of the bytes of a queue, including the data of its
// discipline for each flow: a sum of work, or an amount of each resource.
func QueueMemory(c *federate.Config, _ parameter.Values, load *workload.Tasks) float64 {
	flows := max(len(load.Jobs), federate.Users(c, load))
	return federate.PoolMemory(c, load) + federate.Bytes[[6]int32](flows) + federate.BytesGrown[Turn](len(load.Jobs)) +
		federate.Bytes[federate.WorkSum](flows) + federate.Bytes[cluster.Amount](flows*len(c.Capacity))
}
