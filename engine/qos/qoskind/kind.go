package qoskind

import (
	"context"
	"slices"

	"berth/engine/format/sniff"
	"berth/engine/qos"
	"berth/engine/scenario"
)

// Kind is the kind of scenarios that simulate requests under policies.
var Kind = &scenario.Kind{
	Name: Name, Title: "QoS", Path: "/qos", Holds: "workload, hosts and policies",
	About:    "Which requests run now, and where, so that promised availability is kept and penalties are small?",
	Reads:    sniff.QoS | sniff.Manifests | sniff.Controllers | sniff.Classes,
	Document: func() scenario.Document { return &Document{} },
	Report:   func() scenario.ReportBody { return &Report{} },
	Prepare:  scenario.PrepareBy(Prepare),
	Join:     Join,
	Questions: []scenario.AnyQuestion{
		InspectQuestion, TimelineQuestion, WhyQuestion, ListQuestion, PairQuestion, StripsQuestion, ShapesQuestion,
	},
	Subject: "policy", Headline: []string{"penalty", "met", "availability.mean", "availability.min", "deficit.mean", "gini", "preemptions"},
	Metrics: metrics(),
}

// What can be asked of inputs and of a result, whose run is repeated as far as an
// answer needs it, and of the arrays of two policies (see [SideFiles]).
var (
	InspectQuestion  = scenario.NewQuestion("qos/inspect", scenario.Inputs, (*Prepared).inspected)
	TimelineQuestion = scenario.NewQuestion("qos/timeline", scenario.Inputs, (*Prepared).Timeline)
	WhyQuestion      = scenario.NewQuestion("qos/why", scenario.Inputs, (*Prepared).Why)
	ListQuestion     = scenario.NewQuestion("qos/list", scenario.Inputs, (*Prepared).List)
	PairQuestion     = scenario.NewTool("qos/pair", comparePair)
	StripsQuestion   = scenario.NewQuestion("qos/strips", scenario.Results, (*Prepared).Strips)
	ShapesQuestion   = scenario.NewQuestion("qos/shapes", scenario.Results, (*Prepared).Shapes)
)

func (e *Prepared) inspected(context.Context, struct{}) (*Report, error) { return e.Inputs(), nil }

