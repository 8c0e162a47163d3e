package replay_test

import (
	"strings"
	"testing"

	"berth/engine/replay"
)

// What emptied nodes save says which part is not known.
func TestSaving(t *testing.T) {
	for _, test := range []struct {
		name    string
		emptied []replay.Emptied
		price   float64
		want    string
	}{
		{"none", nil, 0, ""},
		{"no prices", []replay.Emptied{{Node: "a"}}, 0, "No prices"},
		{"all", []replay.Emptied{{Node: "a", Price: 0.2}}, 0.2, "It saves 0.2 an hour."},
		{"some", []replay.Emptied{{Node: "a", Price: 0.2}, {Node: "b"}}, 0.2, "not counting 1 node of no known price"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var r replay.ConsolidateReport
			r.Add("eu", &replay.Consolidated{Emptied: test.emptied, Price: test.price})
			if got := r.Saving(); !strings.Contains(got, test.want) || (test.want == "") != (got == "") {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
