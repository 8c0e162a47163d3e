package chart

import (
	"berth/app/ui"
)

// Box summarises a distribution. NaN means that a figure does not exist.
type Box struct {
	Group string // a class; boxes of a group are adjacent
	Name  string // a policy
	Style Style  // "" selects it by name, else by position
	Count int

	Low, Q1, Median, Q3, High float64 // the whiskers end at Low and High

	// The mean is a diamond with its confidence interval as a bar.
	Mean, MeanLow, MeanHigh float64

	// Shape, if not nil, turns the box into a violin: the density at evenly spaced points from Low
	// to High, relative to its peak.
	Shape []float64
}

// Boxes compares distributions by horizontal box plots, or violins if their shapes are known.
type Boxes struct {
	Unit  string
	Items []Box
}

func (b Box) figures() []float64 {
	return []float64{b.Low, b.Q1, b.Median, b.Q3, b.High, b.Mean, b.MeanLow, b.MeanHigh}
}

func (b Boxes) plot() plot {
	return plot{
		header: []string{"group", "name", "count", "low", "first quartile", "median", "third quartile", "high",
			"mean (" + b.Unit + ")", "mean, low", "mean, high"},
		rows: b.rows, cells: 11 * len(b.Items), height: rowsHeight(len(b.Items), 40, nil),
	}
}

func (b Boxes) rows() [][]string {
	rows := make([][]string, len(b.Items))
	for i, d := range b.Items {
		rows[i] = []string{d.Group, d.Name, ui.Exact(float64(d.Count))}
		for _, v := range d.figures() {
			rows[i] = append(rows[i], exactOrEmpty(v))
		}
	}
	return rows
}
