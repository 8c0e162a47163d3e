package chart

import (
	"math"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

// Box sums up a distribution. NaN stands for a figure that does not exist.
type Box struct {
	Group string // a class; boxes of one group stand together
	Name  string // a policy
	Style Style  // "" is that of the name, or else of its place
	Count int

	Low, Q1, Median, Q3, High float64 // the whiskers end at Low and High

	// The mean is a diamond, its interval of confidence a bar through it.
	Mean, MeanLow, MeanHigh float64

	// Shape, if there is one, makes a violin of the box: the density at evenly
	// spaced points from Low to High, in parts of its peak.
	Shape []float64
}

// Boxes compares distributions by horizontal box plots, in violins where their
// shapes are known.
type Boxes struct {
	app.Compo

	ID     string
	TestID string
	Title  string
	Empty  string // what to say while there is nothing to draw
	Unit   string
	Items  []Box
}

var boxFigures = []string{"low", "q1", "median", "q3", "high", "mean", "meanLow", "meanHigh"}

func (b Box) figures() []float64 {
	return []float64{b.Low, b.Q1, b.Median, b.Q3, b.High, b.Mean, b.MeanLow, b.MeanHigh}
}

// Render draws the chart.
func (b *Boxes) Render() app.UI {
	return &plate{
		ID: b.ID, TestID: b.TestID, Title: b.Title, Empty: b.Empty, Of: b, Draw: "boxes", Spec: b.spec,
		Header: []string{"group", "name", "count", "low", "first quartile", "median", "third quartile", "high",
			"mean (" + b.Unit + ")", "mean, low", "mean, high"},
		Rows: b.rows, Cells: 11 * len(b.Items), Height: rowsHeight(len(b.Items), 40, nil),
	}
}

func (b *Boxes) spec() map[string]any {
	places := map[string]int{}
	items := make([]map[string]any, len(b.Items))
	for i, d := range b.Items {
		if _, ok := places[d.Name]; !ok {
			places[d.Name] = len(places)
		}
		items[i] = named(d.Name, d.Style, places[d.Name])
		items[i]["group"] = d.Group
		items[i]["count"] = d.Count
		if len(d.Shape) > 1 {
			items[i]["shape"] = d.Shape
		}
		for j, v := range d.figures() {
			if !math.IsNaN(v) {
				items[i][boxFigures[j]] = v
			}
		}
	}
	return map[string]any{"unit": b.Unit, "boxes": items}
}

func (b *Boxes) rows() [][]string {
	rows := make([][]string, len(b.Items))
	for i, d := range b.Items {
		rows[i] = []string{d.Group, d.Name, ui.Exact(float64(d.Count))}
		for _, v := range d.figures() {
			rows[i] = append(rows[i], exactOrEmpty(v))
		}
	}
	return rows
}
