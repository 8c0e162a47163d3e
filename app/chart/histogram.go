package chart

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

// Counts are the heights of the bins of one series.
type Counts struct {
	Name   string
	Style  Style // "" is that of the name, or else of its place
	Values []float64
	Behind bool // of a pinned result: thin
}

// Histogram shows how often figures fall into bins, the series over each other
// as outlines. Bin i goes from Edges[i] to Edges[i+1]; there is one edge more
// than there are bins.
type Histogram struct {
	app.Compo

	ID             string
	TestID         string
	Title          string
	Empty          string // what to say while there is nothing to draw
	XLabel, YLabel string
	Edges          []float64
	Series         []Counts
	LogX           bool // the first edge must be above zero
}

// Render draws the chart.
func (h *Histogram) Render() app.UI {
	header := []string{h.XLabel + " from", "to"}
	for _, s := range h.Series {
		header = append(header, s.Name)
	}
	return &plate{
		ID: h.ID, TestID: h.TestID, Title: h.Title, Empty: h.Empty, Of: h, Draw: "histogram", Spec: h.spec,
		Header: header, Rows: h.rows, Cells: len(header) * h.bins(), Height: wideHeight(header[2:]),
	}
}

func (h *Histogram) bins() int { return max(0, len(h.Edges)-1) }

func (h *Histogram) spec() map[string]any {
	series := make([]map[string]any, len(h.Series))
	for i, s := range h.Series {
		series[i] = named(s.Name, s.Style, i)
		series[i]["values"], series[i]["behind"] = s.Values, s.Behind
	}
	return map[string]any{"xLabel": h.XLabel, "yLabel": h.YLabel, "edges": h.Edges, "series": series, "logX": h.LogX}
}

func (h *Histogram) rows() [][]string {
	rows := make([][]string, h.bins())
	for i := range rows {
		rows[i] = []string{ui.Exact(h.Edges[i]), ui.Exact(h.Edges[i+1])}
		for _, s := range h.Series {
			rows[i] = append(rows[i], ui.Exact(s.Values[i]))
		}
	}
	return rows
}
