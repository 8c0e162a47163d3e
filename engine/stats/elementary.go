package stats

import "math"

// The elementary functions below return the same bits on every processor. The functions of package
// math do not: some have assembly on one processor, and the compiler uses the fused multiply-add of
// processors that support it. The algorithms and constants come from Go's package math, which took
// them from FreeBSD's msun (log, exp) and Stephen Moshier's Cephes (sin, cos, atan). An explicit
// float64 conversion rounds each product before it is added.

// Exp returns e^x. The relative error grows with |x| and is below 1e-13 for |x| ≤ 700.
func Exp(x float64) float64 { return Exp2(x * math.Log2E) }

// The natural logarithm of 2, split so that products of a small integer with the first part are
// exact.
const ln2Hi, ln2Lo = 6.93147180369123816490e-01, 1.90821492927058770002e-10

// Exp2 returns 2^x.
func Exp2(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x > 1.0239999999999999e+03:
		return math.Inf(1)
	case x < -1.0740e+03:
		return 0
	}
	const (
		p1 = 1.66666666666666657415e-01
		p2 = -2.77777777770155933842e-03
		p3 = 6.61375632143793436117e-05
		p4 = -1.65339022054652515390e-06
		p5 = 4.13813679705723846039e-08
	)
	var k int // x rounded to a whole number
	switch {
	case x > 0:
		k = int(x + 0.5)
	case x < 0:
		k = int(x - 0.5)
	}
	t := x - float64(k)
	hi, lo := float64(t*ln2Hi), float64(-t*ln2Lo)
	r := hi - lo
	t = float64(r * r)
	c := r - float64(t*(p1+float64(t*(p2+float64(t*(p3+float64(t*(p4+float64(t*p5)))))))))
	y := 1 - ((lo - float64(r*c)/(2-c)) - hi)
	return math.Ldexp(y, k)
}

// Log returns the natural logarithm of x; −Inf for 0, NaN for negative x.
func Log(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	const (
		l1 = 6.666666666666735130e-01
		l2 = 3.999999999940941908e-01
		l3 = 2.857142874366239149e-01
		l4 = 2.222219843214978396e-01
		l5 = 1.818357216161805012e-01
		l6 = 1.531383769920937332e-01
		l7 = 1.479819860511658591e-01
	)
	f, exponent := math.Frexp(x)
	if f < math.Sqrt2/2 {
		f *= 2
		exponent--
	}
	f--
	k := float64(exponent)
	s := f / (2 + f)
	s2 := float64(s * s)
	s4 := float64(s2 * s2)
	r := float64(s2*(l1+float64(s4*(l3+float64(s4*(l5+float64(s4*l7))))))) + float64(s4*(l2+float64(s4*(l4+float64(s4*l6)))))
	half := float64(0.5 * f * f)
	return float64(k*ln2Hi) - ((half - (float64(s*(half+r)) + float64(k*ln2Lo))) - f)
}

// Log2 returns the binary logarithm of x, exact for powers of two.
func Log2(x float64) float64 {
	fraction, exponent := math.Frexp(x)
	if fraction == 0.5 {
		return float64(exponent - 1)
	}
	return float64(Log(fraction)*(1/math.Ln2)) + float64(exponent)
}

// Log10 returns the decimal logarithm of x.
func Log10(x float64) float64 { return Log(x) * (1 / math.Ln10) }

// Cos returns the cosine of x in radians. It loses digits for |x| > 2²⁹.
func Cos(x float64) float64 {
	octant, z := reduce(math.Abs(x))
	value := cosine(z)
	if octant == 2 || octant == 6 {
		value = sine(z)
	}
	if octant == 2 || octant == 4 {
		return -value
	}
	return value
}

// Sin returns the sine of x in radians. It loses digits for |x| > 2²⁹.
func Sin(x float64) float64 {
	if x == 0 {
		return x
	}
	octant, z := reduce(math.Abs(x))
	value := sine(z)
	if octant == 2 || octant == 6 {
		value = cosine(z)
	}
	if octant >= 4 != (x < 0) {
		return -value
	}
	return value
}

// reduce returns the even octant whose start is nearest to an angle (modulo 8), and the signed
// distance of the angle from that start.
func reduce(x float64) (octant int, z float64) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, math.NaN()
	}
	if x >= 1<<29 {
		x = math.Mod(x, 2*math.Pi)
	}
	j := uint64(x * (4 / math.Pi))
	j += j & 1
	y := float64(j)
	z = x - float64(y*7.85398125648498535156e-1) // π/4 as a sum of three parts
	z = (z - float64(y*3.77489470793079817668e-8)) - float64(y*2.69515142907905952645e-15)
	return int(j & 7), z
}

// polynomial returns c₀ + c₁x + c₂x² and so on.
func polynomial(x float64, c ...float64) float64 {
	value := c[len(c)-1]
	for i := len(c) - 2; i >= 0; i-- {
		value = c[i] + float64(value*x)
	}
	return value
}

func sine(z float64) float64 {
	zz := float64(z * z)
	return z + float64(float64(z*zz)*polynomial(zz, -1.66666666666666307295e-1, 8.33333333332211858878e-3, -1.98412698295895385996e-4,
		2.75573136213857245213e-6, -2.50507477628578072866e-8, 1.58962301576546568060e-10))
}

func cosine(z float64) float64 {
	zz := float64(z * z)
	return 1 - float64(0.5*zz) + float64(float64(zz*zz)*polynomial(zz, 4.16666666666665929218e-2, -1.38888888888730564116e-3, 2.48015872888517045348e-5,
		-2.75573141792967388112e-7, 2.08757008419747316778e-9, -1.13585365213876817300e-11))
}

// Atan returns the arctangent of x in radians.
func Atan(x float64) float64 {
	if x == 0 {
		return x
	}
	return math.Copysign(arctangent(math.Abs(x)), x)
}

// Asin returns the arcsine of x in radians, NaN outside [−1, 1].
func Asin(x float64) float64 {
	a := math.Abs(x)
	switch {
	case x == 0:
		return x
	case a > 1:
		return math.NaN()
	}
	other := math.Sqrt(1 - float64(a*a))
	angle := arctangent(a / other)
	if a > 0.7 {
		angle = math.Pi/2 - arctangent(other/a)
	}
	return math.Copysign(angle, x)
}

// arctangent returns the arctangent of a positive number. It reduces numbers above 0.66 to the
// range of the series.
func arctangent(x float64) float64 {
	const (
		rest    = 6.123233995736765886130e-17 // π/2 minus its float64
		tan3pi8 = 2.41421356237309504880
	)
	switch {
	case x <= 0.66:
		return arcseries(x)
	case x > tan3pi8:
		return math.Pi/2 - arcseries(1/x) + rest
	}
	return math.Pi/4 + arcseries((x-1)/(x+1)) + 0.5*rest
}

func arcseries(x float64) float64 {
	z := float64(x * x)
	z = float64(z*polynomial(z, -6.485021904942025371773e+01, -1.228866684490136173410e+02, -7.500855792314704667340e+01, -1.615753718733365076637e+01, -8.750608600031904122785e-01)) /
		polynomial(z, 1.945506571482613964425e+02, 4.853903996359136964868e+02, 4.328810604912902668951e+02, 1.650270098316988542046e+02, 2.485846490142306297962e+01, 1)
	return float64(x*z) + x
}
