package placement

import (
	"math"

	"berth/engine/graph"
)

// The loops over a row of clusters, in which the time of a search goes. Each is
// a function that calls no other and is not inlined: in WebAssembly, Go leaves
// and enters a function with calls in it through a table at every turn of a
// loop, which makes loops like these at least twice as slow.

// addLegs writes src and the price of the path over each leg and one of price.
//
//go:noinline
func addLegs(dst, src, legs []float64, price float64) {
	src, legs = src[:len(dst)], legs[:len(dst)]
	for j := range dst {
		dst[j] = src[j] + (legs[j] + price)
	}
}

// addLinks writes src and the price of the given link to each neighbour.
//
//go:noinline
func addLinks(dst, src, prices []float64, neighbours, links []int32) {
	src, links = src[:len(dst)], links[:len(neighbours)]
	for i, j := range neighbours {
		dst[j] = src[j] + prices[links[i]]
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

// refuseLinks marks the neighbours whose link does not meet the bound.
//
//go:noinline
func refuseLinks(dst, figures []float64, op graph.Operator, bound float64, neighbours, links []int32) {
	links = links[:len(neighbours)]
	for i, j := range neighbours {
		figure := figures[links[i]]
		if op == graph.AtMost && !(bound <= figure) || op == graph.AtLeast && !(bound >= figure) {
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

// leastGrowth is at most e^t, of a t that is not negative.
func leastGrowth(t float64) float64 {
	return 1 + float64(t*(1+float64(t*(0.5+float64(t*(1./6+t/24))))))
}

// firstBelow returns the first cell from one on whose cost over affinity may be within the
// limit, given the excess x; -1 for none.
//
//go:noinline
func firstBelow(row, x []float64, phi, limit float64, from int) int {
	x = x[:len(row)]
	for j := from; j < len(row); j++ {
		t := float64(phi * x[j])
		if !(row[j]*leastGrowth(t) > limit) {
			return j
		}
	}
	return -1
}
