package placement

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
)

// The strategies that go on from the heuristic's placement: exact looks for a proof
// as well, which it finds where the search is small.
const (
	improver  = "anytime"
	prover    = "exact"
	smallWork = 5000 // jobs × clusters
)

// improving is the strategy that improves the shown result.
func (v *View) improving() string {
	jobs := 0
	for _, d := range v.result.deployments() {
		jobs = max(jobs, d.Jobs)
	}
	if jobs*v.result.body().Federation.Clusters <= smallWork {
		return prover
	}
	return improver
}

// certificates are how good a placement can be at all, of the first seed.
var certificates = []measure{
	{name: "at least", title: "No placement costs less: the sum over the deployments, each on what the ones before it left", testID: "result-bound", of: boundOf},
	{name: "gap", title: "How much dearer than that bound the placement is", testID: "result-gap", of: gapOf},
	{name: "proved", title: "What is proved: that nothing better exists, or nothing at all", testID: "result-proved", of: provedOf},
}

// certified sums up the costs and bounds of the deployments of one run; ok is false
// unless all of them were placed and have a bound. What one strategy shows of a
// single deployment holds for all.
func certified(s *placementkind.StrategyReport, r *placementkind.Report) (total, bound float64, ok bool) {
	if s.Summary != nil || s.Total.Total == nil || !complete(s) {
		return 0, 0, false
	}
	for i := range s.Deployments {
		b := s.Deployments[i].Bound
		if b == nil {
			return 0, 0, false
		}
		bound += *b
	}
	if len(s.Deployments) == 1 {
		for i := range r.Strategies {
			if b := r.Strategies[i].Deployments[0].Bound; b != nil {
				bound = max(bound, *b)
			}
		}
	}
	return *s.Total.Total, bound, true
}

func boundOf(s *placementkind.StrategyReport, r *placementkind.Report) string {
	if _, bound, ok := certified(s, r); ok {
		return price(&bound)
	}
	return "–"
}

func gapOf(s *placementkind.StrategyReport, r *placementkind.Report) string {
	if total, bound, ok := certified(s, r); ok && bound > 0 {
		return ui.Percent(max(0, total-bound) / bound)
	}
	return "–"
}

func provedOf(s *placementkind.StrategyReport, _ *placementkind.Report) string {
	if s.Summary != nil || len(s.Deployments) == 0 {
		return "–"
	}
	for i := range s.Deployments {
		if s.Deployments[i].Proved != s.Deployments[0].Proved {
			return "in part"
		}
	}
	if proved := s.Deployments[0].Proved; proved != "" {
		return string(proved)
	}
	return "–"
}

// improvement is the button that looks for a better placement, what that has come
// to, and of what cannot be placed, why not.
func (v *View) improvement() app.UI {
	if v.result == nil || v.Phase == lab.Failed {
		return app.Div()
	}
	s := v.result.report(v.shown)
	return app.Div().Class("improvement").Body(
		app.Div().Class("row").Body(
			app.If(v.Phase == lab.Running, func() app.UI {
				return ui.Button("stop", "Stop").DataSet("testid", "improve-stop").
					Title("What was reached is kept").OnClick(func(app.Context, app.Event) { v.Cancel() })
			}).Else(func() app.UI {
				return ui.Disabled(ui.Button("play", v.improveLabel()), s != nil && provedOf(s, nil) == string(placement.ProvedOptimal)).DataSet("testid", "improve").
					Title("Go on from the heuristic's placement until nothing better is found, or it is proved that there is nothing").
					OnClick(func(app.Context, app.Event) { v.improve() })
			}),
			app.Span().Class("figures").DataSet("testid", "improve-headline").Text(v.saved()),
		),
		v.reached(s),
		cores(s),
	)
}

func (v *View) improveLabel() string {
	if v.Inputs.strategy() == v.improving() {
		return "Improve further"
	}
	return "Improve"
}

