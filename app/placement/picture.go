package placement

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
	"berth/wasm/bridge"
	"berth/wasm/graphviz"
)

// picture is what the result pane shows and how it is to be drawn.
type picture struct {
	view       drawing.View
	deployment int   // that is drawn; -1 for all
	expanded   []int // clusters of a simplified result that show their jobs

	asked   int // number of the last drawing asked for
	drawn   int // and of the one that is shown
	sketch      // the one that is shown
	problem string
	pointed chart.Element // that the pointer or the focus is on

	known       map[string]drawing.Element // all that was drawn of this placement, by id
	moved       []string                   // ids of jobs that stood elsewhere in the pinned result
	rows        []ui.Row                   // of the placement table, which takes its names from there
	deployments []ui.Row                   // of the table of deployments
	moves, left []ui.Row                   // of the tables of a what-if
}

var pictureViews = []ui.Tab{
	{ID: string(drawing.ResultView), Title: "Result"},
	{ID: string(drawing.DeploymentView), Title: "Deployment"},
	{ID: string(drawing.FederationView), Title: "Federation"},
}

func (v *View) resultTools() []app.UI {
	return []app.UI{
		&ui.Tabs{ID: "picture-views", Label: "What is drawn", Items: pictureViews,
			Selected: string(v.picture.view), OnSelect: v.selectView},
		v.deploymentSelect(),
		v.exportMenu(),
	}
}

func (v *View) deploymentSelect() app.UI {
	if v.result == nil || len(placementkind.ReportOf(v.result.first.Report).Deployments) < 2 {
		return app.Text("")
	}
	options := []app.UI{ui.Option("-1", "all deployments")}
	for i, d := range placementkind.ReportOf(v.result.first.Report).Deployments {
		options = append(options, ui.Option(strconv.Itoa(i), d.Name))
	}
	return ui.Select("drawn-deployment", strconv.Itoa(v.picture.deployment), v.selectDeployment, options...).
		Class("inline").Aria("label", "Deployment that is drawn")
}

func (v *View) selectView(_ app.Context, id string) {
	v.picture.view = drawing.View(id)
	v.Located()
	v.draw()
}

func (v *View) selectDeployment(value string) {
	v.picture.deployment, _ = strconv.Atoi(value)
	v.draw()
}

// show brings another strategy's result into all panes.
func (v *View) show(strategy int) {
	v.shown = strategy
	v.Tell()
	v.picture.forget()
	v.draw()
	v.openWhy(v.why.deployment, v.why.step)
}

// sketch is a drawing and the SVG that Graphviz made of it.
type sketch struct {
	drawing.Drawing
	svg string
}

// draw asks for the picture of the shown result. One that is asked for later
// makes an earlier one void.
func (v *View) draw() {
	p := &v.picture
	p.asked++
	asked := p.asked
	run, strategy := v.result.at(v.shown)
	query := v.pictureQuery(strategy)
	var s sketch
	var err error
	v.Later(func() { s, err = v.sketch(v.Page, run, query) }, func() {
		if asked == p.asked {
			v.hang(s, err)
		}
	})
}

func (v *View) pictureQuery(strategy int) placementkind.DrawQuery {
	return placementkind.DrawQuery{Strategy: strategy, Deployment: v.picture.deployment,
		Options: drawing.Options{View: v.picture.view, Expand: slices.Clone(v.picture.expanded)}}
}

// sketch draws a result; it blocks.
func (v *View) sketch(ctx context.Context, run *bridge.Result, q placementkind.DrawQuery) (s sketch, err error) {
	if s.Drawing, err = bridge.Ask(ctx, v.Engine, run, placementkind.DrawQuestion, q); err != nil {
		return s, err
	}
	svg, err := v.Renderer.Render(ctx, []byte(s.DOT), graphviz.Options{Layout: graphviz.Layout(s.Layout)})
	if errors.Is(err, graphviz.ErrTimeLimit) && s.Layout != string(graphviz.SFDP) {
		svg, err = v.Renderer.Render(ctx, []byte(s.DOT), graphviz.Options{Layout: graphviz.SFDP})
	}
	if err == nil {
		svg, err = graphviz.Sanitise(svg)
	}
	s.svg = string(svg)
	return s, err
}

// hang shows a sketch; without one, the last drawing stays beside the error.
func (v *View) hang(s sketch, err error) {
	p := &v.picture
	p.problem, p.pointed, p.drawn = problemOf(err), chart.Element{}, p.asked
	if err == nil {
		p.sketch = s
	}
	for _, e := range s.Elements {
		p.known[e.ID] = e
	}
	v.listJobs()
}

