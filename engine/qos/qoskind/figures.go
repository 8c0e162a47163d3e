package qoskind

import (
	"cmp"
	"slices"
	"strings"

	"berth/engine/figure"
	"berth/engine/qos"
)

// ClassFigures lists the figures of a class, or of all classes together, in display order.
// Experiments can use the figures with a name, for each class.
var ClassFigures = slices.Concat([]figure.Figure{
	figure.Of(figure.Figure{Name: "requests", Path: "requests", Column: "requests", Label: "requests", Title: "Requests", About: "Requests of the class that were admitted", Form: figure.Count},
		func(f *qos.ClassFigures) figure.Number { return figure.Number(f.Requests) }),
	figure.Of(figure.Figure{Path: "fulfilled", Column: "fulfilled", Label: "fulfilled", About: "Requests whose availability reached the SLO", Form: figure.Count, Better: figure.More},
		func(f *qos.ClassFigures) figure.Number { return figure.Number(f.Fulfilled) }),
	figure.Of(figure.Figure{Name: "met", Key: "fulfilled", Title: "Requests whose SLO was kept", Form: figure.Part, Better: figure.More},
		func(f *qos.ClassFigures) figure.Number {
			return figure.Number(float64(f.Fulfilled) / float64(f.Requests))
		}),
	figure.Of(figure.Figure{Name: "availability.mean", Path: "availability.mean", Column: "availability_mean", Key: "availability", Label: "mean availability", Title: "Availability, mean", Form: figure.Part, Better: figure.More,
		About: "Mean of running time divided by time since admission; ± is the 95 % confidence interval over the seeds"},
		func(f *qos.ClassFigures) figure.Number { return f.Availability.Mean }),
	figure.Of(figure.Figure{Column: "availability_half_width"}, func(f *qos.ClassFigures) figure.Number { return f.MeanHalfWidth }),
}, availabilities(), []figure.Figure{
	figure.Of(figure.Figure{Name: "deficit.mean", Column: "deficit_mean", Key: exactDeficit.Key, Label: "deficit", Title: "Deficit, mean", About: "Mean of SLO − availability of the requests that missed their SLO", Form: figure.Part, Better: figure.Less},
		func(f *qos.ClassFigures) figure.Number { return f.Deficits.Mean }),
	exactDeficit,
	figure.Of(figure.Figure{Path: "deficit.max"}, func(f *qos.ClassFigures) figure.Number { return f.Deficit.Max }),
	figure.Of(figure.Figure{Column: "deficit_half_width"}, func(f *qos.ClassFigures) figure.Number { return f.Deficits.At("halfWidth") }),
}, deficits(), []figure.Figure{
	figure.Of(figure.Figure{Name: "deficit.max", Column: "deficit_max", Title: "Deficit, largest", Form: figure.Part, Better: figure.Less},
		func(f *qos.ClassFigures) figure.Number { return f.Deficits.At("max") }),
	figure.Of(figure.Figure{Name: "shortfall", Title: "Deficit over all requests, mean", Form: figure.Part, Better: figure.Less}, shortfall),
	figure.Of(figure.Figure{Name: "penalty", Path: "penalty", Column: "penalty_cpu_h", Key: "penalty", Label: "penalty", Title: "Penalty", About: "Sum of the penalties, in CPU-hours", Unit: "CPU-hours", Better: figure.Less},
		func(f *qos.ClassFigures) figure.Number { return f.Penalty }),
	figure.Of(figure.Figure{Name: "gini", Path: "gini", Column: "gini", Key: "gini", Label: "Gini", Title: "Gini coefficient of the availability", About: "Inequality of the availabilities: 0 if all are the same", Better: figure.Less},
		func(f *qos.ClassFigures) figure.Number { return f.Gini }),
	figure.Of(figure.Figure{Column: "preemptions", Label: "preemptions", About: "How often an instance was preempted", Form: figure.Count, Better: figure.Less},
		func(f *qos.ClassFigures) figure.Number { return figure.Number(f.Preemptions) }),
	figure.Of(figure.Figure{Column: "migrations", Label: "migrations", About: "How often an instance continued on another host", Form: figure.Count, Better: figure.Less},
		func(f *qos.ClassFigures) figure.Number { return figure.Number(f.Migrations) }),
	figure.Of(figure.Figure{Column: "overhead_s", Label: "overhead (s)", About: "Time spent on preparing hosts", Better: figure.Less},
		func(f *qos.ClassFigures) figure.Number { return figure.Number(f.Overhead) }),
	figure.Of(figure.Figure{Column: "ran_s"}, func(f *qos.ClassFigures) figure.Number { return figure.Number(f.Ran) }),
})

