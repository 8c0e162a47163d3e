package placement

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/placement"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
	"berth/wasm/bridge"
)

// tradeoffs is the state of the trade-offs between cost and another measure, for the
// shown inputs.
type tradeoffs struct {
	measure placement.Measure // the chosen measure; "" before a choice
	of      *result           // result that the trade-offs belong to
	cancel  func()            // stops the run under way; nil if none runs
	front   *placementkind.Front
	problem string

	point int // index of the point in the picture; −1 for none
	beside
}

// measureNames are the measures in words.
var measureNames = map[placement.Measure]string{
	placement.Cost: "cost", placement.Carbon: "carbon", placement.Latency: "latency over all dependencies", placement.Moves: "jobs moved",
	placement.Resilience: "jobs lost with the worst region", placement.Balance: "share used of the fullest cluster",
}

// tradeoffsOf returns the trade-offs of the shown result. It stops a run for any other result.
func (c *comparison) tradeoffsOf() *tradeoffs {
	if t := c.tradeoffs; t != nil && t.of == c.view.result {
		return t
	}
	if c.tradeoffs != nil && c.tradeoffs.cancel != nil {
		c.tradeoffs.cancel()
	}
	c.tradeoffs = &tradeoffs{of: c.view.result, point: -1}
	if s := c.view.result.report(0); s.Front != nil { // the document asked for a front
		c.tradeoffs.take(s.Front)
	}
	return c.tradeoffs
}

func (t *tradeoffs) take(f *placementkind.Front) {
	t.front, t.point, t.Open = f, -1, false
	t.Sides = [2]int{0, max(0, len(f.Points)-1)}
	t.measure = f.Measures[1]
}

// weigh has a worker find the front of cost and the chosen measure.
func (c *comparison) weigh(measure placement.Measure) {
	t := c.tradeoffsOf()
	in := c.view.result.Inputs.Clone()
	in.options.Strategies = []placementkind.StrategyRun{{Name: bestName}}
	in.options.Pareto, in.after = []placement.Measure{placement.Cost, measure}, ""
	in.options.WhatIf, in.options.Keep = nil, false
	ctx, cancel := context.WithCancel(c.view.Page)
	t.measure, t.cancel, t.problem = measure, cancel, ""
	lab.Ask(nil, c.view.Later, func() (*bridge.Result, error) { return c.view.Engine.Run(ctx, in.Input(), nil) }, func(run *bridge.Result, err error) {
		stopped := ctx.Err() != nil
		cancel()
		if c.tradeoffs != t {
			return
		}
		t.cancel = nil
		switch {
		case stopped:
		case err != nil:
			t.problem = err.Error()
		case placementkind.ReportOf(run.Report).Strategies[0].Front == nil || len(placementkind.ReportOf(run.Report).Strategies[0].Front.Points) == 0:
			t.problem = "No placement was found, so there is nothing to weigh."
		default:
			t.take(placementkind.ReportOf(run.Report).Strategies[0].Front)
			shell.Announce(c.view.Page, c.frontSentence(t.front))
		}
	})
}

// frontSentence says how many placements the user can choose from.
func (c *comparison) frontSentence(f *placementkind.Front) string {
	proved := 0
	for _, p := range f.Points {
		if p.Proved {
			proved++
		}
	}
	text := ui.Counted(len(f.Points), "placement") + " trade cost against " + string(f.Measures[1])
	if len(f.Points) == 1 {
		return "One placement is the cheapest and has the least " + string(f.Measures[1]) + "."
	}
	return text + fmt.Sprintf(", %d proved to be the cheapest with as little of it.", proved)
}

