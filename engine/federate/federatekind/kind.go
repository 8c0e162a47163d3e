package federatekind

import (
	"context"

	_ "berth/engine/federate/schedulers" // registers the schedulers that documents name
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
	"berth/engine/scenario"
)

// Kind is the kind of scenarios that simulate a data centre under several schedulers.
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

// Questions about the inputs and about a result. To answer a question about a result, the run is
// repeated.
var (
	SurveyQuestion   = scenario.NewQuestion("federate/survey", scenario.Inputs, func(e *Prepared, _ context.Context, _ struct{}) (*Report, error) { return e.Survey() })
	PlaybackQuestion = scenario.NewQuestion("federate/playback", scenario.Inputs, (*Prepared).Playback)
	TaskQuestion     = scenario.NewQuestion("federate/task", scenario.Inputs, (*Prepared).Task)
	TasksQuestion    = scenario.NewQuestion("federate/tasks", scenario.Inputs, (*Prepared).Tasks)
)
