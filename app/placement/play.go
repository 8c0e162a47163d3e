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

// play is the state of the player of a search. Its steps are trials, with their reasons, and jobs
// that the search unplaced again.
type play struct {
	view *View

	run      *bridge.Result // run of the played search
	query    placementkind.PlayQuery
	step     int64
	asked    lab.Latest
	shown    *placement.Played
	picture  sketch
	rows     []ui.Row // PA: the clusters that are possible for the job
	order    []ui.Row // SJ: the jobs in the order of the search
	problem  string
	player   lab.Player
	speed    float64 // steps a second
	refusals bool    // the film also stops at clusters that refuse a job
	chosen   bool    // the user has set refusals
}

// playSpeeds are the speeds of a film, in steps per second.
var playSpeeds = []float64{1, 3, 10, 30}

// manyClusters is the largest number of clusters for which a film stops at refusals by
// default.
const manyClusters = 24

// wantPlayed requests the step to show if the player is on screen.
func (p *play) wantPlayed() {
	if p.view.result == nil || p.view.picture.pictureView() != playView {
		p.player.Pause()
		return
	}
	run, strategy := p.view.result.at(p.view.shown)
	if p.run == run && p.query.Strategy == strategy && p.query.Deployment == p.view.why.deployment {
		return
	}
	p.player.Pause()
	if !p.chosen {
		p.refusals = placementkind.ReportOf(p.view.result.first.Report).Federation.Clusters <= manyClusters
	}
	p.askPlayed(p.step, 0)
}

