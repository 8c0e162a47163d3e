package chart

import (
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

// Bar is one bar. Low and High bound its interval of confidence; where they are
// equal none is drawn.
type Bar struct {
	Label     string
	Value     float64
	Low, High float64
	Style     Style    // "" is that of the label
	Was       *float64 // in a pinned result: thin behind the bar; nil for none
	Paper     *float64 // the number of the paper, drawn as a mark; nil for none
}

// Bars compares figures by horizontal bars that start at zero, each with its
// value beside it.
type Bars struct {
	app.Compo

	ID      string
	TestID  string
	Title   string
	Empty   string // what to say while there is nothing to draw
	Waiting bool   // for figures that are still to come
	Unit    string
	Items   []Bar
}

// Render draws the chart.
func (b *Bars) Render() app.UI {
	return &plate{
		ID: b.ID, TestID: b.TestID, Title: b.Title, Empty: b.Empty, Of: b, Draw: "bars", Spec: b.spec,
		Header: []string{"name", b.Unit, "low", "high", "paper"}[:b.columns()], Rows: b.rows, Cells: b.columns() * len(b.Items), Height: rowsHeight(len(b.Items), 24, nil), Waiting: b.Waiting,
	}
}

func (b *Bars) spec() map[string]any {
	items := make([]map[string]any, len(b.Items))
	for i, d := range b.Items {
		items[i] = map[string]any{"label": d.Label, "value": d.Value, "low": d.Low, "high": d.High,
			"style": string(d.Style.or(d.Label, i))}
		if d.Was != nil {
			items[i]["was"] = *d.Was
		}
		if d.Paper != nil {
			items[i]["paper"] = *d.Paper
		}
	}
	return map[string]any{"unit": b.Unit, "bars": items}
}

func (b *Bars) rows() [][]string {
	rows := make([][]string, len(b.Items))
	for i, d := range b.Items {
		paper := ""
		if d.Paper != nil {
			paper = ui.Exact(*d.Paper)
		}
		rows[i] = []string{d.Label, ui.Exact(d.Value), ui.Exact(d.Low), ui.Exact(d.High), paper}[:b.columns()]
	}
	return rows
}

// columns are those of the table: the last one where a paper has numbers.
func (b *Bars) columns() int {
	if slices.ContainsFunc(b.Items, func(d Bar) bool { return d.Paper != nil }) {
		return 5
	}
	return 4
}
