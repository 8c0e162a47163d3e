package kube_test

import (
	"strings"
	"testing"

	"berth/engine/kube"
)

// What emptied nodes save says which part is not known.
func TestSaving(t *testing.T) {
	on := func(node string) kube.ClusterNode { return kube.ClusterNode{Node: node} }
	for _, test := range []struct {
		name    string
		emptied []kube.EmptiedNode
		price   *float64
		want    string
	}{
		{"none", nil, nil, ""},
		{"no prices", []kube.EmptiedNode{{ClusterNode: on("a")}}, nil, "No prices"},
		{"all", []kube.EmptiedNode{{ClusterNode: on("a"), Price: new(0.2)}}, new(0.2), "It saves 0.2 an hour."},
		{"some", []kube.EmptiedNode{{ClusterNode: on("a"), Price: new(0.2)}, {ClusterNode: on("b")}}, new(0.2), "not counting 1 node of no known price"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &kube.ConsolidateReport{Emptied: test.emptied, Price: test.price}
			if got := strings.Join(r.Details(), "\n"); !strings.Contains(got, test.want) || (test.want == "") != (got == "") {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
