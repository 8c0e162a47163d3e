package qoskind

import (
	"context"
	"math"

	"berth/engine/qos"
	"berth/engine/scenario"
)

// Kind is the kind of scenarios that simulate requests under policies.
var Kind = &scenario.Kind{
	Name: Name, Title: "QoS", Path: "/qos", Holds: "workload, hosts and policies",
	About:    "Which requests run now, and where, so that promised availability is kept and penalties are small?",
	Reads:    reads,
	Document: func() scenario.Document { return &Document{} },
	Report:   func() scenario.ReportBody { return &Report{} },
	Prepare: func(ctx context.Context, d scenario.Document, env scenario.Env) (scenario.Work, error) {
		return Prepare(ctx, d.(*Document), env)
	},
	Join: Join,
	Questions: []scenario.AnyQuestion{
		InspectQuestion, TimelineQuestion, WhyQuestion, ListQuestion, PairQuestion, StripsQuestion, ShapesQuestion,
	},
	Metrics: metrics(),
}

// What can be asked of inputs and of a result, whose run is repeated as far as an
// answer needs it, and of the arrays of policies (see [SideFiles]).
var (
	InspectQuestion  = scenario.NewQuestion("qos/inspect", scenario.Inputs, (*Experiment).inspected)
	TimelineQuestion = scenario.NewQuestion("qos/timeline", scenario.Inputs, (*Experiment).Timeline)
	WhyQuestion      = scenario.NewQuestion("qos/why", scenario.Inputs, (*Experiment).Why)
	ListQuestion     = scenario.NewQuestion("qos/list", scenario.Inputs, (*Experiment).List)
	PairQuestion     = scenario.NewTool("qos/pair", comparePair)
	StripsQuestion   = scenario.NewTool("qos/strips", ofSide(Strips))
	ShapesQuestion   = scenario.NewTool("qos/shapes", ofSide(Shapes))
)

func (e *Experiment) inspected(context.Context, struct{}) (*Report, error) { return e.Inputs(), nil }

func metrics() []scenario.Metric {
	metric := func(name, title, unit string, better scenario.Better, value func(*Run) qos.Figure) scenario.Metric {
		return scenario.NewMetric(name, title, unit, better, func(r *Report) []PolicyReport { return r.Policies }, func(p *PolicyReport) *float64 {
			return scenario.Defined(float64(value(&p.Run)))
		})
	}
	return []scenario.Metric{
		metric("availability.mean", "Availability, mean", "", scenario.More, func(r *Run) qos.Figure { return r.All.Availability.Mean }),
		metric("availability.min", "Availability, least", "", scenario.More, func(r *Run) qos.Figure { return r.All.Availability.Min }),
		metric("met", "Requests whose SLO was kept", "", scenario.More, func(r *Run) qos.Figure {
			if r.Requests == 0 {
				return qos.Figure(math.NaN())
			}
			return qos.Figure(float64(r.All.Fulfilled) / float64(r.Requests))
		}),
		metric("deficit.mean", "Deficit, mean", "", scenario.Less, func(r *Run) qos.Figure { return r.All.Deficits.Mean }),
		metric("deficit.p95", "Deficit, 95th percentile", "", scenario.Less, func(r *Run) qos.Figure { return r.All.Deficits.P95 }),
		metric("penalty", "Penalty", "CPU-hours", scenario.Less, func(r *Run) qos.Figure { return r.All.Penalty }),
		metric("gini", "Gini coefficient of the availability", "", scenario.Less, func(r *Run) qos.Figure { return r.All.Gini }),
		metric("preemptions", "Preemptions", "", scenario.Less, func(r *Run) qos.Figure { return qos.Figure(r.Preemptions) }),
		metric("migrations", "Migrations", "", scenario.Less, func(r *Run) qos.Figure { return qos.Figure(r.Migrations) }),
		metric("overhead", "Time spent on allocations", "s", scenario.Less, func(r *Run) qos.Figure { return qos.Figure(r.Overhead) }),
		metric("operations", "Operations", "", scenario.Less, func(r *Run) qos.Figure { return qos.Figure(r.Operations) }),
		metric("queue", "Queue, mean", "requests", scenario.Less, func(r *Run) qos.Figure { return r.MeanQueue }),
	}
}