func metrics() []scenario.Metric {
	var all []scenario.Metric
	metric := func(name, title, unit string, better scenario.Better, value func(*Run) qos.Number) {
		all = append(all, scenario.NewMetric(name, title, unit, better, func(r *Report) []PolicyReport { return r.Policies }, func(p *PolicyReport) *float64 {
			return scenario.Defined(float64(value(&p.Run)))
		}))
	}
	ofClasses(metric, "", "", func(r *Run) *ClassFigures { return &r.All })
	metric("preemptions", "Preemptions", "", scenario.Less, func(r *Run) qos.Number { return qos.Number(r.Preemptions) })
	metric("migrations", "Migrations", "", scenario.Less, func(r *Run) qos.Number { return qos.Number(r.Migrations) })
	metric("overhead", "Time spent on allocations", "s", scenario.Less, func(r *Run) qos.Number { return qos.Number(r.Overhead) })
	metric("operations", "Operations", "", scenario.Less, func(r *Run) qos.Number { return qos.Number(r.Operations) })
	metric("passes", "Passes", "", scenario.Less, func(r *Run) qos.Number { return qos.Number(r.Passes) })
	metric("operationsPerPass", "Operations per pass", "", scenario.Less, func(r *Run) qos.Number {
		return qos.Number(float64(r.Operations) / float64(r.Passes))
	})
	metric("decisions", "Decisions", "", scenario.Neither, func(r *Run) qos.Number { return qos.Number(r.Decisions) })
	metric("queue", "Queue, mean over passes", "requests", scenario.Less, func(r *Run) qos.Number { return r.MeanQueue })
	metric("controllers.availability", "Availability of controllers, mean", "", scenario.More, func(r *Run) qos.Number {
		return controllersMean(r, func(c *qos.ControllerReport) float64 { return c.Availability })
	})
	metric("controllers.met", "Controllers whose SLO was kept", "", scenario.More, func(r *Run) qos.Number {
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
	return append(all, fairnessMetrics()...)
}

// demandMetrics adds the largest demand (figures 1 and 2) of all classes and of each.
func demandMetrics(metric func(name, title, unit string, better scenario.Better, value func(*Run) qos.Number)) {
	for _, resource := range []struct {
		name, title string
		of          func(*DemandSeries) []float64
	}{
		{"cpu", "CPU", func(s *DemandSeries) []float64 { return s.RequestedCPU }},
		{"memory", "memory", func(s *DemandSeries) []float64 { return s.RequestedMemory }},
	} {
		add := func(suffix, title, class string) {
			metric("demand."+resource.name+suffix, "Largest demand for "+resource.title+title, "", scenario.Neither, func(r *Run) qos.Number {
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
					return undefined
				}
				return qos.Number(slices.Max(sums))
			})
		}
		add("", "", "")
		for _, c := range qos.GoogleClasses(0) {
			add("."+c.Name, ", "+c.Name, c.Name)
		}
	}
}

// ofClasses adds the metrics of a class, or of all of them.
func ofClasses(metric func(name, title, unit string, better scenario.Better, value func(*Run) qos.Number), suffix, title string, of func(*Run) *ClassFigures) {
	add := func(name, what, unit string, better scenario.Better, value func(*ClassFigures) qos.Number) {
		metric(name+suffix, what+title, unit, better, func(r *Run) qos.Number {
			f := of(r)
			if f == nil || f.Requests == 0 {
				return undefined
			}
			return value(f)
		})
	}
	add("requests", "Requests", "", scenario.Neither, func(f *ClassFigures) qos.Number { return qos.Number(f.Requests) })
	add("availability.mean", "Availability, mean", "", scenario.More, func(f *ClassFigures) qos.Number { return f.Availability.Mean })
	add("availability.min", "Availability, least", "", scenario.More, func(f *ClassFigures) qos.Number { return f.Availability.Min })
	add("met", "Requests whose SLO was kept", "", scenario.More, func(f *ClassFigures) qos.Number {
		return qos.Number(float64(f.Fulfilled) / float64(f.Requests))
	})
	add("deficit.mean", "Deficit, mean", "", scenario.Less, func(f *ClassFigures) qos.Number { return f.Deficits.Mean })
	add("deficit.p50", "Deficit, median", "", scenario.Less, func(f *ClassFigures) qos.Number { return f.Deficits.P50 })
	add("deficit.p75", "Deficit, 75th percentile", "", scenario.Less, func(f *ClassFigures) qos.Number { return f.Deficits.P75 })
	add("deficit.p95", "Deficit, 95th percentile", "", scenario.Less, func(f *ClassFigures) qos.Number { return f.Deficits.P95 })
	add("deficit.p99", "Deficit, 99th percentile", "", scenario.Less, func(f *ClassFigures) qos.Number { return f.Deficits.P99 })
	add("deficit.max", "Deficit, largest", "", scenario.Less, func(f *ClassFigures) qos.Number { return f.Deficits.Max })
	add("shortfall", "Deficit over all requests, mean", "", scenario.Less, func(f *ClassFigures) qos.Number {
		if f.Deficits.Count == 0 {
			return 0
		}
		return f.Deficits.Mean * qos.Number(f.Deficits.Count) / qos.Number(f.Requests)
	})
	add("penalty", "Penalty", "CPU-hours", scenario.Less, func(f *ClassFigures) qos.Number { return f.Penalty })
	add("gini", "Gini coefficient of the availability", "", scenario.Less, func(f *ClassFigures) qos.Number { return f.Gini })
}

func controllersMean(r *Run, of func(*qos.ControllerReport) float64) qos.Number {
	var sum float64
	for i := range r.Controllers {
		sum += of(&r.Controllers[i])
	}
	return qos.Number(sum / float64(len(r.Controllers)))
}
