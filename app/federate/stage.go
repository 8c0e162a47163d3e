package federate

import (
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/show"
)

// stagePicture draws the data centre and the curves of waiting times, or two data
// centres side by side.
func (v *View) stagePicture() app.UI {
	if !v.beside.Open || !v.Stage.OnStage() || v.result == nil || max(v.beside.Sides[0], v.beside.Sides[1]) >= len(v.result.report().Schedulers) {
		return app.Div().Class("fed-stage").Body(v.playground(), v.waitingChart())
	}
	names := v.result.report().Subjects()
	return v.Pins.BesidePane(&v.beside, names, func() { v.showScheduler(names[v.beside.Sides[0]]) }, v.sideOfStage)
}

// compareOnStage opens or closes the side-by-side view of two schedulers.
func (v *View) compareOnStage() {
	n, shown := 0, 0
	if v.result != nil && v.tooLarge() == "" {
		names := v.result.report().Subjects()
		n, shown = len(names), max(0, slices.Index(names, v.scheduler().Name))
	}
	v.Pins.CompareOnStage(&v.beside, shown, lab.FirstOf(n))
}

// sideOfStage draws the data centre under one of two schedulers. The player of the
// first drawing plays both.
func (v *View) sideOfStage(side int) app.UI {
	f := v.film(v.result.run(v.result.report().Schedulers[v.beside.Sides[side]].Name))
	if f.Answer == nil || v.film(v.run()).Answer == nil {
		return unplayed(f)
	}
	return v.dataCentre(fmt.Sprint("beside-picture-", side), f.Answer, side > 0)
}

// waitingChart draws the distribution of the allocation time under each scheduler.
func (v *View) waitingChart() app.UI {
	return &chart.Chart{ID: "fed-cdf", Title: "Allocation time", Empty: "No scheduler has run yet.",
		Of: chart.Lines{XLabel: "allocation time (s)", YLabel: "share of tasks", LogX: true, Steps: true, Plain: true, Series: v.overPinned(cdfs)}}
}

// whyCard draws the short explanation of a task.
func (v *View) whyCard() app.UI {
	if v.run() == nil {
		return ui.Empty("Berth says here why each task waited.")
	}
	r := v.why.explained().Answer
	if r == nil {
		return v.why.explanation()
	}
	return v.Stage.Card("Why did task "+ui.Count(int64(v.why.task+1))+" wait?", v.why.task, v.why.tasks(),
		app.P().Text(show.Words(show.Capital(headOf(r))+".")), taskParts(r))
}

func (v *View) controls() string {
	if v.Stage.OnStage() {
		return v.Stage.PlayerID()
	}
	return ""
}
