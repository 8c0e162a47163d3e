package fragmentkind

import (
	"context"
	"fmt"

	"berth/engine/kube/fragment"
	"berth/engine/scenario"
	"berth/engine/study"
)

// Kind is the scenario kind "fragment", which fills a cluster with pods under several policies.
var Kind = &scenario.Kind{
	Name: Name, Title: "Fragmentation", Path: study.Kind.Path, Holds: "nodes, pods and policies",
	About:    "How much of the GPUs can be allocated before what is free is in pieces too small to use?",
	Document: func() scenario.Document { return &Document{} },
	Report:   func() scenario.ReportBody { return &Report{} },
	Prepare:  scenario.PrepareBy(Prepare),
	Gather:   gather.Gather,
	Subject:  "policy", Headline: []string{"allocated.100", "fragmented.100", "refused"},
	Figures: Figures, Parameters: Parameters, Recipe: values,
}

// Document implements [scenario.Work].
func (e *Prepared) Document() scenario.Document { return e.document }

// Warnings returns the warnings about the inputs.
func (e *Prepared) Warnings() []string { return e.warnings }

// Run implements [scenario.Work]. It runs the policy of the row. If ctx ends, the result is
// partial.
func (e *Prepared) Run(ctx context.Context, row scenario.Row, tell func(scenario.Progress), t *scenario.Timings) (scenario.ReportBody, error) {
	report := &Report{Nodes: len(e.nodes), Pods: len(e.pods), Policies: []fragment.Result{}, Warnings: e.warnings}
	for i := range e.nodes {
		report.GPUs += e.nodes[i].GPUs
	}
	if report.cancelled = ctx.Err() != nil; report.cancelled {
		return report, nil
	}
	name := e.document.Policies[row.Subject]
	policy, err := fragment.Lookup(name)
	if err != nil {
		return nil, scenario.Wrong(fmt.Sprintf("%s.policies[%d]", Name, row.Subject), err)
	}
	config := fragment.Config{Nodes: e.nodes, Pods: e.pods, Policy: policy, Arrive: parameters[0].Value(e.document), Seed: e.document.Seed}
	var one *fragment.Result
	milliseconds := e.env.Time(ctx, name, func() {
		one, err = fragment.Run(ctx, config, func(part float64) {
			tell(scenario.Progress{Phase: "running", Fraction: part, Done: int64(row.Subject), Total: int64(len(e.document.Policies)), Unit: "policies"})
		})
	}, nil)
	if err != nil {
		return nil, scenario.WrongIn(Name, err)
	}
	one.Name = name
	report.Policies, report.cancelled = append(report.Policies, *one), one.Partial
	t.Running = [][]float64{{milliseconds}}
	return report, nil
}

// gather combines the reports of single policies into one. The report is marked as cancelled if a
// policy is missing or was stopped early.
var gather = scenario.Bodies[Report, fragment.Result]{
	List: func(r *Report) *[]fragment.Result { return &r.Policies },
	Over: func(r *Report, one *fragment.Result, _ []fragment.Result, _ int) {
		r.cancelled = r.cancelled || one.Partial
	},
	Ends: func(r *Report) { r.cancelled = true },
}
