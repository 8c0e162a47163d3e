package stats_test

import (
	"math"
	"slices"
	"testing"

	"berth/engine/sim"
	"berth/engine/stats"
)

// The density of normally distributed values is close to the normal density.
func TestDensityOfNormalValues(t *testing.T) {
	r := sim.NewRandom(1, 1)
	values := make([]float64, 20_000)
	for i := range values {
		values[i] = r.Normal()
	}
	slices.Sort(values)
	const n = 81
	density := stats.Density(values, n)
	low, high := values[0], values[len(values)-1]
	for i, d := range density {
		x := low + (high-low)*float64(i)/(n-1)
		if want := math.Exp(-x * x / 2); math.Abs(d-want) > 0.06 {
			t.Errorf("at %.2f the density is %.3f, want %.3f", x, d, want)
		}
	}
	if slices.Max(density) != 1 {
		t.Errorf("the peak is %v", slices.Max(density))
	}
}

// Two clusters of values have two peaks, and the larger cluster has the higher one.
func TestDensityOfTwoHeaps(t *testing.T) {
	var values []float64
	for i := range 30 {
		values = append(values, float64(i)/100)
	}
	for i := range 60 {
		values = append(values, 9+float64(i)/200)
	}
	density := stats.Density(values, 101)
	if left, middle, right := density[1], density[50], density[98]; !(right > 0.9 && left > 0.2 && left < 0.8 && middle < left/2) {
		t.Errorf("left %v, middle %v, right %v", left, middle, right)
	}
}

func TestDensityOfNothing(t *testing.T) {
	for _, values := range [][]float64{nil, {1}, {2, 2, 2}, {math.NaN(), math.NaN()}} {
		if got := stats.Density(values, 10); got != nil {
			t.Errorf("of %v it is %v", values, got)
		}
	}
	if got := stats.Density([]float64{1, 1, 1, 1, 1, 1, 1, 2}, 5); len(got) != 5 || got[0] != 1 || slices.ContainsFunc(got, math.IsNaN) {
		t.Errorf("of a heap and one beside it %v", got)
	}
}
