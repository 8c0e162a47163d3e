package federate

import (
	"slices"

	"berth/engine/megha"
	"berth/engine/workload"
)

// numbering knows the tasks of a workload by the numbers that the engine gives
// those that can run.
type numbering struct {
	load *workload.Tasks
	task []int32 // of the workload, by the engine's number; nil if all can run
	job  []int32 // of each task of the workload
	// rank is the place of each job among those of which something can run, −1
	// of the others.
	rank []int32
}

func newNumbering(load *workload.Tasks, never []megha.Never) *numbering {
	n := &numbering{load: load, job: make([]int32, len(load.Durations)), rank: make([]int32, len(load.Jobs))}
	drop := make([]bool, len(load.Kinds))
	for _, x := range never {
		drop[x.Kind] = true
	}
	kept, ranks := make([]int32, 0, len(load.Durations)), int32(0)
	for j, job := range load.Jobs {
		before := len(kept)
		for t := job.First; t < job.First+job.Count; t++ {
			n.job[t] = int32(j)
			if !drop[load.KindOf[t]] {
				kept = append(kept, t)
			}
		}
		n.rank[j] = -1
		if len(kept) > before {
			n.rank[j] = ranks
			ranks++
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

// user returns the user of a task, of so many; −1 of one that can never run.
func (n *numbering) user(task int32, users int) int32 {
	j := n.job[task]
	if user := n.load.Jobs[j].User; user >= 0 {
		return user
	}
	if n.rank[j] < 0 {
		return -1
	}
	return n.rank[j] % int32(users)
}