// exactDeficit is the mean deficit as the run computed it. The other deficits are less exact,
// because they are computed from rounded availabilities.
var exactDeficit = figure.Of(figure.Figure{Path: "deficit.mean", Key: "deficit"}, func(f *qos.ClassFigures) figure.Number { return f.Deficit.Mean })

// keyed returns the figures that reports estimate over seeds: the figures of controllers if
// controllers is set, otherwise the others.
func keyed(all []figure.Figure, controllers bool) []figure.Figure {
	return figure.Where(all, func(f *figure.Figure) bool {
		return f.Key != "" && f.Name != "deficit.mean" && strings.HasPrefix(f.Key, "controllers.") == controllers
	})
}

// pointsAbout describes some quantiles of the availabilities in words.
var pointsAbout = map[string]string{"min": "Lowest availability", "p50": "Median of the availability"}

// availabilities returns the figures for the quantiles of the availabilities. Quantiles without a
// label appear only in JSON and CSV.
func availabilities() (all []figure.Figure) {
	for _, p := range qos.Percentiles {
		f := figure.Figure{Path: "availability." + p.Name, Column: p.Name}
		if p.Label != "" {
			f.Name, f.Label, f.Title = f.Path, p.Label, "Availability, "+p.Title
			f.About, f.Form, f.Better = cmp.Or(pointsAbout[p.Name], p.Label+" quantile of the availability"), figure.Part, figure.More
		}
		all = append(all, figure.Of(f, func(f *qos.ClassFigures) figure.Number { return f.Availability.At(p.Name) }))
	}
	return all
}

// deficits returns the figures for the quantiles of the deficits, from the median up.
func deficits() (all []figure.Figure) {
	for _, p := range qos.DeficitPoints {
		if p.P >= 0.5 && p.P < 1 {
			all = append(all, figure.Of(figure.Figure{Name: "deficit." + p.Name, Title: "Deficit, " + p.Title, Form: figure.Part, Better: figure.Less},
				func(f *qos.ClassFigures) figure.Number { return f.Deficits.At(p.Name) }))
		}
	}
	return all
}

func shortfall(f *qos.ClassFigures) figure.Number {
	n := f.Deficits.At("count")
	if n == 0 {
		return 0
	}
	return f.Deficits.Mean * n / figure.Number(f.Requests)
}

// Figures lists all measured figures of a policy: over all classes, of the run, and of each class.
var Figures = declared()

func declared() []figure.Figure {
	all := within("", "", "all")
	all = append(all, ofRun...)
	all = append(all, demands()...)
	for _, c := range qos.GoogleClasses(0) {
		all = append(all, within("."+c.Name, ", "+c.Name, c.Name)...)
	}
	return append(all, fairness()...)
}

// within returns the figures of a class as figures of a policy. They are undefined if the class has
// no requests.
func within(suffix, title, class string) (all []figure.Figure) {
	for _, f := range ClassFigures {
		if f.Name == "" {
			continue
		}
		f := figure.Figure{Name: f.Name + suffix, Title: f.Title + title, Unit: f.Unit, Form: f.Form, Better: f.Better, Of: f.Of}
		all = append(all, figure.Within(f, func(p *PolicyReport) any {
			if c := p.Run.Class(class); c != nil && c.Requests > 0 {
				return c
			}
			return nil
		}))
	}
	return all
}

func of(f figure.Figure, value func(*qos.Measured) figure.Number) figure.Figure {
	return figure.Of(f, func(p *PolicyReport) figure.Number { return value(&p.Run) })
}

