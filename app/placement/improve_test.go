//go:build !js

package placement

import "testing"

// The sentence says what was proved and no more, and never calls a loss a saving.
func TestSavedText(t *testing.T) {
	for _, c := range []struct {
		before, total, bound float64
		proved               bool
		deployments          int
		want                 string
	}{
		{200, 150, 120, false, 1, "200 → 150, at least 120: 25\u202f% saved, within 25\u202f% of the best possible"},
		{200, 150, 150, true, 1, "200 → 150: 25\u202f% saved, proved to be the best possible"},
		{100, 150, 120, false, 1, "100 → 150, at least 120: 50\u202f% dearer, within 25\u202f% of the best possible"},
		{150, 150, 120, false, 2, "at least 120, within 25\u202f% of the best possible of each on what the ones before it left"},
		{150, 150, 0, false, 1, "at least 0"},
	} {
		if got := savedText(c.before, c.total, c.bound, c.proved, c.deployments); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
