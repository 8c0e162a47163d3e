package placement

import (
	"slices"
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/placement"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
	"berth/wasm/bridge"
)

// play is the search, step by step: every trial, with its reason, and every job that
// was taken back.
type play struct {
	run      *bridge.Result // whose search is played
	query    placementkind.PlayQuery
	step     int64
	asked    lab.Latest
	shown    *placement.Played
	picture  sketch
	rows     []ui.Row // of its PA
	order    []ui.Row // of SJ
	problem  string
	player   lab.Player
	speed    float64 // steps a second
	refusals bool    // clusters that refuse a job are steps, too
	chosen   bool    // by hand
}

// The speeds of a film, in steps a second.
var playSpeeds = []float64{1, 3, 10, 30}

// manyClusters is from how many on their refusals are passed over at first.
const manyClusters = 24

// wantPlayed asks for the step that is to be shown, where it is looked at.
func (v *View) wantPlayed() {
	if v.result == nil || v.pictureView() != playView {
		v.play.player.Pause()
		return
	}
	p := &v.play
	run, strategy := v.result.at(v.shown)
	if p.run == run && p.query.Strategy == strategy && p.query.Deployment == v.why.deployment {
		return
	}
	p.player.Pause()
	if !p.chosen {
		p.refusals = placementkind.ReportOf(v.result.first.Report).Federation.Clusters <= manyClusters
	}
	v.askPlayed(p.step, 0)
}

// askPlayed asks for a step, or for the one after or before it that is no refusal.
func (v *View) askPlayed(step int64, past int) {
	p := &v.play
	run, strategy := v.result.at(v.shown)
	p.run = run
	p.query = placementkind.PlayQuery{Strategy: strategy, Deployment: v.why.deployment, Step: max(0, step), Past: past}
	query, before, draw := p.query, placementsOf(v.result.report(v.shown)), v.sketcher()
	drawn := sketch{}
	lab.Ask(&p.asked, v.Later, func() (got placement.Played, err error) {
		if got, err = bridge.Ask(v.Page, v.Engine, run, placementkind.PlayQuestion, query); err == nil {
			drawn, err = draw(append(slices.Clone(before[:query.Deployment]), assigned(&got)))
		}
		return got, err
	}, func(got placement.Played, err error) { v.showPlayed(got, drawn, err) })
}

// assigned are the jobs that have a cluster at a step.
func assigned(s *placement.Played) placementkind.Assignment {
	all := placementkind.Assignment{}
	for _, j := range s.Order {
		if j.Cluster != "" {
			all = append(all, placementkind.Assigned{Job: j.Job, Cluster: j.Cluster})
		}
	}
	return all
}

func (v *View) showPlayed(got placement.Played, drawn sketch, err error) {
	p := &v.play
	p.problem = problemOf(err)
	if err != nil {
		p.shown = nil
		p.player.Pause()
		return
	}
	drawn.changes(&p.picture)
	p.shown, p.step, p.picture = &got, got.Step, drawn
	p.rows, p.order = playedRows(&got), orderRows(&got)
	if got.Kind == placement.PlayedEnd {
		p.player.Pause()
	}
	v.Located()
	p.player.Rest(v.Page, time.Duration(float64(time.Second)/p.speed), func() { v.playOn(1) })
}

// playedRows are PA before the decision; its cluster is marked.
func playedRows(s *placement.Played) []ui.Row {
	if s.Row == nil {
		return nil
	}
	rows := candidateRows(s.Row)
	now := slices.IndexFunc(s.Row.PA, func(c placement.Candidate) bool { return c.Cluster == s.Cluster })
	if refused := slices.IndexFunc(s.Row.Refusals, func(r placement.Refusal) bool { return r.Cluster == s.Cluster }); refused >= 0 {
		now = len(s.Row.PA) + refused
	}
	if now >= 0 {
		rows[now].Class += " now"
	}
	return rows
}

// orderRows are the jobs in the order of the search.
func orderRows(s *placement.Played) []ui.Row {
	rows := make([]ui.Row, len(s.Order))
	for i, j := range s.Order {
		rows[i].Cells = []ui.Cell{ui.Text(j.Name), ui.Figure(j.Y), ui.Text(j.Cluster)}
		if j.Job == s.Job {
			rows[i].Class = "now"
		}
	}
	return rows
}

// playOn goes one step ahead or back.
func (v *View) playOn(by int) {
	switch p := &v.play; {
	case p.shown == nil:
	case p.refusals:
		v.askPlayed(min(p.step+int64(by), p.shown.Steps-1), 0)
	default:
		v.askPlayed(p.step, by)
	}
}

// startPlaying shows the next step, or the first one where the last one is shown.
func (v *View) startPlaying() {
	if v.play.shown.Kind == placement.PlayedEnd {
		v.askPlayed(0, 0)
		return
	}
	v.playOn(1)
}

