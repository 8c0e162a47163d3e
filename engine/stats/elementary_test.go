package stats

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
)

func TestExpIsCloseToE(t *testing.T) {
	for x := -700.0; x <= 700; x += 0.37 {
		if got, want := Exp(x), math.Exp(x); math.Abs(got/want-1) > 1e-13 {
			t.Fatalf("Exp(%g) = %g, want %g", x, got, want)
		}
	}
	if Exp(math.Inf(-1)) != 0 || Exp(0) != 1 {
		t.Errorf("Exp(-Inf) = %g and Exp(0) = %g, want 0 and 1", Exp(math.Inf(-1)), Exp(0))
	}
}

// elementary has for each function its counterpart in package math, and arguments.
var elementary = []struct {
	name       string
	ours, math func(float64) float64
	draw       func(*rand.Rand) float64
}{
	{"Exp2", Exp2, math.Exp2, func(r *rand.Rand) float64 { return float64(2200*r.Float64()) - 1100 }},
	{"Log", Log, math.Log, positive},
	{"Log2", Log2, math.Log2, positive},
	{"Log10", Log10, math.Log10, positive},
	{"Cos", Cos, math.Cos, angle},
	{"Sin", Sin, math.Sin, angle},
	{"Atan", Atan, math.Atan, func(r *rand.Rand) float64 { return math.Copysign(positive(r), r.Float64()-0.5) }},
	{"Asin", Asin, math.Asin, func(r *rand.Rand) float64 { return 2*r.Float64() - 1 }},
}

func positive(r *rand.Rand) float64 { return math.Ldexp(0.5+r.Float64(), r.IntN(2000)-1000) }

func angle(r *rand.Rand) float64 { return float64(1e6*r.Float64()*r.Float64()*r.Float64()) - 3 }

// Natively and in the browser our functions have the bits of package math that recorded results
// depend on. On processors with fused operations package math gives other bits.
func TestElementaryFunctionsAreThoseOfMath(t *testing.T) {
	for _, f := range elementary {
		rng := rand.New(rand.NewPCG(1, 2))
		for range 50_000 {
			x := f.draw(rng)
			got, want := f.ours(x), f.math(x)
			same := math.Float64bits(got) == math.Float64bits(want)
			if runtime.GOARCH != "amd64" && runtime.GOARCH != "wasm" {
				same = same || math.Abs(got-want) <= 4e-15*max(1, math.Abs(want))
			}
			if !same {
				t.Fatalf("%s(%v) = %v, package math has %v", f.name, x, got, want)
			}
		}
		for _, x := range []float64{0, math.Copysign(0, -1), 1, -1, 2, math.Inf(1), math.Inf(-1), math.NaN(), 1e-310} {
			got, want := f.ours(x), f.math(x)
			if got != want && !(got != got && want != want) && math.Abs(got-want) > 1e-15*math.Abs(want) && x != 1e-310 {
				t.Errorf("%s(%v) = %v, package math has %v", f.name, x, got, want)
			}
		}
	}
}
