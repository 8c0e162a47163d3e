package study

import (
	"context"

	"berth/engine/runs"
	"berth/engine/scenario"
)

// Kind is the kind of experiments.
var Kind = &scenario.Kind{
	Name: Name, Title: "Experiment", Path: "/gallery", Holds: "base, factors and seeds",
	About:    "What do many runs of one scenario show?",
	Document: func() scenario.Document { return &Document{} },
	Report:   func() scenario.ReportBody { return &Report{} },
	Prepare: func(_ context.Context, d scenario.Document, env scenario.Env) (scenario.Work, error) {
		plan, err := NewPlan(d.(*Document))
		if err != nil {
			return nil, scenario.WrongIn(Name, err)
		}
		return &work{d, plan, env}, nil
	},
}

// RunQuestion runs the scenario in a text. A page asks it once for each run of a plan.
var RunQuestion = scenario.NewTool("experiment/run", func(ctx context.Context, document string, _ scenario.Files) (*Result, error) {
	s, err := scenario.Decode([]byte(document))
	if err != nil {
		return nil, err
	}
	return Execute(ctx, s, scenario.Env{})
})

// work is an experiment that runs in this process, one run after the other.
type work struct {
	document scenario.Document
	plan     *Plan
	env      scenario.Env
}

// Document implements [scenario.Work].
func (w *work) Document() scenario.Document { return w.document }

// Run implements [scenario.Work]. If ctx ends, it returns the report of the runs that
// have ended.
func (w *work) Run(ctx context.Context, _ scenario.Row, tell func(scenario.Progress), _ *scenario.Timings) (scenario.ReportBody, error) {
	sheet, inputs := w.plan.NewSheet(), &scenario.Shared{}
	ctx = scenario.Share(ctx, inputs)
	// Carry returns an error if ctx ends. The missing runs then make the report partial.
	_ = sheet.Carry(ctx, nil, runs.InOrder(func(ctx context.Context, j Job) (*Result, error) {
		inputs.Next()
		return Execute(ctx, j.Scenario, w.of(j.Run, tell))
	}), nil)
	return sheet.Report(), nil
}

// of returns the environment of a run; its progress is the progress of the experiment.
func (w *work) of(run int, tell func(scenario.Progress)) scenario.Env {
	env, all := w.env, w.plan.Runs()
	env.Now = nil
	env.Progress = func(p scenario.Progress) {
		tell(scenario.Progress{
			Phase: "running", Fraction: (float64(run) + p.Fraction) / float64(all), Done: int64(run), Total: int64(all), Unit: "runs",
		})
	}
	return env
}
