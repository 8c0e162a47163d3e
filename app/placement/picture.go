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
	crowded    bool         // there are so many jobs that a drawing is hard to read
	chosen     drawing.View // by hand; "" leaves it to the size of the result
	deployment int          // that is drawn; -1 for all
	expanded   []int        // clusters of a simplified result that show their jobs
	around     string       // element whose neighbours are drawn; "" for the job that is explained

	asked   lab.Latest
	sketch  // the one that is shown
	problem string
	pointed chart.Element // that the pointer or the focus is on

	moved       []string                  // ids of jobs that stood elsewhere in the pinned result
	listed      [2]*scenario.Report       // on screen and pinned, whose jobs these are
	order       []int                     // of the bars: by use in the first result of a federation, so that no dial moves them
	jobs        []placedJob               // that the shown strategy placed
	rows        []ui.Row                  // of the placement table
	ids         bool                      // whether it shows DOT ids
	deployments []ui.Row                  // of the table of deployments
	clusters    []ui.Row                  // as above, where nodes are known
	change      *placementkind.Difference // of a what-if; nil without one
	moves, left []ui.Row                  // of its tables

	finding // the search among jobs and clusters
	figures // of the views that are no drawings
}

func (v *View) resultTools() []app.UI {
	return []app.UI{
		&ui.Tabs{ID: "picture-views", Label: "Views of the placement", Items: v.views(),
			Selected: string(v.pictureView()), OnSelect: v.selectView},
		v.findField(),
		v.deploymentSelect(),
		v.exportMenu(),
	}
}

func (v *View) deploymentSelect() app.UI {
	if v.result == nil || len(v.result.deployments()) < 2 || !isDrawn(v.pictureView()) {
		return ui.None()
	}
	all := append([]int{placementkind.AllDeployments}, lab.FirstOf(len(v.result.deployments()))...)
	return ui.Numbered("drawn-deployment", v.picture.deployment, all, v.deploymentName, func(i int) {
		v.picture.deployment = i
		v.draw()
	}).Class("inline").Aria("label", "Deployment to draw")
}

// show brings another strategy's result into all panes.
func (v *View) show(strategy int) {
	v.shown = strategy
	v.Tell()
	v.picture.forget()
	v.listJobs()
	v.draw()
	v.openWhy(v.why.deployment, v.why.step)
	v.wantPlayed()
}

// sketch is a drawing as SVG, and the same placement in figures.
type sketch struct {
	drawing.Drawing
	of    placementkind.DrawQuery
	svg   string
	names map[string]chart.Name // of the elements, by their ids
	overview
}

// overview are the figures of the placement of a strategy of a run.
type overview struct {
	run      *bridge.Result
	strategy int
	drawing.Overview
}

// draw asks for the picture of the shown result. One that is asked for later
// makes an earlier one void.
func (v *View) draw() {
	p := &v.picture
	if len(v.result.deployments()) == 0 {
		return
	}
	if v.tradeoffs != nil {
		v.tradeoffs.point = -1
	}
	run, strategy := v.result.at(v.shown)
	query, known := v.pictureQuery(strategy), p.overview
	lab.Ask(&p.asked, v.Later, func() (overview, error) { return v.overviewOf(v.Page, run, strategy, known) }, func(known overview, err error) {
		if err != nil {
			v.showDrawing(sketch{}, err)
			return
		}
		if p.overview.run != known.run || p.overview.strategy != known.strategy {
			p.survey(known)
			v.listJobs()
		}
		lab.Ask(&p.asked, v.Later, func() (sketch, error) { return v.sketch(v.Page, query, known) }, v.showDrawing)
	})
}

func (v *View) pictureQuery(strategy int) placementkind.DrawQuery {
	q := placementkind.DrawQuery{Strategy: strategy, Deployment: v.picture.deployment}
	switch view := v.pictureView(); view {
	case drawing.NeighboursView:
		q.View, q.Around = view, v.around()
	case drawing.DeploymentView, drawing.FederationView:
		q.View = view
	default:
		q.View, q.Expand = drawing.ResultView, slices.Clone(v.picture.expanded)
	}
	return q
}

// overviewOf asks for the figures of a placement, unless they are known; it blocks.
func (v *View) overviewOf(ctx context.Context, run *bridge.Result, strategy int, known overview) (overview, error) {
	if known.run == run && known.strategy == strategy {
		return known, nil
	}
	o, err := bridge.Ask(ctx, v.Engine, run, placementkind.OverviewQuestion, placementkind.OverviewQuery{Strategy: strategy})
	if err != nil {
		return overview{}, err
	}
	return overview{run, strategy, o}, nil
}

