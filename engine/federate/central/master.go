package central

import (
	"slices"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/workload"
)

// The events of a master. Other events of a scheduler begin with FirstKind.
const (
	arriveEvent uint32 = federate.FirstKind + iota // a job is at the master
	decideEvent                                    // everything of this moment has happened
	FirstKind
)

// Planner decides for a [Master].
type Planner interface {
	Arrived(job int32) // at the master
	// Decide launches what can start now.
	Decide()
}

// Master is a [federate.Scheduler] that has a planner decide once at each moment at which
// something happens.
type Master struct {
	*federate.Model
	Pool     *Pool
	planner  Planner
	deciding bool // at the end of this moment
}

// NewMaster returns a master of all workers. Its planner is set with [Master.Follow].
func NewMaster(m *federate.Model) *Master { return &Master{Model: m, Pool: NewPool(m)} }

// Follow has a planner decide, and returns the scheduler.
func (s *Master) Follow(p Planner) federate.Scheduler {
	s.planner = p
	return s
}

// Submit implements [federate.Scheduler].
func (s *Master) Submit(job int32) {
	way := s.Config.Delay + s.Config.LaunchDelay
	first, end := s.Tasks(job)
	for task := first; task < end; task++ {
		s.SpendNext(task, federate.Communication, way)
	}
	s.Counters.Messages += 2 * int64(end-first)
	s.At(s.Now()+way, arriveEvent, uint32(job), 0)
}

// Handle implements [federate.Scheduler].
func (s *Master) Handle(e federate.Event) {
	if e.Kind == arriveEvent {
		s.planner.Arrived(int32(e.Ref))
		s.Wake()
		return
	}
	s.Counters.Events-- // it is no event of the model
	s.deciding = false
	s.planner.Decide()
}

// Wake has the planner decide at this moment.
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

// Listener is a planner that is told which tasks have ended.
type Listener interface{ Over(task int32) }

// Resumer is a planner that starts tasks again whose worker is gone.
type Resumer interface{ Lost(task int32) }

// Moved implements [federate.Mover]. A task that has lost its worker is back at the master
// at once.
func (s *Master) Moved(worker int32, lost []int32) {
	for _, task := range lost {
		s.Pool.Give(task, worker)
		s.planner.(Resumer).Lost(task)
	}
	if len(lost) > 0 {
		s.Own.Note("tasks that lose their worker start again one by one")
	}
	s.Pool.Changed(worker)
	s.Wake()
}

// Launch starts a task now if a worker has room for it.
func (s *Master) Launch(task int32) bool {
	worker := s.Pool.take(task)
	if worker >= 0 {
		s.StartOn(task, worker)
	}
	return worker >= 0
}

// LaunchOn starts a task now if a worker has room for it, works and satisfies its
// constraints.
func (s *Master) LaunchOn(task, worker int32) bool {
	if !s.Pool.TakeOn(task, worker) {
		return false
	}
	s.StartOn(task, worker)
	return true
}

// StartOn starts a task now on a worker where room was taken for it.
func (s *Master) StartOn(task, worker int32) {
	s.Spend(task, federate.Queueing)
	s.Start(task, worker)
}

// Part is tasks of a job that follow each other and start together.
type Part struct{ First, End int32 }

// Size is how many tasks it has.
func (p Part) Size() int { return int(p.End - p.First) }

// AppendParts adds the parts that a job starts in if it is taken for a gang: one, unless
// it is none and cannot be one. If it has more tasks than there are workers, each part
// fills them; tasks with constraints, for which some worker may be alone, start one by
// one.
func (s *Master) AppendParts(parts []Part, job int32) []Part {
	first, end := s.Tasks(job)
	size := end - first
	if !s.Load.Jobs[job].Gang {
		size = min(size, int32(s.Center.Total[0]/s.Pool.slot()))
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

// LaunchAll starts all tasks of a part now if there is room for all of them: for each in turn
// on the first worker, or where they have room in an empty data centre.
func (s *Master) LaunchAll(p Part) bool {
	if !s.Pool.May(p.First, p.End) {
		return false
	}
	claims := s.Pool.gang[:0]
	for task := p.First; task < p.End; task++ {
		worker := s.Pool.take(task)
		if worker < 0 {
			break
		}
		claims = append(claims, federate.Claim{Task: task, Worker: worker})
	}
	s.Pool.gang = claims
	if len(claims) < p.Size() {
		for _, x := range claims {
			s.Pool.Give(x.Task, x.Worker)
		}
		if claims = s.Together(s.Job(p.First)); !s.Pool.TakeAll(claims) {
			return false
		}
	}
	for _, x := range claims {
		s.StartOn(x.Task, x.Worker)
	}
	return true
}

// Memory is what a master takes at most.
func Memory(c *federate.Config, load *workload.Tasks) float64 {
	largest := int32(0)
	if len(load.Jobs) > 0 {
		largest = slices.MaxFunc(load.Jobs, func(a, b workload.TaskJob) int { return int(a.Count - b.Count) }).Count
	}
	nodes := 4 * c.Workers
	return deviceMemory(c, load) + federate.Bytes[cluster.Amount]((nodes+c.Workers)*(len(c.Capacity)+2)+len(load.Kinds)*(len(c.Capacity)+2)) + federate.Bytes[uint64](nodes) + federate.BytesGrown[federate.Claim](int(largest))
}
