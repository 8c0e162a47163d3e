package placement

import (
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
)

// headline holds the parts of the sentence at the top of the result and in the status line: "All 12
// jobs placed", " for ", "3 033", ". ", "Best possible: 2 653 (proved)".
type headline struct {
	text    string   // the placed jobs, or why there is no result
	cost    string   // of the placed jobs; "" if unknown
	best    string   // cost of the best placement, or how far this one is from it; "" if unknown
	details []string // sentences below the headline: the source of the federation, and why jobs were left out
	other   int      // index of the strategy that a button shows instead; −1 for no button
	soFar   bool     // a button stops the page's search and shows its best placement so far
}

// forCost joins the placed jobs and their cost without a line break.
const forCost = " for\u00a0"

// String is the headline as one text.
func (h headline) String() string {
	text := h.text
	if h.cost != "" {
		text += forCost + h.cost
	}
	return text + h.join() + h.best + h.end()
}

// join separates the text about the best placement from the text before it: a comma
// before a distance, a full stop before a sentence.
func (h headline) join() string {
	first, _ := utf8.DecodeRuneInString(h.best)
	switch {
	case h.best == "":
		return ""
	case unicode.IsUpper(first):
		return ". "
	}
	return ", "
}

func (h headline) end() string {
	if h.cost == "" && h.best == "" {
		return ""
	}
	return "."
}

func (v *View) sentence() string { return v.headline().String() }

// headline describes the shown result: the placed jobs, their cost, and the cost of the
// best placement.
func (v *View) headline() headline {
	if pending := v.Runs.Pending(v.runLabel()); pending != "" {
		return headline{text: pending, other: -1}
	}
	if v.picture.pictureView() == nodesView {
		return v.nodes.nodesHeadline()
	}
	if v.challenge.on() {
		return v.challenge.headline()
	}
	r, s := v.result, v.result.report(v.shown)
	h := headline{other: v.other()}
	text, why := r.body().Outcome(v.searches.refuted())
	if complete(s) && s.Seeds < 2 {
		text = r.placedAll()
	}
	h.text = r.stop() + text + r.body().Unknown(s)
	h.details = []string{v.Intake.Borrowed()}
	if why != "" {
		h.details = append(h.details, show.Capital(why)+".")
	}
	if count := r.body().Unhonoured(); count != "" {
		h.details = append(h.details, count)
	}
	if s.Total.Total.Defined() && len(r.body().Federation.Unpriced) == 0 {
		h.cost = show.Money(s.Total.Total)
	}
	v.addBest(&h)
	return h
}

// placedAll is "All 12 jobs placed".
func (r *result) placedAll() string {
	text := "All " + show.Grouped(r.jobs(), "job")
	if r.jobs() == 1 {
		text = "The job"
	}
	if n := len(r.deployments()); n > 1 {
		text += fmt.Sprintf(" of %d deployments", n)
	}
	return text + " placed"
}

// other returns the strategy that the button in the headline shows: the best one or, if that is on
// screen, the first. It returns −1 for no button.
func (v *View) other() int {
	best := v.result.cheapest()
	switch {
	case best <= 0 || v.result.seeks():
		return -1
	case best == v.shown:
		return 0
	}
	return best
}

// addBest compares the shown placement with the best known one.
func (v *View) addBest(h *headline) {
	r := v.result
	s, i := r.report(v.shown), r.cheapest()
	best := r.report(i)
	switch {
	case r.stop() != "":
	case r.seeks():
		h.best = r.soFar(best)
		p := r.best.reached()
		h.soFar = p != nil && len(best.Deployments) == 1 && p.Cost.Defined() && !(p.Cost >= s.Total.Total) // an empty placement has no known cost
	case r.placedJobs(best) > r.placedJobs(s):
		if len(s.Deployments) == 1 {
			h.text = show.Capital(r.strategies()[v.shown].StrategyName()) + " found no placement"
		}
		r.addMorePlaced(h, best)
	case !complete(s) || r.priceless():
	case i == v.shown || best.Total.Total == s.Total.Total:
		h.addDistance(r.certainty(best), "")
		if first := r.report(0); v.shown > 0 && i == v.shown && complete(first) && first.Total.Total != s.Total.Total {
			h.details = append(h.details, show.Capital(r.strategies()[0].StrategyName())+": "+show.Money(first.Total.Total)+".")
		}
	default:
		h.addDistance(r.certainty(best), show.Money(best.Total.Total))
	}
}

// tally returns the tally of a strategy with the best known lower bound.
func (r *result) tally(s *placementkind.StrategyReport) *placementkind.Tally {
	return r.body().Certified(s)
}

// certainty returns the cost of a strategy's placement with its lower bound. A cost that equals
// the bound is proved optimal.
func (r *result) certainty(s *placementkind.StrategyReport) placementkind.Certainty {
	c := r.tally(s).Certainty()
	c.Proved = c.Proved || c.Deployments == 1 && c.Total-c.Bound <= provedWithin*c.Total
	return c
}

// provedWithin is the tolerance for rounding, relative to the cost.
const provedWithin = 1e-9

