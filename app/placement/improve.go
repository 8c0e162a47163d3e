package placement

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/placement"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
)

// improving is the strategy that improves the shown result.
func (v *View) improving() string {
	jobs := 0
	for _, d := range v.result.deployments() {
		jobs = max(jobs, d.Jobs)
	}
	if v.result.Inputs.options.Joint {
		jobs = v.result.jobs()
	}
	return placement.Improver(jobs * v.result.body().Federation.Clusters)
}

// improves reports whether a strategy is one that takes its time.
func improves(strategy string) bool {
	p, _ := placement.Lookup(strategy)
	return p.Improves
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
			app.If(v.course != nil || v.Phase == lab.Running, func() app.UI {
				return ui.Button("stop", "Stop").DataSet("testid", "improve-stop").
					Title("Keeps the best placement so far").OnClick(func(app.Context, app.Event) { v.stopImproving() })
			}).Else(func() app.UI {
				return ui.Disabled(ui.Button("play", v.improveLabel()), v.result.priceless() || s != nil && v.result.tally(s).Certainty().Proved).DataSet("testid", "improve").
					Title("Search on until the placement is proved optimal, or you stop").
					OnClick(func(app.Context, app.Event) { v.improve() })
			}),
			app.Span().Class("figures").DataSet("testid", "improve-headline").Text(v.saved()),
		),
		v.reached(s),
		v.cores(),
		plans(s),
		unhonoured(v.result.body()),
	)
}

func (v *View) improveLabel() string {
	if v.Inputs.strategy() == v.improving() {
		return "Improve further"
	}
	return "Improve"
}

// stepsTaken is how many steps the longest improvement of the first strategy took.
func (v *View) stepsTaken() int64 {
	steps := v.Inputs.options.Steps
	if s := v.result.report(0); s != nil && steps == 0 {
		for _, c := range s.Certificates() {
			steps = max(steps, c.Steps)
		}
	}
	return min(steps, placementkind.MaxBudget/4)
}

// saved compares the shown placement, or the best one of an improvement under way, with
// that of the first of all strategies and with the bound.
func (v *View) saved() string {
	if c := v.course; c != nil {
		return c.saved()
	}
	s := v.result.report(v.shown)
	if v.Phase != lab.Done || s == nil || !complete(s) {
		return ""
	}
	t := v.result.tally(s)
	if !t.Bound.Defined() {
		return ""
	}
	now := t.Certainty()
	before := now.Total
	if x := v.improved; x != nil && v.shown == 0 && v.result.Inputs.SameWork(x.inputs) && complete(x.before) && x.before.Total.Total > 0 {
		before = float64(x.before.Total.Total)
	}
	for i, run := range v.result.Inputs.options.Strategies {
		if first := v.result.report(i); run.Name == placement.Names()[0] && first != nil && complete(first) {
			if t := v.result.tally(first); t.Bound.Defined() {
				before = float64(t.Total)
			}
		}
	}
	text := savedText(before, now)
	if from := v.Borrowed(); from != "" {
		text += ". " + from
	}
	return text
}

// savedText says how a cost compares with the one before and with the bound.
func savedText(before float64, now placementkind.Certainty) string {
	change := ""
	switch {
	case before > now.Total:
		change = ui.Percent((before-now.Total)/before) + " saved"
	case before < now.Total && before > 0:
		change = ui.Percent((now.Total-before)/before) + " dearer"
	default:
		return show.Capital(now.String())
	}
	return show.Money(before) + " → " + show.Money(now.Total) + ": " + change + "; " + now.String()
}

// reached draws the cost and the bound over the steps of an improvement under way, or
// of the shown strategy, of the deployment that took the most.
func (v *View) reached(s *placementkind.StrategyReport) app.UI {
	if c := v.course; c != nil {
		return improveChart(c.name(), c.trace)
	}
	longest := []placementkind.TracePoint(nil)
	name := ""
	if s != nil {
		for _, c := range s.Certificates() {
			if len(c.Trace) > len(longest) {
				longest, name = c.Trace, c.Name
			}
		}
	}
	if len(longest) < 2 {
		return app.Div()
	}
	return improveChart(name, longest)
}

// cores tell why what cannot be placed cannot, and lead to it in the drawing.
func (v *View) cores() app.UI {
	s := v.refuted()
	var told, all []app.UI
	if s != nil {
		for _, c := range s.Certificates() {
			if c.CoreText != "" {
				told = append(told, app.P().Class("note").Body(ui.Icon("warning"), app.Span().Text(show.Words(c.CoreText)+".")))
			}
			for _, text := range c.Core {
				all = append(all, app.Li().Text(show.Words(text)))
			}
		}
	}
	if len(all) == 0 {
		return app.Div()
	}
	see := func(view drawing.View, name string) app.UI {
		return ui.Button("", name).OnClick(func(ctx app.Context, _ app.Event) { v.selectView(ctx, string(view)) })
	}
	told = append(told,
		app.P().Class("hint").Text("Conflict set:"), app.Ul().Body(all...),
		app.Div().Class("row").Body(app.Span().Class("hint").Text("Marked in the drawing:"),
			see(drawing.ResultView, "both"), see(drawing.DeploymentView, "the jobs"), see(drawing.FederationView, "the clusters")))
	return app.Div().DataSet("testid", "result-core").Body(told...)
}