// survey takes over figures.
func (p *picture) survey(o overview) {
	same := slices.EqualFunc(p.Overview.Clusters, o.Clusters, func(a, b drawing.ClusterUse) bool { return a.ID == b.ID })
	p.overview, p.figures = o, figuresOf(o.Overview)
	if !same || len(p.order) != len(o.Clusters) {
		p.order = p.byUse
	}
	p.drawBars()
}

// sketch draws what there are figures of; it blocks.
func (v *View) sketch(ctx context.Context, q placementkind.DrawQuery, o overview) (sketch, error) {
	d, err := bridge.Ask(ctx, v.Engine, o.run, placementkind.DrawQuestion, q)
	return v.render(ctx, sketch{Drawing: d, of: q, overview: o}, err)
}

// render has Graphviz lay out a drawing that is none of a placement, unless asking for it was an
// error; it blocks.
func (v *View) render(ctx context.Context, s sketch, err error) (sketch, error) {
	s.names, s.svg = s.elementNames(), s.SVG
	if err != nil || s.SVG != "" {
		return s, err
	}
	svg, err := v.Renderer.Render(ctx, []byte(s.DOT), graphviz.Options{Layout: graphviz.Layout(s.Layout)})
	if errors.Is(err, graphviz.ErrTimeLimit) && s.Layout != string(graphviz.SFDP) {
		svg, err = v.Renderer.Render(ctx, []byte(s.DOT), graphviz.Options{Layout: graphviz.SFDP})
	}
	if err == nil {
		svg, err = graphviz.Sanitise(svg)
	}
	s.svg = string(graphviz.Arrange(svg, func(id string) string { return s.names[id].String() }))
	return s, err
}

