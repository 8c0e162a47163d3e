package kubernetes

import (
	"cmp"
	"slices"

	"berth/engine/cluster"
	"berth/engine/federate"
)

// preemptor tracks which tasks run where, if tasks may preempt others.
type preemptor struct {
	on      [][]int32 // by worker: its running tasks in the order of their starts; nil: preemption is off
	levels  []int16   // all priorities, increasing
	running []int     // by level: running tasks
	started []int32   // by running task: how many started before it
	starts  int32
	all     []int32 // scratch: victims on a worker
	best    []int32 // scratch: victims on the best worker
	left    []cluster.Amount
}

// Limits of kube-scheduler on the number of nodes that it compares for preemption.
const leastCandidates, candidatesPart = 100, 10

func newPreemptor(m *federate.Model, may bool) preemptor {
	p := preemptor{}
	for _, job := range m.Load.Jobs {
		if i, known := slices.BinarySearch(p.levels, job.Priority); !known {
			p.levels = slices.Insert(p.levels, i, job.Priority)
		}
	}
	if !may || len(p.levels) < 2 {
		return p
	}
	if m.Center.Devices >= 0 {
		m.Own.Note("where tasks share devices, Kubernetes preempts none")
		return p
	}
	p.on, p.running = make([][]int32, m.Center.Workers()), make([]int, len(p.levels))
	p.started, p.left = make([]int32, len(m.Load.Durations)), make([]cluster.Amount, m.Center.Resources)
	return p
}

func (s *scheduler) priority(task int32) int16 { return s.Load.Jobs[s.Job(task)].Priority }

// count adds to the number of running tasks with the priority of a task.
func (s *scheduler) count(task int32, by int) {
	i, _ := slices.BinarySearch(s.levels, s.priority(task))
	s.running[i] += by
}

// runs records that a task has started on a worker.
func (s *scheduler) runs(task, worker int32) {
	if s.on == nil {
		return
	}
	s.count(task, 1)
	s.started[task] = s.starts
	s.starts++
	s.on[worker] = append(s.on[worker], task)
}

// gone records that a task no longer runs on a worker.
func (s *scheduler) gone(task, worker int32) {
	if s.on == nil {
		return
	}
	s.count(task, -1)
	i := slices.Index(s.on[worker], task)
	s.on[worker] = slices.Delete(s.on[worker], i, i+1)
}

// lower reports whether a task of lower priority runs.
func (s *scheduler) lower(priority int16) bool {
	for i := range s.running {
		if s.levels[i] < priority && s.running[i] > 0 {
			return true
		}
	}
	return false
}

// victims returns the worker on which a task would preempt the least important tasks, and these
// tasks; none if preemption helps on no worker. It follows pickOneNodeForPreemption of
// kube-scheduler: starting at a random worker, it compares the first workers where preemption
// helps, a tenth of all workers and at least 100.
func (s *scheduler) victims(c *class, task int32) (worker int32, victims []int32) {
	n := s.Center.Workers()
	worker, found, first := federate.None, 0, s.Random.IntN(n)
	for i := 0; i < n && found < max(n/candidatesPart, leastCandidates); i++ {
		w := int32((first + i) % n)
		if !s.leaving(s.Pool.Free(w), c, task, w) {
			continue
		}
		found++
		if worker == federate.None || s.compare(s.all, s.preemptor.best) < 0 {
			worker = w
			s.preemptor.best, s.all = s.all, s.preemptor.best
		}
	}
	return worker, s.preemptor.best
}

// leaving sets s.all to the tasks that must leave a worker for another task, the most important
// first. It lets as many tasks stay as possible, also the most important first. It returns false if
// preemption does not help there, or is not needed.
func (s *scheduler) leaving(free []cluster.Amount, c *class, task, worker int32) (ok bool) {
	s.all = s.all[:0]
	copy(s.left, free)
	for _, v := range s.on[worker] {
		if s.priority(v) < c.priority {
			s.all = append(s.all, v)
			s.add(v, 1)
		}
	}
	kind := s.Kind(task)
	if len(s.all) == 0 || s.Down(worker) || !s.Center.Satisfies(worker, kind.Constraints) || !cluster.Covers(s.left, kind.Request) {
		return false
	}
	s.add(task, -1)
	slices.SortFunc(s.all, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.priority(b), s.priority(a)), cmp.Compare(s.started[a], s.started[b]))
	})
	leave := s.all[:0]
	for _, v := range s.all {
		if cluster.Covers(s.left, s.Kind(v).Request) {
			s.add(v, -1)
		} else {
			leave = append(leave, v)
		}
	}
	s.all = leave
	return len(leave) > 0
}

// add adds the request of a task to the resources left, or subtracts it (sign −1).
func (s *scheduler) add(task int32, sign cluster.Amount) {
	cluster.Add(s.left, s.Kind(task).Request, sign)
}

// compare orders sets of victims by importance. It compares the priority of the most important
// victim, then the sum of the priorities, then the start of the most important victim (later starts
// first). Each priority in the sum is shifted to be positive, so that more victims weigh more.
func (s *scheduler) compare(a, b []int32) int {
	sum := func(tasks []int32) (all int64) {
		for _, v := range tasks {
			all += int64(s.priority(v)) + 1<<31
		}
		return all
	}
	return cmp.Or(cmp.Compare(s.priority(a[0]), s.priority(b[0])), cmp.Compare(sum(a), sum(b)), cmp.Compare(s.started[b[0]], s.started[a[0]]))
}
