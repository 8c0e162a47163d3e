package placementkind

import (
	"context"
	"fmt"

	"berth/engine/format/sniff"
	"berth/engine/packing"
	"berth/engine/placement"
	"berth/engine/scenario"
	"berth/engine/show"
)

// Kind is the kind of scenarios that place deployments on federations.
var Kind = &scenario.Kind{
	Name: Name, Title: "Placement", Path: "/placement", Holds: "graphs and strategies",
	About:    "Which cluster of a federation should host each job of a deployment? Compare strategies on your own graphs.",
	Reads:    sniff.Placement,
	Document: func() scenario.Document { return &Document{} },
	Report:   func() scenario.ReportBody { return &Report{} },
	Prepare:  scenario.PrepareBy(Prepare),
	Join:     Join,
	Questions: []scenario.AnyQuestion{
		ExplainQuestion, StandingQuestion, MatrixQuestion, DrawQuestion, FollowQuestion, OverviewQuestion,
		ExportQuestion, CheckQuestion, GenerateQuestion,
	},
	Subject: "strategy", Headline: []string{"cost.total", "cost.node", "cost.link", "placed"},
	Metrics: metrics(),
}

// What can be asked of a result, and of graphs by themselves.
var (
	ExplainQuestion  = scenario.NewQuestion("placement/explain", scenario.Results, ask((*Prepared).Explain))
	StandingQuestion = scenario.NewQuestion("placement/standing", scenario.Results, (*Prepared).Standing)
	MatrixQuestion   = scenario.NewQuestion("placement/matrix", scenario.Results, ask((*Prepared).Matrix))
	DrawQuestion     = scenario.NewQuestion("placement/draw", scenario.Results, ask((*Prepared).Draw))
	FollowQuestion   = scenario.NewQuestion("placement/follow", scenario.Inputs, (*Prepared).Follow)
	OverviewQuestion = scenario.NewQuestion("placement/overview", scenario.Results, ask((*Prepared).Overview))
	ExportQuestion   = scenario.NewQuestion("placement/export", scenario.Results, ask((*Prepared).Export))
	CheckQuestion    = scenario.NewTool("placement/check", checkFiles)
	GenerateQuestion = scenario.NewTool("placement/generate", answerGenerate)
)

// What can be asked of manifests and nodes, where [RegisterNodes] was called.
var (
	InferredQuestion = scenario.Elsewhere[struct{}, []InferredDependency]("placement/inferred")
	NodesQuestion    = scenario.Elsewhere[HostsQuery, *Hosts]("placement/nodes")
)

// RegisterNodes has this program answer what is asked of manifests and nodes, which
// programs need not that read neither.
func RegisterNodes() {
	newPacker = func(c *packing.Cluster, groups []packing.Group) podPacker { return packing.NewPacker(c, groups, 0) }
	Kind.Questions = append(Kind.Questions,
		scenario.NewQuestion(InferredQuestion.Path(), scenario.Inputs, (*Prepared).inferred),
		scenario.NewQuestion(NodesQuestion.Path(), scenario.Results, ask((*Prepared).Hosts)))
}

// ask makes a question of one that is answered at once.
func ask[Query, Answer any](answer func(*Prepared, Query) (Answer, error)) func(*Prepared, context.Context, Query) (Answer, error) {
	return func(e *Prepared, _ context.Context, q Query) (Answer, error) { return answer(e, q) }
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
	affinity := metric("affinity", "Affinity of the first job, mean", scenario.Neither, func(s *StrategyReport) *float64 {
		if s.affinity == nil {
			return nil
		}
		return s.affinity()
	})
	affinity.OfRun = true
	all = append(all, affinity)
	for i := range ordinals {
		each := func(name, title string, better scenario.Better, value func(*DeploymentReport) *float64) {
			all = append(all, ofDeployment(i, title, metric(fmt.Sprintf("%s.%d", name, i), "", better, func(s *StrategyReport) *float64 {
				if i >= len(s.Deployments) {
					return nil
				}
				return value(&s.Deployments[i])
			})))
		}
		each("placed", "Whether %s is placed", scenario.More, func(d *DeploymentReport) *float64 { return new(isPlaced(d)) })
		each("perUnit", "Node cost by unit of %s", scenario.Less, func(d *DeploymentReport) *float64 { return d.PerUnit })
		each("perLink", "Link cost by dependency of %s", scenario.Less, func(d *DeploymentReport) *float64 { return d.PerLink })
		each("expansions", "Expansions of %s", scenario.Less, func(d *DeploymentReport) *float64 { return new(float64(d.Expansions)) })
		all = append(all, expansionsPerUnit(i))
	}
	return all
}

// ofDeployment gives a metric of a deployment, from 0, its title, which names it in a
// report and counts elsewhere.
func ofDeployment(i int, title string, m scenario.Metric) scenario.Metric {
	m.Title = fmt.Sprintf(title, "the "+ordinals[i]+" deployment")
	m.TitleIn = func(body scenario.ReportBody) string {
		if r, ok := body.(*Report); ok && i < len(r.Deployments) {
			return fmt.Sprintf(title, show.Text(r.Deployments[i].Name))
		}
		return m.Title
	}
	return m
}

// expansionsPerUnit is what figures 6.8 and 6.9 have beside the time, of a deployment.
func expansionsPerUnit(deployment int) scenario.Metric {
	return ofDeployment(deployment, "Expansions by unit of %s", scenario.Metric{
		Name: fmt.Sprintf("expansionsPerUnit.%d", deployment), Better: scenario.Less,
		Value: func(body scenario.ReportBody, strategy int) (float64, bool) {
			r, ok := body.(*Report)
			if !ok || strategy < 0 || strategy >= len(r.Strategies) || deployment >= len(r.Strategies[strategy].Deployments) {
				return 0, false
			}
			value := ratio(float64(r.Strategies[strategy].Deployments[deployment].Expansions), r.Deployments[deployment].Units)
			if value == nil {
				return 0, false
			}
			return *value, true
		},
	})
}

// ordinals count the deployments that have metrics of their own: as many as the thesis has.
var ordinals = [...]string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}

// isPlaced is 1 or 0.
func isPlaced(d *DeploymentReport) float64 {
	if d.Status == placement.Placed {
		return 1
	}
	return 0
}
