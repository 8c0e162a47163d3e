package placement

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
)

// The parameters of the address that name a place in a result.
const (
	placeTab        = "tab"
	placeStrategy   = "strategy"
	placeDeployment = "deployment"
	placeJob        = "job"
	placeStep       = "step"
)

// shownPlace returns the place in the result as parameters of the address: the drawing,
// the strategy and the explained job. It omits defaults.
func (v *View) shownPlace() url.Values {
	place := url.Values{}
	switch chosen := v.picture.chosen; {
	case chosen == playView:
		place.Set(placeStep, strconv.FormatInt(v.play.step+1, 10)) // on the stage too, although the stage has no tabs
	case chosen != "" && chosen != v.picture.viewBySize():
		place.Set(placeTab, string(chosen))
	}
	if v.shown > 0 {
		place.Set(placeStrategy, v.result.strategies()[v.shown].StrategyName())
	}
	if w := &v.why; w.explanation != nil && (w.Deployment > 0 || w.Step > 0) {
		place.Set(placeJob, w.explanation.Job)
		if w.Deployment > 0 {
			place.Set(placeDeployment, strconv.Itoa(w.Deployment+1))
		}
	}
	return place
}

// goTo shows a place of the result, with defaults for the parameters that the place omits. It
// ignores parts of the place that the result lacks, and returns false while the strategy of the
// place has not run.
func (v *View) goTo(place url.Values) bool {
	if strategy := place.Get(placeStrategy); strategy != "" && (v.result.all == nil && v.Runs.Busy() || strategy == bestName && v.result.seeks()) {
		return false
	}
	switch step, err := strconv.ParseInt(place.Get(placeStep), 10, 64); {
	case err == nil && step > 0:
		v.play.step, v.play.run = step-1, nil // asks again, also for another step of the same run
		v.picture.selectView(v.Page, string(playView))
	case v.picture.chosen == playView && !place.Has(placeTab):
		v.picture.selectView(v.Page, string(v.picture.viewBySize()))
	}
	for _, tab := range pictureViews {
		if tab.ID == place.Get(placeTab) && tab.ID != string(v.picture.pictureView()) {
			v.picture.selectView(v.Page, tab.ID)
		}
	}
	names := v.result.strategies()
	strategy := cmp.Or(place.Get(placeStrategy), names[0].StrategyName())
	for i := range names {
		if names[i].StrategyName() == strategy && i != v.shown && v.result.report(i) != nil {
			v.picture.show(i)
		}
	}
	deployment, err := strconv.Atoi(place.Get(placeDeployment))
	if err != nil {
		deployment = 1
	}
	s := v.result.report(v.shown)
	if all := s.Deployments; deployment > 0 && deployment <= len(all) {
		step := slices.Index(all[deployment-1].Order, place.Get(placeJob))
		if step < 0 && complete(s) && (v.why.deployment > 0 || v.why.step > 0) {
			step = 0
		}
		if step >= 0 {
			v.why.askWhy(deployment-1, step)
		}
	}
	return true
}

// things lists the jobs of the result for the command palette.
func (v *View) things(all []placedJob) []shell.Command {
	jobs := make([]shell.Command, len(all))
	for i, j := range all {
		name := j.name
		if j.job != name {
			name += " (" + j.job + ")"
		}
		jobs[i] = shell.Command{ID: "job-" + strconv.Itoa(i), Name: "Job " + name + " on " + j.clusterName, Do: func(ctx app.Context) { v.comparison.explainRow(ctx, i) }}
	}
	return jobs
}
