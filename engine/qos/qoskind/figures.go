package qoskind

import (
	"slices"

	"berth/engine/figure"
	"berth/engine/qos"
)

// Figures are all that is measured of a policy.
var Figures = declared()

func declared() []figure.Figure {
	var all []figure.Figure
	metric := func(name, title, unit string, better figure.Better, value func(*Run) figure.Number) {
		all = append(all, figure.Of(figure.Figure{Name: name, Title: title, Unit: unit, Better: better}, func(r *Report) []PolicyReport { return r.Policies },
			func(p *PolicyReport) figure.Number { return value(&p.Run) }))
	}
	ofClasses(metric, "", "", func(r *Run) *ClassFigures { return &r.All })
	metric("preemptions", "Preemptions", "", figure.Less, func(r *Run) figure.Number { return figure.Number(r.Preemptions) })
	metric("migrations", "Migrations", "", figure.Less, func(r *Run) figure.Number { return figure.Number(r.Migrations) })
	metric("overhead", "Time spent on allocations", "s", figure.Less, func(r *Run) figure.Number { return figure.Number(r.Overhead) })
	metric("operations", "Operations", "", figure.Less, func(r *Run) figure.Number { return figure.Number(r.Operations) })
	metric("passes", "Passes", "", figure.Less, func(r *Run) figure.Number { return figure.Number(r.Passes) })
	metric("operationsPerPass", "Operations per pass", "", figure.Less, func(r *Run) figure.Number {
		return figure.Number(float64(r.Operations) / float64(r.Passes))
	})
	metric("decisions", "Decisions", "", figure.Neither, func(r *Run) figure.Number { return figure.Number(r.Decisions) })
	metric("queue", "Queue, mean over passes", "requests", figure.Less, func(r *Run) figure.Number { return r.MeanQueue })
	metric("controllers.availability", "Availability of controllers, mean", "", figure.More, func(r *Run) figure.Number {
		return controllersMean(r, func(c *qos.ControllerReport) float64 { return c.Availability })
	})
	metric("controllers.met", "Controllers whose SLO was kept", "", figure.More, func(r *Run) figure.Number {
		return controllersMean(r, func(c *qos.ControllerReport) float64 {
			if c.Met {
				return 1
			}
			return 0
		})
	})
	demandMetrics(metric)
	for _, c := range qos.GoogleClasses(0) {
		ofClasses(metric, "."+c.Name, ", "+c.Name, func(r *Run) *ClassFigures {
			i := slices.IndexFunc(r.Classes, func(f ClassFigures) bool { return f.Name == c.Name })
			if i < 0 {
				return nil
			}
			return &r.Classes[i]
		})
	}
	return append(all, fairness()...)
}

// demandMetrics adds the largest demand (figures 1 and 2) of all classes and of each.
func demandMetrics(metric func(name, title, unit string, better figure.Better, value func(*Run) figure.Number)) {
	for _, resource := range []struct {
		name, title string
		of          func(*DemandSeries) []float64
	}{
		{"cpu", "CPU", func(s *DemandSeries) []float64 { return s.RequestedCPU }},
		{"memory", "memory", func(s *DemandSeries) []float64 { return s.RequestedMemory }},
	} {
		add := func(suffix, title, class string) {
			metric("demand."+resource.name+suffix, "Largest demand for "+resource.title+title, "", figure.Neither, func(r *Run) figure.Number {
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
			})
		}
		add("", "", "")
		for _, c := range qos.GoogleClasses(0) {
			add("."+c.Name, ", "+c.Name, c.Name)
		}
	}
}

// ofClasses adds the metrics of a class, or of all of them.
func ofClasses(metric func(name, title, unit string, better figure.Better, value func(*Run) figure.Number), suffix, title string, of func(*Run) *ClassFigures) {
	add := func(name, what, unit string, better figure.Better, value func(*ClassFigures) figure.Number) {
		metric(name+suffix, what+title, unit, better, func(r *Run) figure.Number {
			f := of(r)
			if f == nil || f.Requests == 0 {
				return figure.Undefined
			}
			return value(f)
		})
	}
	add("requests", "Requests", "", figure.Neither, func(f *ClassFigures) figure.Number { return figure.Number(f.Requests) })
	add("availability.mean", "Availability, mean", "", figure.More, func(f *ClassFigures) figure.Number { return f.Availability.Mean })
	add("availability.min", "Availability, least", "", figure.More, func(f *ClassFigures) figure.Number { return f.Availability.Min })
	add("met", "Requests whose SLO was kept", "", figure.More, func(f *ClassFigures) figure.Number {
		return figure.Number(float64(f.Fulfilled) / float64(f.Requests))
	})
	add("deficit.mean", "Deficit, mean", "", figure.Less, func(f *ClassFigures) figure.Number { return f.Deficits.Mean })
	add("deficit.p50", "Deficit, median", "", figure.Less, func(f *ClassFigures) figure.Number { return f.Deficits.P50 })
	add("deficit.p75", "Deficit, 75th percentile", "", figure.Less, func(f *ClassFigures) figure.Number { return f.Deficits.P75 })
	add("deficit.p95", "Deficit, 95th percentile", "", figure.Less, func(f *ClassFigures) figure.Number { return f.Deficits.P95 })
	add("deficit.p99", "Deficit, 99th percentile", "", figure.Less, func(f *ClassFigures) figure.Number { return f.Deficits.P99 })
	add("deficit.max", "Deficit, largest", "", figure.Less, func(f *ClassFigures) figure.Number { return f.Deficits.Max })
	add("shortfall", "Deficit over all requests, mean", "", figure.Less, func(f *ClassFigures) figure.Number {
		if f.Deficits.Count == 0 {
			return 0
		}
		return f.Deficits.Mean * figure.Number(f.Deficits.Count) / figure.Number(f.Requests)
	})
	add("penalty", "Penalty", "CPU-hours", figure.Less, func(f *ClassFigures) figure.Number { return f.Penalty })
	add("gini", "Gini coefficient of the availability", "", figure.Less, func(f *ClassFigures) figure.Number { return f.Gini })
}

func controllersMean(r *Run, of func(*qos.ControllerReport) float64) figure.Number {
	var sum float64
	for i := range r.Controllers {
		sum += of(&r.Controllers[i])
	}
	return figure.Number(sum / float64(len(r.Controllers)))
}
