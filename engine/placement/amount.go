package placement

import "math"

// Amounts are compared and added up in ten-thousandths: resources of clusters, requests of jobs,
// bounds of dependencies and figures of links. With up to four decimals these are whole numbers,
// whose sums and differences a float64 holds exactly, natively and in WebAssembly: requests of
// 0.1 and 0.2 fit into 0.3, and sums that are equal in the file tie. That holds up to 2·10¹¹
// units, 2⁵¹ parts. An amount with more decimals, or a larger one, is the nearest float64:
// rounded to four decimals, a small request would vanish.
const partsPerUnit = 1e4

// parts returns an amount in ten-thousandths. The quotient is the float64 nearest to a decimal
// of four places, as parsing gives it, so the comparison detects these amounts exactly.
func parts(units float64) float64 {
	if whole := math.Round(units * partsPerUnit); whole/partsPerUnit == units {
		return whole
	}
	return units * partsPerUnit
}

func allParts(units []float64) []float64 {
	all := make([]float64, len(units))
	for i, v := range units {
		all[i] = parts(v)
	}
	return all
}

// units returns an amount of ten-thousandths in units.
func units(parts float64) float64 { return parts / partsPerUnit }
