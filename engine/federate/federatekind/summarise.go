package federatekind

import (
	"cmp"
	"slices"

	"berth/engine/federate"
	"berth/engine/workload"
)

// newSchedulerReport reports a run. A report has no shares of many users.
func newSchedulerReport(r *federate.Result, load *workload.Tasks) SchedulerReport {
	s := SchedulerReport{Measured: r.Measured, Partial: r.Partial, Slowest: slowest(r, load)}
	if len(s.Series.Share) > MaxShownUsers {
		s.Series.Share = [][]float64{}
	}
	return s
}

// slowest returns the tasks that waited longest.
func slowest(r *federate.Result, load *workload.Tasks) []Slow {
	all := make([]Slow, 0, MaxSlowest+1)
	for task, wait := range r.Waits {
		x := Slow{Task: task, Time: secondsOf(wait)}
		if wait < 0 || len(all) == MaxSlowest && x.Time < all[MaxSlowest-1].Time {
			continue
		}
		x.Job = jobOf(load, task)
		at, _ := slices.BinarySearchFunc(all, x, func(a, b Slow) int {
			return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Task, b.Task))
		})
		if at < MaxSlowest {
			all = slices.Insert(all, at, x)
			all = all[:min(len(all), MaxSlowest)]
		}
	}
	return all
}
