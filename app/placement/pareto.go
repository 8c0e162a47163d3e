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

// tradeoffs are what placements of the shown inputs can have of cost and another measure.
type tradeoffs struct {
	measure placement.Measure // that is chosen; "" before one is
	of      *result           // whose inputs they are of
	cancel  func()            // ends the run under way; nil if there is none
	front   *placementkind.Front
	problem string

	point int // whose placement the picture shows; -1 for none
	beside
}

// measureNames describe the measures.
var measureNames = map[placement.Measure]string{
	placement.Cost: "cost", placement.Carbon: "carbon", placement.Latency: "latency over all dependencies", placement.Moves: "jobs moved",
	placement.Resilience: "jobs lost with the worst region", placement.Balance: "share used of the fullest cluster",
}

// tradeoffsOf are the trade-offs of the shown result.
func (v *View) tradeoffsOf() *tradeoffs {
	if t := v.tradeoffs; t != nil && t.of == v.result {
		return t
	}
	if v.tradeoffs != nil && v.tradeoffs.cancel != nil {
		v.tradeoffs.cancel()
	}
	v.tradeoffs = &tradeoffs{of: v.result, point: -1}
	if s := v.result.report(0); s.Front != nil { // the document asked for one
		v.tradeoffs.take(s.Front)
	}
	return v.tradeoffs
}

func (t *tradeoffs) take(f *placementkind.Front) {
	t.front, t.point, t.Open = f, -1, false
	t.Sides = [2]int{0, max(0, len(f.Points)-1)}
	t.measure = f.Measures[1]
}

// weigh finds the front of cost and the chosen measure, in a worker.
func (v *View) weigh(measure placement.Measure) {
	t := v.tradeoffsOf()
	in := v.result.Inputs.Clone()
	in.options.Strategies = []placementkind.StrategyRun{{Name: bestName}}
	in.options.Pareto, in.after = []placement.Measure{placement.Cost, measure}, ""
	in.options.WhatIf, in.options.Keep = nil, false
	ctx, cancel := context.WithCancel(v.Page)
	t.measure, t.cancel, t.problem = measure, cancel, ""
	lab.Ask(nil, v.Later, func() (*bridge.Result, error) { return v.Engine.Run(ctx, in.Input(), nil) }, func(run *bridge.Result, err error) {
		stopped := ctx.Err() != nil
		cancel()
		if v.tradeoffs != t {
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
			shell.Announce(v.Page, v.frontSentence(t.front))
		}
	})
}

// frontSentence says how many placements there are to choose from.
func (v *View) frontSentence(f *placementkind.Front) string {
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

// tradeoffsPanel is where they are asked for, drawn and chosen from.
func (v *View) tradeoffsPanel() app.UI {
	measures := v.picture.Overview.Measures
	if v.result.priceless() || len(measures) == 0 {
		return app.Div()
	}
	t := v.tradeoffsOf()
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
				return ui.Disabled(ui.Button("play", "Show trade-offs"), v.Phase != lab.Done).DataSet("testid", "pareto-run").
					OnClick(func(app.Context, app.Event) { v.weigh(placement.Measure(chosen)) }, app.EventScope("pareto-run", chosen))
			}),
		),
		app.If(t.cancel != nil, func() app.UI { return app.P().Class("hint").Text("Looking for the cheapest placements …") }),
		app.If(t.problem != "", func() app.UI { return ui.Problem(t.problem) }),
		app.If(t.front != nil, func() app.UI { return v.frontFigures(t) }),
	)
}

// frontFigures are the chart, its table, and two points side by side.
func (v *View) frontFigures(t *tradeoffs) app.UI {
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
		app.P().Class("hint").Role("status").Text(v.frontSentence(f)),
		&chart.Frontier{ID: "pareto-chart", TestID: "pareto-chart", Title: "Cost against " + measureNames[f.Measures[1]] + "; no placement lies in the shaded area",
			XLabel: string(f.Measures[1]), YLabel: "cost", Points: points, Selected: t.point, Floor: floorOf(f),
			OnPoint: func(_ app.Context, i int) { v.openPoint(t, i) }},
		&ui.Table{ID: "pareto-rows", TestID: "pareto-table", Caption: "Placements, the cheapest first; press one to see it drawn", Rows: rows, Selected: t.point + 1,
			OnRow:   func(_ app.Context, i int) { v.openPoint(t, i) },
			Columns: []ui.Column{{Name: "Cost", Numeric: true}, {Name: show.Capital(string(f.Measures[1])), Title: measureNames[f.Measures[1]], Numeric: true}, {Name: "Lower bound", Title: "No placement with at most as much costs less", Numeric: true}, {Name: "Proof"}}},
		app.If(len(f.Points) > 1, func() app.UI {
			return app.Div().Class("row").Body(side(0, "Left"), side(1, "Right"),
				ui.Button("", "Compare side by side").Aria("pressed", t.Open).DataSet("testid", "pareto-compare").OnClick(func(app.Context, app.Event) { t.Open = !t.Open }))
		}),
		app.If(t.Open, func() app.UI { return v.sidesPane(t) }),
	)
}

