package federate

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/figure"
)

// partNames names the parts of [federate.Components], in the order of partsOf.
var partNames = []string{"queueing", "processing", "worker queue", "communication"}

func partsOf(c federate.Components) []float64 {
	values := make([]float64, len(partNames))
	for i := range values {
		if x := *c.Of(federate.Component(i)); x.Defined() {
			values[i] = float64(x)
		}
	}
	return values
}

// componentCharts draws the components of the allocation time.
func (cs *charts) componentCharts() []app.UI {
	all := cs.view.result.report().Schedulers
	stacks := func(of func(s *federatekind.SchedulerReport) federate.Components) []chart.Stack {
		items := make([]chart.Stack, len(all))
		for i := range all {
			items[i] = chart.Stack{Label: legend(&all[i]), Values: partsOf(of(&all[i]))}
		}
		return items
	}
	means := stacks(func(s *federatekind.SchedulerReport) federate.Components { return s.Components })
	medians := stacks(func(s *federatekind.SchedulerReport) federate.Components { return s.Medians })
	return []app.UI{
		&chart.Chart{ID: "fed-components", Title: "Mean allocation time by component",
			Of: chart.Stacks{Unit: "s", Parts: partNames, Items: means}},
		&chart.Chart{ID: "fed-component-shares", Title: "Parts of the mean allocation time",
			Of: chart.Stacks{Unit: "s", Parts: partNames, Items: means, Shares: true}},
		&chart.Chart{ID: "fed-component-medians", Title: "Median of each component",
			Of: chart.Stacks{Unit: "s", Parts: partNames, Items: medians}},
		cs.delayChart(),
	}
}

// delayChart draws the job delay: completion time minus the longest task.
func (cs *charts) delayChart() app.UI {
	delay := func(s *federatekind.SchedulerReport) *figure.Quantiles { return &s.JobDelay }
	return &chart.Chart{ID: "fed-job-delay", Title: "Job delay: completion time minus the longest task", Empty: "No job is delayed.",
		Of: chart.Lines{XLabel: "one in … jobs is delayed longer", YLabel: "job delay (s)", LogX: true, LogY: true, Series: cs.tails(delay)}}
}
