package placement

import (
	"strings"
	"testing"

	"berth/engine/placement/placementkind"
)

// The distance is measured from the optimum if it is proved, and otherwise from the bound.
func TestDistanceOfAChallenge(t *testing.T) {
	proved, found := placementkind.Certainty{Total: 200, Bound: 150, Proved: true}, placementkind.Certainty{Total: 200, Bound: 100}
	for _, c := range []struct {
		cost           float64
		of             placementkind.Certainty
		text, detailed string
	}{
		{220, proved, "10\u202f% above the cheapest possible", "The cheapest possible costs 200 (proved)."},
		{200, proved, "the cheapest possible (proved)", "You reached it."},
		{200 + 1e-8, proved, "the cheapest possible (proved)", "You reached it."},
		{220, found, "at most 120\u202f% above the cheapest possible", "Best found: 200, lower bound 100. No optimum is proved."},
		{200, found, "at most 100\u202f% above the cheapest possible", "No optimum is proved."},
	} {
		text, details := distance(c.cost, c.of)
		if text != c.text || !strings.Contains(strings.Join(details, " "), c.detailed) {
			t.Errorf("%v of %+v: %q, %q", c.cost, c.of, text, details)
		}
	}
}
