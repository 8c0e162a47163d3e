package placementkind

import (
	"context"

	"berth/engine/scenario"
)

// Kind is the kind of scenarios that place deployments on federations.
var Kind = &scenario.Kind{
	Name: Name, Title: "Placement", Path: "/placement", Holds: "graphs and strategies",
	About:    "Which cluster of a federation should host each job of a deployment? Compare strategies on your own graphs.",
	Document: func() scenario.Document { return &Document{} },
	Report:   func() scenario.ReportBody { return &Report{} },
	Prepare: func(ctx context.Context, d scenario.Document, env scenario.Env) (scenario.Work, error) {
		return Prepare(ctx, d.(*Document), env)
	},
	Join: Join,
	Questions: []scenario.AnyQuestion{
		ExplainQuestion, StandingQuestion, MatrixQuestion, DrawQuestion, ExportQuestion, CheckQuestion, GenerateQuestion,
	},
	Metrics: metrics(),
}

// What can be asked of a result, and of single graphs.
var (
	ExplainQuestion  = scenario.NewQuestion("placement/explain", scenario.Results, ask((*Experiment).Explain))
	StandingQuestion = scenario.NewQuestion("placement/standing", scenario.Results, (*Experiment).Standing)
	MatrixQuestion   = scenario.NewQuestion("placement/matrix", scenario.Results, ask((*Experiment).Matrix))
	DrawQuestion     = scenario.NewQuestion("placement/draw", scenario.Results, ask((*Experiment).Draw))
	ExportQuestion   = scenario.NewQuestion("placement/export", scenario.Results, ask((*Experiment).Export))
	CheckQuestion    = scenario.NewTool("placement/check", checkFile)
	GenerateQuestion = scenario.NewTool("placement/generate", generate)
)

// ask makes a question of one that is answered at once.
func ask[Query, Answer any](answer func(*Experiment, Query) (Answer, error)) func(*Experiment, context.Context, Query) (Answer, error) {
	return func(e *Experiment, _ context.Context, q Query) (Answer, error) { return answer(e, q) }
}

func metrics() []scenario.Metric {
	metric := func(name, title string, better scenario.Better, value func(*StrategyReport) *float64) scenario.Metric {
		return scenario.NewMetric(name, title, "", better, func(r *Report) []StrategyReport { return r.Strategies }, value)
	}
	sum := func(of func(*DeploymentReport) float64) func(*StrategyReport) *float64 {
		return func(s *StrategyReport) *float64 {
			var total float64
			for i := range s.Deployments {
				total += of(&s.Deployments[i])
			}
			return &total
		}
	}
	return []scenario.Metric{
		metric("cost.total", "Total cost", scenario.Less, func(s *StrategyReport) *float64 { return s.Total.Total }),
		metric("cost.node", "Node cost", scenario.Less, func(s *StrategyReport) *float64 { return s.Total.Node }),
		metric("cost.link", "Link cost", scenario.Less, func(s *StrategyReport) *float64 { return s.Total.Link }),
		metric("jobs", "Jobs placed", scenario.More, sum(func(d *DeploymentReport) float64 { return float64(len(d.Placement)) })),
		metric("expansions", "Expansions", scenario.Less, sum(func(d *DeploymentReport) float64 { return float64(d.Expansions) })),
		metric("backtracks", "Backtracks", scenario.Less, sum(func(d *DeploymentReport) float64 { return float64(d.Backtracks) })),
	}
}