// addDistance adds the distance of a placement from the lowest possible cost. cost is the cost of
// that placement; "" for the placement on screen. Text that makes the headline too long becomes a
// detail.
func (h *headline) addDistance(c placementkind.Certainty, cost string) {
	switch {
	case c.Deployments > 1 && cost != "":
		h.best = "Best found: " + cost
		h.details = append(h.details, "There, "+c.String()+".")
	case c.Deployments > 1:
		h.details = append(h.details, show.Capital(c.String())+".")
	case c.Proved && cost != "":
		h.best = "Best possible: " + cost + " (proved)"
	case c.Proved:
		h.best = "the cheapest possible (proved)"
	case cost != "":
		h.best = "Best found: " + cost
		h.addMore(", ", c.Above())
	default:
		h.addMore("", c.Above())
	}
}

// addMore appends a distance to the text about the best placement. If the headline
// would exceed [show.MostHeadline], the distance becomes a detail.
func (h *headline) addMore(join, distance string) {
	if distance == "" {
		return
	}
	longer := *h
	longer.best += join + distance
	if utf8.RuneCountInString(longer.String()) <= show.MostHeadline {
		*h = longer
	} else {
		h.details = append(h.details, show.Capital(distance)+".")
	}
}

// soFar describes the progress of the search for the best placement.
func (r *result) soFar(best *placementkind.StrategyReport) string {
	if len(best.Certificates()) > 1 {
		return fmt.Sprintf("Looking for the best: deployment %d of %d", r.best.deployment+1, len(best.Deployments))
	}
	t := r.tally(best)
	total, bound, ok := float64(t.Total), t.Certainty().Bound, t.Bound.Defined()
	if p := r.best.reached(); p != nil {
		bound = max(bound, p.Bound)
		if cost := float64(p.Cost); p.Cost.Defined() && (!ok || cost < total) {
			total, ok = cost, true
		}
	}
	switch {
	case !ok && r.best.broken > 0:
		return "Looking for a placement: " + show.Count(r.best.broken, "constraint") + " still broken"
	case !ok && bound > 0:
		return "Looking for the best, at least " + show.Money(bound)
	case !ok:
		return "Looking for the best"
	case bound > 0:
		return "Best so far " + show.Money(total) + ", at least " + show.Money(bound)
	}
	return "Best so far " + show.Money(total)
}

// addMorePlaced adds the best placement, which places more jobs than the shown one.
func (r *result) addMorePlaced(h *headline, best *placementkind.StrategyReport) {
	switch {
	case !complete(best):
		h.best = "Best found: " + show.Count(r.placedJobs(best), "job")
	case r.priceless():
		h.best = "Best found: all jobs"
	default:
		h.addDistance(r.certainty(best), show.Money(best.Total.Total))
	}
}

// stop says how many runs finished before the user stopped the comparison; "" if the comparison is
// complete.
func (r *result) stop() string {
	if !r.Stopped || !r.Partial() {
		return ""
	}
	ran, runs := 0, 0
	for i, run := range r.Inputs.options.Strategies {
		runs += max(1, run.Seeds)
		if r.report(i) != nil {
			ran += r.report(i).Seeds
		}
	}
	return fmt.Sprintf("Partial: stopped by you after %s of %s · ", ui.Count(int64(ran)), ui.Counted(runs, "run"))
}

func (v *View) runLabel() string { return "Running " + v.Inputs.strategy() }

func complete(s *placementkind.StrategyReport) bool {
	return !slices.ContainsFunc(s.Deployments, func(d placementkind.DeploymentReport) bool { return !d.Placed() })
}

func (v *View) headlineText(h headline) app.UI {
	return app.Span().Body(
		app.Text(show.Words(h.text)),
		app.If(h.cost != "", func() app.UI {
			return app.Span().Body(app.Text(forCost), app.Data().DataSet("testid", "result-total-cost").Text(h.cost))
		}),
		app.If(h.best != "", func() app.UI {
			best := app.Span().Class("figures").DataSet("testid", "headline-best").Text(h.best)
			if h.other >= 0 {
				best.OnClick(v.showOther(h), app.EventScope("headline-best", h.other))
			}
			return app.Span().Body(app.Text(h.join()), best)
		}),
		app.If(h.end() != "", func() app.UI { return app.Span().Text(h.end()) }),
	)
}

// otherButton shows the placement of the other strategy, or the best one of a search under way.
func (v *View) otherButton(h headline) app.UI {
	button := app.Button().Type("button").Class("button show-best").DataSet("testid", "show-best")
	switch {
	case h.soFar:
		return button.Text("Show the best so far").Title("Stop the search, and show the best placement that it found").
			OnClick(func(app.Context, app.Event) { v.result.best.showSoFar() }, app.EventScope("so-far", v.result.best))
	case h.other >= 0:
		return button.Text(v.otherLabel(h.other)).OnClick(v.showOther(h), app.EventScope("show-best", h.other))
	}
	return ui.None()
}

func (v *View) showOther(h headline) app.EventHandler {
	return func(app.Context, app.Event) { v.picture.show(h.other) }
}

func (v *View) otherLabel(other int) string {
	if other == 0 {
		return "Show the " + v.result.strategies()[0].StrategyName() + "'s"
	}
	return "Show the best"
}
