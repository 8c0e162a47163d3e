package stats

import (
	"math"
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

// The bits of a few values, so that a run in the browser is held to the same.
func TestExpBits(t *testing.T) {
	for x, want := range map[float64]uint64{
		1: 0x4005bf0a8b145769, -0.5: 0x3fe368b2fc6f960a, -1.234: 0x3fd2a1cdddde5461, 42.42: 0x43c25e36137cf9cc,
	} {
		if got := math.Float64bits(Exp(x)); got != want {
			t.Errorf("Exp(%g) has the bits %#x, want %#x", x, got, want)
		}
	}
}
