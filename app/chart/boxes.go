package chart

// Box summarises a distribution. NaN is a figure that does not exist.
type Box struct {
	Group string // a class; boxes of a group are adjacent
	Name  string // a policy
	Style Style  // "" selects it by name, else by position
	Count int

	Low, Q1, Median, Q3, High float64 // the whiskers end at Low and High

	// The mean is a diamond with its confidence interval as a bar.
	Mean, MeanLow, MeanHigh float64

	// Shape, if not nil, turns the box into a violin. It holds the density at evenly spaced points
	// from Low to High, relative to its peak.
	Shape []float64
}

// Boxes compares distributions as horizontal box plots, or as violins if their shapes are known.
type Boxes struct {
	Unit  string
	Items []Box
}

func (b Boxes) plot() plot {
	return plot{
		header: []string{"group", "name", "count", "low", "first quartile", "median", "third quartile", "high",
			"mean (" + b.Unit + ")", "mean, low", "mean, high"},
		cells: 11 * len(b.Items), height: rowsHeight(len(b.Items), 40, nil), rows: func(add addRow) {
			for _, d := range b.Items {
				add(d.Group, d.Name, d.Count, d.Low, d.Q1, d.Median, d.Q3, d.High, d.Mean, d.MeanLow, d.MeanHigh)
			}
		},
	}
}