// showDrawing shows a sketch; without one, the last drawing stays beside the error.
func (v *View) showDrawing(s sketch, err error) {
	p := &v.picture
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

// changes adds the changes of cost of the jobs that moved since another sketch.
func (s *sketch) changes(before *sketch) {
	for _, e := range s.Elements {
		if was := before.element(e.ID); was != nil && was.Title == e.Title && was.Cluster != e.Cluster && was.Cost != nil && e.Cost != nil {
			n := s.names[e.ID]
			n.Change = signed(*e.Cost - *was.Cost)
			s.names[e.ID] = n
		}
	}
}

// listJobs fills the tables. Unchanged rows stay the same slice, since go-app compares other
// slices cell by cell, which takes long for many jobs.
func (v *View) listJobs() {
	s := v.result.report(v.shown)
	from, jobs := v.movedFrom(s), placedJobs(s, v.picture.Overview)
	v.picture.jobs, v.picture.moved, v.Things = jobs, movedElements(jobs, from), v.things(jobs)
	if rows := placementRows(jobs, len(s.Deployments) > 1, from); !slices.EqualFunc(rows, v.picture.rows, sameRow) {
		v.picture.rows = rows
	}
	v.picture.deployments = deploymentRows(v.result.body(), s, searchTimes(v.result.at(v.shown)))
	v.addDeltas(v.picture.deployments, s)
	v.picture.clusters = clusterRows(s.Clusters)
	v.picture.change = v.changeOf(s)
	v.picture.moves, v.picture.left = differenceRows(v.picture.change)
}

func problemOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func (v *View) resultPane() app.UI {
	var carry func(app.Context, chart.Carry) // where jobs have places of their own
	if v.result != nil && v.pictureView() == drawing.ResultView && !v.result.jointly() {
		carry = v.carry
	}
	answer, refused := v.carriedText()
	return app.Div().Class("result").Body(
		v.resultStatus(),
		v.Claim(),
		v.priceOffer(),
		v.RunProgress(v.runLabel()),
		app.If(v.picture.problem != "", func() app.UI {
			return ui.Problem("The graph could not be drawn: " + v.picture.problem)
		}),
		v.pictureNote(),
		v.pointNote(),
		app.P().Class("figures-sentence").Role("status").DataSet("testid", "figures-sentence").Text(show.Words(v.figuresSentence())),
		lab.Picture(
			app.Div().Class(v.Dimmed("figures-pane")).Hidden(isDrawn(v.pictureView())).Body(v.clusterBars(), v.matrixOfDependencies()),
			v.nodesPane(),
			v.playPane(),
			v.besidePane(),
			app.Div().Class(v.pictureClass()).Hidden(!isDrawn(v.pictureView()) || v.comparesOnStage()).Body(
				&chart.Graph{ID: "result-graph", TestID: "result-graph", Label: v.pictureLabel(), SVG: v.picture.svg, Names: v.picture.names,
					Selected: cmp.Or(v.picture.found, v.why.element), Moved: v.picture.moved, Find: v.picture.wanted(v.pictureView()), OnElement: v.pointAt, OnCarry: carry, Answer: answer, Refused: refused},
				v.legend(),
				v.elementCard(),
			),
		),
	)
}

// pictureNote says which elements the drawing omits.
func (v *View) pictureNote() app.UI {
	note, drawn := v.picture.Note, isDrawn(v.pictureView())
	switch {
	case note == "" || !drawn && !v.picture.Simplified || v.pictureView() == nodesView:
		return ui.None()
	case drawn:
		note += v.expandHint()
	default:
		note = "The tab Result shows the drawing. " + note
	}
	return app.P().Class("note").Body(ui.Icon("info"), app.Span().Text(note))
}

// legend explains the signs of the drawing.
func (v *View) legend() app.UI {
	keys := v.picture.legend()
	return app.Ul().Class("legend").Aria("label", "Legend").Body(
		app.Range(keys).Slice(func(i int) app.UI {
			k := keys[i]
			return app.Li().Body(app.Raw(fmt.Sprintf(`<svg width="%d" height="%d" aria-hidden="true">%s</svg>`, drawing.KeyWidth, drawing.KeyHeight, k.Mark())),
				app.Span().Text(show.Words(k.Text)))
		}),
	)
}

// legend is the legend of the drawing, with the mark of moved jobs if there are any.
func (p *picture) legend() []drawing.Key {
	if slices.ContainsFunc(p.moved, func(id string) bool { return p.element(id) != nil }) {
		return append(slices.Clone(p.Legend), drawing.MovedKey)
	}
	return p.Legend
}

// pictureClass dims a drawing that gives way to another one, too.
func (v *View) pictureClass() string {
	if v.Phase == lab.Done && v.picture.asked.Waits() {
		return "picture dimmed"
	}
	return v.Dimmed("picture")
}

func (v *View) resultStatus() app.UI {
	h := v.headline()
	status := v.ResultStatus(v.headlineText(h), h.details, v.otherButton(h))
	if v.result != nil && v.result.seeks() {
		// Screen readers say the headline once, when it is whole.
		status.DataSet("best", "sought").Aria("live", "off").Aria("atomic", "false")
	}
	return status
}

func (v *View) pictureLabel() string {
	what := "the " + string(v.picture.of.View)
	if v.picture.of.View == drawing.NeighboursView {
		what += " of " + v.picture.nameOf(v.picture.of.Around)
	}
	return "Drawing of " + what + ": " + v.sentence()
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
	v.picture.mark("")
	if v.pictureView() == drawing.NeighboursView && (element.Kind == "job" || element.Kind == "cluster") && element.ID != v.picture.of.Around {
		v.lookAround(element.ID)
	}
	if deployment, job, ok := drawing.JobOf(element.ID); ok {
		if v.OnStage() {
			v.Tab = ui.PaneWhy
		}
		v.explainJob(deployment, job)
		return
	}
	if clusters := v.result.report(v.shown).Clusters; element.Kind == "cluster" && element.Cluster < len(clusters) {
		v.nodes.cluster = clusters[element.Cluster].Cluster
	}
	if element.Kind == "cluster" && v.picture.expands() {
		v.picture.toggle(element.Cluster)
		shell.Announce(v.Page, "Drawing the jobs of "+element.Title+" anew.")
		v.draw()
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

// elementNames name the elements for screen readers.
func (s *sketch) elementNames() map[string]chart.Name {
	names, clusters := make(map[string]chart.Name, len(s.Elements)), map[int]string{}
	for _, e := range s.Elements {
		if e.Kind == "cluster" {
			clusters[e.Cluster] = show.Text(e.Title)
		}
	}
	for _, e := range s.Elements {
		n := chart.Name{Kind: e.Kind, Title: show.Text(e.Title), Ends: e.Ends}
		if on, drawn := clusters[e.Cluster]; e.Kind == "job" && drawn {
			n.Where, n.In = "on "+on, drawing.ClusterID(e.Cluster)
		}
		names[e.ID] = n
	}
	return names
}

// forget makes room for another placement.
func (p *picture) forget() {
	p.expanded, p.around = nil, ""
	p.mark("")
}

// expands reports whether clusters can be opened to show their jobs.
func (p *picture) expands() bool { return p.Simplified && p.of.View == drawing.ResultView }

func (p *picture) toggle(cluster int) {
	if i := slices.Index(p.expanded, cluster); i >= 0 {
		p.expanded = slices.Delete(p.expanded, i, i+1)
		return
	}
	p.expanded = append(p.expanded, cluster)
}

// elementCard has the figures of the element that is pointed at.
func (v *View) elementCard() app.UI {
	e := v.picture.element(v.picture.pointed.ID)
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
