package solve

import (
	"math"
	"slices"
)

// mostFill is the largest capacity, in units of the amounts' common divisor, that fills lowers.
const mostFill = 1 << 12

// Filled returns the problem with each capacity lowered to the largest sum of amounts that fits. It
// does so for resources whose amounts do not differ by cluster and are multiples of a unit. The
// placements stay the same; the bounds rise.
func (p *Problem) Filled() *Problem {
	filled := *p
	filled.Resources = slices.Clone(p.Resources)
	for r := range filled.Resources {
		r := &filled.Resources[r]
		if amounts := r.Amount.byJob(); amounts != nil {
			r.Capacity = fills(amounts, r.Capacity)
		}
	}
	return &filled
}

// fills lowers each capacity to the largest sum of some of the amounts that fits (a subset-sum
// table).
func fills(amounts, capacity []float64) []float64 {
	unit := Divisor(amounts)
	if unit == 0 {
		return capacity
	}
	var below [mostFill + 1]int32 // by sum: the largest reachable sum that is not above it
	sums := [mostFill + 1]bool{true}
	for _, v := range amounts {
		amount := int(min(v/unit, mostFill+1))
		for at := mostFill; at >= amount; at-- {
			sums[at] = sums[at] || sums[at-amount]
		}
	}
	for at := 1; at <= mostFill; at++ {
		if below[at] = below[at-1]; sums[at] {
			below[at] = int32(at)
		}
	}
	filled := slices.Clone(capacity)
	for c, v := range capacity {
		if room := math.Floor(v / unit); room >= 0 && room <= mostFill {
			filled[c] = min(v, float64(below[int(room)])*unit)
		}
	}
	return filled
}

// Divisor returns the greatest common divisor of all amounts; 0 if an amount is not whole or
// exceeds 2⁵³.
func Divisor(amounts []float64) float64 {
	var unit float64
	for _, v := range amounts {
		if v != math.Trunc(v) || v > 1<<53 {
			return 0
		}
		for v > 0 {
			unit, v = v, math.Mod(unit, v)
		}
	}
	return unit
}
