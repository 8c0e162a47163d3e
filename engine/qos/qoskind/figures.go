package qoskind

import (
	"cmp"
	"slices"

	"berth/engine/figure"
	"berth/engine/qos"
)

// ClassFigure is a figure of a class of requests, or of all of them. Experiments have
// those with a name, for each class; tables those with a label; and CSV those with a
// column.
type ClassFigure struct {
	figure.Figure
	Column string
	Of     func(*ClassFigures) figure.Number
	Seeds  func(*SeedFigures) figure.Estimate // nil where there is none
}

// ClassFigureList are all that is measured of a class, in the order in which they are
// shown.
var ClassFigureList = slices.Concat([]ClassFigure{
	{figure.Figure{Name: "requests", Label: "requests", Title: "Requests", About: "Requests of the class that were admitted", Form: figure.Count}, "requests",
		func(f *ClassFigures) figure.Number { return figure.Number(f.Requests) }, nil},
	{figure.Figure{Label: "fulfilled", About: "Requests whose availability reached the SLO", Form: figure.Count, Better: figure.More}, "fulfilled",
		func(f *ClassFigures) figure.Number { return figure.Number(f.Fulfilled) }, nil},
	{figure.Figure{Name: "met", Title: "Requests whose SLO was kept", Form: figure.Part, Better: figure.More}, "",
		func(f *ClassFigures) figure.Number { return figure.Number(float64(f.Fulfilled) / float64(f.Requests)) }, nil},
	{figure.Figure{Name: "availability.mean", Label: "mean availability", Title: "Availability, mean", Form: figure.Part, Better: figure.More,
		About: "Mean of running time divided by time since admission; ± is the 95 % confidence interval over the seeds"}, "availability_mean",
		func(f *ClassFigures) figure.Number { return f.Availability.Mean }, func(s *SeedFigures) figure.Estimate { return s.Availability }},
	column("availability_half_width", func(f *ClassFigures) figure.Number { return f.MeanHalfWidth }),
}, availabilities(), []ClassFigure{
	{figure.Figure{Name: "deficit.mean", Label: "deficit", Title: "Deficit, mean", About: "Mean of SLO − availability of the requests that missed their SLO", Form: figure.Part, Better: figure.Less}, "deficit_mean",
		func(f *ClassFigures) figure.Number { return f.Deficits.Mean }, func(s *SeedFigures) figure.Estimate { return s.Deficit }},
	column("deficit_half_width", func(f *ClassFigures) figure.Number { return f.Deficits.At("halfWidth") }),
}, deficits(), []ClassFigure{
	{figure.Figure{Name: "deficit.max", Title: "Deficit, largest", Form: figure.Part, Better: figure.Less}, "deficit_max",
		func(f *ClassFigures) figure.Number { return f.Deficits.At("max") }, nil},
	{figure.Figure{Name: "shortfall", Title: "Deficit over all requests, mean", Form: figure.Part, Better: figure.Less}, "", shortfall, nil},
	{figure.Figure{Name: "penalty", Label: "penalty", Title: "Penalty", About: "Sum of the penalties, in CPU-hours", Unit: "CPU-hours", Better: figure.Less}, "penalty_cpu_h",
		func(f *ClassFigures) figure.Number { return f.Penalty }, func(s *SeedFigures) figure.Estimate { return s.Penalty }},
	{figure.Figure{Name: "gini", Label: "Gini", Title: "Gini coefficient of the availability", About: "Inequality of the availabilities: 0 if all are the same", Better: figure.Less}, "gini",
		func(f *ClassFigures) figure.Number { return f.Gini }, func(s *SeedFigures) figure.Estimate { return s.Gini }},
	{figure.Figure{Label: "preemptions", About: "How often an instance was preempted", Form: figure.Count, Better: figure.Less}, "preemptions",
		func(f *ClassFigures) figure.Number { return figure.Number(f.Preemptions) }, nil},
	{figure.Figure{Label: "migrations", About: "How often an instance continued on another host", Form: figure.Count, Better: figure.Less}, "migrations",
		func(f *ClassFigures) figure.Number { return figure.Number(f.Migrations) }, nil},
	{figure.Figure{Label: "overhead (s)", About: "Time spent on preparing hosts", Better: figure.Less}, "overhead_s",
		func(f *ClassFigures) figure.Number { return figure.Number(f.Overhead) }, nil},
	column("ran_s", func(f *ClassFigures) figure.Number { return figure.Number(f.Ran) }),
})

