package placementkind

import (
	"fmt"

	"berth/engine/figure"
	"berth/engine/placement"
	"berth/engine/show"
)

// Figures are all that is measured of a strategy, in the order in which they are shown.
var Figures = declared()

func declared() []figure.Figure {
	all := []figure.Figure{
		of("cost.total", "Total cost", figure.Less, func(s *StrategyReport) figure.Number { return figure.From(s.Total.Total) }),
		of("cost.node", "Node cost", figure.Less, func(s *StrategyReport) figure.Number { return figure.From(s.Total.Node) }),
		of("cost.link", "Link cost", figure.Less, func(s *StrategyReport) figure.Number { return figure.From(s.Total.Link) }),
		of("placed", "Deployments placed", figure.More, sum(isPlaced)),
		of("jobs", "Jobs placed", figure.More, sum(func(d *DeploymentReport) figure.Number { return figure.Number(len(d.Placement)) })),
		of("expansions", "Expansions", figure.Less, sum(expansions)),
		of("backtracks", "Backtracks", figure.Less, sum(func(d *DeploymentReport) figure.Number { return figure.Number(d.Backtracks) })),
	}
	affinity := of("affinity", "Affinity of the first job, mean", figure.Neither, func(s *StrategyReport) figure.Number {
		if s.affinity == nil {
			return figure.Undefined
		}
		return figure.From(s.affinity())
	})
	affinity.OfRun = true
	all = append(all, affinity)
	for i := range ordinals {
		all = append(all,
			ofDeployment(i, "placed", "Whether %s is placed", figure.More, func(d *DeploymentReport, _ *DeploymentSummary) figure.Number { return isPlaced(d) }),
			ofDeployment(i, "perUnit", "Node cost by unit of %s", figure.Less, func(d *DeploymentReport, _ *DeploymentSummary) figure.Number { return figure.From(d.PerUnit) }),
			ofDeployment(i, "perLink", "Link cost by dependency of %s", figure.Less, func(d *DeploymentReport, _ *DeploymentSummary) figure.Number { return figure.From(d.PerLink) }),
			ofDeployment(i, "expansions", "Expansions of %s", figure.Less, func(d *DeploymentReport, _ *DeploymentSummary) figure.Number { return expansions(d) }),
			// What figures 6.8 and 6.9 have beside the time.
			ofDeployment(i, "expansionsPerUnit", "Expansions by unit of %s", figure.Less, func(d *DeploymentReport, of *DeploymentSummary) figure.Number {
				return figure.From(ratio(float64(d.Expansions), of.Units))
			}),
		)
	}
	return all
}

func of(name, title string, better figure.Better, value func(*StrategyReport) figure.Number) figure.Figure {
	return figure.Of(figure.Figure{Name: name, Title: title, Better: better}, func(r *Report) []StrategyReport { return r.Strategies }, value)
}

// sum adds up a figure of all deployments.
func sum(of func(*DeploymentReport) figure.Number) func(*StrategyReport) figure.Number {
	return func(s *StrategyReport) (total figure.Number) {
		for i := range s.Deployments {
			total += of(&s.Deployments[i])
		}
		return total
	}
}

// ofDeployment is a figure of a deployment, from 0. Its title names that in a report and
// counts elsewhere.
func ofDeployment(i int, name, title string, better figure.Better, value func(*DeploymentReport, *DeploymentSummary) figure.Number) figure.Figure {
	f := figure.Figure{Name: fmt.Sprintf("%s.%d", name, i), Title: fmt.Sprintf(title, "the "+ordinals[i]+" deployment"), Better: better}
	f.TitleIn = func(body any) string {
		if r, ok := body.(*Report); ok && i < len(r.Deployments) {
			return fmt.Sprintf(title, show.Text(r.Deployments[i].Name))
		}
		return f.Title
	}
	f.Value = func(body any, strategy int) figure.Number {
		r, ok := body.(*Report)
		if !ok || strategy < 0 || strategy >= len(r.Strategies) || i >= len(r.Strategies[strategy].Deployments) {
			return figure.Undefined
		}
		return value(&r.Strategies[strategy].Deployments[i], &r.Deployments[i])
	}
	return f
}

// ordinals count the deployments that have figures of their own: as many as the thesis has.
var ordinals = [...]string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}

// isPlaced is 1 or 0.
func isPlaced(d *DeploymentReport) figure.Number {
	if d.Status == placement.Placed {
		return 1
	}
	return 0
}

func expansions(d *DeploymentReport) figure.Number { return figure.Number(d.Expansions) }
