package chart

import (
	"fmt"
	"math"

	"berth/app/ui"
)

// Heatmap shows a matrix in shades of viridis. Pointing at a cell, or moving to it with the arrow
// keys, shows its value.
type Heatmap struct {
	RowLabel    string // noun for a row: "job"
	ColumnLabel string // noun for a column: "cluster"
	Rows        []string
	Columns     []string
	None        string // text for a cell without a value; "" is "not possible"

	// Values holds len(Rows)·len(Columns) figures row by row; NaN is a cell without a value.
	// Callers must not change it in place.
	Values []float64

	// More holds a second figure for each cell, shown with the value; nil: none.
	More      []float64
	MoreLabel string
}

func (h Heatmap) plot() plot {
	return plot{header: append([]string{h.RowLabel}, h.Columns...), rows: h.rows, cells: len(h.Values), height: h.height()}
}

// height returns the height of the cells and their frame, plus legend, readout and column names.
func (h Heatmap) height() string {
	above := 50
	if len(h.Columns) <= 12 {
		above += 16
	}
	return fmt.Sprintf("calc(min(60vh, %dpx) + %dpx)", 24*max(2, len(h.Rows)), above)
}

func (h Heatmap) rows() [][]string {
	rows := make([][]string, len(h.Rows))
	for i, name := range h.Rows {
		rows[i] = append(make([]string, 0, len(h.Columns)+1), name)
		for _, v := range h.Values[i*len(h.Columns) : (i+1)*len(h.Columns)] {
			rows[i] = append(rows[i], exactOrEmpty(v))
		}
	}
	return rows
}

func exactOrEmpty(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return ui.Exact(v)
}
