package federatekind

import (
	"cmp"
	"slices"

	"berth/engine/federate"
	"berth/engine/federate/deciding"
	"berth/engine/figure"
	"berth/engine/stats"
)

// Figures are all figures of a scheduler, in the order of the tables. Times are in seconds.
var Figures = slices.Concat(
	[]figure.Figure{
		counted("tasks", "tasks", "Tasks that ended", "", figure.More, func(s *SchedulerReport) int64 { return int64(s.Tasks) }),
		counted("jobs", "jobs", "Jobs that ended", "", figure.More, func(s *SchedulerReport) int64 { return int64(s.Jobs) }),
	},
	spread(figure.Figure{Name: "allocation", Path: "allocationTime", Label: "allocation", Title: "Allocation time", About: "From the arrival of a task until it runs", Unit: "s", Form: figure.Seconds}, nil,
		func(s *SchedulerReport) *figure.Quantiles { return &s.Allocation }),
	component("queueing", "queueing", "Queueing", "Time in the queues of the scheduler", federate.Queueing),
	component("processing", "processing", "Processing", "Time that masters spent on it", federate.Processing),
	component("worker", "at the worker", "Queue of the worker", "Time in the queue of the worker", federate.WorkerQueue),
	component("communication", "communication", "Communication", "Time in transit of messages", federate.Communication),
	spread(figure.Figure{Name: "jobDelay", Label: "job delay", Title: "Job delay", About: "Completion time of a job minus the time of its longest task on the fastest worker", Unit: "s", Form: figure.Seconds}, nil,
		func(s *SchedulerReport) *figure.Quantiles { return &s.JobDelay }),
	spread(figure.Figure{Name: "jobCompletion", Label: "job completion", Title: "Job completion", About: "From arrival to the end of the last task", Unit: "s", Form: figure.Seconds}, nil,
		func(s *SchedulerReport) *figure.Quantiles { return &s.JobCompletion }),
	spread(figure.Figure{Name: "shortJobs", Label: "short jobs", Title: "Completion of short jobs", About: "From arrival to the end, of jobs whose tasks take up to the cutoff on average", Unit: "s", Form: figure.Seconds}, usual,
		func(s *SchedulerReport) *figure.Quantiles { return &s.ShortJobs }),
	spread(figure.Figure{Name: "longJobs", Label: "long jobs", Title: "Completion of long jobs", About: "From arrival to the end, of jobs whose tasks take more than the cutoff on average", Unit: "s", Form: figure.Seconds}, usual,
		func(s *SchedulerReport) *figure.Quantiles { return &s.LongJobs }),
	spread(figure.Figure{Name: "slowdown", Label: "slowdown", Title: "Slowdown", About: "Completion time of a job over the time of its longest task on the fastest worker"}, usual,
		func(s *SchedulerReport) *figure.Quantiles { return &s.Slowdown }),
	spread(figure.Figure{Name: "boundedSlowdown", Label: "bounded slowdown", Title: "Bounded slowdown", About: "Slowdown with tasks of less than 10 s taken as 10 s, at least 1"}, usual,
		func(s *SchedulerReport) *figure.Quantiles { return &s.BoundedSlowdown }),
	[]figure.Figure{
		part("busyness.long", "Busyness with long jobs", "Part of the time in which the scheduler of long jobs decides (Omega, Mesos)", deciding.BusyLong, deciding.Busy, perMille),
		part("busyness.short", "Busyness with short jobs", "Part of the time in which the schedulers of short jobs decide (Omega, Mesos)", deciding.BusyShort, deciding.Busy, perMille),
		part("conflictFraction", "Commits with conflicts", "Part of the commits of Omega that have a conflict", deciding.Conflicts, "", deciding.Commits),
		seconds("end", "makespan", "makespan", "Makespan", "From the first arrival to the end of the last task", func(s *SchedulerReport) figure.Number { return figure.Number(s.End) }),
		figure.Of(figure.Figure{Name: "utilisation", Label: "utilisation", Title: "Utilisation of the first resource", About: "Mean share of the first resource in use", Form: figure.Part, Better: figure.More},
			func(s *SchedulerReport) figure.Number { return first(s.Utilisation) }),
		figure.Of(figure.Figure{Name: "jain", Label: "Jain's index", Title: "Jain's index, mean over time", About: "Fairness: 1 if all users use the same part of their shares; mean over time", Better: figure.More},
			func(s *SchedulerReport) figure.Number { return figure.Number(stats.Mean(s.Series.Jain)) }),
		drawn(counted("inconsistencies", "inconsistencies", "Inconsistencies", "Requests that an LM refused because the GM's copy was stale", figure.Less, func(s *SchedulerReport) int64 { return s.Inconsistencies })),
		drawn(counted("repartitions", "repartitions", "Repartitions", "Launches in a partition of another GM", figure.Less, func(s *SchedulerReport) int64 { return s.Repartitions })),
		counted("preemptionAttempts", "preemption attempts", "Preemption attempts", "Tasks that a GM asked an LM to preempt", figure.Less, func(s *SchedulerReport) int64 { return s.PreemptionAttempts }),
		drawn(counted("preemptions", "preemptions", "Preemptions", "Tasks that an LM preempted", figure.Less, func(s *SchedulerReport) int64 { return s.Preemptions })),
		drawn(counted("messages", "messages", "Messages", "Messages sent", figure.Neither, func(s *SchedulerReport) int64 { return s.Messages })),
		counted("events", "events", "Events", "Events of the simulation", figure.Neither, func(s *SchedulerReport) int64 { return s.Events }),
		figure.Of(figure.Figure{Name: "demand.peak", Title: "Largest demand for the first resource"}, func(s *SchedulerReport) figure.Number {
			if s.workload == nil {
				return figure.Undefined
			}
			return first(s.workload.Demand.Peak)
		}),
	},
)

