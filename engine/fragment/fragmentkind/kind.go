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

// Warnings says what is doubtful about the inputs.
func (e *Prepared) Warnings() []string { return e.warnings }

// Run implements [scenario.Work]: every policy, one after the other. What ctx stops is
// marked as partial.
func (e *Prepared) Run(ctx context.Context, t *scenario.Timings) (scenario.ReportBody, error) {
	report := &Report{Nodes: len(e.nodes), Pods: len(e.pods), GPUs: gpusOf(e.nodes), Policies: []fragment.Result{}, Warnings: e.warnings}
	for i, name := range e.document.Policies {
		if report.Cancelled = ctx.Err() != nil; report.Cancelled {
			break
		}
		one, milliseconds, err := e.runPolicy(ctx, i, name)
		if err != nil {
			return nil, err
		}
		report.Cancelled = report.Cancelled || one.Partial
		report.Policies, t.Running = append(report.Policies, *one), append(t.Running, []float64{milliseconds})
	}
	return report, nil
}
