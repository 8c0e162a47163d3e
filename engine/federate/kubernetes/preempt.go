package kubernetes

import (
	"cmp"
	"slices"

	"berth/engine/cluster"
	"berth/engine/federate"
)

// preemptor tracks which tasks run where, if tasks may preempt others.
type preemptor struct {
	m       *federate.Model
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
	p := preemptor{m: m}
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

func (p *preemptor) priority(task int32) int16 { return p.m.Load.Jobs[p.m.Job(task)].Priority }

// count adds to the number of running tasks with the priority of a task.
func (p *preemptor) count(task int32, by int) {
	i, _ := slices.BinarySearch(p.levels, p.priority(task))
	p.running[i] += by
}

// runs records that a task has started on a worker.
func (p *preemptor) runs(task, worker int32) {
	if p.on == nil {
		return
	}
	p.count(task, 1)
	p.started[task] = p.starts
	p.starts++
	p.on[worker] = append(p.on[worker], task)
}

// gone records that a task no longer runs on a worker.
func (p *preemptor) gone(task, worker int32) {
	if p.on == nil {
		return
	}
	p.count(task, -1)
	i := slices.Index(p.on[worker], task)
	p.on[worker] = slices.Delete(p.on[worker], i, i+1)
}

// lower reports whether a task of lower priority runs.
func (p *preemptor) lower(priority int16) bool {
	for i := range p.running {
		if p.levels[i] < priority && p.running[i] > 0 {
			return true
		}
	}
	return false
}

// victims returns the worker on which a task would preempt the least important tasks, and these
// tasks; none if preemption helps on no worker. It follows pickOneNodeForPreemption of
// kube-scheduler: starting at a random worker, it compares the first workers where preemption
// helps, a tenth of all workers and at least 100.
func (p *preemptor) victims(pool *federate.Pool, c *class, task int32) (worker int32, victims []int32) {
	n := p.m.Center.Workers()
	worker, found, first := none, 0, p.m.Random.IntN(n)
	for i := 0; i < n && found < max(n/candidatesPart, leastCandidates); i++ {
		w := int32((first + i) % n)
		if !p.leaving(pool.Free(w), c, task, w) {
			continue
		}
		found++
		if worker == none || p.compare(p.all, p.best) < 0 {
			worker = w
			p.best, p.all = p.all, p.best
		}
	}
	return worker, p.best
}

// leaving sets p.all to the tasks that must leave a worker for another task, the most important
// first. As many tasks stay as possible, the most important first. It returns false if preemption
// does not help there, or is not needed.
func (p *preemptor) leaving(free []cluster.Amount, c *class, task, worker int32) (ok bool) {
	p.all = p.all[:0]
	copy(p.left, free)
	for _, v := range p.on[worker] {
		if p.priority(v) < c.priority {
			p.all = append(p.all, v)
			p.add(v, 1)
		}
	}
	kind := p.m.Kind(task)
	if len(p.all) == 0 || p.m.Down(worker) || !p.m.Center.Satisfies(worker, kind.Constraints) || !cluster.Covers(p.left, kind.Request) {
		return false
	}
	p.add(task, -1)
	slices.SortFunc(p.all, func(a, b int32) int {
		return cmp.Or(cmp.Compare(p.priority(b), p.priority(a)), cmp.Compare(p.started[a], p.started[b]))
	})
	leave := p.all[:0]
	for _, v := range p.all {
		if cluster.Covers(p.left, p.m.Kind(v).Request) {
			p.add(v, -1)
		} else {
			leave = append(leave, v)
		}
	}
	p.all = leave
	return len(leave) > 0
}

// add adds the request of a task to the resources left, or subtracts it (sign −1).
func (p *preemptor) add(task int32, sign cluster.Amount) {
	cluster.Add(p.left, p.m.Kind(task).Request, sign)
}

// compare orders sets of victims by importance: by the priority of the most important victim, then
// by the sum of the priorities (each shifted to be positive, so that more victims weigh more), then
// with the later start of the most important victim first.
func (p *preemptor) compare(a, b []int32) int {
	sum := func(tasks []int32) (all int64) {
		for _, v := range tasks {
			all += int64(p.priority(v)) + 1<<31
		}
		return all
	}
	return cmp.Or(cmp.Compare(p.priority(a[0]), p.priority(b[0])), cmp.Compare(sum(a), sum(b)), cmp.Compare(p.started[b[0]], p.started[a[0]]))
}
