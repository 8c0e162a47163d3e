package federatekind

import (
	"context"
	"slices"

	"berth/engine/format/sniff"
	"berth/engine/scenario"
)

// Kind is the kind of scenarios that simulate a data centre under schedulers.
var Kind = &scenario.Kind{
	Name: Name, Title: "Federate", Path: "/federate", Holds: "trace, data centre and schedulers",
	About:     "How do many schedulers share one data centre without a central store?",
	Reads:     sniff.Federate,
	Document:  func() scenario.Document { return &Document{} },
	Report:    func() scenario.ReportBody { return &Report{} },
	Prepare:   scenario.PrepareBy(Prepare),
	Join:      Join,
	Questions: []scenario.AnyQuestion{SurveyQuestion, PlaybackQuestion, TaskQuestion, TasksQuestion},
	Subject:   "scheduler",
	Headline:  []string{"allocation.p50", "allocation.p99", "jobDelay.p50", "jobDelay.p99", "utilisation"},
	Metrics:   kindMetrics(),
}

// What can be asked of inputs and of a result, whose run is repeated as far as an
// answer needs it.
var (
	SurveyQuestion   = scenario.NewQuestion("federate/survey", scenario.Inputs, (*Prepared).surveyed)
	PlaybackQuestion = scenario.NewQuestion("federate/playback", scenario.Inputs, (*Prepared).Playback)
	TaskQuestion     = scenario.NewQuestion("federate/task", scenario.Inputs, (*Prepared).Task)
	TasksQuestion    = scenario.NewQuestion("federate/tasks", scenario.Inputs, (*Prepared).Tasks)
)

func (e *Prepared) surveyed(context.Context, struct{}) (*Report, error) { return e.Survey() }

// kindMetrics are those of summaries, and others that experiments may ask for.
func kindMetrics() []scenario.Metric {
	return append(slices.Clone(metrics),
		metric("queueing.p50", "Queueing, median", "s", scenario.Less, func(s *SchedulerReport) *float64 { return s.Medians.Queueing }),
		metric("processing.p50", "Processing, median", "s", scenario.Less, func(s *SchedulerReport) *float64 { return s.Medians.Processing }),
		metric("worker.p50", "Queue of the worker, median", "s", scenario.Less, func(s *SchedulerReport) *float64 { return s.Medians.Worker }),
		metric("communication.p50", "Communication, median", "s", scenario.Less, func(s *SchedulerReport) *float64 { return s.Medians.Communication }),
		metric("jobDelay.mean", "Job delay, mean", "s", scenario.Less, func(s *SchedulerReport) *float64 { return s.JobDelay.Mean }),
		metric("jobDelay.max", "Job delay, longest", "s", scenario.Less, func(s *SchedulerReport) *float64 { return s.JobDelay.Max }),
		metric("allocation.p9999", "Allocation time, 99.99th percentile", "s", scenario.Less, func(s *SchedulerReport) *float64 { return s.Allocation.P9999 }),
		metric("end", "End of the last task", "s", scenario.Less, func(s *SchedulerReport) *float64 { return &s.End }),
		scenario.Metric{Name: "demand.peak", Title: "Largest demand for the first resource", Value: func(r scenario.ReportBody, subject int) (float64, bool) {
			report, ok := r.(*Report)
			if !ok || subject < 0 || subject >= len(report.Schedulers) || len(report.Workload.Demand.Peak) == 0 {
				return 0, false
			}
			return report.Workload.Demand.Peak[0], true
		}},
	)
}
