package placement

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/wasm/bridge"
	"berth/wasm/graphviz"
)

// picture is the state of the result pane.
type picture struct {
	view *View

	crowded    bool         // a drawing of the many jobs would be hard to read
	chosen     drawing.View // view that the user chose; "" to choose by the size of the result
	deployment int          // index of the drawn deployment; AllDeployments for all
	expanded   []int        // clusters of a simplified drawing that show their jobs
	around     string       // draw the neighbours of this element; "" for the explained job

	asked   lab.Latest
	sketch  // the sketch on screen
	problem string
	pointed chart.Element // element under the pointer or with the focus

	moved       []string                  // ids of jobs that the pinned result places elsewhere
	listed      [2]*scenario.Report       // reports on screen and pinned that the tables below list
	jobs        []placedJob               // jobs that the shown strategy placed
	rows        []ui.Row                  // of the placement table
	ids         bool                      // the placement table shows DOT ids
	deployments []ui.Row                  // of the table of deployments
	clusters    []ui.Row                  // of the table of clusters
	change      *placementkind.Difference // effect of a what-if; nil for none
	moves, left []ui.Row                  // of the tables of the what-if

	finding // search among jobs and clusters
	figures // contents of the views of figures
}

func (p *picture) resultTools() []app.UI {
	return []app.UI{
		&ui.Tabs{ID: "picture-views", Label: "Views of the placement", Items: p.views(),
			Selected: string(p.pictureView()), OnSelect: p.selectView},
		p.findField(),
		p.deploymentSelect(),
		p.exportMenu(),
	}
}

func (p *picture) deploymentSelect() app.UI {
	if p.view.result == nil || len(p.view.result.deployments()) < 2 || !isDrawn(p.pictureView()) {
		return ui.None()
	}
	all := append([]int{placementkind.AllDeployments}, lab.FirstOf(len(p.view.result.deployments()))...)
	return ui.Numbered("drawn-deployment", p.deployment, all, p.view.why.deploymentName, func(i int) {
		p.deployment = i
		p.draw()
	}).Class("inline").Aria("label", "Deployment to draw")
}

// show shows the result of another strategy in all panes.
func (p *picture) show(strategy int) {
	p.view.shown = strategy
	p.view.Tell()
	p.forget()
	p.listJobs()
	p.draw()
	p.view.why.openWhy(p.view.why.deployment, p.view.why.step)
	p.view.play.wantPlayed()
}

// sketch is a placement as an SVG drawing and in figures.
type sketch struct {
	drawing.Drawing
	of    placementkind.DrawQuery
	svg   string
	names string // of the elements: see chart.NamesOf
	overview
}

// overview holds the figures of a strategy's placement.
type overview struct {
	run      *bridge.Result
	strategy int
	drawing.Overview
}

// draw requests the picture of the shown result. A later call discards the answer to an earlier
// one.
func (p *picture) draw() {
	if len(p.view.result.deployments()) == 0 {
		return
	}
	if p.view.comparison.tradeoffs != nil {
		p.view.comparison.tradeoffs.point = -1
	}
	if p.view.challenge.on() {
		p.view.challenge.draw()
		return
	}
	run, strategy := p.view.result.at(p.view.shown)
	query, known := p.pictureQuery(strategy), p.overview
	lab.Ask(&p.asked, p.view.Later, func() (overview, error) { return p.overviewOf(p.view.Page, run, strategy, known) }, func(known overview, err error) {
		if err != nil {
			p.showDrawing(sketch{}, err)
			return
		}
		if p.overview.run != known.run || p.overview.strategy != known.strategy {
			p.survey(known)
			p.listJobs()
		}
		lab.Ask(&p.asked, p.view.Later, func() (sketch, error) { return p.drawn(p.view.Page, query, known) }, p.showDrawing)
	})
}

func (p *picture) pictureQuery(strategy int) placementkind.DrawQuery {
	q := placementkind.DrawQuery{Strategy: strategy, Deployment: p.deployment}
	q.Narrow = p.view.Narrow != nil && p.view.Narrow()
	switch view := p.pictureView(); view {
	case drawing.NeighboursView:
		q.View, q.Around = view, p.center()
	case drawing.DeploymentView, drawing.FederationView:
		q.View = view
	default:
		q.View, q.Expand = drawing.ResultView, slices.Clone(p.expanded)
	}
	return q
}

