package qoskind

import (
	"context"
	"slices"

	"berth/engine/input/format/sniff"
	"berth/engine/parameter"
	"berth/engine/scenario"
)

// Kind is the scenario kind "qos", which simulates requests under policies.
var Kind = &scenario.Kind{
	Name: Name, Title: "QoS", Path: "/qos", Holds: "workload, hosts and policies",
	About:    "Which requests run now, and where, so that promised availability is kept and penalties are small?",
	Reads:    sniff.QoS | sniff.Manifests | sniff.Controllers | sniff.Classes,
	Document: func() scenario.Document { return &Document{} },
	Report:   func() scenario.ReportBody { return &Report{} },
	Prepare:  scenario.PrepareBy(Prepare),
	Gather:   gather.Gather,
	Subject:  "policy", Headline: []string{"penalty", "met", "availability.mean", "availability.min", "deficit.mean", "gini", "preemptions"},
	Figures:    Figures,
	Parameters: func() []parameter.Parameter { return slices.Concat(parameters, documentParameters) },
	Elements:   map[string]func(string) []parameter.Parameter{"policies": ofPolicy},
	Recipe:     figures,
}

// The questions of this kind. Questions about inputs may repeat a run to find the answer.
// PairQuestion needs the arrays of two policies, as the files FirstSide and SecondSide.
var (
	InspectQuestion  = scenario.NewQuestion("qos/inspect", scenario.Inputs, func(e *Prepared, _ context.Context, _ struct{}) (*Report, error) { return e.Inputs(), nil })
	TimelineQuestion = scenario.NewQuestion("qos/timeline", scenario.Inputs, (*Prepared).Timeline)
	WhyQuestion      = scenario.NewQuestion("qos/why", scenario.Inputs, (*Prepared).Why)
	ListQuestion     = scenario.NewQuestion("qos/list", scenario.Inputs, (*Prepared).List)
	PairQuestion     = scenario.NewTool("qos/pair", comparePair)
	SpreadQuestion   = scenario.NewQuestion("qos/spread", scenario.Results, (*Prepared).Spread)
)

// PolicyQuery names a policy by its index, from 0, in a question about its run with the first seed.
type PolicyQuery struct {
	Policy int
}