// column is a figure that CSV alone has.
func column(name string, value func(*ClassFigures) figure.Number) ClassFigure {
	return ClassFigure{Column: name, Of: value}
}

// pointsAbout say in words what some quantiles of the availabilities are.
var pointsAbout = map[string]string{"min": "Lowest availability", "p50": "Median of the availability"}

// availabilities are the quantiles of the availabilities. Those without a label are in CSV
// alone.
func availabilities() (all []ClassFigure) {
	for _, p := range qos.Percentiles {
		f := column(p.Name, func(f *ClassFigures) figure.Number { return f.Availability.At(p.Name) })
		if p.Label != "" {
			f.Figure = figure.Figure{Name: "availability." + p.Name, Label: p.Label, Title: "Availability, " + p.Title,
				About: cmp.Or(pointsAbout[p.Name], p.Label+" quantile of the availability"), Form: figure.Part, Better: figure.More}
		}
		all = append(all, f)
	}
	return all
}

// deficits are the quantiles of the deficits from the median on.
func deficits() (all []ClassFigure) {
	for _, p := range deficitPoints {
		if p.P >= 0.5 && p.P < 1 {
			f := figure.Figure{Name: "deficit." + p.Name, Title: "Deficit, " + p.Title, Form: figure.Part, Better: figure.Less}
			all = append(all, ClassFigure{Figure: f, Of: func(f *ClassFigures) figure.Number { return f.Deficits.At(p.Name) }})
		}
	}
	return all
}

func shortfall(f *ClassFigures) figure.Number {
	n := f.Deficits.At("count")
	if n == 0 {
		return 0
	}
	return f.Deficits.Mean * n / figure.Number(f.Requests)
}

// Figures are all that is measured of a policy: of all classes, of the run, and of each
// class.
var Figures = declared()

func declared() []figure.Figure {
	all := ofClass("", "", func(r *Run) *ClassFigures { return &r.All })
	all = append(all, ofRun...)
	all = append(all, demands()...)
	for _, c := range qos.GoogleClasses(0) {
		all = append(all, ofClass("."+c.Name, ", "+c.Name, func(r *Run) *ClassFigures {
			i := slices.IndexFunc(r.Classes, func(f ClassFigures) bool { return f.Name == c.Name })
			if i < 0 {
				return nil
			}
			return &r.Classes[i]
		})...)
	}
	return append(all, fairness()...)
}

// ofClass are the figures of a class, undefined where it has no requests.
func ofClass(suffix, title string, class func(*Run) *ClassFigures) (all []figure.Figure) {
	for _, f := range ClassFigureList {
		if f.Name == "" {
			continue
		}
		all = append(all, of(figure.Figure{Name: f.Name + suffix, Title: f.Title + title, Unit: f.Unit, Form: f.Form, Better: f.Better}, func(r *Run) figure.Number {
			c := class(r)
			if c == nil || c.Requests == 0 {
				return figure.Undefined
			}
			return f.Of(c)
		}))
	}
	return all
}

func of(f figure.Figure, value func(*Run) figure.Number) figure.Figure {
	return figure.Of(f, func(r *Report) []PolicyReport { return r.Policies }, func(p *PolicyReport) figure.Number { return value(&p.Run) })
}