// askPlayed requests a step. If past is +1 or −1, it requests the next or previous step that is not
// a refusal.
func (p *play) askPlayed(step int64, past int) {
	run, strategy := p.view.result.at(p.view.shown)
	p.run = run
	p.query = placementkind.PlayQuery{Strategy: strategy, Deployment: p.view.why.deployment, Step: max(0, step), Past: past}
	query, before, draw := p.query, placementsOf(p.view.result.report(p.view.shown)), p.view.comparison.sketcher()
	drawn := sketch{}
	lab.Ask(&p.asked, p.view.Later, func() (got placement.Played, err error) {
		if got, err = bridge.Ask(p.view.Page, p.view.Engine, run, placementkind.PlayQuestion, query); err == nil {
			drawn, err = draw(append(slices.Clone(before[:query.Deployment]), assigned(&got)))
		}
		return got, err
	}, func(got placement.Played, err error) { p.showPlayed(got, drawn, err) })
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

func (p *play) showPlayed(got placement.Played, drawn sketch, err error) {
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
	p.view.Address.Located()
	p.player.Rest(p.view.Page, time.Duration(float64(time.Second)/p.speed), func() { p.playOn(1) })
}

// playedRows lists PA before the decision and marks the cluster of the decision.
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

// orderRows lists the jobs in the order of the search.
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

// playOn goes a step forward (+1) or back (−1).
func (p *play) playOn(by int) {
	switch {
	case p.shown == nil:
	case p.refusals:
		p.askPlayed(min(p.step+int64(by), p.shown.Steps-1), 0)
	default:
		p.askPlayed(p.step, by)
	}
}

// startPlaying shows the next step, or the first step after the last one.
func (p *play) startPlaying() {
	if p.shown.Kind == placement.PlayedEnd {
		p.askPlayed(0, 0)
		return
	}
	p.playOn(1)
}

// playPane draws the clusters and the order of the jobs at the step. On the workbench
// the player is below.
func (p *play) playPane() app.UI {
	pane := app.Div().Class(p.view.Form.Dimmed("play")).Hidden(p.view.picture.pictureView() != playView)
	if p.shown != nil {
		pane.DataSet("kind", map[uint8]string{placement.PlayedRefused: "refused", placement.PlayedPlaced: "placed", placement.PlayedBack: "back"}[p.shown.Kind])
	}
	switch {
	case p.view.picture.pictureView() != playView || p.view.result == nil:
		return pane
	case p.problem != "":
		return pane.Body(ui.Empty(show.Capital(p.problem) + "."))
	case p.shown == nil:
		return pane.Body(ui.Empty("Running again to keep every step …"))
	}
	return pane.Body(
		app.Div().Class("play-board").Body(p.board(), app.Div().Class("play-order").Body(&ui.Table{
			ID: "play-order", Caption: "Jobs in the order of the search (SJ)", Rows: p.order,
			Columns: []ui.Column{{Name: "Job"}, {Name: "y", Title: "Its requests and its neighbours'", Numeric: true}, {Name: "Cluster", Title: "DOT id"}},
		})),
		app.If(!p.view.Stage.OnStage(), p.controls),
	)
}

// stagePlayer draws the player below the picture of the stage, or the button that opens
// it.
func (p *play) stagePlayer() app.UI {
	show := func(label string, view drawing.View) app.HTMLButton {
		return ui.Button("play", label).OnClick(func(ctx app.Context, _ app.Event) { p.view.picture.selectView(ctx, string(view)) }, app.EventScope(view))
	}
	if p.view.picture.pictureView() == nodesView {
		return app.Div().Class("stage-play").DataSet("testid", "player").Body(p.view.nodes.drainedNote(),
			app.If(!p.view.Inputs.alone(), func() app.UI { return show("Show the placement", drawing.ResultView) }))
	}
	if p.view.picture.pictureView() == playView && p.view.result != nil && p.shown != nil {
		return app.Div().Class("stage-play").Body(p.controls(), show("Show the result", drawing.ResultView))
	}
	return app.Div().Class("stage-play").DataSet("testid", "player").Body(
		show("Play the search", playView).DataSet("testid", "player-play"),
		app.Span().Class("hint").Text("Each trial, refusal and job taken back, step by step."),
		app.If(slices.ContainsFunc(p.view.Inputs.files, (*lab.Source).Kubernetes), func() app.UI { return show("Show the nodes", nodesView) }))
}

// controls draws the sentence of the step, the buttons and the slider.
func (p *play) controls() app.UI {
	s := p.shown
	speeds := ui.Options(len(playSpeeds), func(i int) (value, text string) {
		return ui.Number(playSpeeds[i]), ui.Number(playSpeeds[i]) + " steps/s"
	})
	last := s.Step == s.Steps-1
	return p.player.Controls(lab.Controls{
		ID: "player", Part: "player-", Label: "Steps of the search", Step: "Step of the search", Play: "Play", At: s.Step, Last: s.Steps - 1, First: 1, Text: s.Text,
		Back: p.view.StepButton(-1, s.Step == 0), Next: p.view.StepButton(+1, last).DataSet("testid", "player-next"),
		Toggle: func() { p.player.Toggle(p.startPlaying) }, Seek: func(step int64) { p.askPlayed(step, 0) },
		More: []app.UI{
			ui.Disabled(ui.IconButton("past", "Next job"), last).OnClick(func(app.Context, app.Event) { p.askPlayed(p.step, 1) }),
			ui.Select("play-speed", ui.Number(p.speed), func(value string) { p.speed, _ = strconv.ParseFloat(value, 64) }, speeds...).Class("inline").Aria("label", "Speed"),
			app.Label().Class("inline").Body(ui.Checkbox("play-refusals", p.refusals, func(on bool) { p.refusals, p.chosen = on, true }), app.Text("Stop at refusals")),
		},
	})
}

// board is the picture of the placement at the step, with the waiting jobs below the clusters.
func (p *play) board() app.UI {
	s, drawn := p.shown, &p.picture
	cluster, job := "", ""
	for i := range drawn.Elements {
		e := &drawn.Elements[i]
		deployment, _, _ := drawing.JobOf(e.ID)
		switch id := e.Identity(); {
		case e.Kind == "cluster" && id == s.Cluster:
			cluster = e.ID
		case e.Kind == "job" && id == s.Job && deployment == p.query.Deployment:
			job = e.ID
		}
	}
	return &chart.Graph{ID: "play-board", TestID: "play-board", Label: "Clusters and their jobs: " + s.Text, SVG: drawn.svg, Names: drawn.names, Copy: true, Selected: cluster, Moved: []string{job}}
}

func jobChip(name string, now bool) app.UI {
	class := "job-chip"
	if now {
		class += " now"
	}
	return app.Span().Class(class).Text(name)
}