// shown returns the figures that appear in tables, in summaries over seeds and in sweeps.
func shown() []figure.Figure { return figure.Labelled(Figures) }

// first returns the value for the first resource, or undefined if there is none.
func first(byResource []float64) figure.Number {
	if len(byResource) == 0 {
		return figure.Undefined
	}
	return figure.Number(byResource[0])
}

func seconds(name, path, label, title, about string, value func(*SchedulerReport) figure.Number) figure.Figure {
	return figure.Of(figure.Figure{Name: name, Path: path, Label: label, Title: title, About: about, Unit: "s", Form: figure.Seconds, Better: figure.Less}, value)
}

// perMille is the value of whole for counters that are already in thousandths.
const perMille = ""

// part is a scheduler's own counter divided by the counter whole. If the scheduler lacks the first
// counter, instead replaces it.
func part(name, title, about, counter, instead, whole string) figure.Figure {
	return figure.Of(figure.Figure{Name: name, Title: title, About: about, Form: figure.Part, Better: figure.Less}, func(s *SchedulerReport) figure.Number {
		n, counts := s.Own.Counter(counter)
		if !counts {
			n, counts = s.Own.Counter(instead)
		}
		all := int64(1000)
		if whole != perMille {
			var known bool
			if all, known = s.Own.Counter(whole); known && !counts {
				n, counts = 0, true
			}
		}
		if !counts || all == 0 {
			return figure.Undefined
		}
		return figure.Number(float64(n) / float64(all))
	})
}

func counted(name, label, title, about string, better figure.Better, value func(*SchedulerReport) int64) figure.Figure {
	return figure.Of(figure.Figure{Name: name, Path: name, Label: label, Title: title, About: about, Form: figure.Count, Better: better},
		func(s *SchedulerReport) figure.Number { return figure.Number(value(s)) })
}

// drawn marks a figure that has a chart of its own.
func drawn(f figure.Figure) figure.Figure {
	f.Chart = true
	return f
}

// usual names the figures of a spread in tables that do not show all of them.
var usual = []string{"mean", "p50", "p95", "p99"}

// spread returns the mean and the quantiles of a quantity as figures. Tables show the figures named
// in shown, or all if it is nil.
func spread(f figure.Figure, shown []string, value func(*SchedulerReport) *figure.Quantiles) (all []figure.Figure) {
	for _, p := range slices.Concat([]figure.Percentile{{Name: "mean", Label: "mean", Title: "mean"}}, federate.Percentiles) {
		one := f
		one.Name, one.Path, one.Title, one.Better = f.Name+"."+p.Name, cmp.Or(f.Path, f.Name)+"."+p.Name, f.Title+", "+p.Title, figure.Less
		if one.Label = f.Label + ", " + p.Label; shown != nil && !slices.Contains(shown, p.Name) {
			one.Label = ""
		}
		all = append(all, figure.Of(one, func(s *SchedulerReport) figure.Number { return value(s).At(p.Name) }))
	}
	return all
}

// component returns the mean and the median of a part of the allocation time as figures.
func component(name, label, title, about string, part federate.Component) []figure.Figure {
	return []figure.Figure{
		seconds(name, "components."+name, label+", mean", title+", mean", about, func(s *SchedulerReport) figure.Number { return *s.Components.Of(part) }),
		seconds(name+".p50", "medians."+name, label+", p50", title+", median", about, func(s *SchedulerReport) figure.Number { return *s.Medians.Of(part) }),
	}
}