// overviewOf returns the figures of a placement. Unless known has them, it asks the engine, which
// blocks.
func (p *picture) overviewOf(ctx context.Context, run *bridge.Result, strategy int, known overview) (overview, error) {
	if known.run == run && known.strategy == strategy {
		return known, nil
	}
	o, err := bridge.Ask(ctx, p.view.Engine, run, placementkind.OverviewQuestion, placementkind.OverviewQuery{Strategy: strategy})
	if err != nil {
		return overview{}, err
	}
	return overview{run, strategy, o}, nil
}

// survey puts new figures on screen.
func (p *picture) survey(o overview) {
	p.overview, p.figures = o, figuresOf(o.Overview)
	p.drawBars()
}

// drawn draws a placement whose figures are known; it blocks.
func (p *picture) drawn(ctx context.Context, q placementkind.DrawQuery, o overview) (sketch, error) {
	d, err := bridge.Ask(ctx, p.view.Engine, o.run, placementkind.DrawQuestion, q)
	return p.render(ctx, sketch{Drawing: d, of: q, overview: o}, err)
}

// render has Graphviz lay out a drawing that has no SVG yet, and names its elements. If err is not
// nil, it draws nothing and returns err. It blocks.
func (p *picture) render(ctx context.Context, s sketch, err error) (sketch, error) {
	names := s.elementNames(nil)
	s.names, s.svg = chart.NamesOf(names), s.SVG
	if err != nil || s.SVG != "" {
		return s, err
	}
	svg, err := p.view.Renderer.Render(ctx, []byte(s.DOT), graphviz.Options{Layout: graphviz.Layout(s.Layout)})
	if errors.Is(err, graphviz.ErrTimeLimit) && s.Layout != string(graphviz.SFDP) {
		svg, err = p.view.Renderer.Render(ctx, []byte(s.DOT), graphviz.Options{Layout: graphviz.SFDP})
	}
	if err == nil {
		svg, err = graphviz.Sanitise(svg)
	}
	s.svg = string(graphviz.Arrange(svg, func(id string) string { return names[id].String() }))
	return s, err
}

// showDrawing shows a sketch. After an error the last drawing stays on screen below the message.
func (p *picture) showDrawing(s sketch, err error) {
	p.problem, p.pointed = problemOf(err), chart.Element{}
	if err == nil {
		p.replace(s)
	}
}

// replace shows a sketch.
func (p *picture) replace(s sketch) {
	s.changes(&p.sketch)
	p.sketch = s
}

// changes adds the changes in cost of the jobs that moved since another sketch.
func (s *sketch) changes(before *sketch) {
	changes, former := map[string]string{}, map[string]*drawing.Element{}
	for i := range before.Elements {
		former[before.Elements[i].ID] = &before.Elements[i]
	}
	for _, e := range s.Elements {
		if was := former[e.ID]; was != nil && was.Title == e.Title && was.Cluster != e.Cluster && was.Cost != nil && e.Cost != nil {
			changes[e.ID] = signed(*e.Cost - *was.Cost)
		}
	}
	if len(changes) > 0 {
		s.names = chart.NamesOf(s.elementNames(changes))
	}
}

// listJobs fills the tables. Unchanged rows keep their slice: go-app compares a new
// slice cell by cell, which takes long for many jobs.
func (p *picture) listJobs() {
	s := p.view.result.report(p.view.shown)
	from, jobs := p.view.comparison.movedFrom(s), placedJobs(s, p.Overview)
	p.jobs, p.moved, p.view.Things = jobs, movedElements(jobs, from), p.view.things(jobs)
	same := func(a, b ui.Row) bool { return a.Class == b.Class && slices.Equal(a.Cells, b.Cells) }
	if rows := placementRows(jobs, len(s.Deployments) > 1, from); !slices.EqualFunc(rows, p.rows, same) {
		p.rows = rows
	}
	p.deployments = deploymentRows(p.view.result.body(), s, searchTimes(p.view.result.at(p.view.shown)))
	p.view.comparison.addDeltas(p.deployments, s)
	p.clusters = clusterRows(s.Clusters)
	p.change = p.view.whatIf.changeOf(s)
	p.moves, p.left = differenceRows(p.change)
}

func problemOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func (p *picture) resultPane() app.UI {
	var carry func(app.Context, chart.Carry) // nil if the drawing has no cluster to drop a job on
	if p.view.result != nil && p.pictureView() == drawing.ResultView && !p.view.result.jointly() {
		carry = p.view.carry
	}
	answer, refused := p.view.carriedText()
	return app.Div().Class("result").Body(
		p.resultStatus(),
		p.view.Opening.Claim(),
		p.view.forms.priceOffer(),
		p.view.Runs.RunProgress(p.view.runLabel()),
		app.If(p.problem != "", func() app.UI {
			return ui.Problem("The graph could not be drawn: " + p.problem)
		}),
		p.pictureNote(),
		p.view.comparison.pointNote(),
		app.P().Class("figures-sentence").Role("status").DataSet("testid", "figures-sentence").Text(show.Words(p.view.comparison.figuresSentence())),
		lab.Picture(
			app.Div().Class(p.view.Form.Dimmed("figures-pane")).Hidden(isDrawn(p.pictureView())).Body(p.view.comparison.clusterBars(), p.view.comparison.matrixOfDependencies()),
			p.view.nodes.nodesPane(),
			p.view.play.playPane(),
			p.view.comparison.besidePane(),
			app.Div().Class(p.pictureClass()).Hidden(!isDrawn(p.pictureView()) || p.view.comparison.comparesOnStage()).Body(
				&chart.Graph{ID: "result-graph", TestID: "result-graph", Label: p.pictureLabel(), SVG: p.svg, Names: p.names,
					Selected: cmp.Or(p.found, p.view.why.element), Moved: p.moved, Find: p.wanted(p.pictureView()), OnElement: p.pointAt, OnCarry: carry, Answer: answer, Refused: refused},
				p.legendList(),
				p.elementCard(),
			),
		),
	)
}

// pictureNote says which elements the drawing omits.
func (p *picture) pictureNote() app.UI {
	note, drawn := p.Note, isDrawn(p.pictureView())
	switch {
	case note == "" || !drawn && !p.Simplified || p.pictureView() == nodesView:
		return ui.None()
	case !drawn:
		note = "The tab Result shows the drawing. " + note
	case p.expands():
		note += " Click or tap a cluster, or press Enter on it, to see its jobs."
	}
	return app.P().Class("note").Body(ui.Icon("info"), app.Span().Text(note))
}

func (p *picture) legendList() app.UI {
	keys := p.legend()
	return app.Ul().Class("legend").Aria("label", "Legend").Body(
		app.Range(keys).Slice(func(i int) app.UI {
			k := keys[i]
			return app.Li().Body(app.Raw(fmt.Sprintf(`<svg width="%d" height="%d" aria-hidden="true">%s</svg>`, drawing.KeyWidth, drawing.KeyHeight, k.Mark())),
				app.Span().Text(show.Words(k.Text)))
		}),
	)
}

// legend returns the keys of the drawing's signs, with the mark of moved jobs if the
// drawing has any.
func (p *picture) legend() []drawing.Key {
	if slices.ContainsFunc(p.moved, func(id string) bool { return p.element(id) != nil }) {
		return append(slices.Clone(p.Legend), drawing.MovedKey)
	}
	return p.Legend
}

// pictureClass also dims a drawing while the next one is being made.
func (p *picture) pictureClass() string {
	if p.view.Phase == lab.Done && p.asked.Waits() {
		return "picture dimmed"
	}
	return p.view.Form.Dimmed("picture")
}

func (p *picture) resultStatus() app.UI {
	h := p.view.headline()
	status := p.view.Form.ResultStatus(p.view.headlineText(h), h.details, p.view.otherButton(h))
	if p.view.result != nil && p.view.result.seeks() {
		// Screen readers announce the headline once, when the search is over.
		status.DataSet("best", "sought").Aria("live", "off").Aria("atomic", "false")
	}
	return status
}

