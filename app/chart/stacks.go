package chart

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

// Stack is one bar made of parts, as many Values as its chart has Parts.
type Stack struct {
	Label  string
	Values []float64
}

// Stacks compares sums by horizontal bars that show the parts which they are
// made of: the components of the allocation time of each scheduler.
type Stacks struct {
	app.Compo

	ID     string
	TestID string
	Title  string
	Empty  string // what to say while there is nothing to draw
	Unit   string
	Parts  []string
	Items  []Stack
	Shares bool // each part as a share of its bar, whatever its length
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
