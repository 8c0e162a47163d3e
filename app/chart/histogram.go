package chart

import (
	"berth/app/ui"
)

// Counts are the heights of the bins of a series.
type Counts struct {
	Name   string
	Style  Style // "" selects it by name, else by position
	Values []float64
	Behind bool // of the pinned result: drawn thin
}

// Histogram shows the frequency of figures in bins, with the series as outlines over each other.
// Bin i goes from Edges[i] to Edges[i+1], so there is one edge more than bins.
type Histogram struct {
	XLabel, YLabel string
	Edges          []float64
	Series         []Counts
}

func (h Histogram) plot() plot {
	header := []string{h.XLabel + " from", "to"}
	for _, s := range h.Series {
		header = append(header, s.Name)
	}
	return plot{header: header, rows: h.rows, cells: len(header) * h.bins(), height: wideHeight(header[2:])}
}

func (h Histogram) bins() int { return max(0, len(h.Edges)-1) }

func (h Histogram) rows() [][]string {
	rows := make([][]string, h.bins())
	for i := range rows {
		rows[i] = []string{ui.Exact(h.Edges[i]), ui.Exact(h.Edges[i+1])}
		for _, s := range h.Series {
			rows[i] = append(rows[i], ui.Exact(s.Values[i]))
		}
	}
	return rows
}
