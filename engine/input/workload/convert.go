package workload

import (
	"cmp"
	"fmt"
	"io"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/sim"
)

// TasksOf converts requests to jobs. Requests of one job submitted at the same time are its tasks.
// Constraints on host attributes become [Conditions]. If there are too many different ones, TasksOf
// ignores the constraints of further tasks and counts these tasks. It omits requests without an
// end.
func TasksOf(name string, s Stream) (*Tasks, error) {
	b := &bridge{Builder: NewBuilder("cpu", "memory", GPUResource), jobs: map[jobMoment]int32{}}
	err := Each(s, func(r *Request) error {
		if err := b.add(r); err != nil {
			return diag.New(name, max(r.Line, 1), max(r.Column, 1), diag.Invalid, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(b.Durations) == 0 {
		return nil, diag.New(name, 1, 1, diag.NoneOf, "requests")
	}
	t, unmet := b.Group(), b.Remarks.Unmet
	if !b.gpus {
		t.Resources = t.Resources[:2]
		for i := range t.Kinds {
			t.Kinds[i].Request = t.Kinds[i].Request[:2]
		}
	}
	if r, ok := s.(Remarked); ok {
		t.Remarks = *r.Remarks()
	}
	t.Remarks.Unmet = unmet
	if n := b.endless; n > 0 {
		t.Remarks.Said = append(t.Remarks.Said, fmt.Sprintf("%d tasks without an end are left out: a task of Federate needs a running time", n))
	}
	return t, nil
}

type jobMoment struct {
	job int64
	at  sim.Milliseconds
}

// bridge converts the requests of QoS to the tasks of Federate. Requests with the same job and
// submission time become one job.
type bridge struct {
	*Builder
	jobs    map[jobMoment]int32
	gpus    bool
	endless int
	request [3]cluster.Amount
}

func (b *bridge) add(r *Request) error {
	if len(b.Durations) == MaxTasks {
		return diag.MoreThan.New(MaxTasks, "tasks")
	}
	if r.Submit+r.Duration >= MaxTime {
		b.endless++
		return nil
	}
	duration := sim.Nanoseconds(r.Duration) * 1e6
	at := jobMoment{r.Job, r.Submit}
	job, known := b.jobs[at]
	if !known {
		job = int32(len(b.Jobs))
		b.jobs[at] = job
		b.Jobs = append(b.Jobs, TaskJob{Arrival: sim.Nanoseconds(r.Submit) * 1e6, User: b.User(cmp.Or(r.User, UnknownUser)), Priority: r.priority()})
	}
	b.gpus = b.gpus || r.GPUs > 0
	b.request = [3]cluster.Amount{r.CPU, r.Memory, r.Devices()}
	b.Task(job, duration, b.Kind(b.request[:], b.Condition(r.Constraints)))
	return nil
}

// RequestsOf converts each task to a request, without dependencies between jobs (see
// [Tasks.Apart]). A task that takes a slot becomes a request for one core.
func RequestsOf(t *Tasks) Stream {
	t = t.Apart()
	t.Remarks.Said = append(t.Remarks.Said, WithoutClasses)
	return &ofTasks{tasks: t}
}

type ofTasks struct {
	tasks *Tasks
	job   int
	task  int32 // index of the next task of the job
}

// Remarks implements [Remarked].
func (s *ofTasks) Remarks() *Remarks { return &s.tasks.Remarks }

// Read implements [Stream].
func (s *ofTasks) Read(buffer []Request) (int, error) {
	for n := range buffer {
		if s.job == len(s.tasks.Jobs) {
			return Partial(n, io.EOF)
		}
		j := &s.tasks.Jobs[s.job]
		of := j.First + s.task
		q := Request{
			ID: fmt.Sprintf("%d-%d", s.job+1, s.task+1), Job: int64(s.job + 1), Submit: sim.Milliseconds(j.Arrival / 1e6),
			Duration: Milliseconds(s.tasks.Durations[of]), Class: UsualClass, Priority: NoPriority, CPU: cluster.Unit,
		}
		if j.User >= 0 {
			q.User = s.tasks.Users[j.User]
		}
		for i, name := range s.tasks.Resources {
			switch amount := s.tasks.Kinds[s.tasks.KindOf[of]].Request[i]; name {
			case "cpu":
				q.CPU = amount
			case "memory":
				q.Memory = amount
			}
		}
		if q.CPU == 0 && q.Memory == 0 {
			q.CPU = cluster.Unit
		}
		buffer[n] = q
		if s.task++; s.task == j.Count {
			s.job, s.task = s.job+1, 0
		}
	}
	return len(buffer), nil
}
