package federatekind

import (
	"cmp"
	"slices"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/input/workload"
)

// demandSpans is the number of time spans of the demand.
const demandSpans = 256

// demandOf adds up the resources that would be in use if every task started on arrival. It takes
// O(n log n) time for n tasks.
func demandOf(load *workload.Tasks) Demand {
	d := Demand{Values: make([][]float64, len(load.Resources)), Peak: make([]float64, len(load.Resources))}
	load = load.Apart()
	ends := endsOf(load)
	var end federate.Time
	if len(ends) > 0 {
		end = ends[len(ends)-1].at
	}
	width := max((end+demandSpans-1)/demandSpans, 1)
	d.Width = workload.Seconds(width)
	for r := range load.Resources {
		d.Values[r], d.Peak[r] = integrate(load, ends, r, width)
	}
	return d
}

// edge is the start (sign 1) or the end (sign −1) of a task. It changes the demand by the request
// of the task's kind.
type edge struct {
	at   federate.Time
	kind int32
	sign int32
}

// endsOf returns the ends of all tasks, sorted by time since the first arrival.
func endsOf(load *workload.Tasks) []edge {
	ends := make([]edge, 0, len(load.Durations))
	for _, job := range load.Jobs {
		at := job.Arrival - load.Jobs[0].Arrival
		for t := job.First; t < job.First+job.Count; t++ {
			ends = append(ends, edge{at + load.Durations[t], load.KindOf[t], -1})
		}
	}
	slices.SortFunc(ends, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	return ends
}

// eachEdge calls do for the starts and ends of all tasks in order of time. At equal times ends come
// first, because a task that ends makes room for one that starts.
func eachEdge(load *workload.Tasks, ends []edge, do func(edge)) {
	for _, job := range load.Jobs {
		at := job.Arrival - load.Jobs[0].Arrival
		for ; len(ends) > 0 && ends[0].at <= at; ends = ends[1:] {
			do(ends[0])
		}
		for _, kind := range load.KindOf[job.First : job.First+job.Count] {
			do(edge{at, kind, 1})
		}
	}
	for _, end := range ends {
		do(end)
	}
}

// integrate returns the mean of a resource in use in each time span of the given width, and its
// peak.
func integrate(load *workload.Tasks, ends []edge, resource int, width federate.Time) (means []float64, peak float64) {
	level, since := cluster.Amount(0), federate.Time(0)
	area := make([]float64, 0, demandSpans)
	eachEdge(load, ends, func(e edge) {
		for since < e.at {
			span := since / width
			for int(span) >= len(area) {
				area = append(area, 0)
			}
			until := min(e.at, (span+1)*width)
			area[span] += float64(level.Units() * float64(until-since))
			since = until
		}
		level += cluster.Amount(e.sign) * load.Kinds[e.kind].Request[resource]
		peak = max(peak, level.Units())
	})
	for i := range area {
		area[i] /= float64(width)
	}
	return area, peak
}
