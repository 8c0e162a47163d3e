package stats

import (
	"math"
	"slices"
)

// Mean returns the arithmetic mean, NaN without values. It adds in order, because the vector
// instructions of gonum/stat.Mean round differently on different platforms.
func Mean(x []float64) float64 {
	return sum(x) / float64(len(x))
}

// Estimate returns the number of observations that are not NaN, their mean, and half the width of
// its 95 % confidence interval; see [Mean] and [HalfWidth95].
func Estimate(x []float64) (n int, mean, halfWidth float64) {
	x = Defined(x)
	return len(x), Mean(x), HalfWidth95(x)
}

// Defined returns the values that are not NaN.
func Defined(x []float64) []float64 {
	var defined []float64
	for _, v := range x {
		if !math.IsNaN(v) {
			defined = append(defined, v)
		}
	}
	return defined
}

// HalfWidth95 returns half the width of the 95 % confidence interval of the mean of independent,
// approximately normal observations: t(0.975, n−1)·s/√n. It is NaN for fewer than two observations,
// and exactly 0 for equal ones, whose mean may be rounded.
func HalfWidth95(x []float64) float64 {
	n := float64(len(x))
	if n < 2 {
		return math.NaN()
	}
	if slices.Min(x) == slices.Max(x) {
		return 0
	}
	return StudentT975(len(x)-1) * math.Sqrt(variance(x, Mean(x))) / math.Sqrt(n)
}

// variance returns the unbiased sample variance of at least two values with this mean.
func variance(x []float64, mean float64) float64 {
	var squares float64
	for _, v := range x {
		squares += float64((v - mean) * (v - mean))
	}
	return squares / (float64(len(x)) - 1)
}

// StudentT975 returns the 0.975 quantile of Student's t distribution with v degrees of freedom,
// rounded to nine decimals because further decimals would depend on the platform.
func StudentT975(v int) float64 {
	if v >= manyFreedoms {
		return math.Round(expandedT975(float64(v))*1e9) / 1e9
	}
	low, high := 1.0, 13.0 // t(0.975, 1) = 12.706…, t(0.975, ∞) = 1.959…
	for high-low > 1e-12 {
		if t := (low + high) / 2; studentWithin(t, v) < 0.95 {
			low = t
		} else {
			high = t
		}
	}
	return math.Round(low*1e9) / 1e9
}

// manyFreedoms is the number of degrees of freedom above which StudentT975 uses the expansion.
// There the expansion has nine correct decimals, and the finite sums would take long.
const manyFreedoms = 1000

// expandedT975 approximates the t quantile by a series in 1/v around the normal quantile z
// (Abramowitz and Stegun, 26.7.5).
func expandedT975(v float64) float64 {
	const (
		z  = 1.959963984540054
		g1 = (z*z*z + z) / 4
		g2 = (5*z*z*z*z*z + 16*z*z*z + 3*z) / 96
		g3 = (3*z*z*z*z*z*z*z + 19*z*z*z*z*z + 17*z*z*z - 15*z) / 384
	)
	return z + g1/v + g2/(v*v) + g3/(v*v*v)
}

// studentWithin returns A(t|v) = P(|T| ≤ t) by the finite sums 26.7.3 and 26.7.4 of Abramowitz and
// Stegun, which need neither powers nor the gamma function.
func studentWithin(t float64, v int) float64 {
	theta := Atan(t / math.Sqrt(float64(v)))
	cos2 := float64(v) / (float64(v) + float64(t*t))
	sin := math.Sqrt(1 - cos2)
	term, first := 1.0, 2
	if v%2 == 1 {
		term, first = math.Sqrt(cos2), 3
	}
	var sum float64
	for k := first; k <= v; k += 2 {
		sum += term
		term *= cos2 * float64(k-1) / float64(k)
	}
	if v%2 == 0 {
		return sin * sum
	}
	return 2 / math.Pi * (theta + float64(sin*sum))
}

// StudentP returns P(|T| ≥ |t|) for Student's t distribution with v degrees of freedom, rounded to
// nine decimals: the p-value of a two-sided test. It takes time proportional to v.
func StudentP(t float64, v int) float64 {
	if math.IsInf(t, 0) {
		return 0
	}
	return math.Round(max(0, 1-studentWithin(math.Abs(t), v))*1e9) / 1e9
}

// PairedP returns the p-value of a two-sided paired t-test of the differences d, with expectation 0
// under the null hypothesis. It is NaN for fewer than two differences. If all differences are
// equal, it is 1 if they are 0, and 0 otherwise.
func PairedP(d []float64) float64 {
	if len(d) < 2 {
		return math.NaN()
	}
	mean := Mean(d)
	switch s := math.Sqrt(variance(d, mean)); {
	case mean == 0:
		return 1
	case s == 0:
		return 0
	default:
		return StudentP(mean/(s/math.Sqrt(float64(len(d)))), len(d)-1)
	}
}

// Deviation returns the sample standard deviation; NaN for fewer than two values.
func Deviation(x []float64) float64 {
	if len(x) < 2 {
		return math.NaN()
	}
	return math.Sqrt(variance(x, Mean(x)))
}
