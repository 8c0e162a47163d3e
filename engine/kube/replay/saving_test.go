package replay_test

import (
	"strings"
	"testing"

	"berth/engine/kube/replay"
)

// What emptied nodes save says which part is not known.
func TestSaving(t *testing.T) {
	for _, test := range []struct {
		name    string
		emptied []replay.EmptiedNode
		price   *float64
		want    string
	}{
		{"none", nil, nil, ""},
		{"no prices", []replay.EmptiedNode{{Node: "a"}}, nil, "No prices"},
		{"all", []replay.EmptiedNode{{Node: "a", Price: new(0.2)}}, new(0.2), "It saves 0.2 an hour."},
		{"some", []replay.EmptiedNode{{Node: "a", Price: new(0.2)}, {Node: "b"}}, new(0.2), "not counting 1 node of no known price"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &replay.ConsolidateReport{Emptied: test.emptied, Price: test.price}
			if got := strings.Join(r.Details(), "\n"); !strings.Contains(got, test.want) || (test.want == "") != (got == "") {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
