package placement

import "math"

// The loops over a row of clusters, in which the time of a search goes. Each is
// a function that calls no other and is not inlined: in WebAssembly, Go leaves
// and enters a function with calls in it through a table at every turn of a
// loop, which makes loops like these at least twice as slow.

// addLegs adds the price of the way over each leg and one of price.
//
//go:noinline
func addLegs(row, legs []float64, price float64) {
	legs = legs[:len(row)]
	for j := range row {
		row[j] += legs[j] + price
	}
}

// gather writes the figure of the given link to each neighbour.
//
//go:noinline
func gather(dst, figures []float64, neighbours, links []int32) {
	links = links[:len(neighbours)]
	for i, j := range neighbours {
		dst[j] = figures[links[i]]
	}
}

// refuseAbove marks the cells whose figure and own are together above the
// bound, or unknown.
//
//go:noinline
func refuseAbove(dst, figures []float64, own, bound float64) {
	figures = figures[:len(dst)]
	for j := range dst {
		if !(figures[j]+own <= bound) {
			dst[j] = math.Inf(1)
		}
	}
}

// refuseBelow marks the cells whose figure is below the bound, or unknown.
//
//go:noinline
func refuseBelow(dst, figures []float64, bound float64) {
	figures = figures[:len(dst)]
	for j := range dst {
		if !(bound <= figures[j]) {
			dst[j] = math.Inf(1)
		}
	}
}

// excess writes max(0, y − free), and +Inf where less than w is free.
//
//go:noinline
func excess(x, free []float64, w, y float64) {
	free = free[:len(x)]
	for j, f := range free {
		e := y - f
		if !(e > 0) {
			e = 0
		}
		if w > f {
			e = math.Inf(1)
		}
		x[j] = e
	}
}
