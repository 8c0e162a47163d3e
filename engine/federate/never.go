package federate

import (
	"slices"

	"berth/engine/input/workload"
)

// Never is a kind of task that no worker can ever run.
type Never struct {
	Number int32  `json:"-"` // index in Kinds of the workload
	Kind   string `json:"kind"`
	Tasks  int    `json:"tasks"`
	Job    int    `json:"job"`    // the first job with such tasks, by arrival, from 0
	Reason string `json:"reason"` // why no worker can run them
}

// FindNever returns the kinds of tasks that no worker can ever run. The error is the one from
// [Config.Check], or says that a job waits for such a task.
func FindNever(c Config, load *workload.Tasks) ([]Never, error) {
	if err := c.Check(load); err != nil {
		return nil, err
	}
	never := findNever(NewCenter(&c, load), load)
	return never, awaitNever(load, never)
}

func findNever(d *Center, load *workload.Tasks) []Never {
	var all []Never
	place := make([]int, len(load.Kinds)) // by kind: its index in all plus 1; 0: it can run
	for kind := range load.Kinds {
		fits, capacity := d.Fits(&load.Kinds[kind])
		if fits {
			continue
		}
		reason := unmetConstraints
		if !capacity {
			reason = tooLittleCapacity
		}
		all = append(all, Never{Number: int32(kind), Kind: load.KindString(int32(kind)), Reason: reason})
		place[kind] = len(all)
	}
	if len(all) == 0 {
		return nil
	}
	for j := range load.Jobs {
		for _, kind := range load.KindsOf(int32(j)) {
			if place[kind] == 0 {
				continue
			}
			n := &all[place[kind]-1]
			if n.Tasks == 0 {
				n.Job = j
			}
			n.Tasks++
		}
	}
	return all
}

// without returns the workload without tasks that can never run and without jobs that have no other
// tasks. numbers maps its tasks to the tasks of the whole workload; nil means that nothing was
// removed. The remaining jobs keep their users, which could otherwise change with the index of a
// job.
func without(load *workload.Tasks, never []Never, users int) (kept *workload.Tasks, numbers []int32) {
	if len(never) == 0 {
		return load, nil
	}
	drop, place := dropped(load, never), make([]int32, len(load.Jobs))
	kept = &workload.Tasks{Resources: load.Resources, Users: load.Users, Kinds: load.Kinds}
	for j, job := range load.Jobs {
		job.User = UserOf(j, &job, users)
		first := int32(len(kept.Durations))
		for t := job.First; t < job.First+job.Count; t++ {
			if !drop[load.KindOf[t]] {
				kept.Durations = append(kept.Durations, load.Durations[t])
				kept.KindOf = append(kept.KindOf, load.KindOf[t])
				numbers = append(numbers, t)
			}
		}
		job.First, job.Count = first, int32(len(kept.Durations))-first
		if place[j] = -1; job.Count > 0 {
			place[j] = int32(len(kept.Jobs))
			kept.Jobs = append(kept.Jobs, job)
		}
	}
	kept.After = load.Kept(place, len(kept.Jobs))
	return kept, numbers
}

// dropped reports for each kind whether its tasks can never run.
func dropped(load *workload.Tasks, never []Never) []bool {
	drop := make([]bool, len(load.Kinds))
	for _, n := range never {
		drop[n.Number] = true
	}
	return drop
}

// renumber converts a list by task of the reduced workload to one by task of the whole workload
// (see [without]). Removed tasks get the value none.
func renumber[T any](list []T, numbers []int32, tasks int, none T) []T {
	if numbers == nil || list == nil {
		return list
	}
	all := slices.Repeat([]T{none}, tasks)
	for i, t := range numbers {
		all[t] = list[i]
	}
	return all
}
