package placementkind

import (
	"context"

	"berth/engine/diag"
	"berth/engine/input/format"
	"berth/engine/input/format/sniff"
	_ "berth/engine/input/topology" // the formats of graphs other than DOT
	"berth/engine/kube"
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
	Questions: []scenario.AnyQuestion{
		ExplainQuestion, PlayQuestion, StandingQuestion, MatrixQuestion, DrawQuestion, FollowQuestion, OverviewQuestion,
		SensitivityQuestion, ExportQuestion, CheckQuestion, GenerateQuestion, PartnerQuestion,
	},
	Subject: "strategy", Headline: []string{"cost.total", "cost.node", "cost.link", "placed"},
	Figures:    Figures,
	Parameters: Parameters,
	Elements:   map[string]func(string) []parameter.Parameter{"strategies": ofStrategy},
	Recipe:     graphs.Figures,
}

// What can be asked of a result, and of graphs by themselves.
var (
	ExplainQuestion     = scenario.NewQuestion("placement/explain", scenario.Results, ask((*Prepared).Explain))
	PlayQuestion        = scenario.NewQuestion("placement/play", scenario.Results, (*Prepared).Play)
	StandingQuestion    = scenario.NewQuestion("placement/standing", scenario.Results, (*Prepared).Standing)
	MatrixQuestion      = scenario.NewQuestion("placement/matrix", scenario.Results, ask((*Prepared).Matrix))
	DrawQuestion        = scenario.NewQuestion("placement/draw", scenario.Results, ask((*Prepared).Draw))
	FollowQuestion      = scenario.NewQuestion("placement/follow", scenario.Inputs, (*Prepared).Follow)
	OverviewQuestion    = scenario.NewQuestion("placement/overview", scenario.Results, ask((*Prepared).Overview))
	SensitivityQuestion = scenario.NewQuestion("placement/sensitivities", scenario.Results, (*Prepared).Sensitivities)
	ExportQuestion      = scenario.NewQuestion("placement/export", scenario.Results, ask((*Prepared).Export))
	CheckQuestion       = scenario.NewTool("placement/check", checkFiles)
	GenerateQuestion    = scenario.NewTool("placement/generate", answerGenerate)
	PartnerQuestion     = scenario.NewTool("placement/partner", answerPartner)
)

// What can be asked where [RegisterNodes] was called, of manifests and nodes.
var (
	InferredQuestion = scenario.Elsewhere[struct{}, []InferredDependency]("placement/inferred")
	ClusterQuestion  = scenario.Elsewhere[ClusterQuery, *ClusterAnswer]("placement/cluster")
	NodesQuestion    = scenario.Elsewhere[HostsQuery, *Hosts]("placement/nodes")
)

// RegisterNodes registers the readers of manifests and nodes, which programs that read DOT
// alone do not link.
func RegisterNodes(clusters func(file string, text []byte, o format.Options) (*kube.Cluster, diag.List),
	pools func(file string, text []byte, o format.Options) ([]kube.NodeType, diag.List)) {
	readCluster, readPools = clusters, pools
	newPacker = func(c *kube.Cluster, groups []kube.Group) podPacker { return kube.NewPacker(c, groups, 0) }
	wouldOf = (*world).would
	Kind.Questions = append(Kind.Questions,
		scenario.NewQuestion(InferredQuestion.Path(), scenario.Inputs, (*Prepared).inferred),
		scenario.NewQuestion(ClusterQuestion.Path(), scenario.Inputs, (*Prepared).askClusters),
		scenario.NewQuestion(NodesQuestion.Path(), scenario.Results, ask((*Prepared).Hosts)))
}

// ask makes a question of one that is answered at once.
func ask[Query, Answer any](answer func(*Prepared, Query) (Answer, error)) func(*Prepared, context.Context, Query) (Answer, error) {
	return func(e *Prepared, _ context.Context, q Query) (Answer, error) { return answer(e, q) }
}
