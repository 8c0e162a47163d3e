package placement

import "math"

// Amounts are stored, compared and added in ten-thousandths: the resources of clusters, the
// requests of jobs, the bounds of dependencies and the figures of links. An amount with up to four
// decimals is then a whole number, and a float64 holds sums and differences of whole numbers
// exactly, natively and in WebAssembly: requests of 0.1 and 0.2 fit into 0.3, and sums that are
// equal in the file tie. This holds up to 2·10¹¹ units (2⁵¹ parts). An amount with more decimals,
// or a larger one, becomes the nearest float64. It is not rounded to four decimals, because a small
// request would become 0.
const partsPerUnit = 1e4

// parts converts units to ten-thousandths. Parsing yields the float64 nearest to a decimal, and so
// does the quotient whole/partsPerUnit, so the two are equal exactly if the amount has at most four
// decimals.
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

// units converts ten-thousandths back to units.
func units(parts float64) float64 { return parts / partsPerUnit }
