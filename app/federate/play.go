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

// play is the drawing of the data centre that can be played.
type play struct {
	asked   lab.Latest
	of      *bridge.Result
	film    *film
	problem string
	worker  int     // that was clicked; −1 for none
	seek    float64 // the moment that was asked for, in seconds
}

// forgetPlay makes room for the playback of another run.
func (v *View) forgetPlay() {
	for _, p := range []*play{&v.play, &v.other} {
		p.asked.Drop()
		*p = play{asked: p.asked, worker: -1, seek: p.seek}
	}
}

// run is the run of the shown scheduler; nil for none.
func (v *View) run() *bridge.Result {
	s := v.scheduler()
	if s == nil {
		return nil
	}
	return v.result.run(s.Name)
}

// tooLarge says why a run cannot be played, "" if it can.
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

// wantPlay asks for the playbacks where they are looked at and not there yet.
func (v *View) wantPlay() {
	v.wantFilm(&v.play, v.run())
	if v.comparesOnStage() {
		v.wantFilm(&v.other, v.result.run(v.result.report.Schedulers[v.beside.Sides[1]].Name))
	}
}

func (v *View) wantFilm(to *play, run *bridge.Result) {
	if !v.OnStage() && v.Shows != tabPlay || run == nil || to.of == run || v.tooLarge() != "" {
		return
	}
	to.of, to.problem = run, ""
	slots := slices.Equal(federatekind.ReportOf(run.Report).Workload.Resources, []string{"slots"})
	lab.Ask(&to.asked, v.Later, func() (*film, error) {
		p, err := bridge.Ask(v.Page, v.Engine, run, federatekind.PlaybackQuestion, federatekind.SchedulerQuery{})
		if err != nil {
			return nil, err
		}
		return newFilm(p, slots), nil
	}, func(made *film, err error) {
		to.film = made
		if err != nil {
			to.problem = err.Error()
		}
	})
}

// playground is the drawing with its player.
func (v *View) playground() app.UI {
	tools := app.Div().Class("row fed-point").Body(app.Label().For("fed-play-scheduler").Text("Play"), v.schedulerSelect("fed-play-scheduler"))
	p := &v.play
	switch problem := v.tooLarge(); {
	case problem != "":
		return app.Div().Body(v.utilisationChart(), v.demandChart(v.result.report.Workload), app.P().Class("hint").Text(problem))
	case p.problem != "":
		return app.Div().Body(tools, ui.Problem(p.problem))
	case p.film == nil:
		return app.Div().Body(tools, ui.Empty("Running again to record every event …"))
	}
	return app.Div().Body(tools, v.dataCentre("fed-cells", p, false), v.workerTasks(), app.P().Class("hint").Text(p.film.legend()))
}

// dataCentre is the drawing of a playback; one that follows has no player.
func (v *View) dataCentre(id string, p *play, follows bool) app.UI {
	f := p.film
	cells := f.Cells
	cells.Seek, cells.Controls, cells.Follows = cmp.Or(v.play.seek, v.play.film.telling), v.controls(), follows
	var pick func(app.Context, chart.Pick)
	if !follows {
		pick = v.pick
	}
	return app.Div().Body(
		app.If(f.cut, func() app.UI {
			return app.P().Class("note").Body(ui.Icon("info"), app.Span().Text("There are more events than Berth can play: the end is left out."))
		}),
		&chart.Chart{ID: id, Title: "The data centre under " + f.scheduler, OnPick: pick, Of: cells},
	)
}

// pick explains the task of an event that was clicked, or lists the tasks of a
// worker.
func (v *View) pick(_ app.Context, p chart.Pick) {
	if p.Event {
		if p.ID >= 0 {
			v.explainTask(p.ID)
		}
		return
	}
	v.play.worker = p.ID
	if tasks := v.play.film.ran[p.ID]; len(tasks) > 0 {
		v.explainTask(tasks[0])
	}
}

// workerTasks are the tasks of the worker that was clicked.
func (v *View) workerTasks() app.UI {
	w := v.play.worker
	if w < 0 || w >= len(v.play.film.ran) {
		return app.P().Class("hint").Text("Click or tap a worker or an event to see in Why what its task waited for.")
	}
	tasks := v.play.film.ran[w]
	if len(tasks) == 0 {
		return app.P().Class("hint").Text(fmt.Sprintf("No task ran on worker %d.", w+1))
	}
	return app.Div().Class("row fed-tasks").Body(
		app.Span().Text(fmt.Sprintf("Worker %d ran", w+1)),
		app.Range(tasks[:min(len(tasks), 30)]).Slice(func(i int) app.UI {
			task := tasks[i]
			return app.Button().Type("button").Class("link").Aria("pressed", task == v.why.task).Text(fmt.Sprintf("task %d", task+1)).
				OnClick(func(app.Context, app.Event) { v.explainTask(task) }, app.EventScope(w, task))
		}),
		app.If(len(tasks) > 30, func() app.UI { return app.Span().Text(fmt.Sprintf("and %d more", len(tasks)-30)) }),
	)
}
