package kubernetes

import (
	"cmp"
	"slices"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/federate/central"
)

// preemptor knows what runs where, if tasks may preempt others.
type preemptor struct {
	m       *federate.Model
	on      [][]int32 // by worker: the tasks that run there, in the order of their starts; nil: none may preempt
	levels  []int16   // the priorities, rising
	running []int     // of each of them
	started []int32   // of each task that runs: how many started before it
	starts  int32
	all     []int32 // scratch: victims of a worker
	best    []int32 // scratch: those of the best one
	left    []cluster.Amount
}

// The bounds of kube-scheduler on how many nodes it compares for preemption.
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

// count counts tasks of the priority of one that run.
func (p *preemptor) count(task int32, by int) {
	i, _ := slices.BinarySearch(p.levels, p.priority(task))
	p.running[i] += by
}

// runs tells that a task has started on a worker.
func (p *preemptor) runs(task, worker int32) {
	if p.on == nil {
		return
	}
	p.count(task, 1)
	p.started[task] = p.starts
	p.starts++
	p.on[worker] = append(p.on[worker], task)
}

// gone tells that a task does not run on a worker any more.
func (p *preemptor) gone(task, worker int32) {
	if p.on == nil {
		return
	}
	p.count(task, -1)
	i := slices.Index(p.on[worker], task)
	p.on[worker] = slices.Delete(p.on[worker], i, i+1)
}

// lower says whether any task of a lower priority runs.
func (p *preemptor) lower(priority int16) bool {
	for i := range p.running {
		if p.levels[i] < priority && p.running[i] > 0 {
			return true
		}
	}
	return false
}

// victims finds the worker where a task takes the place of the least important tasks, −1 if
// there is none, as pickOneNodeForPreemption of kube-scheduler does. Of the workers, from a
// random one on, a tenth and at least 100 are compared where it helps.
func (p *preemptor) victims(pool *central.Pool, c *class, task int32) (worker int32, victims []int32) {
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

// leaving finds the tasks that have to leave a worker for another one, the most important
// first; ok is false if that does not help, or need not be. As many stay as can, the most
// important first.
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
	if len(p.all) == 0 || p.m.Down(worker) || !p.m.Center.Satisfies(worker, kind.Constraints) || !p.room(kind.Request) {
		return false
	}
	p.add(task, -1)
	slices.SortFunc(p.all, func(a, b int32) int {
		return cmp.Or(cmp.Compare(p.priority(b), p.priority(a)), cmp.Compare(p.started[a], p.started[b]))
	})
	leave := p.all[:0]
	for _, v := range p.all {
		if p.room(p.m.Kind(v).Request) {
			p.add(v, -1)
		} else {
			leave = append(leave, v)
		}
	}
	p.all = leave
	return len(leave) > 0
}

// add adds what a task asks for to what is left.
func (p *preemptor) add(task int32, sign cluster.Amount) {
	for r, amount := range p.m.Kind(task).Request {
		p.left[r] += sign * amount
	}
}

// room says whether what is asked for is left.
func (p *preemptor) room(request []cluster.Amount) bool {
	for r, amount := range request {
		if p.left[r] < amount {
			return false
		}
	}
	return true
}

// compare orders the victims of workers: first those whose most important one matters less,
// then by the sum of their priorities and their number, then those that started later.
func (p *preemptor) compare(a, b []int32) int {
	sum := func(tasks []int32) (all int64) {
		for _, v := range tasks {
			all += int64(p.priority(v)) + 1<<31
		}
		return all
	}
	return cmp.Or(cmp.Compare(p.priority(a[0]), p.priority(b[0])), cmp.Compare(sum(a), sum(b)), cmp.Compare(p.started[b[0]], p.started[a[0]]))
}