// floorOf is the least that a placement costs with so much of the measure.
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

// placements are the placements of a point, one for each deployment.
func (v *View) placements(p placementkind.FrontPoint) []placementkind.Assignment {
	var all []placementkind.Assignment
	rest := p.Placement
	for _, d := range v.picture.Overview.Jobs {
		own := make(placementkind.Assignment, min(len(d.IDs), len(rest)))
		for i := range own {
			own[i] = placementkind.Assigned{Job: d.IDs[i], Cluster: rest[i].Cluster}
		}
		all, rest = append(all, own), rest[len(own):]
	}
	return all
}

// openPoint draws the placement of a point in place of the result, with the jobs marked that are
// on another cluster under the shown strategy.
func (v *View) openPoint(t *tradeoffs, i int) {
	if i >= len(t.front.Points) {
		return
	}
	t.point = i
	p := &v.picture
	placements := v.placements(t.front.Points[i])
	lab.Ask(&p.asked, v.Later, v.sketchOf(placements), func(s sketch, err error) {
		if v.tradeoffs != t {
			return
		}
		v.showDrawing(s, err)
		if err == nil {
			p.chosen = drawing.ResultView
			p.moved = movedBetween(v.result.report(v.shown), placements)
			shell.Announce(v.Page, "The picture shows "+pointName(t.front, i)+".")
		}
	})
}

func pointName(f *placementkind.Front, i int) string {
	p := f.Points[i]
	return "the placement for " + show.Money(float64(p.Values[0])) + " with " + string(f.Measures[1]) + " " + ui.Number(float64(p.Values[1]))
}

// sketchOf returns what draws placements as a result would be; that blocks.
func (v *View) sketchOf(placements []placementkind.Assignment) func() (sketch, error) {
	draw := v.sketcher()
	return func() (sketch, error) { return draw(placements) }
}

// sketcher returns what draws any placements as a result would be; that blocks.
func (v *View) sketcher() func(placements []placementkind.Assignment) (sketch, error) {
	run, strategy := v.result.at(v.shown)
	q, known := placementkind.FollowQuery{DrawQuery: v.pictureQuery(strategy)}, v.picture.overview
	q.View = drawing.ResultView
	return func(placements []placementkind.Assignment) (sketch, error) {
		q.Placements = placements
		d, err := bridge.Ask(v.Page, v.Engine, run, placementkind.FollowQuestion, q)
		return v.render(v.Page, sketch{Drawing: d, of: q.DrawQuery, overview: known}, err)
	}
}

// sidesPane has both pictures, and below what differs.
func (v *View) sidesPane(t *tradeoffs) app.UI {
	side := func(k int) ([]placementkind.Assignment, *lab.Known[sketch]) {
		placements := v.placements(t.front.Points[t.Sides[k]])
		return placements, v.sketched([2]any{t.front, t.Sides[k]}, placements)
	}
	return v.sideBySide("pareto-sides", "pareto", [2]string{"Left: " + pointName(t.front, t.Sides[0]), "Right: " + pointName(t.front, t.Sides[1])}, &t.beside, side)
}

// pointNote says that the picture is of a point of the trade-offs, and leads back.
func (v *View) pointNote() app.UI {
	t := v.tradeoffs
	if t == nil || t.of != v.result || t.point < 0 || v.result == nil {
		return ui.None()
	}
	return app.P().Class("note").DataSet("testid", "pareto-shown").Body(ui.Icon("info"),
		app.Span().Text("The picture shows "+pointName(t.front, t.point)+". "),
		ui.Button("", "Show the result again").OnClick(func(app.Context, app.Event) { v.show(v.shown) }))
}
