package placement

import (
	"fmt"
	"slices"

	"berth/app/ui"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
)

// headline is the sentence that the status line and the result begin with, in its
// parts: the cost is that of the result, "" where there is none to speak of, and the
// details stand below: whose federation it is, and why jobs were left out.
func (v *View) headline() (text, cost string, details []string) {
	if pending := v.Pending(v.runLabel()); pending != "" {
		return pending, "", nil
	}
	s := v.result.report(v.shown)
	text, why := v.result.body().Outcome(s)
	if s.Total.Total.Defined() {
		cost = show.Money(s.Total.Total)
	}
	text += v.result.body().Unknown(s)
	details = []string{v.Borrowed()}
	if why != "" {
		details = append(details, show.Capital(why)+".")
	}
	return v.result.stop() + text, cost, details
}

// stop says of a comparison that was stopped how much of it there is.
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

// runLabel is what is done while a run is under way.
func (v *View) runLabel() string { return "Running " + v.Inputs.strategy() }

// costLead stands between the outcome and its cost; no line ends within it.
const costLead = " ·\u00a0cost\u00a0"

// sentence is the headline as one text.
func (v *View) sentence() string {
	text, cost, _ := v.headline()
	if cost != "" {
		text += costLead + cost
	}
	return text
}

// complete reports whether a strategy placed every deployment.
func complete(s *placementkind.StrategyReport) bool {
	return !slices.ContainsFunc(s.Deployments, func(d placementkind.DeploymentReport) bool { return !d.Placed() })
}
