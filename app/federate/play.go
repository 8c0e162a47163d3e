package federate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/federate/federatekind"
	"berth/wasm/bridge"
)

// playback asks for all events of a run.
var playback = bridge.Together(federatekind.PlaybackQuestion, federatekind.SchedulerQuery{})

// picked is the worker that the user clicked in the playback of a run.
type picked struct {
	of     *bridge.Result
	worker int
}

// run returns the run of the shown scheduler; nil for none.
func (v *View) run() *bridge.Result {
	s := v.scheduler()
	if s == nil {
		return nil
	}
	return v.result.run(s.Name)
}

// tooLarge explains why the shown run cannot be played; "" if it can.
func (v *View) tooLarge() string {
	run := v.run()
	if run == nil {
		return ""
	}
	d, w := federatekind.Of(run.Input.Scenario), federatekind.ReportOf(run.Report).Workload
	if d.Workers <= federatekind.MaxPlayedWorkers && w.Tasks <= federatekind.MaxPlayedTasks {
		return ""
	}
	return fmt.Sprintf("This is the whole run over time. Runs of up to %s and %s are played, worker by worker; this one has %s and %s.",
		ui.Counted(federatekind.MaxPlayedWorkers, "worker"), ui.Counted(federatekind.MaxPlayedTasks, "task"), ui.Counted(d.Workers, "worker"), ui.Counted(w.Tasks, "task"))
}

// begins asks for a playback of the shown scheduler's run.
func (v *View) begins(b *lab.Batch[*inputs], p *lab.BatchRun) ([]bridge.Asked, lab.Leading) {
	if all := b.Inputs.options.Schedulers; p.Seed > 0 || p.Subject != max(0, slices.Index(all, v.shown)) {
		return nil, nil
	}
	return []bridge.Asked{playback}, nil
}

// film is the playback of a run. If the playback did not come with the run, film requests it once
// the workers are free.
func (v *View) film(run *bridge.Result) *lab.Known[*film] {
	if run == nil || v.tooLarge() != "" || !v.result.Over && !run.Came(playback) {
		return &lab.Known[*film]{Waits: true}
	}
	slots := ofSlots(&federatekind.ReportOf(run.Report).Workload)
	return lab.KnowAs(v.Lab, run, federatekind.PlaybackQuestion, federatekind.SchedulerQuery{}, func(p *federatekind.Playback) *film { return newFilm(p, slots) })
}

// unplayed draws the reason why there is no playback.
func unplayed(f *lab.Known[*film]) app.UI {
	if f.Problem != "" {
		return ui.Problem(f.Problem)
	}
	return ui.Empty("Running again to record every event …")
}

// playground draws the data centre with its player or, if the run is too large, its use over time.
func (v *View) playground() app.UI {
	tools := app.Div().Class("row fed-point").Body(app.Label().For("fed-play-scheduler").Text("Play"), v.schedulerSelect("fed-play-scheduler"))
	known := v.film(v.run())
	f := known.Answer
	switch problem := v.tooLarge(); {
	case problem != "":
		return app.Div().Body(v.charts.utilisationChart(), v.charts.demandChart(v.result.report().Workload), app.P().Class("hint").Text(problem))
	case f == nil:
		return app.Div().Body(tools, unplayed(known))
	}
	return app.Div().Body(tools, v.dataCentre("fed-cells", f, false), v.workerTasks(f), app.P().Class("hint").Text(f.legend()))
}

// dataCentre draws a playback. With follows, another player drives the drawing.
func (v *View) dataCentre(id string, f *film, follows bool) app.UI {
	if !v.Dials.Following() { // the player pauses during a drag
		f.word()
	}
	cells := f.Cells
	cells.Seek, cells.Controls, cells.Follows = cmp.Or(v.seek, v.film(v.run()).Answer.telling), v.controls(), follows
	var pick func(app.Context, chart.Pick)
	if !follows {
		pick = func(_ app.Context, p chart.Pick) { v.pick(f, p) }
	}
	return app.Div().Body(
		app.If(f.cut, func() app.UI {
			return app.P().Class("note").Body(ui.Icon("info"), app.Span().Text("There are more events than Berth can play: the end is left out."))
		}),
		&chart.Chart{ID: id, Title: "The data centre under " + f.scheduler, OnPick: pick, Of: cells},
	)
}

// pick explains the task of the clicked event, or lists the tasks of the clicked
// worker.
func (v *View) pick(f *film, p chart.Pick) {
	if v.Stage.OnStage() {
		v.Tab = ui.PaneWhy
	}
	if p.Event {
		if p.ID >= 0 {
			v.why.explainTask(p.ID)
		}
		return
	}
	v.worker = picked{v.run(), p.ID}
	if tasks := f.ran[p.ID]; len(tasks) > 0 {
		v.why.explainTask(tasks[0])
	}
}

// workerTasks lists the tasks of the clicked worker.
func (v *View) workerTasks(f *film) app.UI {
	w := v.worker.worker
	if v.worker.of != v.run() {
		return app.P().Class("hint").Text("Click or tap a worker or an event to see in Why what its task waited for.")
	}
	tasks := f.ran[w]
	if len(tasks) == 0 {
		return app.P().Class("hint").Text(fmt.Sprintf("No task ran on worker %d.", w+1))
	}
	return app.Div().Class("row fed-tasks").Body(
		app.Span().Text(fmt.Sprintf("Worker %d ran", w+1)),
		app.Range(tasks[:min(len(tasks), 30)]).Slice(func(i int) app.UI {
			task := tasks[i]
			return app.Button().Type("button").Class("link").Aria("pressed", task == v.why.task).Text(fmt.Sprintf("task %d", task+1)).
				OnClick(func(app.Context, app.Event) { v.why.explainTask(task) }, app.EventScope(w, task))
		}),
		app.If(len(tasks) > 30, func() app.UI { return app.Span().Text(fmt.Sprintf("and %d more", len(tasks)-30)) }),
	)
}
