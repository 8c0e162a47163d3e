//go:build !js

package placement

import (
	"testing"

	"berth/engine/placement/placementkind"
)

// The sentence says no more than was proved, and never calls a loss a saving.
func TestSavedText(t *testing.T) {
	for _, c := range []struct {
		before float64
		now    placementkind.Certainty
		want   string
	}{
		{200, placementkind.Certainty{Total: 150, Bound: 120}, "200 → 150: 25\u202f% saved; lower bound 120, at most 25\u202f% above the cheapest possible"},
		{200, placementkind.Certainty{Total: 150, Bound: 150, Proved: true}, "200 → 150: 25\u202f% saved; proved optimal"},
		{100, placementkind.Certainty{Total: 150, Bound: 120}, "100 → 150: 50\u202f% dearer; lower bound 120, at most 25\u202f% above the cheapest possible"},
		{150, placementkind.Certainty{Total: 150, Bound: 120, Deployments: 2}, "Lower bound 120, at most 25\u202f% above the cheapest possible for each deployment, given those before it"},
		{150, placementkind.Certainty{Total: 150}, "Lower bound 0"},
	} {
		if got := savedText(c.before, c.now); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
