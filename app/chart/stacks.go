package chart

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

// Stack is a bar of parts, with one value for each of its chart's Parts.
type Stack struct {
	Label  string
	Values []float64
}

// Stacks compares sums by horizontal bars divided into their parts: the components of the
// allocation time of each scheduler.
type Stacks struct {
	app.Compo

	ID     string
	TestID string
	Title  string
	Empty  string // message for a chart without figures
	Unit   string
	Parts  []string
	Items  []Stack
	Shares bool // each part as a share of its bar
}

// Render draws the chart.
func (s *Stacks) Render() app.UI {
	header := append([]string{"name"}, s.Parts...)
	return &plate{
		ID: s.ID, TestID: s.TestID, Title: s.Title, Empty: s.Empty, Of: s, Draw: "stacks", Spec: s.spec,
		Header: append(header, "sum ("+s.Unit+")"), Rows: s.rows, Cells: (len(header) + 1) * len(s.Items), Height: rowsHeight(len(s.Items), 28, s.Parts),
	}
}

func (s *Stacks) spec() map[string]any {
	parts := make([]map[string]any, len(s.Parts))
	for i, name := range s.Parts {
		parts[i] = named(name, PartAt(i), i)
	}
	items := make([]map[string]any, len(s.Items))
	for i, item := range s.Items {
		items[i] = map[string]any{"label": item.Label, "values": item.Values}
	}
	return map[string]any{"unit": s.Unit, "parts": parts, "bars": items, "shares": s.Shares}
}

func (s *Stacks) rows() [][]string {
	rows := make([][]string, len(s.Items))
	for i, item := range s.Items {
		rows[i] = append(rows[i], item.Label)
		sum := 0.0
		for _, v := range item.Values {
			rows[i] = append(rows[i], ui.Exact(v))
			sum += v
		}
		rows[i] = append(rows[i], ui.Exact(sum))
	}
	return rows
}
