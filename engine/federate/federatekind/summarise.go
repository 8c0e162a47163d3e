package federatekind

import (
	"cmp"
	"slices"

	"berth/engine/federate"
	"berth/engine/figure"
	"berth/engine/workload"
)

// newSchedulerReport tells of a run in seconds.
func newSchedulerReport(r *federate.Result, load *workload.Tasks) SchedulerReport {
	n := &r.Counters
	s := SchedulerReport{
		Ended: Ended{r.Name, r.Tasks, r.Jobs, n.Events},
		Times: Times{r.Allocation, r.JobDelay, r.JobCompletion, r.ShortJobs, r.LongJobs, r.Slowdown, r.BoundedSlowdown, newComponents(r.Components), newComponents(r.Medians)},
		Tail:  newTail(&r.Tail), Effort: Effort{n.Inconsistencies, n.Repartitions, n.PreemptionAttempts, n.Preemptions, n.Messages}, Own: r.Own,
		End: secondsOf(r.End), Utilisation: meansUpTo(r.End, &r.Series),
		Distribution: r.Histogram,
		Series:       Series{Width: secondsOf(r.Series.Width), Utilisation: r.Series.Utilisation, Share: r.Series.Share, Jain: orEmpty(r.Jain)},
		Never:        []Never{}, Stalled: []Stalled{}, Partial: r.Partial,
	}
	s.Distribution.Lower, s.Distribution.Count = orEmpty(s.Distribution.Lower), orEmpty(s.Distribution.Count)
	if len(s.Series.Share) > MaxShownUsers {
		s.Series.Share = [][]float64{}
	}
	for _, x := range r.Never {
		s.Never = append(s.Never, Never{Kind: load.KindString(x.Kind), Tasks: x.Tasks, Job: x.Job, Reason: x.Reason.String()})
	}
	for _, x := range r.Stalled {
		s.Stalled = append(s.Stalled, Stalled{User: int(x.User), Kind: load.KindString(x.Kind), Tasks: x.Tasks, Reason: x.Reason.String()})
	}
	s.Slowest = slowest(r, newNumbering(load, r.Never))
	return s
}

// orEmpty makes an array of JSON of what may be nil.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func newComponents(c [federate.Parts]float64) Components {
	n := func(part federate.Component) figure.Number { return figure.Number(c[part]) }
	return Components{n(federate.Queueing), n(federate.Processing), n(federate.WorkerQueue), n(federate.Communication)}
}

func newTail(t *federate.Tail) Tail {
	n := &t.Mostly
	return Tail{
		Tasks: t.Tasks, From: t.From, Queueing: n[federate.Queueing], Processing: n[federate.Processing],
		Worker: n[federate.WorkerQueue], Communication: n[federate.Communication],
	}
}

// meansUpTo returns the mean part in use of each resource up to the end of a
// run, at which the last span may be cut off.
func meansUpTo(end federate.Time, s *federate.Series) []float64 {
	means := make([]float64, len(s.Utilisation))
	for r, values := range s.Utilisation {
		var sum float64
		for b, v := range values {
			sum += float64(v * float64(min(s.Width, end-federate.Time(b)*s.Width)))
		}
		if end > 0 {
			means[r] = sum / float64(end)
		}
	}
	return means
}

// slowest returns the tasks that waited longest.
func slowest(r *federate.Result, n *numbering) []Slow {
	all := make([]Slow, 0, MaxSlowest+1)
	for i, wait := range r.Waits {
		x := Slow{Task: int(n.of(int32(i))), Time: secondsOf(wait)}
		if len(all) == MaxSlowest && x.Time < all[MaxSlowest-1].Time {
			continue
		}
		x.Job = int(n.job[x.Task])
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
