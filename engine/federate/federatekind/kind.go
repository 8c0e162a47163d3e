package federatekind

import (
	"context"

	_ "berth/engine/federate/schedulers" // a document names them
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
	"berth/engine/scenario"
)

// Kind is the kind of scenarios that simulate a data centre under schedulers.
var Kind = &scenario.Kind{
	Name: Name, Title: "Federate", Path: "/federate", Holds: "trace, data centre and schedulers",
	About:    "How do many schedulers share one data centre without a central store?",
	Reads:    sniff.Federate,
	Document: func() scenario.Document { return &Document{} },
	Report:   func() scenario.ReportBody { return &Report{} },
	Prepare:  scenario.PrepareBy(Prepare),
	Gather:   gather.Gather,
	Subject:  "scheduler",
	Headline: []string{"allocation.p50", "allocation.p99", "jobDelay.p50", "jobDelay.p99", "utilisation"},
	Figures:  Figures, Parameters: Parameters, Recipe: workload.JobFigures,
}

// The questions about inputs and about a result, whose run is repeated as far as an answer needs
// it.
var (
	SurveyQuestion   = scenario.NewQuestion("federate/survey", scenario.Inputs, func(e *Prepared, _ context.Context, _ struct{}) (*Report, error) { return e.Survey() })
	PlaybackQuestion = scenario.NewQuestion("federate/playback", scenario.Inputs, (*Prepared).Playback)
	TaskQuestion     = scenario.NewQuestion("federate/task", scenario.Inputs, (*Prepared).Task)
	TasksQuestion    = scenario.NewQuestion("federate/tasks", scenario.Inputs, (*Prepared).Tasks)
)