// listJobs fills the tables. What was drawn gives the names.
func (v *View) listJobs() {
	s := v.result.report(v.shown)
	from := v.movedFrom(s)
	v.picture.moved = movedElements(s, from)
	v.picture.rows = placementRows(s, v.picture.known, from)
	v.picture.deployments = deploymentRows(s, searchTimes(v.result.at(v.shown)))
	v.picture.moves, v.picture.left = differenceRows(s.WhatIf)
}

func problemOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func (v *View) resultPane() app.UI {
	return app.Div().Class("result").Body(
		v.resultStatus(),
		v.Claim(),
		v.RunProgress(v.runLabel()),
		app.If(v.picture.problem != "", func() app.UI {
			return ui.Problem("The graph could not be drawn: " + v.picture.problem)
		}),
		app.If(v.picture.Note != "", func() app.UI {
			return app.P().Class("note").Body(ui.Icon("info"), app.Span().Text(v.picture.Note+v.expandHint()))
		}),
		app.Div().Class(v.pictureClass()).Body(
			&chart.Graph{ID: "result-graph", TestID: "result-graph", Label: v.pictureLabel(),
				SVG: v.picture.svg, Names: v.picture.names(), Selected: v.why.element, Moved: v.picture.moved, OnElement: v.pointAt},
			v.elementCard(),
		),
	)
}

// pictureClass dims a drawing that gives way to another one, too.
func (v *View) pictureClass() string {
	if v.Phase == lab.Done && v.picture.drawn != v.picture.asked {
		return "picture dimmed"
	}
	return v.Dimmed("picture")
}

func (v *View) resultStatus() app.UI {
	text, cost, why := v.headline()
	return v.ResultStatus(v.mark(), app.Span().Body(app.Text(show.Words(text)), app.If(cost != "", func() app.UI {
		return app.Span().Body(app.Text(costLead), app.Data().DataSet("testid", "result-total-cost").Text(cost))
	}), app.Text(show.Words(why))))
}

func (v *View) pictureLabel() string {
	return "Drawing of the " + string(v.picture.view) + ": " + v.sentence()
}

func (v *View) expandHint() string {
	if !v.picture.expands() {
		return ""
	}
	return " Click or tap a cluster, or press Enter on it, to see its jobs."
}

// pointAt shows the figures of an element. A click on a job explains it; a click
// on a cluster of a simplified result expands or collapses it.
func (v *View) pointAt(_ app.Context, e chart.Element) {
	v.picture.pointed = e
	element := v.picture.element(e.ID)
	if !e.Pinned || element == nil {
		return
	}
	if deployment, job, ok := drawing.JobOf(element.ID); ok {
		v.explainJob(deployment, job)
		return
	}
	if element.Kind == "cluster" && v.picture.expands() {
		v.picture.toggle(element.Cluster)
		shell.Announce(v.Page, "Drawing the jobs of "+element.Title+" anew.")
		v.draw()
	}
}

func (p *picture) element(id string) *drawing.Element {
	for i := range p.Elements {
		if p.Elements[i].ID == id {
			return &p.Elements[i]
		}
	}
	return nil
}

// names are what the elements are called where they are not seen.
func (p *picture) names() map[string]chart.Name {
	clusters := map[int]string{}
	for _, e := range p.known {
		if e.Kind == "cluster" {
			clusters[e.Cluster] = show.Text(e.Title)
		}
	}
	names := make(map[string]chart.Name, len(p.Elements))
	for _, e := range p.Elements {
		n := chart.Name{Kind: e.Kind, Title: show.Text(e.Title)}
		if on := clusters[e.Cluster]; e.Kind == "job" && on != "" {
			n.Where = "on " + on
		}
		names[e.ID] = n
	}
	return names
}

// forget makes room for another placement.
func (p *picture) forget() {
	p.expanded, p.known = nil, map[string]drawing.Element{}
}

// expands reports whether clusters can be opened to show their jobs.
func (p *picture) expands() bool { return p.Simplified && p.view == drawing.ResultView }

func (p *picture) toggle(cluster int) {
	if i := slices.Index(p.expanded, cluster); i >= 0 {
		p.expanded = slices.Delete(p.expanded, i, i+1)
		return
	}
	p.expanded = append(p.expanded, cluster)
}

// elementCard has the figures of the element that is pointed at.
func (v *View) elementCard() app.UI {
	card := app.Div().Class("element-card").Role("status")
	e := v.picture.element(v.picture.pointed.ID)
	if e == nil {
		return card.Body(app.P().Class("hint").Text("Point at an element, tap it or move to it with the keys to see its figures."))
	}
	figures := []app.UI{app.Dt().Text(e.Kind), app.Dd().Text(show.Words(e.Title))}
	for _, f := range e.Figures {
		value := f.Value
		if f.Unit != "" {
			value += "\u202f" + f.Unit
		}
		figures = append(figures, app.Dt().Text(show.Text(f.Name)), app.Dd().Class("figures").Text(show.Words(value)))
	}
	return card.Body(app.Dl().Body(figures...))
}
