package chart

import (
	"slices"

	"berth/app/ui"
)

// Bar is a bar. Low and High bound its confidence interval; if they are equal, no interval is
// drawn.
type Bar struct {
	Label     string
	Value     float64
	Low, High float64
	Style     Style    // "" selects it by label
	Was       *float64 // value in the pinned result, drawn thin behind the bar; nil: none
	Paper     *float64 // number in the paper, drawn as a mark; nil: none
}

// Bars compares figures by horizontal bars that start at zero, with their values as text.
type Bars struct {
	Unit  string
	Items []Bar
}

func (b Bars) plot() plot {
	return plot{header: []string{"name", b.Unit, "low", "high", "paper"}[:b.columns()], rows: b.rows, cells: b.columns() * len(b.Items), height: rowsHeight(len(b.Items), 24, nil)}
}

func (b Bars) rows() [][]string {
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

// columns returns the number of columns of the table; the last one is there only if the paper has
// numbers.
func (b Bars) columns() int {
	if slices.ContainsFunc(b.Items, func(d Bar) bool { return d.Paper != nil }) {
		return 5
	}
	return 4
}
