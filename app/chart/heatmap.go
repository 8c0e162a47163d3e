package chart

import (
	"encoding/binary"
	"math"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

// Heatmap shows a matrix, each cell in a shade of viridis. Pointing at a cell,
// or moving to it with the arrow keys, tells its value.
type Heatmap struct {
	app.Compo

	ID          string
	Title       string
	RowLabel    string // what a row is: "job"
	ColumnLabel string // what a column is: "cluster"
	Rows        []string
	Columns     []string

	// Values are row by row, len(Rows)·len(Columns) of them; NaN is a cell that
	// has none.
	Values []float64
}

// Render draws the chart.
func (h *Heatmap) Render() app.UI {
	return &plate{
		ID: h.ID, Title: h.Title, Draw: "heatmap", Spec: h.spec,
		Header: append([]string{h.RowLabel}, h.Columns...), Rows: h.rows, Cells: len(h.Values),
	}
}

func (h *Heatmap) spec() map[string]any {
	return map[string]any{
		"rowLabel": h.RowLabel, "columnLabel": h.ColumnLabel,
		"rows": list(h.Rows), "columns": list(h.Columns), "values": float32Array(h.Values),
	}
}

func (h *Heatmap) rows() [][]string {
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

func list(names []string) []any {
	values := make([]any, len(names))
	for i, name := range names {
		values[i] = name
	}
	return values
}

// float32Array copies figures in one piece; a call for each would take seconds
// for a large matrix.
func float32Array(values []float64) app.Value {
	data := make([]byte, 0, 4*len(values))
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(v)))
	}
	bytes := app.Window().Get("Uint8Array").New(len(data))
	app.CopyBytesToJS(bytes, data)
	return app.Window().Get("Float32Array").New(bytes.Get("buffer"))
}
