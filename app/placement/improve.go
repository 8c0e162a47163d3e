package placement

import (
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/placement"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
)

// improver names the strategy that continues the search from the shown result.
func (ss *searches) improver() string {
	jobs := 0
	for _, d := range ss.view.result.deployments() {
		jobs = max(jobs, d.Jobs)
	}
	if ss.view.result.Inputs.options.Joint {
		jobs = ss.view.result.jobs()
	}
	return placement.Improver(jobs * ss.view.result.body().Federation.Clusters)
}

// improves reports whether a strategy continues from the heuristic's placement.
func improves(strategy string) bool {
	p, _ := placement.Lookup(strategy)
	return p.Facts.Improves
}

func proved(s *placementkind.StrategyReport) bool {
	return !slices.ContainsFunc(s.Certificates(), func(c placementkind.NamedCertificate) bool { return c.Proved == placement.NoProof })
}

// improvement draws the button that searches for a better placement, the progress of
// that search, and the reason why jobs cannot be placed.
func (ss *searches) improvement() app.UI {
	if ss.view.result == nil || ss.view.Phase == lab.Failed {
		return app.Div()
	}
	s := ss.view.result.report(ss.view.shown)
	return app.Div().Class("improvement").Body(
		app.Div().Class("row").Body(
			app.If(ss.course != nil || ss.view.Phase == lab.Running, func() app.UI {
				return ui.Button("stop", "Stop").DataSet("testid", "improve-stop").
					Title("Keeps the best placement so far").OnClick(func(app.Context, app.Event) { ss.stopImproving() })
			}).Else(func() app.UI {
				return ui.Disabled(ui.Button("play", ss.improveLabel()), ss.view.result.priceless() || s != nil && ss.view.result.tally(s).Certainty().Proved).DataSet("testid", "improve").
					Title("Search on until the placement is proved optimal, or you stop").
					OnClick(func(app.Context, app.Event) { ss.improve() })
			}),
			app.Span().Class("figures").DataSet("testid", "improve-headline").Text(ss.saved()),
		),
		ss.reached(s),
		ss.cores(),
		plans(s),
		unhonoured(ss.view.result.body()),
	)
}

func (ss *searches) improveLabel() string {
	if ss.view.Inputs.strategy() == ss.improver() {
		return "Improve further"
	}
	return "Improve"
}

// saved compares the cost of the shown placement with an earlier cost: of the first strategy, or
// of the placement before the last search.
func (ss *searches) saved() string {
	if ss.course != nil {
		return ss.course.saved()
	}
	r, s := ss.view.result, ss.view.result.report(ss.view.shown)
	if ss.view.Phase != lab.Done || s == nil || !complete(s) {
		return ""
	}
	t := r.tally(s)
	if !t.Bound.Defined() {
		return ""
	}
	now, before := t.Certainty(), float64(t.Total)
	var earlier []*placementkind.StrategyReport
	if x := ss.improved; x != nil && ss.view.shown == 0 && r.Inputs.SameWork(x.inputs) {
		earlier = append(earlier, x.before)
	}
	for i, run := range r.Inputs.options.Strategies {
		if first := r.report(i); first != nil && run.Name == placement.Names()[0] {
			earlier = append(earlier, first)
		}
	}
	for _, s := range earlier {
		if complete(s) && r.tally(s).Bound.Defined() {
			before = float64(r.tally(s).Total)
		}
	}
	text := savedText(before, now)
	if from := ss.view.Intake.Borrowed(); from != "" {
		text += ". " + from
	}
	return text
}

// saved describes the savings of the search under way, and its steps.
func (s *searching) saved() string {
	p := s.reached()
	if p == nil {
		return "Improving …"
	}
	after := "after " + ui.Counted(int(p.Steps), "step")
	now := placementkind.Certainty{Total: float64(p.Cost), Bound: p.Bound}
	switch before := s.before.Total.Total; {
	case !p.Cost.Defined():
		return after
	case s.whole && before.Defined():
		return savedText(float64(before), now) + " · " + after
	}
	now.Deployments = len(s.before.Certificates())
	return show.Words(s.before.Certificates()[s.deployment].Name) + ": " + now.String() + " · " + after
}

// savedText compares a cost with an earlier one and with the lower bound.
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

// reached draws cost and bound over the steps of the current search or, without a search, of the
// shown strategy's deployment that improved most often.
func (ss *searches) reached(s *placementkind.StrategyReport) app.UI {
	var name string
	var trace []placementkind.TracePoint
	if c := ss.course; c != nil {
		name, trace = c.before.Certificates()[c.deployment].Name, c.trace
	} else if s != nil {
		for _, c := range s.Certificates() {
			if len(c.Trace) > max(1, len(trace)) {
				name, trace = c.Name, c.Trace
			}
		}
	}
	if ss.course == nil && trace == nil {
		return app.Div()
	}
	cost, bound := chart.Series{Name: "cost"}, chart.Series{Name: "lower bound"}
	for _, p := range trace {
		x := float64(max(1, p.Steps))
		if p.Cost.Defined() {
			cost.Points = append(cost.Points, chart.At(x, float64(p.Cost)))
		}
		bound.Points = append(bound.Points, chart.At(x, p.Bound))
	}
	return &chart.Chart{ID: "improve-chart", Title: "Cost and bound of " + show.Words(name) + " over the steps", Empty: "The first steps are running.",
		Of: chart.Lines{XLabel: "steps", YLabel: "cost", LogX: true, LogY: true, Plain: true, Steps: true, Series: []chart.Series{cost, bound}}}
}

// cores explains why deployments cannot be placed, and has buttons that show the
// conflict set in the drawing.
func (ss *searches) cores() app.UI {
	s := ss.refuted()
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
		return ui.Button("", name).OnClick(func(ctx app.Context, _ app.Event) { ss.view.picture.selectView(ctx, string(view)) })
	}
	told = append(told,
		app.P().Class("hint").Text("Conflict set:"), app.Ul().Body(all...),
		app.Div().Class("row").Body(app.Span().Class("hint").Text("Marked in the drawing:"),
			see(drawing.ResultView, "both"), see(drawing.DeploymentView, "the jobs"), see(drawing.FederationView, "the clusters")))
	return app.Div().DataSet("testid", "result-core").Body(told...)
}

// unhonoured lists the fields of the deployments that restrict the clusters of jobs but that Berth
// does not honor.
func unhonoured(r *placementkind.Report) app.UI {
	var lines []app.UI
	for i := range r.Deployments {
		for _, u := range r.Deployments[i].Unhonoured {
			lines = append(lines, app.Li().Text(show.Words(u.String())))
		}
	}
	return app.Div().DataSet("testid", "unhonoured").Class("note").Hidden(lines == nil).Body(ui.Icon("info"), app.Ul().Body(lines...))
}
