package placement

import "math"

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
