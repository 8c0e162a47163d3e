package federate

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/federate/federatekind"
	"berth/engine/show"
)

// stagePane is the headline, and the data centre with the curve of waiting beside it.
func (v *View) stagePane() app.UI {
	return app.Div().Class("result").Body(
		v.resultStatus(),
		v.RunProgress("Running"),
		lab.Picture(app.If(v.result != nil, func() app.UI {
			return app.Div().Class("fed-stage").Body(v.playground(), v.waitingChart())
		})),
	)
}

// waitingChart shows how long tasks wait under each scheduler.
func (v *View) waitingChart() app.UI {
	return &chart.Lines{ID: "fed-cdf", TestID: "fed-cdf", Title: "Allocation time", Empty: "No scheduler has run yet.",
		XLabel: "allocation time (s)", YLabel: "share of tasks", LogX: true, Steps: true, Plain: true, Series: v.overPinned(func(r *federatekind.Report) []chart.Series { return cdfs(r.Schedulers, r.Workload.Tasks) })}
}

// whyCard is the explanation of a task in short.
func (v *View) whyCard() app.UI {
	w, run := &v.why, v.run()
	switch {
	case run == nil:
		return ui.Empty("Berth says here why each task waited.")
	case w.report == nil:
		return v.explanation()
	}
	return v.Card("Why did task "+ui.Count(int64(w.task+1))+" wait?", w.task, federatekind.ReportOf(run.Report).Workload.Tasks,
		app.P().Text(show.Words(show.Capital(headOf(w.report))+".")), v.taskParts())
}

// playerID is where the picture on the stage puts its player.
const playerID = "fed-player"

// player is the place for the controls of the picture.
func (v *View) player() app.UI { return app.Div().ID(playerID).DataSet("testid", "player") }

func (v *View) controls() string {
	if v.OnStage() {
		return playerID
	}
	return ""
}