// ofRun are how much work a policy was, and what became of controllers.
var ofRun = []figure.Figure{
	of(figure.Figure{Name: "preemptions", Label: "preemptions", Title: "Preemptions", About: "How often an instance was preempted", Form: figure.Count, Better: figure.Less},
		func(r *Run) figure.Number { return figure.Number(r.Preemptions) }),
	of(figure.Figure{Name: "migrations", Title: "Migrations", Form: figure.Count, Better: figure.Less}, func(r *Run) figure.Number { return figure.Number(r.Migrations) }),
	of(figure.Figure{Name: "overhead", Title: "Time spent on allocations", Unit: "s", Better: figure.Less}, func(r *Run) figure.Number { return figure.Number(r.Overhead) }),
	of(figure.Figure{Name: "queue", Label: "queue, mean over passes", Title: "Queue, mean over passes", Unit: "requests", Better: figure.Less,
		About: "Requests waiting at each pass over the queue; all passes count the same, however far apart they are"}, func(r *Run) figure.Number { return r.MeanQueue }),
	of(figure.Figure{Name: "queue.time", Label: "queue, mean over time", Title: "Queue, mean over time", Unit: "requests", Better: figure.Less,
		About: "Requests waiting, averaged over time, with the time when the queue is empty"}, func(r *Run) figure.Number {
		mean, _ := r.Series.Waiting(r.End)
		return figure.Number(mean)
	}),
	of(figure.Figure{Name: "queue.max", Label: "queue, longest", Title: "Queue, longest", Unit: "requests", Better: figure.Less,
		About: "Most requests waiting at one time in the chart over time"}, func(r *Run) figure.Number {
		_, most := r.Series.Waiting(r.End)
		return figure.Number(most)
	}),
	of(figure.Figure{Name: "passes", Label: "passes", Title: "Passes", About: "Passes over a queue that is not empty", Form: figure.Count, Better: figure.Less},
		func(r *Run) figure.Number { return figure.Number(r.Passes) }),
	of(figure.Figure{Name: "decisions", Label: "decisions", Title: "Decisions", About: "Requests that got a host", Form: figure.Count},
		func(r *Run) figure.Number { return figure.Number(r.Decisions) }),
	of(figure.Figure{Name: "operations", Label: "operations", Title: "Operations", About: "One is the feasibility and score of one host for one request", Form: figure.Count, Better: figure.Less},
		func(r *Run) figure.Number { return figure.Number(r.Operations) }),
	of(figure.Figure{Name: "operationsPerPass", Label: "operations a pass", Title: "Operations per pass", About: "Mean over all passes", Better: figure.Less},
		func(r *Run) figure.Number { return figure.Number(float64(r.Operations) / float64(r.Passes)) }),
	of(figure.Figure{Name: "events", Label: "events", Title: "Events", About: "Arrivals, completions and everything else that changes the state", Form: figure.Count},
		func(r *Run) figure.Number { return figure.Number(r.Events) }),
	of(figure.Figure{Name: "end", Label: "simulated to", Title: "End of the simulation", About: "From the first arrival", Unit: "s", Form: figure.Span},
		func(r *Run) figure.Number { return figure.Number(r.End - r.Start) }),
	of(figure.Figure{Name: "controllers.availability", Title: "Availability of controllers, mean", Form: figure.Part, Better: figure.More}, func(r *Run) figure.Number {
		mean, _ := OfControllers(r.Controllers)
		return mean
	}),
	of(figure.Figure{Name: "controllers.met", Title: "Controllers whose SLO was kept", Form: figure.Part, Better: figure.More}, func(r *Run) figure.Number {
		_, met := OfControllers(r.Controllers)
		return met
	}),
}

// demands are the largest demand (figures 1 and 2) of all classes and of each.
func demands() (all []figure.Figure) {
	for _, resource := range []struct {
		name, title string
		of          func(*DemandSeries) []float64
	}{
		{"cpu", "CPU", func(s *DemandSeries) []float64 { return s.RequestedCPU }},
		{"memory", "memory", func(s *DemandSeries) []float64 { return s.RequestedMemory }},
	} {
		add := func(suffix, title, class string) {
			f := figure.Figure{Name: "demand." + resource.name + suffix, Title: "Largest demand for " + resource.title + title}
			all = append(all, of(f, func(r *Run) figure.Number {
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
