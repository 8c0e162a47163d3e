package chart

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

// Bar is one bar. Low and High bound its interval of confidence; where they are
// equal none is drawn.
type Bar struct {
	Label     string
	Value     float64
	Low, High float64
	Series    int // picks the colour
}

// Bars compares figures by horizontal bars that start at zero, each with its
// value beside it.
type Bars struct {
	app.Compo

	ID    string
	Title string
	Unit  string
	Items []Bar
}

// Render draws the chart.
func (b *Bars) Render() app.UI {
	return &plate{
		ID: b.ID, Title: b.Title, Draw: "bars", Spec: b.spec,
		Header: []string{"name", b.Unit, "low", "high"}, Rows: b.rows, Cells: 4 * len(b.Items),
	}
}

func (b *Bars) spec() map[string]any {
	items := make([]any, len(b.Items))
	for i, d := range b.Items {
		items[i] = map[string]any{"label": d.Label, "value": d.Value, "low": d.Low, "high": d.High, "series": d.Series}
	}
	return map[string]any{"unit": b.Unit, "bars": items}
}

func (b *Bars) rows() [][]string {
	rows := make([][]string, len(b.Items))
	for i, d := range b.Items {
		rows[i] = []string{d.Label, ui.Exact(d.Value), ui.Exact(d.Low), ui.Exact(d.High)}
	}
	return rows
}
