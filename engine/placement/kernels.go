package placement

import "math"

// The loops over a row of clusters, where a search spends its time. Each is a leaf function that is
// not inlined: in WebAssembly, Go re-enters a function that makes calls through a jump table at
// every iteration of a loop, which makes these loops at least twice as slow.

// addLegs sets dst[j] to src[j] plus the price of the path with legs[j] and price.
//
//go:noinline
func addLegs(dst, src, legs []float64, price float64) {
	src, legs = src[:len(dst)], legs[:len(dst)]
	for j := range dst {
		dst[j] = src[j] + (legs[j] + price)
	}
}

// refuseAbove writes +Inf to the cells where figure plus own is above the bound or NaN.
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

// excess sets x to max(0, y − free), and to +Inf where less than w is free.
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

// leastGrowth is a lower bound of e^t for t ≥ 0: the first five terms of its series.
func leastGrowth(t float64) float64 {
	return 1 + float64(t*(1+float64(t*(0.5+float64(t*(1./6+t/24))))))
}

// firstBelow returns the first cell, starting at from, whose cost over affinity may be within the
// limit, given the excess x; -1 if there is none.
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