// tradeoffsPanel draws the panel that requests trade-offs and shows them.
func (c *comparison) tradeoffsPanel() app.UI {
	measures := c.view.picture.Overview.Measures
	if c.view.result.priceless() || len(measures) == 0 {
		return app.Div()
	}
	t := c.tradeoffsOf()
	options := ui.Options(len(measures), func(i int) (value, text string) {
		return measures[i], show.Capital(measureNames[placement.Measure(measures[i])])
	})
	chosen := string(t.measure)
	if !slices.Contains(measures, chosen) {
		chosen = measures[0]
	}
	return app.Div().Class("tradeoffs").DataSet("testid", "pareto").Body(
		app.H3().Text("Trade-offs"),
		app.Div().Class("row").Body(
			ui.Field("pareto-measure", "Cost against", ui.Select("pareto-measure", chosen, func(m string) { t.measure = placement.Measure(m) }, options...).
				DataSet("testid", "pareto-measure")),
			app.If(t.cancel != nil, func() app.UI {
				return ui.Button("stop", "Stop weighing").DataSet("testid", "pareto-stop").OnClick(func(app.Context, app.Event) { t.cancel() })
			}).Else(func() app.UI {
				return ui.Disabled(ui.Button("play", "Show trade-offs"), c.view.Phase != lab.Done).DataSet("testid", "pareto-run").
					OnClick(func(app.Context, app.Event) { c.weigh(placement.Measure(chosen)) }, app.EventScope("pareto-run", chosen))
			}),
		),
		app.If(t.cancel != nil, func() app.UI { return app.P().Class("hint").Text("Looking for the cheapest placements …") }),
		app.If(t.problem != "", func() app.UI { return ui.Problem(t.problem) }),
		app.If(t.front != nil, func() app.UI { return c.frontFigures(t) }),
	)
}

// frontFigures draws the chart, its table, and two points side by side.
func (c *comparison) frontFigures(t *tradeoffs) app.UI {
	f := t.front
	points := make([]chart.FrontPoint, len(f.Points))
	rows := make([]ui.Row, len(f.Points))
	names := make([]string, len(f.Points))
	for i, p := range f.Points {
		x, y := float64(p.Values[1]), float64(p.Values[0])
		label := "cost " + show.Money(y) + ", " + string(f.Measures[1]) + " " + ui.Number(x)
		names[i] = label
		proof := ui.Text("at least " + show.Money(float64(p.Bound)))
		if p.Proved {
			label, proof = label+", proved", ui.Text("proved")
		}
		points[i] = chart.FrontPoint{X: x, Y: y, Label: label}
		rows[i] = ui.Row{Cells: []ui.Cell{{Text: show.Money(y), Value: y, Title: ui.Exact(y)}, ui.Figure(x), {Text: show.Money(float64(p.Bound)), Value: float64(p.Bound)}, proof}}
	}
	side := func(k int, label string) app.UI {
		id := "pareto-side-" + strconv.Itoa(k)
		return ui.Field(id, label, ui.Numbered(id, t.Sides[k], lab.FirstOf(len(names)), func(i int) string { return names[i] }, func(i int) { t.Sides[k] = i }).DataSet("testid", id))
	}
	return app.Div().Body(
		app.P().Class("hint").Role("status").Text(c.frontSentence(f)),
		&chart.Frontier{ID: "pareto-chart", TestID: "pareto-chart", Title: "Cost against " + measureNames[f.Measures[1]] + "; no placement lies in the shaded area",
			XLabel: string(f.Measures[1]), YLabel: "cost", Points: points, Selected: t.point, Floor: floorOf(f),
			OnPoint: func(_ app.Context, i int) { c.openPoint(t, i) }},
		&ui.Table{ID: "pareto-rows", TestID: "pareto-table", Caption: "Placements, the cheapest first; press one to see it drawn", Rows: rows, Selected: t.point + 1,
			OnRow:   func(_ app.Context, i int) { c.openPoint(t, i) },
			Columns: []ui.Column{{Name: "Cost", Numeric: true}, {Name: show.Capital(string(f.Measures[1])), Title: measureNames[f.Measures[1]], Numeric: true}, {Name: "Lower bound", Title: "No placement with at most as much costs less", Numeric: true}, {Name: "Proof"}}},
		app.If(len(f.Points) > 1, func() app.UI {
			return app.Div().Class("row").Body(side(0, "Left"), side(1, "Right"),
				ui.Button("", "Compare side by side").Aria("pressed", t.Open).DataSet("testid", "pareto-compare").OnClick(func(app.Context, app.Event) { t.Open = !t.Open }))
		}),
		app.If(t.Open, func() app.UI { return c.sidesPane(t) }),
	)
}

