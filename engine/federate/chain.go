package federate

import (
	"slices"

	"berth/engine/diag"
	"berth/engine/input/workload"
)

// chain tracks jobs that wait for other jobs. The scheduler receives a waiting job when the last
// job that it waits for has ended.
type chain struct {
	left []int32   // by job: number of unfinished jobs it waits for, plus 1 until it arrives
	next [][]int32 // by job: the jobs that wait for it
	came []Time    // by task: when the scheduler received it; −1 before
}

func newChain(load *workload.Tasks) *chain {
	if load.After == nil {
		return nil
	}
	c := &chain{left: make([]int32, len(load.Jobs)), next: load.Followers(), came: slices.Repeat([]Time{-1}, len(load.Durations))}
	for j, after := range load.After {
		c.left[j] = int32(len(after)) + 1
	}
	return c
}

// free releases the jobs that waited only for the given job, which has ended. Their release events
// come after all other events caused by the end.
func (m *Model) free(job int32) {
	for _, f := range m.chain.next[job] {
		if m.chain.left[f]--; m.chain.left[f] == 0 {
			m.queue.Push(Event{At: m.now, Kind: releaseEvent, Ref: uint32(f)})
		}
	}
}

// release submits a job to the scheduler. Its waiting time starts now.
func (m *Model) release(job int32) {
	first, end := m.Tasks(job)
	for t := first; t < end; t++ {
		m.tasks[t].since, m.tasks[t].waiting, m.chain.came[t] = m.now, m.now, m.now
	}
	m.submit(job)
}

// came returns when the scheduler received a job that has since ended.
func (m *Model) came(job int) Time {
	of := &m.Load.Jobs[job]
	if m.chain == nil {
		return of.Arrival - m.origin
	}
	return m.chain.came[of.First]
}

// awaitNever returns an error if a job waits for a job with tasks that can never run.
func awaitNever(load *workload.Tasks, never []Never) error {
	if load.After == nil || len(never) == 0 {
		return nil
	}
	drop := dropped(load, never)
	for j, after := range load.After {
		for _, of := range after {
			if slices.ContainsFunc(load.KindsOf(of), func(kind int32) bool { return drop[kind] }) {
				return diag.At("trace", endlessWait, j, of)
			}
		}
	}
	return nil
}
