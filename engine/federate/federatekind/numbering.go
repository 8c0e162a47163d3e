package federatekind

import (
	"slices"

	"berth/engine/federate"
	"berth/engine/workload"
)

// numbering knows the tasks of a workload by the numbers that the engine gives
// those that can run.
type numbering struct {
	load *workload.Tasks
	task []int32 // of the workload, by the engine's number; nil if all can run
	job  []int32 // of each task of the workload
}

func newNumbering(load *workload.Tasks, never []federate.Never) *numbering {
	n := &numbering{load: load, job: make([]int32, len(load.Durations))}
	drop := make([]bool, len(load.Kinds))
	for _, x := range never {
		drop[x.Number] = true
	}
	kept := make([]int32, 0, len(load.Durations))
	for j, job := range load.Jobs {
		for t := job.First; t < job.First+job.Count; t++ {
			n.job[t] = int32(j)
			if !drop[load.KindOf[t]] {
				kept = append(kept, t)
			}
		}
	}
	if len(never) > 0 {
		n.task = kept
	}
	return n
}

// of returns the number in the workload of one of the engine's; −1 stays.
func (n *numbering) of(task int32) int32 {
	if n.task == nil || task < 0 {
		return task
	}
	return n.task[task]
}

// engine returns the engine's number of a task of the workload, −1 if it can
// never run.
func (n *numbering) engine(task int32) int32 {
	if n.task == nil {
		return task
	}
	return int32(slices.Index(n.task, task))
}

// arrivals returns when the scheduler of a run heard of each task of the workload, since the
// first arrival; of those that it never hears of, when their job arrives.
func (n *numbering) arrivals(r *federate.Result) []federate.Time {
	all := make([]federate.Time, len(n.job))
	for t, j := range n.job {
		all[t] = n.load.Jobs[j].Arrival - n.load.Jobs[0].Arrival
	}
	for i, at := range r.Came {
		if at >= 0 {
			all[n.of(int32(i))] = at
		}
	}
	return all
}

// user returns the user of a task, out of this number of users.
func (n *numbering) user(task int32, users int) int32 {
	j := n.job[task]
	return federate.UserOf(int(j), &n.load.Jobs[j], users)
}
