package stats

import (
	"math"
	"testing"
)

func TestNormalTails(t *testing.T) {
	for z := 0.0; z < 10; z += 0.125 {
		if got, want := normalTails(z), math.Erfc(z/math.Sqrt2); math.Abs(got-want) > 1e-14 {
			t.Errorf("beyond %v are %v, want %v", z, got, want)
		}
	}
}
