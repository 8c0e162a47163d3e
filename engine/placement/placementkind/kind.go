package placementkind

import (
	"context"
	"fmt"

	"berth/engine/dot"
	"berth/engine/placement"
	"berth/engine/scenario"
)

// Kind is the kind of scenarios that place deployments on federations.
var Kind = &scenario.Kind{
	Name: Name, Title: "Placement", Path: "/placement", Holds: "graphs and strategies",
	About:    "Which cluster of a federation should host each job of a deployment? Compare strategies on your own graphs.",
	Reads:    reads,
	Document: func() scenario.Document { return &Document{} },
	Report:   func() scenario.ReportBody { return &Report{} },
	Prepare: func(ctx context.Context, d scenario.Document, env scenario.Env) (scenario.Work, error) {
		return Prepare(ctx, d.(*Document), env)
	},
	Join: Join,
	Questions: []scenario.AnyQuestion{
		ExplainQuestion, StandingQuestion, MatrixQuestion, DrawQuestion, ExportQuestion, CheckQuestion, GenerateQuestion,
	},
	Subject: "strategy", Headline: []string{"cost.total", "cost.node", "cost.link", "placed"},
	Metrics: metrics(),
}

// reads knows a graph by its first word.
func reads(text string) string {
	if !dot.IsGraph(text) {
		return ""
	}
	return "a graph in DOT"
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
	all := []scenario.Metric{
		metric("cost.total", "Total cost", scenario.Less, func(s *StrategyReport) *float64 { return s.Total.Total }),
		metric("cost.node", "Node cost", scenario.Less, func(s *StrategyReport) *float64 { return s.Total.Node }),
		metric("cost.link", "Link cost", scenario.Less, func(s *StrategyReport) *float64 { return s.Total.Link }),
		metric("placed", "Deployments placed", scenario.More, sum(isPlaced)),
		metric("jobs", "Jobs placed", scenario.More, sum(func(d *DeploymentReport) float64 { return float64(len(d.Placement)) })),
		metric("expansions", "Expansions", scenario.Less, sum(func(d *DeploymentReport) float64 { return float64(d.Expansions) })),
		metric("backtracks", "Backtracks", scenario.Less, sum(func(d *DeploymentReport) float64 { return float64(d.Backtracks) })),
	}
	for i := range measuredDeployments {
		each := func(name, title string, better scenario.Better, value func(*DeploymentReport) *float64) {
			all = append(all, metric(fmt.Sprintf("%s.%d", name, i), fmt.Sprintf("%s of deployment %d", title, i), better, func(s *StrategyReport) *float64 {
				if i >= len(s.Deployments) {
					return nil
				}
				return value(&s.Deployments[i])
			}))
		}
		each("placed", "Whether there is a place", scenario.More, func(d *DeploymentReport) *float64 { return new(isPlaced(d)) })
		each("perUnit", "Node cost by unit", scenario.Less, func(d *DeploymentReport) *float64 { return d.PerUnit })
		each("perLink", "Link cost by dependency", scenario.Less, func(d *DeploymentReport) *float64 { return d.PerLink })
		each("expansions", "Expansions", scenario.Less, func(d *DeploymentReport) *float64 { return new(float64(d.Expansions)) })
	}
	return all
}

// measuredDeployments is how many deployments have metrics of their own: as many as
// the thesis has.
const measuredDeployments = 10

// isPlaced is 1 or 0.
func isPlaced(d *DeploymentReport) float64 {
	if d.Status == placement.Placed {
		return 1
	}
	return 0
}