// playPane is the player above the clusters and the order of the jobs.
func (v *View) playPane() app.UI {
	p := &v.play
	pane := app.Div().Class(v.Dimmed("play")).Hidden(v.pictureView() != playView)
	if p.shown != nil {
		pane.DataSet("kind", map[uint8]string{placement.PlayedRefused: "refused", placement.PlayedPlaced: "placed", placement.PlayedBack: "back"}[p.shown.Kind])
	}
	switch {
	case v.pictureView() != playView || v.result == nil:
		return pane
	case p.problem != "":
		return pane.Body(ui.Empty(show.Capital(p.problem) + "."))
	case p.shown == nil:
		return pane.Body(ui.Empty("Running again to keep every step …"))
	}
	return pane.Body(
		app.Div().Class("play-board").Body(v.board(), app.Div().Class("play-order").Body(&ui.Table{
			ID: "play-order", Caption: "Jobs in the order of the search (SJ)", Rows: p.order,
			Columns: []ui.Column{{Name: "Job"}, {Name: "y", Title: "Its requests and its neighbours'", Numeric: true}, {Name: "Cluster", Title: "DOT id"}},
		})),
		app.If(!v.OnStage(), v.player),
	)
}

// stagePlayer is the player below the picture on the stage, or the way to it.
func (v *View) stagePlayer() app.UI {
	show := func(label string, view drawing.View) app.HTMLButton {
		return ui.Button("play", label).OnClick(func(ctx app.Context, _ app.Event) { v.selectView(ctx, string(view)) }, app.EventScope(view))
	}
	if v.pictureView() == nodesView {
		return app.Div().Class("stage-play").DataSet("testid", "player").Body(v.drainedNote(),
			app.If(!v.Inputs.alone(), func() app.UI { return show("Show the placement", drawing.ResultView) }))
	}
	if v.pictureView() == playView && v.result != nil && v.play.shown != nil {
		return app.Div().Class("stage-play").Body(v.player(), show("Show the result", drawing.ResultView))
	}
	return app.Div().Class("stage-play").DataSet("testid", "player").Body(
		show("Play the search", playView).DataSet("testid", "player-play"),
		app.Span().Class("hint").Text("Each trial, refusal and job taken back, step by step."),
		app.If(slices.ContainsFunc(v.Inputs.files, isDump), func() app.UI { return show("Show the nodes", nodesView) }))
}

// player has the buttons, the slider and the sentence of the step.
func (v *View) player() app.UI {
	p := &v.play
	s := p.shown
	speeds := ui.Options(len(playSpeeds), func(i int) (value, text string) {
		return ui.Number(playSpeeds[i]), ui.Number(playSpeeds[i]) + " steps/s"
	})
	last := s.Step == s.Steps-1
	return p.player.Controls(lab.Controls{
		ID: "player", Part: "player-", Label: "Steps of the search", Step: "Step of the search", Play: "Play", At: s.Step, Last: s.Steps - 1, First: 1, Text: s.Text,
		Back: v.StepButton(-1, s.Step == 0), Next: v.StepButton(+1, last).DataSet("testid", "player-next"),
		Toggle: func() { p.player.Toggle(v.startPlaying) }, Seek: func(step int64) { v.askPlayed(step, 0) },
		More: []app.UI{
			ui.Disabled(ui.IconButton("past", "Next job"), last).OnClick(func(app.Context, app.Event) { v.askPlayed(p.step, 1) }),
			ui.Select("play-speed", ui.Number(p.speed), func(value string) { p.speed, _ = strconv.ParseFloat(value, 64) }, speeds...).Class("inline").Aria("label", "Speed"),
			app.Label().Class("inline").Body(ui.Checkbox("play-refusals", p.refusals, func(on bool) { p.refusals, p.chosen = on, true }), app.Text("Stop at refusals")),
		},
	})
}

// board is the picture of the placement at the step: the jobs that wait are below the clusters.
func (v *View) board() app.UI {
	s, drawn := v.play.shown, &v.play.picture
	cluster, job := "", ""
	for i := range drawn.Elements {
		e := &drawn.Elements[i]
		deployment, _, _ := drawing.JobOf(e.ID)
		switch id := e.Identity(); {
		case e.Kind == "cluster" && id == s.Cluster:
			cluster = e.ID
		case e.Kind == "job" && id == s.Job && deployment == v.play.query.Deployment:
			job = e.ID
		}
	}
	return &chart.Graph{ID: "play-board", TestID: "play-board", Label: "Clusters and their jobs: " + s.Text, SVG: drawn.svg, Names: drawn.names, Selected: cluster, Moved: []string{job}}
}

func jobChip(name string, now bool) app.UI {
	class := "job-chip"
	if now {
		class += " now"
	}
	return app.Span().Class(class).Text(name)
}
