package chart

import "slices"

// Quadrants are the fractions, from 0 to 1, of pairs that meet both limits of [Paired], one of
// them, or neither.
type Quadrants struct{ Both, OnlyX, OnlyY, Neither float64 }

// Paired compares a figure under two policies, as a heat map with a logarithmic scale: the
// availability of each request under one scheduler against its availability under another one
// (figure 6 of the QoS paper). Pointing at a bin, or moving to it with the arrow keys, shows its
// count.
type Paired struct {
	XLabel, YLabel string // "availability under priority"
	XName, YName   string // names of the policies, for the quadrants: "only QoS"

	// Both axes go from 0 to 1 in Bins bins. Counts holds the bins row by row from the lowest: bin
	// (x, y) is Counts[y·Bins+x].
	Bins   int
	Counts []float64

	// Limit is the SLO, whose two lines divide the map into four quadrants; 0 draws none. A value
	// equal to the limit meets it.
	Limit     float64
	Quadrants Quadrants
}

// The table has the bins that are not empty.
func (p Paired) plot() plot {
	cells := 5 * len(p.Counts)
	if !slices.ContainsFunc(p.Counts, func(n float64) bool { return n > 0 }) {
		cells = 0
	}
	header := []string{p.XLabel + " from", "to", p.YLabel + " from", "to", "count"}
	return plot{header: header, cells: cells, height: "calc(min(100cqi, 480px) + 44px)", rows: func(add addRow) {
		edge := func(i int) float64 { return float64(i) / float64(p.Bins) }
		for i, n := range p.Counts {
			if x, y := i%p.Bins, i/p.Bins; n > 0 {
				add(edge(x), edge(x+1), edge(y), edge(y+1), n)
			}
		}
	}}
}
