package fragmentkind

import (
	"context"

	"berth/engine/fragment"
	"berth/engine/scenario"
	"berth/engine/study"
)

// Kind is the kind of scenarios that fill a cluster with pods under policies.
var Kind = &scenario.Kind{
	Name: Name, Title: "Fragmentation", Path: study.Kind.Path, Holds: "nodes, pods and policies",
	About:    "How much of the GPUs can be allocated before what is free is in pieces too small to use?",
	Document: func() scenario.Document { return &Document{} },
	Report:   func() scenario.ReportBody { return &Report{} },
	Prepare:  scenario.PrepareBy(Prepare),
	Gather:   gather.Gather,
	Subject:  "policy", Headline: []string{"allocated.100", "fragmented.100", "refused"},
	Figures: Figures,
}

// Prepared is a document whose inputs were read.
type Prepared struct {
	document *Document
	env      scenario.Env
	inputs
	warnings []string
}

// Document implements [scenario.Work].
func (e *Prepared) Document() scenario.Document { return e.document }

// Warnings returns the warnings about the inputs.
func (e *Prepared) Warnings() []string { return e.warnings }

// Run implements [scenario.Work]: one policy. What ctx stops is marked as partial.
func (e *Prepared) Run(ctx context.Context, row scenario.Row, tell func(scenario.Progress), t *scenario.Timings) (scenario.ReportBody, error) {
	report := &Report{Nodes: len(e.nodes), Pods: len(e.pods), GPUs: gpusOf(e.nodes), Policies: []fragment.Result{}, Warnings: e.warnings}
	if report.Cancelled = ctx.Err() != nil; report.Cancelled {
		return report, nil
	}
	one, milliseconds, err := e.runPolicy(ctx, row.Subject, tell)
	if err != nil {
		return nil, err
	}
	report.Policies, report.Cancelled = append(report.Policies, *one), one.Partial
	t.Running = [][]float64{{milliseconds}}
	return report, nil
}

// gather puts the policies together.
var gather = scenario.Bodies[Report, fragment.Result]{
	List: func(r *Report) *[]fragment.Result { return &r.Policies },
	Over: func(r *Report, one *fragment.Result, _ []fragment.Result, _ int) {
		r.Cancelled = r.Cancelled || one.Partial
	},
	Ends: func(r *Report) { r.Cancelled = true },
}