// floorOf returns the lower bound of the cost as a function of the measure.
func floorOf(f *placementkind.Front) func(float64) float64 {
	return func(x float64) float64 {
		least := 0.0
		for _, e := range f.Below {
			if !e.Most.Defined() || x <= float64(e.Most) {
				least = max(least, float64(e.Cost)-float64(e.Slope)*x)
			}
		}
		return least
	}
}

// placements splits the placement of a point by deployment.
func (c *comparison) placements(p placementkind.FrontPoint) []placementkind.Assignment {
	var all []placementkind.Assignment
	rest := p.Placement
	for _, d := range c.view.picture.Overview.Jobs {
		own := make(placementkind.Assignment, min(len(d.IDs), len(rest)))
		for i := range own {
			own[i] = placementkind.Assigned{Job: d.IDs[i], Cluster: rest[i].Cluster}
		}
		all, rest = append(all, own), rest[len(own):]
	}
	return all
}

// openPoint draws the placement of a point instead of the result, and marks the jobs that the shown
// strategy places on another cluster.
func (c *comparison) openPoint(t *tradeoffs, i int) {
	if i >= len(t.front.Points) {
		return
	}
	t.point = i
	p := &c.view.picture
	placements := c.placements(t.front.Points[i])
	lab.Ask(&p.asked, c.view.Later, c.sketchOf(placements), func(s sketch, err error) {
		if c.tradeoffs != t {
			return
		}
		c.view.picture.showDrawing(s, err)
		if err == nil {
			p.chosen = drawing.ResultView
			p.moved = movedBetween(placementsOf(c.view.result.report(c.view.shown)), placements)
			shell.Announce(c.view.Page, "The picture shows "+pointName(t.front, i)+".")
		}
	})
}

func pointName(f *placementkind.Front, i int) string {
	p := f.Points[i]
	return "the placement for " + show.Money(float64(p.Values[0])) + " with " + string(f.Measures[1]) + " " + ui.Number(float64(p.Values[1]))
}

// sketchOf returns a function that draws placements like a result. The function blocks.
func (c *comparison) sketchOf(placements []placementkind.Assignment) func() (sketch, error) {
	draw := c.sketcher()
	return func() (sketch, error) { return draw(placements) }
}

// sketcher returns a function that draws any placements like a result. The function blocks.
func (c *comparison) sketcher() func(placements []placementkind.Assignment) (sketch, error) {
	run, strategy := c.view.result.at(c.view.shown)
	q, known := placementkind.FollowQuery{DrawQuery: c.view.picture.pictureQuery(strategy)}, c.view.picture.overview
	q.View = drawing.ResultView
	return func(placements []placementkind.Assignment) (sketch, error) {
		q.Placements = placements
		d, err := bridge.Ask(c.view.Page, c.view.Engine, run, placementkind.FollowQuestion, q)
		return c.view.picture.render(c.view.Page, sketch{Drawing: d, of: q.DrawQuery, overview: known}, err)
	}
}

// sidesPane draws the two chosen points side by side.
func (c *comparison) sidesPane(t *tradeoffs) app.UI {
	side := func(k int) ([]placementkind.Assignment, *lab.Known[sketch]) {
		placements := c.placements(t.front.Points[t.Sides[k]])
		return placements, c.sketched([2]any{t.front, t.Sides[k]}, placements)
	}
	return c.sideBySide("pareto-sides", "pareto", [2]string{"Left: " + pointName(t.front, t.Sides[0]), "Right: " + pointName(t.front, t.Sides[1])}, &t.beside, side)
}

// pointNote says which point of the trade-offs the picture shows, with a button back to
// the result.
func (c *comparison) pointNote() app.UI {
	t := c.tradeoffs
	if t == nil || t.of != c.view.result || t.point < 0 || c.view.result == nil {
		return ui.None()
	}
	return app.P().Class("note").DataSet("testid", "pareto-shown").Body(ui.Icon("info"),
		app.Span().Text("The picture shows "+pointName(t.front, t.point)+". "),
		ui.Button("", "Show the result again").OnClick(func(app.Context, app.Event) { c.view.picture.show(c.view.shown) }))
}
