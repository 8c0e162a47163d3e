package chart

import "fmt"

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
	return plot{header: append([]string{h.RowLabel}, h.Columns...), cells: len(h.Values), height: h.height(), rows: func(add addRow) {
		for i, name := range h.Rows {
			row := []any{name}
			for k := range h.Columns {
				row = append(row, h.Values[i*len(h.Columns)+k])
			}
			add(row...)
		}
	}}
}

// height returns the height of the cells and their frame, plus legend, readout and column names.
func (h Heatmap) height() string {
	above := 50
	if len(h.Columns) <= 12 {
		above += 16
	}
	return fmt.Sprintf("calc(min(60vh, %dpx) + %dpx)", 24*max(2, len(h.Rows)), above)
}