// ofRun lists the figures of a run's work and of its controllers.
var ofRun = []figure.Figure{
	of(figure.Figure{Name: "preemptions", Path: "preemptions", Key: "preemptions", Label: "preemptions", Title: "Preemptions", About: "How often an instance was preempted", Form: figure.Count, Better: figure.Less},
		func(r *qos.Measured) figure.Number { return figure.Number(r.Preemptions) }),
	of(figure.Figure{Name: "migrations", Key: "migrations", Title: "Migrations", Form: figure.Count, Better: figure.Less}, func(r *qos.Measured) figure.Number { return figure.Number(r.Migrations) }),
	of(figure.Figure{Name: "overhead", Key: "overhead", Title: "Time spent on allocations", Unit: "s", Better: figure.Less}, func(r *qos.Measured) figure.Number { return figure.Number(r.Overhead) }),
	of(figure.Figure{Name: "queue", Label: "queue, mean over passes", Title: "Queue, mean over passes", Unit: "requests", Better: figure.Less,
		About: "Requests waiting at each pass over the queue; all passes count the same, however far apart they are"}, func(r *qos.Measured) figure.Number { return r.MeanQueue }),
	of(figure.Figure{Name: "queue.time", Label: "queue, mean over time", Title: "Queue, mean over time", Unit: "requests", Better: figure.Less,
		About: "Requests waiting, averaged over time, with the time when the queue is empty"}, func(r *qos.Measured) figure.Number {
		mean, _ := r.Series.Waiting(r.End)
		return figure.Number(mean)
	}),
	of(figure.Figure{Name: "queue.max", Label: "queue, longest", Title: "Queue, longest", Unit: "requests", Better: figure.Less,
		About: "Most requests waiting at one time in the chart over time"}, func(r *qos.Measured) figure.Number {
		_, most := r.Series.Waiting(r.End)
		return figure.Number(most)
	}),
	of(figure.Figure{Name: "passes", Path: "passes", Label: "passes", Title: "Passes", About: "Passes over a queue that is not empty", Form: figure.Count, Better: figure.Less},
		func(r *qos.Measured) figure.Number { return figure.Number(r.Passes) }),
	of(figure.Figure{Name: "decisions", Path: "decisions", Label: "decisions", Title: "Decisions", About: "Requests that got a host", Form: figure.Count},
		func(r *qos.Measured) figure.Number { return figure.Number(r.Decisions) }),
	of(figure.Figure{Name: "operations", Path: "operations", Label: "operations", Title: "Operations", About: "One is the feasibility and score of one host for one request", Form: figure.Count, Better: figure.Less},
		func(r *qos.Measured) figure.Number { return figure.Number(r.Operations) }),
	of(figure.Figure{Name: "operationsPerPass", Label: "operations a pass", Title: "Operations per pass", About: "Mean over all passes", Better: figure.Less},
		func(r *qos.Measured) figure.Number { return figure.Number(float64(r.Operations) / float64(r.Passes)) }),
	of(figure.Figure{Name: "events", Path: "events", Label: "events", Title: "Events", About: "Arrivals, completions and everything else that changes the state", Form: figure.Count},
		func(r *qos.Measured) figure.Number { return figure.Number(r.Events) }),
	of(figure.Figure{Name: "end", Label: "simulated to", Title: "End of the simulation", About: "From the first arrival", Unit: "s", Form: figure.Span},
		func(r *qos.Measured) figure.Number { return figure.Number(r.End - r.Start) }),
	of(figure.Figure{Name: "controllers.availability", Key: "controllers.availability", Title: "Availability of controllers, mean", Form: figure.Part, Better: figure.More}, func(r *qos.Measured) figure.Number {
		mean, _ := OfControllers(r.Controllers)
		return mean
	}),
	of(figure.Figure{Name: "controllers.met", Key: "controllers.met", Title: "Controllers whose SLO was kept", Form: figure.Part, Better: figure.More}, func(r *qos.Measured) figure.Number {
		_, met := OfControllers(r.Controllers)
		return met
	}),
}

// demands returns the figures for the peak demand (figures 1 and 2), over all classes and of each
// class.
func demands() (all []figure.Figure) {
	for _, resource := range []struct {
		name, title string
		of          func(*qos.DemandSeries) []float64
	}{
		{"cpu", "CPU", func(s *qos.DemandSeries) []float64 { return s.RequestedCPU }},
		{"memory", "memory", func(s *qos.DemandSeries) []float64 { return s.RequestedMemory }},
	} {
		add := func(suffix, title, class string) {
			f := figure.Figure{Name: "demand." + resource.name + suffix, Title: "Largest demand for " + resource.title + title}
			all = append(all, of(f, func(r *qos.Measured) figure.Number {
				sums := make([]float64, len(r.Series.Time))
				known := false
				for i := range r.Series.Classes {
					s := &r.Series.Classes[i]
					if class != "" && class != s.Name {
						continue
					}
					known = known || len(sums) > 0
					for k, v := range resource.of(s) {
						sums[k] += v
					}
				}
				if !known {
					return figure.Undefined
				}
				return figure.Number(slices.Max(sums))
			}))
		}
		add("", "", "")
		for _, c := range qos.GoogleClasses(0) {
			add("."+c.Name, ", "+c.Name, c.Name)
		}
	}
	return all
}
