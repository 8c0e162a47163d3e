package central

import "berth/engine/federate"

// The events of a master. The events of a scheduler based on it begin with FirstKind.
const (
	arriveEvent uint32 = federate.FirstKind + iota // a job reaches the master
	decideEvent                                    // all other events of this moment have been handled
	FirstKind
)

// Planner makes the decisions of a [Master].
type Planner interface {
	Arrived(job int32) // a job has reached the master
	// Decide launches the tasks that can start now.
	Decide()
}

// Master is a [federate.Scheduler] with a planner. The planner decides once at each moment at which
// an event occurs, after all events of the moment.
type Master struct {
	*federate.Model
	Pool     *federate.Pool
	planner  Planner
	deciding bool // a decideEvent is queued for this moment
}

// NewMaster returns a master of all workers. The caller sets its planner with [Master.Follow].
func NewMaster(m *federate.Model) *Master { return &Master{Model: m, Pool: m.NewPool()} }

// Follow sets the planner and returns the scheduler.
func (s *Master) Follow(p Planner) federate.Scheduler {
	s.planner = p
	return s
}

// Submit implements [federate.Scheduler].
func (s *Master) Submit(job int32) {
	s.SendJob(job, 2, s.Config.Delay+s.Config.LaunchDelay, arriveEvent)
}

// Handle implements [federate.Scheduler].
func (s *Master) Handle(e federate.Event) {
	if e.Kind == arriveEvent {
		s.planner.Arrived(int32(e.Ref))
		s.Wake()
		return
	}
	s.Counters.Events-- // internal events are not counted
	s.deciding = false
	s.planner.Decide()
}

// Wake lets the planner decide at the end of this moment.
func (s *Master) Wake() {
	if !s.deciding {
		s.deciding = true
		s.AtEnd(s.Now(), decideEvent, 0, 0)
	}
}

// Ended implements [federate.Scheduler].
func (s *Master) Ended(task, worker int32) {
	s.Pool.Give(task, worker)
	if l, ok := s.planner.(Listener); ok {
		l.Over(task)
	}
	s.Wake()
}

// Outage implements [federate.Scheduler].
func (s *Master) Outage(o federate.Outage, _ bool) {
	if o.Subject == federate.WorkerOutage {
		s.Pool.Changed(int32(o.Index))
		s.Wake()
	}
}

// Listener is a planner that is notified of ended tasks.
type Listener interface{ Over(task int32) }

// Resumer is a planner that restarts tasks whose worker has left.
type Resumer interface{ Lost(task, worker int32) }

// Moved implements [federate.Mover]. Tasks whose worker has left return to the master at once.
func (s *Master) Moved(worker int32, lost []int32) {
	for _, task := range lost {
		s.Pool.Give(task, worker)
		s.planner.(Resumer).Lost(task, worker)
	}
	if len(lost) > 0 {
		s.Own.Note("tasks that lose their worker start again one by one")
	}
	s.Pool.Changed(worker)
	s.Wake()
}

// Launch starts a task now on the first worker with room for it. It returns false if no worker has
// room.
func (s *Master) Launch(task int32) bool {
	worker := s.Pool.Take(task)
	if worker >= 0 {
		s.StartOn(task, worker)
	}
	return worker >= 0
}

// LaunchOn starts a task now on a worker. It returns false if the worker has failed, lacks room or
// violates the task's constraints.
func (s *Master) LaunchOn(task, worker int32) bool {
	if !s.Pool.TakeOn(task, worker) {
		return false
	}
	s.StartOn(task, worker)
	return true
}

// StartOn starts a task now on a worker where its resources are already reserved.
func (s *Master) StartOn(task, worker int32) {
	s.Spend(task, federate.Queueing)
	s.Start(task, worker)
}

// Part is a range of consecutive tasks of a job that start together.
type Part struct{ First, End int32 }

// Size returns the number of tasks.
func (p Part) Size() int { return int(p.End - p.First) }

// AppendParts appends the parts in which a job starts when its tasks start together. A gang is one
// part. Any other job with more tasks than workers is split into parts that fill all workers. If a
// task has constraints, each task is a part, because perhaps only one worker satisfies them.
func (s *Master) AppendParts(parts []Part, job int32) []Part {
	first, end := s.Tasks(job)
	size := end - first
	if !s.Load.Jobs[job].Gang {
		size = min(size, int32(s.Center.Total[0]/s.Pool.Slot()))
		for task := first; task < end; task++ {
			if s.Kind(task).Constraints != 0 {
				size = 1
			}
		}
	}
	if size < end-first {
		s.Own.Note("jobs with constraints, or with more tasks than workers, start in parts")
	}
	for ; first < end; first += size {
		parts = append(parts, Part{first, min(first+size, end)})
	}
	return parts
}

// LaunchAll starts all tasks of a part now, or none and returns false. It tries first fit in the
// order of the tasks, then the workers that [federate.Model.Together] found in an empty data
// centre.
func (s *Master) LaunchAll(p Part) bool {
	if !s.Pool.May(p.First, p.End) {
		return false
	}
	claims, ok := s.Pool.TakeEach(p.First, p.End)
	if !ok {
		if claims = s.Together(s.Job(p.First)); !s.Pool.TakeAll(claims) {
			return false
		}
	}
	for _, x := range claims {
		s.StartOn(x.Task, x.Worker)
	}
	return true
}
