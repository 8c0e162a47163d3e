package federatekind

import (
	"fmt"

	"berth/engine/scenario"
	"berth/engine/stats"
)

// metrics are those of summaries over seeds and sweeps.
var metrics = []scenario.Metric{
	metric("allocation.mean", "Allocation time, mean", "s", scenario.Less, func(s *SchedulerReport) *float64 { return s.Allocation.Mean }),
	metric("allocation.p50", "Allocation time, median", "s", scenario.Less, func(s *SchedulerReport) *float64 { return s.Allocation.P50 }),
	metric("allocation.p90", "Allocation time, 90th percentile", "s", scenario.Less, func(s *SchedulerReport) *float64 { return s.Allocation.P90 }),
	metric("allocation.p99", "Allocation time, 99th percentile", "s", scenario.Less, func(s *SchedulerReport) *float64 { return s.Allocation.P99 }),
	metric("allocation.p999", "Allocation time, 99.9th percentile", "s", scenario.Less, func(s *SchedulerReport) *float64 { return s.Allocation.P999 }),
	metric("allocation.max", "Allocation time, longest", "s", scenario.Less, func(s *SchedulerReport) *float64 { return s.Allocation.Max }),
	metric("jobDelay.p50", "Job delay, median", "s", scenario.Less, func(s *SchedulerReport) *float64 { return s.JobDelay.P50 }),
	metric("jobDelay.p99", "Job delay, 99th percentile", "s", scenario.Less, func(s *SchedulerReport) *float64 { return s.JobDelay.P99 }),
	metric("jobCompletion.p50", "Job completion, median", "s", scenario.Less, func(s *SchedulerReport) *float64 { return s.JobCompletion.P50 }),
	metric("queueing", "Queueing, mean", "s", scenario.Less, func(s *SchedulerReport) *float64 { return s.Components.Queueing }),
	metric("processing", "Processing, mean", "s", scenario.Less, func(s *SchedulerReport) *float64 { return s.Components.Processing }),
	metric("worker", "Queue of the worker, mean", "s", scenario.Less, func(s *SchedulerReport) *float64 { return s.Components.Worker }),
	metric("communication", "Communication, mean", "s", scenario.Less, func(s *SchedulerReport) *float64 { return s.Components.Communication }),
	metric("inconsistencies", "Inconsistencies", "", scenario.Less, func(s *SchedulerReport) *float64 { return counted(s.Inconsistencies) }),
	metric("repartitions", "Repartitions", "", scenario.Less, func(s *SchedulerReport) *float64 { return counted(s.Repartitions) }),
	metric("preemptionAttempts", "Preemption attempts", "", scenario.Less, func(s *SchedulerReport) *float64 { return counted(s.PreemptionAttempts) }),
	metric("preemptions", "Preemptions", "", scenario.Less, func(s *SchedulerReport) *float64 { return counted(s.Preemptions) }),
	metric("messages", "Messages", "", scenario.Neither, func(s *SchedulerReport) *float64 { return counted(s.Messages) }),
	metric("tasks", "Tasks that ended", "", scenario.More, func(s *SchedulerReport) *float64 { return counted(int64(s.Tasks)) }),
	metric("utilisation", "Utilisation of the first resource", "", scenario.More, func(s *SchedulerReport) *float64 { return &s.Utilisation[0] }),
	metric("jain", "Jain's index, mean over time", "", scenario.More, func(s *SchedulerReport) *float64 { return scenario.Defined(stats.Mean(s.Series.Jain)) }),
}

func metric(name, title, unit string, better scenario.Better, of func(*SchedulerReport) *float64) scenario.Metric {
	return scenario.NewMetric(name, title, unit, better, func(r *Report) []SchedulerReport { return r.Schedulers }, of)
}

func counted(n int64) *float64 {
	v := float64(n)
	return &v
}

// Metrics lists the metrics in the order in which they are best shown.
func Metrics() []scenario.Metric { return metrics }

// Join makes the reports of the parts of a document, in the order of
// [Document.Parts], into the report of the whole; nil is one of a part that did
// not run.
func Join(whole scenario.Document, parts []*scenario.Report, t *scenario.Timings) (scenario.ReportBody, error) {
	d := whole.(*Document)
	bodies := make([]*Report, len(parts))
	for i, part := range parts {
		if part != nil {
			bodies[i] = ReportOf(part)
		}
	}
	t.Running = scenario.RunningOf(parts, len(d.Schedulers))
	r, err := d.join(bodies)
	if err != nil {
		return nil, err
	}
	d.Trace.Identify(r.Workload.SHA256)
	return r, nil
}

// join does so with the bodies of the reports, which it does not change.
func (d *Document) join(reports []*Report) (*Report, error) {
	schedulers := len(d.Schedulers)
	if want := d.Runs(); len(reports) != want {
		return nil, fmt.Errorf("federate: %d reports of %d parts", len(reports), want)
	}
	r := &Report{Schedulers: []SchedulerReport{}, Warnings: []string{}}
	first := true
	for _, part := range reports {
		switch {
		case part == nil:
			r.Cancelled = true
			continue
		case len(part.Schedulers) != 1:
			return nil, fmt.Errorf("federate: the report of a part has %d schedulers", len(part.Schedulers))
		case first:
			r.Workload, r.Warnings, first = part.Workload, part.Warnings, false
		}
		r.Cancelled = r.Cancelled || part.Cancelled
	}
	for _, x := range d.Sweep {
		r.Swept = append(r.Swept, x.Parameter)
	}
	perPoint := schedulers * d.seeds()
	for i, values := range d.points() {
		runs := reports[i*perPoint : (i+1)*perPoint]
		if len(d.Sweep) > 0 {
			r.Points = append(r.Points, newPoint(d, values, runs))
			continue
		}
		for s := range d.Schedulers {
			if runs[s] == nil {
				continue
			}
			x := runs[s].Schedulers[0]
			if d.seeds() > 1 {
				summary := summarise(runs, s, schedulers)
				x.Summary = &summary
			}
			r.Schedulers = append(r.Schedulers, x)
		}
	}
	return r, nil
}

func newPoint(d *Document, values []float64, runs []*Report) Point {
	p := Point{Values: values}
	for s, name := range d.Schedulers {
		p.Schedulers = append(p.Schedulers, PointSummary{Name: name, Summary: summarise(runs, s, len(d.Schedulers))})
	}
	return p
}

// summarise goes over the seeds of one scheduler, whose runs are a step apart.
func summarise(runs []*Report, first, step int) Summary {
	summary := Summary{Metrics: map[string]scenario.Estimate{}}
	values := map[string][]float64{}
	for i := first; i < len(runs); i += step {
		if runs[i] == nil || runs[i].Cancelled {
			continue
		}
		summary.Runs++
		for _, m := range metrics {
			if v, defined := m.Value(runs[i], 0); defined {
				values[m.Name] = append(values[m.Name], v)
			}
		}
	}
	for name, of := range values {
		if len(of) == summary.Runs {
			summary.Metrics[name] = *scenario.EstimateOf(of)
		}
	}
	return summary
}
