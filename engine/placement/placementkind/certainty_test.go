//go:build !js

package placementkind_test

import (
	"testing"

	"berth/engine/placement/placementkind"
)

// A gap is a distance from the bound, whatever its size. A difference by rounding is no gap.
func TestCertainty(t *testing.T) {
	for _, c := range []struct {
		certainty placementkind.Certainty
		gap, want string
	}{
		{placementkind.Certainty{Total: 3033, Bound: 1528}, "98.5\u202f%", "lower bound 1\u202f528, at most 98.5\u202f% above the cheapest possible"},
		{placementkind.Certainty{Total: 719.9, Bound: 719.9 - 2e-11, Proved: true}, "0\u202f%", "proved optimal"},
		{placementkind.Certainty{Total: 100.0049, Bound: 100}, "0\u202f%", "lower bound 100, at most 0\u202f% above the cheapest possible"},
		{placementkind.Certainty{Total: 100.006, Bound: 100}, "0.006\u202f%", "lower bound 100, at most 0.006\u202f% above the cheapest possible"},
		{placementkind.Certainty{Total: 100, Bound: 100.1}, "0\u202f%", "lower bound 100.1, at most 0\u202f% above the cheapest possible"},
		{placementkind.Certainty{Total: 10}, "–", "lower bound 0"},
		{placementkind.Certainty{Total: 8, Bound: 8, Proved: true, Deployments: 2}, "0\u202f%", "proved optimal for each deployment, given those before it"},
	} {
		if gap, got := c.certainty.Gap(), c.certainty.String(); gap != c.gap || got != c.want {
			t.Errorf("%+v: got %s, %q, want %s, %q", c.certainty, gap, got, c.gap, c.want)
		}
	}
}
