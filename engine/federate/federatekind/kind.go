package federatekind

import (
	"context"
	"strconv"
	"strings"

	"berth/engine/scenario"
)

// Kind is the kind of scenarios that simulate a data centre under schedulers.
var Kind = &scenario.Kind{
	Name: Name, Title: "Federate", Path: "/federate", Holds: "trace, data centre and schedulers",
	About:    "How do many schedulers share one data centre without a central store?",
	Reads:    reads,
	Document: func() scenario.Document { return &Document{} },
	Report:   func() scenario.ReportBody { return &Report{} },
	Prepare: func(ctx context.Context, d scenario.Document, env scenario.Env) (scenario.Work, error) {
		return Prepare(ctx, d.(*Document), env)
	},
	Join:      Join,
	Questions: []scenario.AnyQuestion{SurveyQuestion, PlaybackQuestion, TaskQuestion, TasksQuestion},
	Metrics:   kindMetrics(),
}

// reads knows a trace by its first line: the header of a table of tasks, or the
// numbers of a job.
func reads(text string) string {
	line := scenario.FirstLine(text)
	if strings.Contains(line, "arrival") && strings.Contains(line, "duration") && strings.Contains(line, ",") {
		return "a trace of tasks"
	}
	fields := strings.Fields(line)
	for _, field := range fields {
		if _, err := strconv.ParseFloat(field, 64); err != nil {
			return ""
		}
	}
	if len(fields) < 4 {
		return ""
	}
	return "a trace of jobs"
}

// What can be asked of inputs and of a result, whose run is repeated as far as an
// answer needs it.
var (
	SurveyQuestion   = scenario.NewQuestion("federate/survey", scenario.Inputs, (*Experiment).surveyed)
	PlaybackQuestion = scenario.NewQuestion("federate/playback", scenario.Inputs, (*Experiment).Playback)
	TaskQuestion     = scenario.NewQuestion("federate/task", scenario.Inputs, (*Experiment).Task)
	TasksQuestion    = scenario.NewQuestion("federate/tasks", scenario.Inputs, (*Experiment).Tasks)
)

func (e *Experiment) surveyed(context.Context, struct{}) (*Report, error) { return e.Survey() }

func kindMetrics() []scenario.Metric {
	var all []scenario.Metric
	for _, m := range metrics {
		all = append(all, scenario.NewMetric(m.Name, m.Label, m.Unit, m.Better, func(r *Report) []SchedulerReport { return r.Schedulers }, m.of))
	}
	return all
}
