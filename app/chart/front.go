package chart

import (
	"fmt"
	"math"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

// FrontPoint is a trade-off in a [Frontier], drawn as a button.
type FrontPoint struct {
	X, Y  float64
	Label string // full description of the point
}

// Frontier shows the trade-off between two figures, both better if lower. Its points are buttons.
// No point can be below Floor, whose area is shaded.
type Frontier struct {
	app.Compo

	ID, TestID, Title string
	XLabel, YLabel    string
	Points            []FrontPoint
	Selected          int // index of the marked point; −1: none

	Floor   func(x float64) float64 // lowest possible Y at X
	OnPoint func(ctx app.Context, point int)
}

// extent is a range of an axis.
type extent struct{ low, high float64 }

func (e *extent) add(x float64) { e.low, e.high = min(e.low, x), max(e.high, x) }

func (e extent) roomy() extent {
	room := 0.08 * (e.high - e.low)
	if room <= 0 {
		room = max(0.1*math.Abs(e.high), 1)
	}
	return extent{max(0, e.low-room), e.high + room}
}

// share returns the position of a value: 0 at the low end, 1 at the high end.
func (e extent) share(x float64) float64 { return min(1, max(0, (x-e.low)/(e.high-e.low))) }

// floorSteps is the number of line segments of the floor.
const floorSteps = 120

// Render draws the shaded area, the points and the ends of the axes.
func (f *Frontier) Render() app.UI {
	x, y := extent{math.Inf(1), math.Inf(-1)}, extent{math.Inf(1), math.Inf(-1)}
	for _, p := range f.Points {
		x.add(p.X)
		y.add(p.Y)
		y.add(max(f.Floor(p.X), y.low/2))
	}
	x, y = x.roomy(), y.roomy()
	end := func(class, text string) app.UI { return app.Span().Class(class).Text(text) }
	return app.Figure().Class("front").DataSet("testid", f.TestID).ID(f.ID).Body(
		app.FigCaption().Text(f.Title),
		app.Div().Class("front-plot").Role("group").Aria("label", f.Title).Body(
			app.Raw(f.area(x, y)),
			end("front-y high", ui.Number(y.high)+" "+f.YLabel), end("front-y low", ui.Number(y.low)),
			end("front-x low", ui.Number(x.low)), end("front-x high", ui.Number(x.high)+" "+f.XLabel),
			app.Range(f.Points).Slice(func(i int) app.UI {
				p := f.Points[i]
				return app.Button().Type("button").Class("front-point").DataSet("testid", "pareto-point").
					Aria("label", p.Label).Aria("pressed", i == f.Selected).Title(p.Label).
					Style("left", fmt.Sprintf("%.2f%%", 100*x.share(p.X))).Style("bottom", fmt.Sprintf("%.2f%%", 100*y.share(p.Y))).
					OnClick(func(ctx app.Context, _ app.Event) { f.OnPoint(ctx, i) }, app.EventScope(f.ID, i, p.Label))
			}),
		),
	)
}

// area returns the SVG of the shaded area and its upper line.
func (f *Frontier) area(x, y extent) string {
	var line strings.Builder
	for i := range floorSteps + 1 {
		at := x.low + (x.high-x.low)*float64(i)/floorSteps
		fmt.Fprintf(&line, " %.1f,%.1f", 1000*x.share(at), 1000-1000*y.share(f.Floor(at)))
	}
	return `<svg viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true">` +
		`<polygon points="0,1000` + line.String() + ` 1000,1000"/><polyline points="` + line.String()[1:] + `"/></svg>`
}
