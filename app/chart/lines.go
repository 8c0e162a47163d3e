package chart

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

// Point is one point of a [Series]. Low and High bound its interval of
// confidence; where they are equal none is drawn.
type Point struct{ X, Y, Low, High float64 }

// Series is a sequence of points of one kind. Its place in the chart picks its
// colour and its symbol.
type Series struct {
	Name   string
	Points []Point
}

// Lines shows how figures depend on a quantity: one symbol and colour for each
// series, joined by lines unless Dots is set, with error bars.
type Lines struct {
	app.Compo

	ID             string
	Title          string
	XLabel, YLabel string
	Series         []Series
	Dots           bool // points without lines between them
}

// Render draws the chart.
func (l *Lines) Render() app.UI {
	n := 0
	for _, s := range l.Series {
		n += len(s.Points)
	}
	return &plate{
		ID: l.ID, Title: l.Title, Draw: "lines", Spec: l.spec,
		Header: []string{"series", l.XLabel, l.YLabel, "low", "high"}, Rows: l.rows, Cells: 5 * n,
	}
}

func (l *Lines) spec() map[string]any {
	names := make([]any, len(l.Series))
	points := []any{}
	for i, s := range l.Series {
		names[i] = s.Name
		for _, p := range s.Points {
			points = append(points, map[string]any{"series": i, "x": p.X, "y": p.Y, "low": p.Low, "high": p.High})
		}
	}
	return map[string]any{
		"xLabel": l.XLabel, "yLabel": l.YLabel, "series": names, "points": points, "connected": !l.Dots,
	}
}

func (l *Lines) rows() [][]string {
	var rows [][]string
	for _, s := range l.Series {
		for _, p := range s.Points {
			rows = append(rows, []string{s.Name, ui.Exact(p.X), ui.Exact(p.Y), ui.Exact(p.Low), ui.Exact(p.High)})
		}
	}
	return rows
}
