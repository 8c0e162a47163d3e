package placementkind

import (
	"context"

	"berth/engine/input/format/sniff"
	_ "berth/engine/input/topology" // the formats of graphs other than DOT
	"berth/engine/parameter"
	"berth/engine/placement/graphs"
	"berth/engine/scenario"
)

// Kind is the kind of scenarios that place deployments on federations.
var Kind = &scenario.Kind{
	Name: Name, Title: "Placement", Path: "/placement", Holds: "graphs and strategies",
	About:    "Which cluster of a federation should host each job of a deployment? Compare strategies on your own graphs.",
	Reads:    sniff.Placement,
	Document: func() scenario.Document { return &Document{} },
	Report:   func() scenario.ReportBody { return &Report{} },
	Prepare:  scenario.PrepareBy(Prepare),
	Gather:   gather.Gather,
	Leads:    true,
	Subject:  "strategy", Headline: []string{"cost.total", "cost.node", "cost.link", "placed"},
	Figures:    Figures,
	Parameters: Parameters,
	Elements:   map[string]func(string) []parameter.Parameter{"strategies": ofStrategy},
	Recipe:     graphs.Figures,
}

// The questions about a result, about inputs, and about single graphs.
var (
	ExplainQuestion     = scenario.NewQuestion("placement/explain", scenario.Results, ask((*Prepared).Explain))
	PlayQuestion        = scenario.NewQuestion("placement/play", scenario.Results, (*Prepared).Play)
	StandingQuestion    = scenario.NewQuestion("placement/standing", scenario.Results, (*Prepared).Standing)
	HandQuestion        = scenario.NewQuestion("placement/hand", scenario.Results, (*Prepared).Hand)
	MatrixQuestion      = scenario.NewQuestion("placement/matrix", scenario.Results, ask((*Prepared).Matrix))
	DrawQuestion        = scenario.NewQuestion("placement/draw", scenario.Results, ask((*Prepared).Draw))
	FollowQuestion      = scenario.NewQuestion("placement/follow", scenario.Inputs, (*Prepared).Follow)
	OverviewQuestion    = scenario.NewQuestion("placement/overview", scenario.Results, ask((*Prepared).Overview))
	SensitivityQuestion = scenario.NewQuestion("placement/sensitivities", scenario.Results, (*Prepared).Sensitivities)
	ExportQuestion      = scenario.NewQuestion("placement/export", scenario.Results, ask((*Prepared).Export))
	CheckQuestion       = scenario.NewTool("placement/check", checkFiles)
	GenerateQuestion    = scenario.NewTool("placement/generate", answerGenerate)
	PartnerQuestion     = scenario.NewTool("placement/partner", answerPartner)
	InferredQuestion    = scenario.NewQuestion("placement/inferred", scenario.Inputs, (*Prepared).inferred)
	ClusterQuestion     = scenario.NewQuestion("placement/cluster", scenario.Inputs, (*Prepared).askClusters)
	NodesQuestion       = scenario.NewQuestion("placement/nodes", scenario.Results, ask((*Prepared).Hosts))
)

// ask adapts a method that does not need a context to a question.
func ask[Query, Answer any](answer func(*Prepared, Query) (Answer, error)) func(*Prepared, context.Context, Query) (Answer, error) {
	return func(e *Prepared, _ context.Context, q Query) (Answer, error) { return answer(e, q) }
}