func (p *picture) pictureLabel() string {
	what := "the " + string(p.of.View)
	if p.of.View == drawing.NeighboursView {
		what += " of " + p.nameOf(p.of.Around)
	}
	return "Drawing of " + what + ": " + p.view.sentence()
}

// pointAt shows the figures of an element. A click on a job explains it; a click on a
// cluster of a simplified drawing expands or collapses it.
func (p *picture) pointAt(_ app.Context, e chart.Element) {
	p.pointed = e
	element := p.element(e.ID)
	if !e.Pinned || element == nil {
		return
	}
	p.mark("")
	if p.pictureView() == drawing.NeighboursView && (element.Kind == "job" || element.Kind == "cluster") && element.ID != p.of.Around {
		p.lookAround(element.ID)
	}
	if deployment, job, ok := drawing.JobOf(element.ID); ok {
		if p.view.Stage.OnStage() {
			p.view.Tab = ui.PaneWhy
		}
		p.view.comparison.explainJob(deployment, job)
		return
	}
	if clusters := p.view.result.report(p.view.shown).Clusters; element.Kind == "cluster" && element.Cluster < len(clusters) {
		p.view.nodes.cluster = clusters[element.Cluster].Cluster
	}
	if element.Kind == "cluster" && p.expands() {
		p.toggle(element.Cluster)
		shell.Announce(p.view.Page, "Drawing the jobs of "+element.Title+" anew.")
		p.draw()
	}
}

func (p *sketch) element(id string) *drawing.Element {
	for i := range p.Elements {
		if p.Elements[i].ID == id {
			return &p.Elements[i]
		}
	}
	return nil
}

// elementNames returns the names of the elements for screen readers. changes maps the
// elements of jobs that moved to their changes of cost.
func (s *sketch) elementNames(changes map[string]string) map[string]chart.Name {
	names, clusters := make(map[string]chart.Name, len(s.Elements)), map[int]string{}
	for _, e := range s.Elements {
		if e.Kind == "cluster" {
			clusters[e.Cluster] = show.Text(e.Title)
		}
	}
	for _, e := range s.Elements {
		n := chart.Name{Kind: e.Kind, Title: show.Text(e.Title), Ends: e.Ends, Change: changes[e.ID]}
		if on, drawn := clusters[e.Cluster]; e.Kind == "job" && drawn {
			n.Where, n.In = "on "+on, drawing.ClusterID(e.Cluster)
		}
		names[e.ID] = n
	}
	return names
}

// forget drops the user's choices in the drawing when another placement is shown.
func (p *picture) forget() {
	p.expanded, p.around = nil, ""
	p.mark("")
}

// expands reports whether the user can expand clusters to see their jobs.
func (p *picture) expands() bool { return p.Simplified && p.of.View == drawing.ResultView }

func (p *picture) toggle(cluster int) {
	if i := slices.Index(p.expanded, cluster); i >= 0 {
		p.expanded = slices.Delete(p.expanded, i, i+1)
		return
	}
	p.expanded = append(p.expanded, cluster)
}

// elementCard shows the figures of the element under the pointer.
func (p *picture) elementCard() app.UI {
	e := p.element(p.pointed.ID)
	if e == nil {
		return app.Div().Class("element-card").Body(app.Div().Role("status"),
			app.P().Class("hint").Text("Point at an element, tap it or move to it with the arrow keys to see its figures."))
	}
	figures := []app.UI{app.Dt().Text(e.Kind), app.Dd().Text(show.Words(e.Title))}
	for _, f := range e.Figures {
		value := f.Value
		if f.Unit != "" {
			value += "\u202f" + f.Unit
		}
		figures = append(figures, app.Dt().Text(show.Text(f.Name)), app.Dd().Class("figures").Text(show.Words(value)))
	}
	return app.Div().Class("element-card").Body(app.Div().Role("status").Body(app.Dl().Body(figures...)))
}