// improve runs the strategy that improves first, with four times the steps where it
// has run already.
func (v *View) improve() {
	better := v.improving()
	v.Edit("improve", func(in *inputs) {
		if in.strategy() == better {
			in.options.Steps = 4 * max(v.stepsTaken(), 1)
			return
		}
		in.setStrategy(better)
	})
	v.Run()
}

// stepsTaken is how many steps the longest improvement of the first strategy took.
func (v *View) stepsTaken() int64 {
	steps := v.Inputs.options.Steps
	if s := v.result.report(0); s != nil && steps == 0 {
		for i := range s.Deployments {
			if t := s.Deployments[i].Trace; len(t) > 0 {
				steps = max(steps, t[len(t)-1].Steps)
			}
		}
	}
	return min(steps, placementkind.MaxBudget/4)
}

// saved compares the shown placement with the heuristic's and with the bound.
func (v *View) saved() string {
	s := v.result.report(v.shown)
	if v.Phase != lab.Done || s == nil {
		return ""
	}
	total, bound, ok := certified(s, v.result.body())
	if !ok {
		return ""
	}
	before := total
	for i, run := range v.result.Inputs.options.Strategies {
		if first := v.result.report(i); run.Name == "heuristic" && first != nil {
			if cost, _, ok := certified(first, v.result.body()); ok {
				before = cost
			}
		}
	}
	return savedText(before, total, bound, provedOf(s, nil) == string(placement.ProvedOptimal), len(s.Deployments))
}

// savedText says how a cost compares with the one before and with the bound. Of
// several deployments each bound is on what the ones before it left, so that nothing
// is said of placing them in another way.
func savedText(before, total, bound float64, proved bool, deployments int) string {
	best := "the best possible"
	if deployments > 1 {
		best += " of each on what the ones before it left"
	}
	text := "at least " + price(&bound)
	switch {
	case proved:
		text = "proved to be " + best
	case bound > 0:
		text += fmt.Sprintf(", within %s of %s", ui.Percent(max(0, total-bound)/bound), best)
	}
	switch {
	case before == total || before <= 0:
		return text
	case before > total:
		return fmt.Sprintf("%s → %s, %s: %s saved", price(&before), price(&total), text, ui.Percent((before-total)/before))
	}
	return fmt.Sprintf("%s → %s, %s: %s dearer", price(&before), price(&total), text, ui.Percent((total-before)/before))
}

// reached draws the cost and the bound over the steps of the shown strategy, of the
// deployment that took the most.
func (v *View) reached(s *placementkind.StrategyReport) app.UI {
	longest := []placementkind.TracePoint(nil)
	name := ""
	if s != nil {
		for i := range s.Deployments {
			if t := s.Deployments[i].Trace; len(t) > len(longest) {
				longest, name = t, s.Deployments[i].Name
			}
		}
	}
	if len(longest) < 2 {
		return app.Div()
	}
	cost, bound := chart.Series{Name: "cost"}, chart.Series{Name: "at least"}
	for _, p := range longest {
		x := float64(max(1, p.Steps))
		if p.Cost != nil {
			cost.Points = append(cost.Points, chart.Point{X: x, Y: *p.Cost, Low: *p.Cost, High: *p.Cost})
		}
		bound.Points = append(bound.Points, chart.Point{X: x, Y: p.Bound, Low: p.Bound, High: p.Bound})
	}
	return &chart.Lines{
		ID: "improve-chart", TestID: "improve-chart", Title: "Cost and bound of " + show.Words(name) + " over the steps",
		XLabel: "steps", YLabel: "cost", LogX: true, Plain: true, Steps: true, Series: []chart.Series{cost, bound},
	}
}

// cores list what cannot hold together in what cannot be placed.
func cores(s *placementkind.StrategyReport) app.UI {
	var all []app.UI
	if s != nil {
		for i := range s.Deployments {
			for _, text := range s.Deployments[i].Core {
				all = append(all, app.Li().Text(show.Words(text)))
			}
		}
	}
	if len(all) == 0 {
		return app.Div()
	}
	return app.Div().DataSet("testid", "result-core").Body(app.P().Text("These cannot hold together:"), app.Ul().Body(all...))
}
